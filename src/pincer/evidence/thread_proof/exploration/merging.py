"""Which steps that others may notice belong to one move, where no two threads access the same data at the same time.

Without races it makes no difference when others see plain accesses happen: only synchronisation tells. So a move may be
a lock that is taken, then accesses to data, then one step that does more than that (a signal, an atomic operation, a
new thread, the beginning of a wait), and then the locks that are given up and the end of the thread (Lipton's
reduction). What could wait comes first in its move; after a step that tells others something, accesses begin another
move. That there are no races is looked at in every state that is visited: two moves that are possible there must not
meet, unless both begin by taking the same lock. If two threads could ever meet, then also at a moment before all that
each has done since its last move, which nobody has noticed: that moment is visited.

Locks are taken and given up within moves only where nobody tries without waiting, which would tell who holds them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from msgspec import Struct

from pincer.evidence.thread_proof.exploration.library_objects import is_held
from pincer.evidence.thread_proof.exploration.refusals import Meeting
from pincer.evidence.thread_proof.exploration.states import StepAccess, TakenLock, WorkingState
from pincer.logic.terms import Term
from pincer.program.control_flow import ControlFlowProgram
from pincer.program.thread_labels import (
    BarrierWait,
    Exit,
    Join,
    Lock,
    Meet,
    Once,
    Patience,
    SemaphoreWait,
    ThreadOperation,
    Unlock,
    Unmodelled,
    Wait,
)

Numbers: TypeAlias = Callable[[Term], int]
"""Gives operands their values."""

FIRST = (Lock, Join, SemaphoreWait, Once, BarrierWait)
"""Operations that could wait, or take several moves: they begin one."""


class MoveMerging(Struct, frozen=True):
    """What belongs to one move: accesses (`is_on`), locks that are taken and given up, the ends of threads."""

    is_on: bool = False
    locks: bool = False
    ends: bool = False

    def is_separate(self, state: WorkingState) -> bool:
        """Whether an access to data begins another move."""
        if not self.is_on:
            return is_second(state)
        return state.told and not state.atomic and not state.joint

    def is_separate_call(self, state: WorkingState, label: ThreadOperation, number: Numbers) -> bool:
        """Whether an operation of the library does. Giving up a lock does not, if the thread holds it."""
        if not self.is_on or isinstance(label, FIRST):
            return is_second(state)
        if isinstance(label, Unlock) and self.locks and is_held(state.library.get(number(label.lock)), state.me):
            return False
        return self.is_separate_end(state) if isinstance(label, Exit) else self.is_separate(state)

    def check_call(self, state: WorkingState, label: ThreadOperation) -> None:
        """What could wait in an atomic section is looked at step by step."""
        if self.is_on and state.atomic and isinstance(label, FIRST):
            raise Meeting

    def is_separate_end(self, state: WorkingState) -> bool:
        """Whether the end of a thread does."""
        return not self.ends and is_second(state)

    def tells(self, state: WorkingState, label: ThreadOperation) -> bool:
        """Whether accesses to data after an operation begin another move."""
        match label:
            case Lock():
                return not self.locks
            case Wait():
                return not self.locks or state.phase is None or not state.phase.woken
            case BarrierWait():
                return state.phase is None
            case Join():
                return False
        return True


def is_second(state: WorkingState) -> bool:
    """Whether a step that others notice would be the second of its move."""
    return state.begun and not state.atomic and not state.joint


def merging_of(program: ControlFlowProgram) -> MoveMerging:
    """How far moves of a program can be merged."""
    edges = (edge for procedure in program.procedures.values() for edge in procedure.edges)
    labels = [edge.label for edge in edges if isinstance(edge.label, ThreadOperation)]
    if any(isinstance(label, Meet | Unmodelled) for label in labels):
        return MoveMerging()
    impatient = [label for label in labels if isinstance(label, Lock | Join) and _is_impatient(label)]
    locks = not any(isinstance(label, Lock) for label in impatient)
    return MoveMerging(True, locks, not any(isinstance(label, Join) for label in impatient))


def _is_impatient(label: Lock | Join) -> bool:
    return label.patience is not Patience.FOR_EVER


def taken_lock(state: WorkingState, label: ThreadOperation, number: Numbers) -> TakenLock | None:
    """The lock that an operation takes if it can be done."""
    match label:
        case Lock(lock=lock, shared=shared):
            return TakenLock(number(lock), shared)
        case Wait() if state.phase is not None and state.phase.woken:
            return TakenLock(state.phase.mutex)
    return None


def exclude(mine: TakenLock | None, yours: TakenLock | None) -> bool:
    """Whether two moves begin by taking the same lock, which not both can."""
    if mine is None or yours is None:
        return False
    return mine.address == yours.address and not (mine.shared and yours.shared)


def meet(mine: tuple[StepAccess, ...], yours: tuple[StepAccess, ...]) -> bool:
    """Whether the order of two moves may matter beyond what the library orders. An object of the library that begins or
    is over must be nobody else's at that time, and so must any object that is over."""
    for a in mine:
        for b in yours:
            matters = a.life or a.lone or b.lone or not (a.atomic and b.atomic)
            if matters and (a.write or b.write) and a.overlaps(b):
                return True
    return False
