"""Exploration of paths, beside the search: a program with few paths is decided by walking all of them.

The paper's regions shine where paths are many; here they are few, but hard to describe by predicates (lists, arrays
that are filled in a loop with a fixed bound, deep recursion). Paths that turn where few have turned come first, so that
errors are found early, also where there are too many paths to walk them all; random walks (`walks`) look for them as
well then. An exploration can be interrupted and resumed.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import Literal, TypeAlias

from pincer.analysis.error_distances import ErrorDistances
from pincer.engines.dash.goals import PropertyKind
from pincer.engines.dash.questions import Infeasible, Questions
from pincer.engines.dash.walks import Walks
from pincer.evidence.c_proof.paths import Paths
from pincer.execution.machine import History, World
from pincer.execution.stepping import Stop
from pincer.execution.testing import Frame, Node, Tester, extended
from pincer.logic.solver import SolverUnknown
from pincer.logic.terms import Term, negate
from pincer.program.control_flow import Assume, ControlFlowProgram, Edge
from pincer.runtime.run import Run

MOST_PATHS = 20_000
MOST_TURNS = 200_000
STEPS_PER_PATH = 60_000
STEPS_PER_HUNTED_PATH = 3_000
TURNS_PER_PATH = 1_000
PATIENCE_MS = 2_000
AGAIN = 20
"""Steps by which an error seems farther away after each turn at an edge."""
FARTHEST = 1_000_000
"""What a turn counts from which no error is reached."""

Progress = Literal["unfinished", "all paths", "error", "undefined behaviour", "given up"]


@dataclass(frozen=True, slots=True)
class _Turn:
    """Another way to go on from a state: its path's conditions up to there, and the one that makes the difference.

    `barred` is an edge that cannot be taken then. `news` tells which edge its path was the last one to pass first."""

    node: Node
    path: History | None
    condition: Term
    barred: Edge | None
    news: int


_Bend: TypeAlias = tuple[Edge, float, int]
"""The edge at which turns leave their paths, how far from an error it leads, and the news of the paths."""


class _Agenda:
    """Turns by edge and distance: where few have been taken, and as often where an error is near, the next one is."""

    def __init__(self, distances: ErrorDistances | None = None) -> None:
        self._distances = distances
        self._turns: dict[_Bend, list[_Turn]] = {}
        self._seldom: list[tuple[float, int, _Bend]] = []
        self._near: list[tuple[float, int, _Bend]] = []
        self._taken: dict[Edge | _Bend, int] = {}
        self._order = 0
        self._random = random.Random(1)
        self.size = 0

    @property
    def is_guided(self) -> bool:
        return self._distances is not None

    def guided(self, distances: ErrorDistances) -> _Agenda:
        """The same turns in the order that distances suggest."""
        agenda = _Agenda(distances)
        for (edge, _, _), turns in self._turns.items():
            for turn in turns:
                agenda.add(edge, turn)
        return agenda

    def add(self, edge: Edge, turn: _Turn) -> None:
        bend = edge, self._distance(edge, turn), 0 if self._distances is None else turn.news
        turns = self._turns.setdefault(bend, [])
        turns.append(turn)
        self.size += 1
        if len(turns) == 1:
            self._enqueue(bend)

    def _distance(self, edge: Edge, turn: _Turn) -> float:
        if self._distances is None:
            return 0
        if edge is turn.barred:
            return FARTHEST
        node = turn.node
        return min(self._distances.from_location(edge.target, _calls(node.frame), node.state.value), FARTHEST)

    def _enqueue(self, bend: _Bend) -> None:
        self._order += 1
        edge, distance, _ = bend
        far = FARTHEST if distance == FARTHEST else 0
        heappush(self._seldom, (self._taken.get(edge, 0) + far, self._order, bend))
        if self._distances is not None:
            heappush(self._near, (AGAIN * self._taken.get(bend, 0) + distance, self._order, bend))

    def next(self) -> _Turn | None:
        """The latest turn at an edge, or any of them: deep and shallow ones alike lead on."""
        if self.size == 0:
            return None
        queue = self._near if self._near and self._random.random() < 0.5 else self._seldom
        bend = heappop(queue)[2]
        while not self._turns[bend]:
            bend = heappop(queue)[2]
        turns = self._turns[bend]
        for counted in (bend, bend[0]):
            self._taken[counted] = self._taken.get(counted, 0) + 1
        chosen = -1 if self._random.random() < 0.5 else self._random.randrange(len(turns))
        turns[chosen], turns[-1] = turns[-1], turns[chosen]
        turn = turns.pop()
        self.size -= 1
        if turns:
            self._enqueue(bend)
        return turn


@dataclass
class Exploration:
    """The paths of a program. `inputs` are those of the last test that ended in an error or undefined behaviour.

    `observe` is told every state on the way."""

    program: ControlFlowProgram
    kind: PropertyKind
    run: Run
    progress: Progress = "unfinished"
    inputs: Mapping[Term, int] = field(default_factory=dict)
    exhaustive: bool = True
    paths: int = 0
    steps: int = 0
    observe: Callable[[Node], None] | None = None

    def __post_init__(self) -> None:
        self._world = World(self.program, pinned=[])
        self._tester = Tester(self._world, self.observe)
        self.questions = Questions(self.run, timeout_ms=PATIENCE_MS)
        self._until = 0.0
        self._walks: Walks | None = None
        self._agenda = _Agenda()
        self._node: Node | None = self._tester.root()
        self._begun_at = self._turns = 0
        self._values: dict[int, set[int]] = {}
        self._passed: set[Edge] = set()
        self._news = 0

    @property
    def is_guided(self) -> bool:
        """Whether distances to errors are known."""
        return self._agenda.is_guided

    def be_guided(self, distances: ErrorDistances) -> None:
        """Turn first to where an error is near."""
        self._agenda = self._agenda.guided(distances)

    def work(self, seconds: float) -> Progress:
        """Go on for some time; what there is to say of undefined behaviour is said once."""
        if self.progress == "undefined behaviour":
            self.progress = "unfinished"
        self._until = self.run.elapsed() + seconds
        while self.progress == "unfinished" and self.run.elapsed() < self._until:
            self.run.poll()
            self._some_steps(256)
        self._walk(seconds / 2)
        return self.progress

    def _walk(self, seconds: float) -> None:
        """Random walks, where there are too many paths to follow them all at once."""
        if self.progress != "unfinished":
            return
        if self._walks is None:
            self._walks = Walks(self.program, self.kind, self.run)
        found = self._walks.work(seconds) if self._walks.are_useful else None
        if found is not None:
            self.inputs = found
            self.steps += self._walks.steps
            self.progress = "error"

    def _some_steps(self, most: int) -> None:
        for _ in range(most):
            if self._node is None:
                if self.run.elapsed() > self._until:
                    return
                self._node = self._next_path()
                self._begun_at, self._turns = self.steps, 0
            if self._node is None:
                return
            self._step(self._node)
            if self._is_too_long():
                self.exhaustive = False
                self._node = None
            if self._agenda.size > MOST_TURNS:
                self.progress = "given up"
            if self.progress != "unfinished":
                return

    def _is_too_long(self) -> bool:
        most = STEPS_PER_PATH if self.exhaustive else STEPS_PER_HUNTED_PATH
        return self.steps - self._begun_at > most or self._turns > TURNS_PER_PATH

    def _step(self, node: Node) -> None:
        self.steps += 1
        following = self._tester.advance(node)
        self._note_pins(node.location)
        if isinstance(following, Stop):
            self._ended(node, following)
            return
        if following.edge is not None and following.edge not in self._passed:
            self._passed.add(following.edge)
            self._news = len(self._passed)
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
        if not new:
            return
        assert following.edge is not None
        edges = node.frame.procedure.outgoing.get(node.location, ())
        other = next((edge for edge in edges if edge is not following.edge), following.edge)
        barred = following.edge if isinstance(following.edge.label, Assume) else None
        path = node.conditions
        self._turns += len(new)
        for condition in reversed(new):
            self._agenda.add(other, _Turn(node, path, negate(condition), barred, self._news))
            path = History(condition, path)

    def _ended(self, node: Node, stop: Stop) -> None:
        self.paths += 1
        self._node = None
        if stop.kind == "halt" and stop.edge is None and node.location != node.frame.procedure.exit:
            self._note_blocked(node)
        self.exhaustive &= self.paths <= MOST_PATHS
        if stop.kind == ("fail" if self.kind == "assertions" else "check"):
            self.inputs = dict(node.state.values)
            self.progress = "error"
        elif stop.kind == "check":
            self._met_undefined_behaviour(node)
        elif stop.kind == "unsupported":
            self.exhaustive = False

    def _note_blocked(self, node: Node) -> None:
        """No edge could be taken with these inputs: other inputs may take one."""
        for edge in node.frame.procedure.outgoing.get(node.location, ()):
            assert isinstance(edge.label, Assume)
            pins: list[Term] = []
            condition = node.state.symbolic(edge.label.condition, pins)
            path = node.conditions
            for pin in pins:
                self._agenda.add(edge, _Turn(node, path, negate(pin), None, self._news))
                path = History(pin, path)
            self._agenda.add(edge, _Turn(node, path, condition, None, self._news))
        self._note_pins(node.location)

    def _met_undefined_behaviour(self, node: Node) -> None:
        """While `assertions` are checked, a path into undefined behaviour makes a proof by paths impossible."""
        self.exhaustive = False
        if not self.inputs:
            self.inputs = dict(node.state.values)
            self.progress = "undefined behaviour"

    def _next_path(self) -> Node | None:
        while self.run.elapsed() < self._until:
            turn = self._agenda.next()
            if turn is None:
                self.progress = "all paths" if self.exhaustive else "given up"
                return None
            try:
                answer = self.questions.extend(turn.path, [turn.condition])
            except SolverUnknown:
                self.exhaustive = False
                continue
            if not isinstance(answer, Infeasible):
                self._news = turn.news
                node, state = turn.node, turn.node.state.under(answer.model)
                conditions = extended(turn.path, [turn.condition])
                return Node(node.location, state, node.frame, node.parent, node.edge, conditions)
        return None

    def proof(self) -> Paths:
        """What the checker needs in order to walk the same paths."""
        values = {location: tuple(sorted(found)) for location, found in self._values.items()}
        return Paths(self.paths, self.steps, values)


def _calls(frame: Frame) -> tuple[Edge, ...]:
    """The calls that are under way in an activation, the innermost first."""
    calls: list[Edge] = []
    while frame.caller is not None and frame.call is not None:
        calls.append(frame.call)
        frame = frame.caller
    return tuple(calls)
