"""Executions that do not come to an end soon, with inputs that are the same in every round.

An input has one value for each place where it is read, so that a round can be repeated.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from msgspec import Struct

from pincer.engines.cutpoints.cutting import Cut
from pincer.engines.sampling.inputs import compared_numbers, drawn_input, is_truth_value
from pincer.engines.termination.endless_region import Chosen, Visits
from pincer.engines.termination.limits import LIMITS
from pincer.execution.machine import World
from pincer.execution.stepping import Stop
from pincer.execution.testing import Node, Tester, spread
from pincer.logic.bitvectors import width
from pincer.logic.terms import Term
from pincer.program.control_flow import Edge, Input
from pincer.runtime.run import Run

CHOICES = frozenset(("nondet", "external"))
"""Inputs that may have a value of their own in every round: what is not initialised is read once."""


class LongRun(Struct, frozen=True):
    """The nodes at cut points, in their order, and the values of inputs by the edge that reads them.

    The `tester` can go on from its nodes."""

    nodes: tuple[Node, ...]
    inputs: Chosen
    tester: Tester

    @property
    def late(self) -> tuple[Node, ...]:
        return self.nodes[len(self.nodes) // 2 :]

    def visits(self) -> Visits:
        """The states at the cut points that the run comes back to in its second half."""
        found: dict[int, list[Node]] = {}
        for node in self.late:
            found.setdefault(node.location, []).append(node)
        return {place: [node.state for node in spread(nodes, LIMITS.visits)] for place, nodes in found.items()}

    def chosen(self) -> Chosen:
        """The inputs that are read in the second half."""
        found: dict[Edge, int] = {}
        node: Node | None = self.nodes[-1]
        while node is not None and node is not self.late[0]:
            edge = node.edge
            if edge is not None and isinstance(edge.label, Input) and edge.label.kind in CHOICES:
                found[edge] = self.inputs[edge]
            node = node.parent
        return found


class Endings(Struct):
    """How executions ended: where behaviour is undefined, and where nothing is modelled."""

    undefined: dict[Edge, Stop] = {}
    unsupported: dict[Edge, str] = {}

    def note(self, stop: Stop) -> None:
        if stop.edge is not None and stop.kind == "check":
            self.undefined.setdefault(stop.edge, stop)
        elif stop.edge is not None and stop.kind == "unsupported":
            self.unsupported.setdefault(stop.edge, f"{stop.message} at {stop.edge.position}")


def long_runs(cut: Cut, run: Run, endings: Endings) -> Iterator[LongRun]:
    """Executions that go on for long, each different from the others; how the others end is noted."""
    numbers = compared_numbers(cut.program)
    edges = {id(edge.label): edge for edge in cut.view.procedure.edges if isinstance(edge.label, Input)}
    places = frozenset(cut.view.live) - {cut.view.procedure.entry}
    seen: set[tuple[int, ...]] = set()
    for seed in range(LIMITS.runs):
        inputs: dict[Edge, int] = {}
        rng = random.Random(seed)

        def draw(label: Input, symbol: Term, rng: random.Random = rng, inputs: dict[Edge, int] = inputs,
                 style: int = seed % 4) -> int:  # fmt: skip
            edge = edges[id(label)]
            if edge not in inputs:
                inputs[edge] = _drawn(rng, style, label, symbol, numbers)
            return inputs[edge]

        nodes: list[Node] = []

        def observe(node: Node, nodes: list[Node] = nodes) -> None:
            if node.location in places:
                nodes.append(node)

        tester = Tester(World(cut.program, draw, concrete=True), observe)
        _, stop = tester.run(tester.root(), LIMITS.steps_per_run, run.poll)
        endings.note(stop)
        if stop.kind != "steps" or len(nodes) < 4:
            continue
        found = LongRun(tuple(nodes), inputs, tester)
        like = (*sorted({node.location for node in found.late}), -1, *found.inputs.values())
        if like not in seen:
            seen.add(like)
            yield found


def _drawn(rng: random.Random, style: int, label: Input, symbol: Term, numbers: dict[int, list[int]]) -> int:
    """A value for an input: one that is compared, an extreme one, any, or a small one."""
    bits = width(symbol)
    if style == 0 or is_truth_value(label):
        return drawn_input(rng, label, symbol, numbers)
    if style == 1:
        half = 1 << (bits - 1)
        return rng.choice((0, 1, half - 1, half, 2 * half - 1)) & (2 * half - 1)
    return rng.getrandbits(bits) if style == 2 else rng.randint(0, 10) & ((1 << bits) - 1)


def calls_of(node: Node) -> tuple[tuple[str, int], ...]:
    """The calls that are open at a node, outermost first."""
    found: list[tuple[str, int]] = []
    frame = node.frame
    while frame.caller is not None and frame.call is not None:
        caller = frame.caller.procedure
        found.append((caller.name, caller.edges.index(frame.call)))
        frame = frame.caller
    return tuple(reversed(found))
