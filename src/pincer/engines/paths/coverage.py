"""Tests for every side of every decision: directed testing without a property."""

from __future__ import annotations

from dataclasses import dataclass, field

from pincer.engines.paths.limits import LIMITS
from pincer.engines.questions import Infeasible, Questions
from pincer.engines.sampling.inputs import input_vector
from pincer.evidence.c.trace import InputVector
from pincer.execution.machine import World
from pincer.execution.testing import Node, Tester
from pincer.logic.solver import SolverUnknown
from pincer.logic.terms import Term
from pincer.program.control_flow import Assume, ControlFlowProgram, Edge
from pincer.runtime.run import Run, Stopped


@dataclass
class SideCoverage:
    """Which sides of decisions tests have taken, and where a test could try the others.

    `reason` says why the search has ended although sides are left.
    """

    program: ControlFlowProgram
    run: Run
    tests: list[InputVector] = field(default_factory=list)
    reason: str = ""

    def __post_init__(self) -> None:
        self._tester = Tester(World(self.program), self._observe)
        self._questions = Questions(self.run)
        self._sides: dict[int, list[Edge]] = {}
        for edge in self.program.edges():
            if isinstance(edge.label, Assume) and edge.label.branch is not None:
                self._sides.setdefault(edge.source, []).append(edge)
        self._taken: set[Edge] = set()
        self._waiting: dict[Edge, list[Node]] = {}
        self._tries: dict[Edge, int] = {}
        self._further: list[tuple[Edge, Node]] = []
        self._tries_further = 0

    @property
    def sides(self) -> int:
        return sum(map(len, self._sides.values()))

    @property
    def covered(self) -> int:
        return len(self._taken)

    def _observe(self, node: Node) -> None:
        if node.edge is not None and isinstance(node.edge.label, Assume) and node.edge.label.branch is not None:
            self._taken.add(node.edge)
            others = (edge for edge in self._sides[node.edge.source] if edge is not node.edge)
            self._further += ((edge, node.parent) for edge in others if node.parent is not None)
        for edge in self._sides.get(node.location, ()):
            if edge not in self._taken:
                self._waiting.setdefault(edge, []).append(node)

    def search(self) -> None:
        """Add tests until every reachable side is taken, tries are used up, or the run is stopped."""
        try:
            self._test(self._tester.root())
            while (chosen := self._next()) is not None:
                self._attempt(*chosen)
        except Stopped as stopped:
            self.reason = stopped.reason.text
            return
        if self.covered < self.sides:
            most = max(self._tries.values(), default=0)
            self.reason = f"no way to the others in up to {most} tries for each and {self._tries_further} more"

    def _next(self) -> tuple[Edge, Node] | None:
        for edge, nodes in self._waiting.items():
            if edge not in self._taken and nodes and self._tries.get(edge, 0) < LIMITS.tries_per_side:
                self._tries[edge] = self._tries.get(edge, 0) + 1
                return edge, nodes.pop()
        return self._one_round_more()

    def _one_round_more(self) -> tuple[Edge, Node] | None:
        """A side taken before, from where a test left it last: behind one more round of a loop may lie what is new."""
        if self.covered == self.sides or not self._further or self._tries_further == LIMITS.tries_further:
            return None
        self._tries_further += 1
        return self._further.pop()

    def _attempt(self, edge: Edge, node: Node) -> None:
        assert isinstance(edge.label, Assume)
        pins: list[Term] = []
        condition = node.state.symbolic(edge.label.condition, pins)
        path = node.conditions
        try:
            answer = self._questions.extend(path, [condition, *pins])
        except SolverUnknown:
            return
        if not isinstance(answer, Infeasible):
            state = node.state.under(answer.model)
            self._test(Node(node.location, state, node.frame, node.parent, node.edge, path))
        elif edge not in self._taken:
            self._start_again([condition, *pins])

    def _start_again(self, goals: list[Term]) -> None:
        """A side that the path so far excludes: inputs that suit its condition alone may lead there another way."""
        try:
            answer = self._questions.extend(None, goals)
        except SolverUnknown:
            return
        if not isinstance(answer, Infeasible):
            self._test(self._tester.root(answer.model))

    def _test(self, node: Node) -> None:
        before = len(self._taken)
        last, _ = self._tester.run(node, LIMITS.steps_per_test, self.run.poll)
        if len(self._taken) > before or not self.tests:
            self.tests.append(input_vector(last))
        self.run.publish("dash", "covering branches", tests=len(self.tests), covered=self.covered, sides=self.sides)


def cover(program: ControlFlowProgram, run: Run) -> SideCoverage:
    """Tests that together take as many sides of decisions as can be found."""
    coverage = SideCoverage(program, run)
    coverage.search()
    return coverage
