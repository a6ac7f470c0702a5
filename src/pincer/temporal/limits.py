"""How much work a question may cost. PPTL is non-elementary: some short formulas have hopelessly large graphs."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from msgspec import Struct

from pincer.temporal.formula import diagram_size, watched


class TooLarge(Exception):
    """The work was cut; the argument is a sentence that says which limit was reached."""

    @property
    def reason(self) -> str:
        return str(self.args[0])


class TemporalLimits(Struct, frozen=True):
    """How much one question may cost: beyond it, the answer is "unknown", or a formula stays as it is."""

    nodes: int = 20_000
    """Nodes of a graph: some seconds of work; graphs that answer anything are much smaller."""
    diagram_nodes: int = 500_000
    """Nodes of diagrams that one question may create: about as much memory as a process should use."""
    poll: Callable[[], None] | None = None
    """Called often; it may raise to cancel."""
    first_look: int = 4
    """Nodes after which an infinite model is looked for; then at four times as many, and so on."""
    candidates: int = 32
    """Lassos that are tried at each look: where so many are no models, the next ones hardly are."""
    disjuncts: int = 16
    """Disjuncts that a chop is distributed over: more make formulas larger, not simpler."""
    nesting: int = 250
    """Operators within operators of a formula that is read; derivatives recurse some levels for each."""
    digits: int = 9
    """Digits of a number in a formula: a length of more steps is not meant."""
    recursion: int = 50_000
    """Python functions within functions."""


DEFAULT_LIMITS = TemporalLimits()


@dataclass(slots=True)
class Meter:
    """What one question has cost so far."""

    limits: TemporalLimits
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
    sys.setrecursionlimit(max(depth, DEFAULT_LIMITS.recursion))
    try:
        yield
    except RecursionError:
        raise TooLarge("the formula is nested too deeply; split it into smaller formulas") from None
    finally:
        sys.setrecursionlimit(depth)


@contextmanager
def metered(limits: TemporalLimits) -> Iterator[Meter]:
    """A meter that also watches the growth of formulas, with room for deep recursion."""
    meter = Meter(limits)
    with deep_recursion(), watched(meter.watch):
        yield meter
