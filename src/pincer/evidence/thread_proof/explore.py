"""Do all schedules and inputs of a program end well? The checker of claims that they are finitely many.

Such a claim says only how many states and moves there are. The checker explores them by itself, keeps the states it has
visited, and looks at every one of them for what the property forbids. It comes to an end, or to a limit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations

from msgspec import Struct

from pincer.evidence.c_proof.program_facts import ProgramFacts
from pincer.evidence.c_proof.smt import Node, Script
from pincer.evidence.thread_proof.exploration import things
from pincer.evidence.thread_proof.exploration.asked import ConditionQuestions
from pincer.evidence.thread_proof.exploration.library import Blocked
from pincer.evidence.thread_proof.exploration.merging import MoveMerging, exclude, meet, merging_of
from pincer.evidence.thread_proof.exploration.moves import Moved, Moves
from pincer.evidence.thread_proof.exploration.refusals import ExplorationRefused, Meeting, Unexplored
from pincer.evidence.thread_proof.exploration.slots import RegisterSlots
from pincer.evidence.thread_proof.exploration.states import State, StepAccess, ThreadState, Value
from pincer.evidence.thread_proof.exploration.steps import Steps
from pincer.evidence.thread_proof.exploration.values import TermValues
from pincer.program.control_flow import ControlFlowProgram
from pincer.program.property import PropertyKind
from pincer.program.registers import THREAD

MOST_MOVES = 2_000_000
"""Moves of one exploration: some minutes of work."""

STEPS_PER_MOVE = 10
"""Steps that a move may take on average: few of them are local loops."""

STEPS = 250_000
"""Steps that small explorations may take besides: there may be one loop with many rounds."""


class _Interned:
    """Numbers for values: equal values have the same."""

    def __init__(self) -> None:
        self._known: dict[object, int] = {}

    def __call__(self, value: object) -> int:
        return self._known.setdefault(value, len(self._known))


class Exploring(Struct, frozen=True):
    """What is asked about a program, whether threads that wait wake up by themselves, how many moves are looked at."""

    program: ControlFlowProgram
    kind: PropertyKind
    spurious: bool
    most: int = MOST_MOVES


class ThreadExplorer:
    """One exploration of a program. `refuted` says whether a solver shows that a formula has no model."""

    def __init__(
        self, asked: Exploring, script: Script, refuted: Callable[[Node], bool], poll: Callable[[], None]
    ) -> None:
        program, kind = asked.program, asked.kind
        self._kind = kind
        self._poll = poll
        self._most = asked.most
        slots = RegisterSlots(ProgramFacts(program, kind))
        self._conditions = ConditionQuestions(script, refuted, program.layout.slot)
        self._steps = Steps(slots, TermValues(slots, script), self._conditions)
        self._moves = Moves(self._steps, self._conditions, kind == "assertions", asked.spurious)
        self._word = program.layout.pointer_bits // 8
        bits = program.layout.pointer_bits
        found = (slots.of(register) for register in slots.registers)
        self._wide = frozenset(slot.number for slot in found if slot.space == "all" and slot.width > bits)
        self._interned = _Interned()
        self._states: set[object] = set()
        self.moves = 0

    @property
    def states(self) -> int:
        return len(self._states)

    @property
    def claims(self) -> int:
        """How often it was asked whether inputs allow something."""
        return self._conditions.claims

    def explore(self) -> None:
        """Visit all states. Raises ExplorationRefused where one is not as it should be, Unexplored at a limit."""
        for _ in self.visit():
            pass

    def visit(self) -> Iterator[None]:
        """The same, state by state: first with merged moves, and without where threads meet."""
        self._moves.merging = merging_of(self._steps.program)
        try:
            yield from self._visited()
        except Meeting:
            self._moves.merging = MoveMerging()
            self._states.clear()
            yield from self._visited()

    def _visited(self) -> Iterator[None]:
        waiting = [state for state in self._first() if self._is_new(state)]
        while waiting:
            state = waiting.pop()
            waiting.extend(after for after in self._following(state) if self._is_new(after))
            yield

    def _is_new(self, state: State) -> bool:
        known = len(self._states)
        self._states.add(self._key(state))
        return len(self._states) > known

    def _key(self, state: State) -> object:
        """What makes two states the same."""
        number = self._interned
        return (
            tuple(map(number, state.threads)), number(state.all), number(frozenset(state.memory.items())),
            number(frozenset(state.library.items())), number(frozenset(state.owners.items())),
            number(state.conditions),
        )  # fmt: skip

    def _first(self) -> list[State]:
        """The states in which the main thread is about to do something that others may notice."""
        steps, slots = self._steps, self._steps.slots
        program = steps.program
        entry = program.procedures[program.entry]
        spaces: dict[str, list[Value | None]] = {
            "own": [None] * slots.count(entry.name), "thread": [None] * slots.count(THREAD),
            "all": [None] * slots.count(None),
        }  # fmt: skip
        for register, value in program.initial.items():
            slot = slots.of(register)
            spaces[slot.space][slot.number] = None if register in steps.idle else value
        spaces["thread"][slots.top.number] = steps.region(0)[0]
        memory = {
            item.address: things.made(item.size, item.contents, read_only=item.read_only) for item in program.objects
        }
        main = ThreadState(entry, entry.entry, (), tuple(spaces["own"]), tuple(spaces["thread"]))
        state = State((main,), tuple(spaces["all"]), memory, {}, {}, frozenset())
        return self._moves.settled(state, 0)

    def _following(self, state: State) -> Iterator[State]:
        """The states after all moves from a state, which is looked at itself."""
        waiting: dict[int, tuple[int, ...]] = {}
        moved: dict[int, list[Moved]] = {}
        for number in state.live():
            if state.threads[number].stuck:
                continue
            answer = self._moves.of(state, number)
            if isinstance(answer, Blocked):
                waiting[number] = answer.holders
                continue
            moved[number] = answer
            self.moves += len(answer)
            yield from (move.after for move in answer if move.after is not None)
        self._within_limits()
        if self._kind == "deadlock":
            self._not_deadlocked(state, waiting)
        self._apart(moved)

    def _within_limits(self) -> None:
        if self.moves > self._most:
            raise Unexplored(f"there are more than {self._most} moves")
        if self._moves.taken > STEPS_PER_MOVE * self._most + STEPS:
            raise Unexplored("the moves are too long to be explored")
        self._poll()

    def _not_deadlocked(self, state: State, waiting: dict[int, tuple[int, ...]]) -> None:
        """Nobody waits in a circle, and not everybody waits. A wait that may end by itself, but need not, counts."""
        blocked = dict(waiting)
        for number in state.live():
            phase = state.threads[number].phase
            if phase is not None and phase.kind == "condition" and not phase.woken and not phase.timed:
                blocked.setdefault(number, ())
        live = set(state.live())
        if any(_in_circle(number, blocked, live, ()) for number in blocked):
            raise ExplorationRefused("threads may wait for each other in a circle")
        stuck = [number for number in live if state.threads[number].stuck]
        if blocked and not stuck and len(blocked) == len(live):
            raise ExplorationRefused("all threads may wait for what never comes")

    def _apart(self, moved: dict[int, list[Moved]]) -> None:
        """No two threads are about to access the same data, one of them writing, not both atomically. Other properties
        need that only for what a machine does in more than one step."""
        for first, second in combinations(moved, 2):
            for mine in moved[first]:
                for yours in moved[second]:
                    if self._meet(mine, yours):
                        both = mine.conditions | yours.conditions
                        if self._conditions.are_possible_together(both):
                            self._met(mine, yours)

    def _meet(self, mine: Moved, yours: Moved) -> bool:
        if self._moves.merging.is_on:
            return not exclude(mine.taken, yours.taken) and meet(mine.touched, yours.touched)
        return self._race(mine.touched, yours.touched)

    def _met(self, mine: Moved, yours: Moved) -> None:
        if self._race(mine.touched, yours.touched):
            raise ExplorationRefused("two threads may access the same data at the same time")
        raise Meeting

    def _race(self, mine: tuple[StepAccess, ...], yours: tuple[StepAccess, ...]) -> bool:
        for a in mine:
            for b in yours:
                both = (a.write or b.write) and not (a.atomic and b.atomic) and not a.life and a.overlaps(b)
                if both and (self._kind == "race" or self._is_block(a) or self._is_block(b)):
                    return True
        return False

    def _is_block(self, access: StepAccess) -> bool:
        """Whether it is more than a machine does in one step."""
        if access.atomic:
            return False
        return access.start in self._wide if access.register else access.size > self._word


def _in_circle(number: int, blocked: dict[int, tuple[int, ...]], live: set[int], path: tuple[int, ...]) -> bool:
    """Whether who waits for whom leads back, or to a thread that is over and still holds something."""
    if number in path or number not in live:
        return True
    return any(_in_circle(holder, blocked, live, (*path, number)) for holder in blocked.get(number, ()))
