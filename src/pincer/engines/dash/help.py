"""What DASH gets help with beyond the paper: loops that are split again and again, and recursive calls.

Requests for loop invariants go to the board, with what the forest and the regions tell about the loops. Before the
first one some tests with small random inputs are run: relations between variables show only where they vary.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import partial

from pincer.engines.board import StuckProcedure
from pincer.engines.dash.algorithm import Dash
from pincer.engines.dash.limits import LIMITS
from pincer.engines.dash.searches import Search
from pincer.engines.invariants.limits import LIMITS as INVARIANTS
from pincer.engines.invariants.recursion import Inductive, Recursion
from pincer.engines.invariants.sight import Sight
from pincer.engines.sampling.inputs import is_truth_value
from pincer.execution.testing import Node, spread
from pincer.logic.terms import Term
from pincer.program.control_flow import Call, Input, Procedure

Hidden = Mapping[int, frozenset[Term]]


class SearchHelper:
    """Help for one analysis. At a location, invariants do not speak of `hidden` registers."""

    def __init__(self, dash: Dash, hidden: Hidden) -> None:
        self._dash = dash
        self._hidden = hidden
        self._splits: dict[int, int] = {}
        self._has_tested = False
        self._recursion = Recursion(dash.program, dash.effects, dash.questions, self._finished_calls)

    @property
    def summaries(self) -> Mapping[str, Inductive]:
        return self._recursion.summaries

    def excludes(self, call: Call, goals: Sequence[Term]) -> Term | None:
        return self._recursion.excludes(call, goals)

    def loop_is_split(self, search: Search, procedure: Procedure, location: int) -> None:
        count = self._splits[location] = self._splits.get(location, 0) + 1
        if count < LIMITS.splits_of_loops or count & (count - 1):
            return
        self._test_at_random()
        stuck = StuckProcedure(self._sight(search, procedure), _unreached(search, procedure))
        self._dash.board.ask_for_facts(stuck)

    def _test_at_random(self) -> None:
        if self._has_tested:
            return
        self._has_tested = True
        world = self._dash.forest.world
        rng, usual = random.Random(1), world.default_input
        try:
            for most in INVARIANTS.random_tests:
                world.default_input = partial(_random_input, rng, most)
                self._dash.add_test_to_forest(self._dash.forest.tester.root())
        finally:
            world.default_input = usual

    def _finished_calls(self, procedure: str) -> list[dict[Term, int]]:
        """Parameters on entry and result of the calls of a procedure in tests that came back."""
        self._test_at_random()
        called = self._dash.program.procedures[procedure]
        assert called.result is not None
        found = []
        for frame, nodes in self._dash.forest.nodes_of.items():
            if frame.procedure is called and nodes[-1].location == called.exit:
                values = {parameter: nodes[0].state.registers[parameter] for parameter in called.parameters}
                found.append({**values, called.result: nodes[-1].state.registers.get(called.result, 0)})
        return found

    def _sight(self, search: Search, procedure: Procedure) -> Sight:
        nodes: dict[int, list[Node]] = {}
        for frame, made in self._dash.forest.nodes_of.items():
            if frame.procedure is procedure:
                for node in made:
                    nodes.setdefault(node.location, []).append(node)
        kept = {location: spread(group, INVARIANTS.nodes) for location, group in nodes.items()}
        literals: dict[Term, None] = {}
        for head in sorted(procedure.loop_heads):
            for region in search.abstraction.leaves(head):
                literals |= dict.fromkeys(region.literals)
        return Sight(procedure, kept, tuple(literals), self._dash.program.layout, self._hidden)


def _unreached(search: Search, procedure: Procedure) -> dict[int, list[Term]]:
    """What the abstraction still has to exclude at loop heads: regions without tests on ways to the target."""
    found: dict[int, dict[Term, None]] = {}
    for before, _, _ in search.abstraction.backward(False):
        if before.location in procedure.loop_heads and not before.nodes:
            found.setdefault(before.location, {})[before.predicate] = None
    return {head: list(formulas) for head, formulas in found.items()}


def _random_input(rng: random.Random, most: int, label: Input, symbol: Term) -> int:
    return rng.randint(0, 1 if is_truth_value(label) else most)
