"""Exploration of all paths, beside the search: a program with few paths is decided by walking all of them.

The paper's regions shine where paths are many; here they are few, but hard to describe by predicates (lists, arrays
that are filled in a loop with a fixed bound, deep recursion). An exploration can be interrupted and resumed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from pincer.engines.dash.goals import PropertyKind
from pincer.engines.dash.questions import Infeasible, Questions
from pincer.evidence.c_proof.paths import Paths
from pincer.execution.machine import History, World
from pincer.execution.stepping import Stop
from pincer.execution.testing import Node, Tester, extended
from pincer.logic.solver import SolverUnknown
from pincer.logic.terms import Term, negate
from pincer.program.control_flow import ControlFlowProgram
from pincer.runtime.run import Run

MOST_PATHS = 20_000
STEPS_PER_PATH = 60_000

Progress = Literal["unfinished", "all paths", "error", "hopeless"]


@dataclass(frozen=True, slots=True)
class _Turn:
    """Another way to go on from a state: its path's conditions up to there, and the one that makes the difference."""

    node: Node
    path: History | None
    condition: Term


@dataclass
class Exploration:
    """All paths of a program, depth first. `inputs` are those of the last test that ended in an error or a check."""

    program: ControlFlowProgram
    kind: PropertyKind
    run: Run
    progress: Progress = "unfinished"
    inputs: Mapping[Term, int] = field(default_factory=dict)
    paths: int = 0
    steps: int = 0

    def __post_init__(self) -> None:
        self._world = World(self.program, pinned=[])
        self._tester = Tester(self._world)
        self._questions = Questions(self.run)
        self._turns: list[_Turn] = []
        self._node: Node | None = self._tester.root()
        self._begun_at = 0
        self._values: dict[int, set[int]] = {}

    def work(self, seconds: float) -> Progress:
        """Go on for some time."""
        until = self.run.elapsed() + seconds
        while self.progress == "unfinished" and self.run.elapsed() < until:
            self.run.poll()
            self._some_steps(256)
        return self.progress

    def _some_steps(self, most: int) -> None:
        for _ in range(most):
            if self._node is None:
                self._node = self._next_path()
                self._begun_at = self.steps
            if self._node is None:
                return
            self._step(self._node)
            if self.steps - self._begun_at > STEPS_PER_PATH or self.paths > MOST_PATHS:
                self.progress = "hopeless"
            if self.progress != "unfinished":
                return

    def _step(self, node: Node) -> None:
        self.steps += 1
        following = self._tester.advance(node)
        self._note_pins(node.location)
        if isinstance(following, Stop):
            self._ended(node, following)
            return
        self._note_turns(node, following)
        self._node = following

    def _note_pins(self, location: int) -> None:
        pinned = self._world.pinned
        if pinned:
            self._values.setdefault(location, set()).update(pinned)
            pinned.clear()

    def _note_turns(self, node: Node, following: Node) -> None:
        """The conditions a step has added could have been otherwise."""
        new: list[Term] = []
        history = following.conditions
        while history is not node.conditions and history is not None:
            new.append(history.item)
            history = history.earlier
        path = node.conditions
        for condition in reversed(new):
            self._turns.append(_Turn(node, path, negate(condition)))
            path = History(condition, path)

    def _ended(self, node: Node, stop: Stop) -> None:
        self.paths += 1
        self._node = None
        if stop.kind in ("fail", "check"):
            self._failed(node, stop)
        elif stop.kind != "halt":
            self.progress = "hopeless"

    def _failed(self, node: Node, stop: Stop) -> None:
        """For `assertions`, a path into undefined behaviour makes a proof impossible; for `memory`, `fail` ends it."""
        counts = stop.kind == ("fail" if self.kind == "assertions" else "check")
        if counts or stop.kind == "check":
            self.inputs = dict(node.state.values)
            self.progress = "error" if counts else "hopeless"

    def _next_path(self) -> Node | None:
        while self._turns:
            turn = self._turns.pop()
            try:
                answer = self._questions.extend(turn.path, [turn.condition])
            except SolverUnknown:
                self.progress = "hopeless"
                return None
            if not isinstance(answer, Infeasible):
                node, state = turn.node, turn.node.state.under(answer.model)
                conditions = extended(turn.path, [turn.condition])
                return Node(node.location, state, node.frame, node.parent, node.edge, conditions)
        self.progress = "all paths"
        return None

    def proof(self) -> Paths:
        """What the checker needs in order to walk the same paths."""
        values = {location: tuple(sorted(found)) for location, found in self._values.items()}
        return Paths(self.paths, self.steps, values)
