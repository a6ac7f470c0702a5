"""How much work a question may cost. PPTL is non-elementary: some short formulas have hopelessly large graphs."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from pincer.temporal.formula import diagram_size, watched

_RECURSION_LIMIT = 50_000


class TooLarge(Exception):
    """The work was cut; the argument is a sentence that says which limit was reached."""

    @property
    def reason(self) -> str:
        return str(self.args[0])


@dataclass(frozen=True, slots=True)
class Limits:
    """Graph nodes and diagram nodes one question may create; `poll` is called often and may raise to cancel."""

    nodes: int = 20_000
    diagram_nodes: int = 500_000
    poll: Callable[[], None] | None = None


DEFAULT_LIMITS = Limits()


@dataclass(slots=True)
class Meter:
    """What one question has cost so far."""

    limits: Limits
    diagram_start: int = field(default_factory=diagram_size)

    def count(self, nodes: int) -> None:
        """Note how many nodes the graph at hand has."""
        if nodes > self.limits.nodes:
            raise TooLarge(
                f"the formula's graph has more than {self.limits.nodes} nodes; split or simplify the formula"
            )
        self.watch()

    def watch(self) -> None:
        if self.limits.poll is not None:
            self.limits.poll()
        if diagram_size() - self.diagram_start > self.limits.diagram_nodes:
            raise TooLarge(
                f"the formula's derivatives need more than {self.limits.diagram_nodes} diagram nodes; "
                "split or simplify the formula"
            )


@contextmanager
def deep_recursion() -> Iterator[None]:
    """Room for nested formulas; also a decorator, `@deep_recursion()`.

    Recursion here goes from Python function to Python function: a high limit costs heap, not C stack.
    """
    depth = sys.getrecursionlimit()
    if depth < _RECURSION_LIMIT:
        sys.setrecursionlimit(_RECURSION_LIMIT)
    try:
        yield
    except RecursionError:
        raise TooLarge("the formula is nested too deeply; split it into smaller formulas") from None
    finally:
        sys.setrecursionlimit(depth)


@contextmanager
def metered(limits: Limits) -> Iterator[Meter]:
    """A meter that also watches the growth of formulas, with room for deep recursion."""
    meter = Meter(limits)
    with deep_recursion(), watched(meter.watch):
        yield meter
