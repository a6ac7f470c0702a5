"""Random tests before the analysis: shallow violations are found without a single question to the solver.

The paper leaves open where the first tests come from. These draw inputs from small numbers and from the constants the
program compares with. Those that go new ways are good first tests: many frontiers are crossed before the first
question is asked.
"""

from __future__ import annotations

import random

from pincer.engines.board import Board, Violated
from pincer.engines.portfolio import Allowance, Ended, Going
from pincer.engines.sampling.inputs import compared_numbers, drawn_input
from pincer.engines.sampling.limits import LIMITS
from pincer.engines.violation import violated
from pincer.execution.machine import World
from pincer.execution.stepping import Stop
from pincer.execution.testing import Node, Tester
from pincer.logic.terms import Term
from pincer.program.control_flow import Edge, Input


class Hunting:
    """The strategy: some tests with one seed each; those that take an edge for the first time go to the board."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._reads_inputs = any(isinstance(edge.label, Input) for edge in board.program.edges())
        self._numbers = compared_numbers(board.program)
        self._covered: set[Edge | None] = set()
        self._tests = self._kept = self._steps = 0

    def step(self, budget: Allowance) -> Going | Ended | Violated:
        until = self._steps + budget.steps
        while self._steps < until:
            if not self._reads_inputs or self._tests == LIMITS.tests:
                return Ended("random tests show no violation")
            passed: set[Edge | None] = set()
            last, stop = self._test(passed)
            if self._board.is_violation(stop) and (found := violated(self._board, last.state.values)) is not None:
                return found
            if not passed <= self._covered and self._kept < LIMITS.tests_kept:
                self._kept += 1
                self._board.inputs.append(dict(last.state.values))
                self._covered |= passed
        return Going(budget)

    def _test(self, passed: set[Edge | None]) -> tuple[Node, Stop]:
        rng = random.Random(self._tests)

        def draw(label: Input, symbol: Term) -> int:
            return drawn_input(rng, label, symbol, self._numbers)

        def observe(node: Node) -> None:
            self._steps += 1
            passed.add(node.edge)

        self._tests += 1
        tester = Tester(World(self._board.program, draw, concrete=True), observe)
        return tester.run(tester.root(), LIMITS.steps_per_test, self._board.run.poll)
