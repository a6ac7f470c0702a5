"""Locks as the analyses name them, and which lock operation an edge is."""

from __future__ import annotations

from msgspec import Struct

from pincer.analysis.own_memory import of_activation
from pincer.analysis.threads import Threads
from pincer.logic.bitvectors import state_reads
from pincer.logic.terms import Term
from pincer.program.control_flow import Edge
from pincer.program.memory_regions import ANYTHING, AbstractObject, AbstractPointer, MemoryRegion, Pointers
from pincer.program.points_to import PointsTo
from pincer.program.thread_labels import Lock, Post, SemaphoreWait, Unlock, Wait

ATOMIC_SECTION = AbstractPointer(AbstractObject("static", "atomic section"))
"""The lock that `__VERIFIER_atomic_begin` takes."""


class HeldLock(Struct, frozen=True):
    """A lock that is certainly held: one object at one address."""

    pointer: AbstractPointer
    shared: bool = False

    def excludes(self, other: HeldLock) -> bool:
        """Whether two threads cannot hold these at the same time."""
        return self.pointer == other.pointer and not (self.shared and other.shared)


class ConcernedLocks(Struct, frozen=True):
    """Which locks an operation may concern. `exact` is set when it is certainly this one."""

    pointers: Pointers
    exact: AbstractPointer | None
    term: Term | None

    def may_be(self, pointer: AbstractPointer) -> bool:
        return any(MemoryRegion(mine, 1).overlaps(MemoryRegion(pointer, 1)) for mine in self.pointers)


def named_lock(term: Term, threads: Threads, pointers: PointsTo) -> ConcernedLocks:
    """The lock at an address. Its term names it as well, where only the procedure's own registers occur in it."""
    found = pointers.address(term)
    exact = None
    if len(found) == 1:
        (only,) = found
        if only.exact and only.object is not ANYTHING and threads.is_single(only.object):
            exact = only
    stable = all(of_activation(register) for register in term.variables) and not state_reads(term)
    return ConcernedLocks(found, exact, term if stable else None)


def lock_argument(edge: Edge) -> Term | None:
    """The address of the lock that an edge takes, gives up or waits with; semaphores count as locks."""
    match edge.label:
        case Lock(lock=lock) | Unlock(lock=lock) | Wait(lock=lock):
            return lock
        case SemaphoreWait(semaphore) | Post(semaphore):
            return semaphore
    return None
