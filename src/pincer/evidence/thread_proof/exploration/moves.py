"""Moves of a thread: a step that others may notice, and all the steps after it that nobody notices.

Steps that nobody notices are those on registers of the thread and on objects that only it can know; so it makes no
difference when others see them happen. A move ends before the next step that others may notice (`merging.py` says when
that belongs to the move, too), where the thread meets an assumption that does not hold, and now and then in a loop:
what it has done by then is there to be seen.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from msgspec import Struct

from pincer.evidence.c_proof.smt import Node
from pincer.evidence.thread_proof.exploration.asked import ConditionQuestions
from pincer.evidence.thread_proof.exploration.library import Blocked, Call
from pincer.evidence.thread_proof.exploration.lives import end, performed
from pincer.evidence.thread_proof.exploration.merging import MoveMerging, is_second, taken_lock
from pincer.evidence.thread_proof.exploration.refusals import ExplorationRefused, OpenValue, Unexplored
from pincer.evidence.thread_proof.exploration.states import State, StepAccess, TakenLock, WorkingState
from pincer.evidence.thread_proof.exploration.steps import Steps
from pincer.program.control_flow import Assume, Check, Edge, Fail, Halt, Unsupported
from pincer.program.thread_labels import UNNOTICED, AtomicBegin, AtomicEnd, Meet, ThreadOperation


class MoveLimits(Struct, frozen=True):
    """How far one move of a thread goes."""

    most_steps: int = 200_000
    """Steps of one move: a thread that takes more never comes to what others could notice."""
    rounds: int = 1_000
    """How often a move may come to the same head of a loop before it ends there."""
    rounds_by_inputs: int = 8
    """The same where inputs decide how it goes on: there it has many ends."""


LIMITS = MoveLimits()


class Moved(NamedTuple):
    """What a move leads to (None where the program is over), what others could notice of it, what the inputs satisfy
    then, the lock with which it began, and whether a formula may have `seen` it."""

    after: State | None
    touched: tuple[StepAccess, ...]
    conditions: frozenset[Node]
    taken: TakenLock | None = None
    seen: bool = False


class Moves:
    """Takes the moves of threads; `fails` says whether failures are what the property forbids. `merging` says how much
    belongs to one move, `taken` counts steps."""

    def __init__(self, steps: Steps, conditions: ConditionQuestions, fails: bool, spurious: bool) -> None:
        self.steps = steps
        self.conditions = conditions
        self._fails = fails
        self._spurious = spurious
        self.merging = MoveMerging()
        self.taken = 0

    def of(self, state: State, number: int) -> list[Moved] | Blocked:
        """All moves of a live thread that is not stuck, or why it waits."""
        moves = self._moves(WorkingState(state, number))
        waits = [move for move in moves if isinstance(move, Blocked)]
        if waits and len(moves) > 1:
            raise Unexplored("whether a thread waits depends on inputs in a way that is not followed")
        return waits[0] if waits else [move for move in moves if isinstance(move, Moved)]

    def settled(self, state: State, number: int) -> list[State]:
        """The states after all the first steps of a new thread that nobody notices."""
        begun = WorkingState(state, number)
        begun.begun = begun.told = True
        moves = (move for move in self._moves(begun) if isinstance(move, Moved))
        return [move.after for move in moves if move.after is not None]

    def _moves(self, first: WorkingState) -> list[Moved | Blocked]:
        """All ways to go on; or it waits without having done anything."""
        pending, found = [first], list[Moved | Blocked]()
        while pending:
            state = pending.pop()
            try:
                following = self._advanced(state)
            except OpenValue as open_:
                state.steps -= 1
                pending += self.conditions.cases(state, open_.node)
                continue
            if isinstance(following, Blocked):
                found.append(following)
            elif following is None:
                found += self._finished(state)
            elif not following:
                found.append(Moved(None, state.touched, state.conditions, state.taken))
            else:
                for way in following:
                    if way.over:
                        found += self._finished(way)
                    else:
                        pending.append(way)
        return found

    def _finished(self, state: WorkingState) -> list[Moved]:
        """The state after a move, with only what matters from there on; new threads have begun."""
        known = state.conditions
        if not state.threads[state.me].ended:
            needed = self.steps.liveness.at(state.procedure, state.location)
            mine = state.mine(needed)
            state.own = list(mine.own)
            state.changed_thread(state.me, mine)
        self.conditions.forget(state)
        after = State(
            state.threads, tuple(state.all), state.memory, state.library, state.owners, state.conditions
        )  # fmt: skip
        states = [after]
        for number in state.born:
            states = [there for before in states for there in self.settled(before, number)]
        return [Moved(there, state.touched, known, state.taken, state.seen) for there in states]

    def _advanced(self, state: WorkingState) -> list[WorkingState] | Blocked | None:
        """The states after one more step; none where the program is over; None where the move ends before it."""
        state.steps += 1
        self.taken += 1
        state.handed.clear()
        if state.steps > LIMITS.most_steps:
            raise Unexplored("a thread takes too many steps that nobody notices")
        if self._is_long(state):
            return None
        if state.location == state.procedure.exit:
            return self._returned(state)
        edges = state.procedure.outgoing.get(state.location, ())
        if not edges:
            return self._stuck(state)
        label = edges[0].label
        if isinstance(label, ThreadOperation):
            return self._library(state, edges[0], label)
        if isinstance(label, Fail | Halt | Unsupported):
            return self._ended(state, edges[0])
        return self._plain(state, edges)

    def _is_long(self, state: WorkingState) -> bool:
        if state.location not in state.procedure.loop_heads or state.atomic or state.joint:
            return False
        rounds = state.heads.get(state.location, 0) + 1
        state.heads[state.location] = rounds
        return rounds > (LIMITS.rounds_by_inputs if state.conditions else LIMITS.rounds)

    def _noticed(self, state: WorkingState, accesses: tuple[StepAccess, ...], way: WorkingState) -> None:
        """Note what others could notice of a step."""
        if accesses:
            atomic = bool(state.atomic)
            way.touched += tuple(a._replace(atomic=True) for a in accesses) if atomic else accesses
            way.begun = True

    def _returned(self, state: WorkingState) -> list[WorkingState] | None:
        if state.frames:
            accesses = () if state.is_alone() else self.steps.result_accesses(state)
            watched = self.steps.is_result_watched(state)
            if (accesses or watched) and self.merging.is_separate(state):
                return None
            self.steps.leave(state)
            self._noticed(state, accesses, state)
            state.begun = state.begun or watched
            state.seen = state.seen or watched
            state.joint = state.joint and not accesses
            return [state]
        if is_second(state) if state.me == 0 else self.merging.is_separate_end(state):
            return None
        if state.me == 0:
            self._last(state, "the program ends")
            return []
        end(self.steps, state, self.steps.result_of(state))
        return [state]

    def _ended(self, state: WorkingState, edge: Edge) -> list[WorkingState] | None:
        if is_second(state):
            return None
        if isinstance(edge.label, Unsupported):
            raise Unexplored(f"{edge.position}: what is not modelled may be reached")
        if isinstance(edge.label, Fail) and self._fails:
            raise ExplorationRefused(f"{edge.position}: this failure may be reached")
        self._last(state, "the program ends")
        return []

    def _last(self, state: WorkingState, what: str) -> None:
        """The last state of a run is one that formulas look at."""
        if state.atomic and self.steps.watching.watched:
            raise Unexplored(f"{what} in an atomic section, where no formula looks")

    def _stuck(self, state: WorkingState) -> list[WorkingState] | None:
        """No assumption holds here: the thread does not go on."""
        if state.atomic:
            self._last(state, "an assumption does not hold")
            return []
        state.stuck = True
        return None

    def _plain(self, state: WorkingState, edges: tuple[Edge, ...]) -> list[WorkingState] | None:
        accesses: tuple[StepAccess, ...] = ()
        if not state.is_alone():
            found = (access for edge in edges for access in self.steps.accesses(state, edge.label))
            accesses = tuple(dict.fromkeys(found))
        watched = self._is_watched(state, edges)
        if (accesses or watched) and self.merging.is_separate(state):
            return None
        only = self._only_way(state, edges)
        if only is not None:
            edges = (only,)
        taken = list[WorkingState]()
        life = any(access.life for access in accesses)
        for edge in edges:
            way = state.copy() if len(edges) > 1 else state
            was_joint = state.joint
            if self.steps.taken(way, edge):
                self._noticed(state, accesses, way)
                way.begun = way.begun or watched
                way.seen = way.seen or watched
                way.joint = isinstance(edge.label, Check) and (life or was_joint)
                taken.append(way)
        left = self._left(state, edges) if only is None else None
        if left is not None:
            self._noticed(state, accesses, left)
            taken.append(left)
        if not taken:
            self._noticed(state, accesses, state)
        return taken or self._stuck(state)

    def _only_way(self, state: WorkingState, edges: tuple[Edge, ...]) -> Edge | None:
        """The edge to take where each is a condition that is certain to hold or not to hold, and one of them holds."""
        found: Edge | None = None
        for edge in edges if len(edges) > 1 else ():
            if not isinstance(edge.label, Assume):
                return None
            value = self.steps.values.of(edge.label.condition, state)
            if not isinstance(value, int) or (value and found is not None):
                return None
            self.steps.untouched(state, edge)
            found = edge if value else found
        return found

    def _is_watched(self, state: WorkingState, edges: tuple[Edge, ...]) -> bool:
        """Whether a step may change what a formula speaks of."""
        watching = self.steps.watching
        if not any(watching.may_change(state, edge.label) for edge in edges):
            return False
        if state.atomic and any(watching.is_label(edge.label) for edge in edges):
            raise Unexplored(f"{edges[0].position}: a label that a formula asks about, in an atomic section")
        return True

    def _left(self, state: WorkingState, edges: tuple[Edge, ...]) -> WorkingState | None:
        """The thread where none of several conditions holds, if inputs allow that: it does not go on."""
        labels = [edge.label for edge in edges]
        parts = [self.steps.values.of(label.condition, state) for label in labels if isinstance(label, Assume)]
        if len(parts) < len(labels) or any(isinstance(part, int) for part in parts) or state.atomic:
            return None
        script = self.steps.values.script
        negated = [script.negation(part) for part in parts if isinstance(part, Node)]
        if len(parts) == 2 and negated[0] is parts[1]:
            return None
        way = state.copy()
        if not self.conditions.passes(way, script.conjunction(negated)):
            return None
        way.stuck = way.over = True
        return way

    def _library(self, state: WorkingState, edge: Edge, label: ThreadOperation) -> list[WorkingState] | Blocked | None:
        """A step of the library. What it is about is decided while the move before it is under way: whether the thread
        waits may depend on that."""
        if isinstance(label, AtomicEnd):
            if not state.atomic:
                raise ExplorationRefused(f"{edge.position}: an atomic section ends that has not begun")
            state.atomic, state.location, state.joint = state.atomic - 1, edge.target, False
            return [state]
        accesses = () if state.is_alone() else self.steps.accesses(state, label)
        watched = self.steps.watching.may_change(state, label)
        visible = not isinstance(label, UNNOTICED) or bool(accesses) or watched
        number = partial(self.steps.values.number, state=state)
        if visible and self.merging.is_separate_call(state, label, number):
            for operand in label.decisive:
                self.steps.values.number(operand, state)
            return None
        if isinstance(label, AtomicBegin):
            state.atomic, state.location, state.begun = state.atomic + 1, edge.target, True
            state.told, state.joint = True, False
            return [state]
        if isinstance(label, Meet) and state.atomic:
            raise Unexplored(f"{edge.position}: a place inside an atomic section that the user asks about")
        self.merging.check_call(state, label)
        before = state.touched
        tells = bool(accesses) or self.merging.tells(state, label)
        if not tells and all(access.life for access in state.touched):
            state.taken = taken_lock(state, label, number)
        outcome = performed(Call(self.steps, state, edge, label), self._spurious)
        if isinstance(outcome, Blocked):
            if state.atomic:
                raise Unexplored(f"{edge.position}: waiting inside an atomic section")
            state.touched = before
            return outcome if state.steps == 1 else None
        for way in outcome:
            self._noticed(state, accesses, way)
            way.begun = way.begun or visible
            way.seen = way.seen or watched
            way.told = way.told or (visible and tells)
            way.joint = False
        return outcome
