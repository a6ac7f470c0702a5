"""Exploration of paths, beside the search: a program with few paths is decided by walking all of them.

The paper's regions shine where paths are many; here they are few, but hard to describe by predicates (lists, arrays
that are filled in a loop with a fixed bound, deep recursion). Paths that turn where few have turned come first, so that
errors are found early, also where there are too many paths to walk them all; random walks (`walks`) look for them as
well then. Where it is known how far errors are, paths that come near them are followed as often, and the search tells
states apart by what has closed ways to an error (`gates`). An exploration can be interrupted and resumed.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import Literal, NamedTuple

from pincer.analysis.error_distances import ErrorDistances
from pincer.engines.paths.guide import Guide
from pincer.engines.questions import Infeasible, Questions
from pincer.engines.sampling.walks import Walks
from pincer.evidence.c_proof.paths import Paths
from pincer.execution.machine import History, World
from pincer.execution.stepping import Stop
from pincer.execution.testing import Node, Tester, extended
from pincer.logic.solver import SolverUnknown
from pincer.logic.terms import Term, negate
from pincer.program.control_flow import Assume, ControlFlowProgram, Edge
from pincer.program.property import PropertyKind
from pincer.runtime.run import Run

MOST_PATHS = 20_000
MOST_TURNS = 200_000
STEPS_PER_PATH = 60_000
STEPS_PER_HUNTED_PATH = 3_000
TURNS_PER_PATH = 1_000
INPUTS_PER_PATH = 1_000
PATIENCE_MS = 2_000
SECONDS_PER_EDGE, SHARE_AT_ONCE = 0.004, 0.2
"""How long a guide is followed at once: the larger a program, the longer its regions say nothing. At most a share of
the time that is left."""
AGAIN = 20
"""Steps by which an error seems farther away after each turn at an edge."""
OPENING = 0.01
"""How much nearer an error seems where inputs decide about what has kept executions away from it."""
FARTHEST = 1_000_000
"""What a turn counts from which no error is reached."""

Progress = Literal["unfinished", "all paths", "error", "undefined behaviour", "given up"]


@dataclass(frozen=True, slots=True)
class _Turn:
    """Another way to go on from a state: its path's conditions up to there, and the one that makes the difference.

    It leads along `edge`, unless that is the one that cannot be taken then. An extra one is not needed in order to
    follow all paths."""

    edge: Edge
    node: Node
    path: History | None
    condition: Term
    is_barred: bool
    is_extra: bool


class _Bend(NamedTuple):
    """Turns that are as good as each other: the edge they take, how far from an error it leads, whether that may open a
    gate, and what the gates tell of their states."""

    edge: Edge
    distance: float = 0
    may_open: bool = False
    combination: tuple[int, ...] = ()


def _bend(turn: _Turn, guide: Guide, distance: float | None) -> _Bend:
    state = turn.node.state
    if distance is None:
        distance = FARTHEST if turn.is_barred else min(guide.distance(turn.edge.target, turn.node), FARTHEST)
    may_open = distance < FARTHEST and guide.gates.may_open(turn.condition, state)
    return _Bend(turn.edge, distance, may_open, guide.gates.combination(state))


class _Agenda:
    """Turns by edge and distance: where few have been taken, and as often where an error is near, the next one is.

    `size` counts them, `due` those that are not extra."""

    def __init__(self, guide: Guide | None = None) -> None:
        self._guide = guide
        self._turns: dict[_Bend, list[_Turn]] = {}
        self._seldom: list[tuple[float, int, _Bend]] = []
        self._near: list[tuple[float, int, _Bend]] = []
        self._taken: dict[Edge | _Bend, int] = {}
        self._order = 0
        self._random = random.Random(1)
        self.size = self.due = 0

    def guided(self, guide: Guide) -> _Agenda:
        """The same turns in the order that a guide suggests."""
        agenda = _Agenda(guide)
        agenda._taken, agenda._random = self._taken, self._random
        for bend, turns in self._turns.items():
            for turn in turns:
                agenda.add(turn, bend.distance if self._guide is guide else None)
        return agenda

    def add(self, turn: _Turn, distance: float | None = None) -> None:
        """Add a turn. Its distance from an error never changes: if it is known it need not be looked for."""
        bend = _Bend(turn.edge) if self._guide is None else _bend(turn, self._guide, distance)
        turns = self._turns.setdefault(bend, [])
        turns.append(turn)
        self.size += 1
        self.due += not turn.is_extra
        if len(turns) == 1:
            self._enqueue(bend)

    def _enqueue(self, bend: _Bend) -> None:
        self._order += 1
        far = FARTHEST if bend.distance == FARTHEST else 0
        heappush(self._seldom, (self._taken.get(bend.edge, 0) + far, self._order, bend))
        if self._guide is not None:
            tried = self._taken.get(bend, 0) + self._guide.gates.closed_with(bend.combination)
            distance = bend.distance * OPENING if bend.may_open else bend.distance
            heappush(self._near, (AGAIN * tried + distance, self._order, bend))

    def next(self) -> _Turn | None:
        """The latest turn at an edge, or any of them: deep and shallow ones alike lead on."""
        if self.due == 0:
            return None
        queue = self._near if self._near and self._random.random() < 0.5 else self._seldom
        bend = heappop(queue)[2]
        while not self._turns[bend]:
            bend = heappop(queue)[2]
        turns = self._turns[bend]
        for counted in (bend, bend.edge):
            self._taken[counted] = self._taken.get(counted, 0) + 1
        chosen = -1 if self._random.random() < 0.5 else self._random.randrange(len(turns))
        turns[chosen], turns[-1] = turns[-1], turns[chosen]
        turn = turns.pop()
        self.size -= 1
        self.due -= not turn.is_extra
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
        self._guide: Guide | None = None
        self._variables = 0
        self._at_once = 0.0
        self._again: list[Mapping[Term, int]] = []
        self._is_extra = False

    @property
    def is_guided(self) -> bool:
        """Whether distances to errors are known."""
        return self._guide is not None

    def be_guided(self, distances: ErrorDistances) -> None:
        """Turn first to where an error is near, and go on longer than usual when there is work next."""
        left = self.run.remaining()
        wanted = SECONDS_PER_EDGE * sum(1 for _ in self.program.edges())
        self._at_once = wanted if left is None else min(wanted, SHARE_AT_ONCE * left)
        self._guide = Guide(self.program, distances)
        self._order_again(self._guide)

    def _order_again(self, guide: Guide) -> None:
        self._agenda = self._agenda.guided(guide)
        self._variables = guide.gates.variables

    def work(self, seconds: float) -> Progress:
        """Go on for some time; what there is to say of undefined behaviour is said once."""
        if self.progress == "undefined behaviour":
            self.progress = "unfinished"
        self._until = self.run.elapsed() + seconds + self._at_once
        self._at_once = 0.0
        while self.progress == "unfinished" and self.run.elapsed() < self._until:
            self.run.poll()
            if self._guide is not None and self._guide.gates.variables > self._variables:
                self._order_again(self._guide)
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
        if self._node is not None and self._node.state.inputs_read > INPUTS_PER_PATH:
            return True
        return self.steps - self._begun_at > most or self._turns > TURNS_PER_PATH

    def _step(self, node: Node) -> None:
        self.steps += 1
        following = self._tester.advance(node)
        self._note_pins(node.location)
        if isinstance(following, Stop):
            self._ended(node, following)
            return
        if following.conditions is not node.conditions:
            self._note_turns(node, following)
        elif self._guide is not None and following.edge is not None:
            self._guide.passed(node, following.edge)
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
        assert following.edge is not None
        edges = node.frame.procedure.outgoing.get(node.location, ())
        other = next((edge for edge in edges if edge is not following.edge), following.edge)
        is_barred = other is following.edge and isinstance(following.edge.label, Assume)
        path = node.conditions
        self._turns += len(new)
        for condition in reversed(new):
            self._agenda.add(_Turn(other, node, path, negate(condition), is_barred, self._is_extra))
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
                self._agenda.add(_Turn(edge, node, path, negate(pin), False, self._is_extra))
                path = History(pin, path)
            self._agenda.add(_Turn(edge, node, path, condition, False, self._is_extra))
        self._note_pins(node.location)

    def _met_undefined_behaviour(self, node: Node) -> None:
        """While `assertions` are checked, a path into undefined behaviour makes a proof by paths impossible."""
        self.exhaustive = False
        if not self.inputs:
            self.inputs = dict(node.state.values)
            self.progress = "undefined behaviour"

    def _next_path(self) -> Node | None:
        while self.run.elapsed() < self._until:
            if self._again:
                self._is_extra = True
                return self._tester.root(self._again.pop())
            turn = self._agenda.next()
            if turn is None:
                self.progress = "all paths" if self.exhaustive else "given up"
                return None
            try:
                answer = self.questions.extend(turn.path, [turn.condition])
            except SolverUnknown:
                self.exhaustive = False
                continue
            if isinstance(answer, Infeasible):
                self._note_refused(turn)
            else:
                self._is_extra = turn.is_extra
                node, state = turn.node, turn.node.state.under(answer.model)
                conditions = extended(turn.path, [turn.condition])
                return Node(node.location, state, node.frame, node.parent, node.edge, conditions)
        return None

    def _note_refused(self, turn: _Turn) -> None:
        """What the decisions before a turn exclude may be possible with other ones: the same inputs are tried again,
        but for those that the turn demands."""
        if self._guide is None or turn.is_barred or not self._guide.refused(turn.node, turn.edge):
            return
        with suppress(SolverUnknown):
            answer = self.questions.extend(None, [turn.condition])
            if not isinstance(answer, Infeasible):
                self._again.append({**turn.node.state.values, **answer.model})

    def proof(self) -> Paths:
        """What the checker needs in order to walk the same paths."""
        values = {location: tuple(sorted(found)) for location, found in self._values.items()}
        return Paths(self.paths, self.steps, values)
