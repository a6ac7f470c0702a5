"""The lock-order graph: who waits for a lock while holding another, and the cycles that may be deadlocks.

LockWait for a thread to end counts as waiting for a lock that this thread holds all its life. What cannot be seen as
locks held and wanted (signals that are never sent, barriers that nobody else reaches) has no cycle here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from msgspec import Struct

from pincer.analysis.locks import HeldLock, lock_argument
from pincer.analysis.locks_held import Taken
from pincer.analysis.parallelism import Parallelism
from pincer.analysis.threads import AbstractThread, Threads
from pincer.program.control_flow import Edge
from pincer.program.memory_regions import Pointers
from pincer.program.points_to import PointsTo
from pincer.program.thread_labels import Exit, Join, Lock, Patience, SemaphoreWait, Wait


class LockWait(Struct, frozen=True):
    """A thread may wait at the edge `site` for one of the locks `wanted`, while it holds `held`.

    `gates` are the locks it certainly holds there.
    """

    thread: AbstractThread
    site: Edge
    wanted: Pointers
    held: Taken
    gates: frozenset[HeldLock]


class LockCycle(Struct, frozen=True):
    """Each wants what the next one holds, the last one what the first holds. One alone waits for itself, or for a
    lock that was kept by a thread that ended.

    `open_ended`: the same sites may close the cycle with any larger number of threads as well.
    """

    members: tuple[LockWait, ...]
    open_ended: bool = False

    @property
    def sites(self) -> tuple[Edge, ...]:
        """The edges where the threads wait."""
        return tuple(member.site for member in self.members)


def waiting_sites(
    threads: Threads,
    pointers: PointsTo,
    must: Mapping[AbstractThread, Mapping[int, frozenset[HeldLock]]],
    may: Mapping[AbstractThread, Mapping[int, frozenset[Taken]]],
) -> tuple[LockWait, ...]:
    """The edges of the lock-order graph."""
    found: list[LockWait] = []
    for thread in threads.all:
        for edge, wanted in _waits(thread, threads, pointers):
            gates = _gates(edge, wanted, must[thread].get(edge.source, frozenset()))
            held = sorted(may[thread].get(edge.source, ()), key=lambda taken: taken.site.source)
            kept = [lock for lock in held if not _gives_up(edge, lock, pointers)]
            found.extend(LockWait(thread, edge, wanted, lock, gates) for lock in kept)
    return tuple(found)


def _wanted(edge: Edge, pointers: PointsTo) -> Pointers:
    """What an edge may wait for, for ever."""
    match edge.label:
        case (
            Lock(lock=term, patience=Patience.FOR_EVER)
            | Wait(lock=term)
            | SemaphoreWait(term, patience=Patience.FOR_EVER)
            | Join(term, patience=Patience.FOR_EVER)
        ):
            return pointers.address(term)
    return frozenset()


def _gates(edge: Edge, wanted: Pointers, held: frozenset[HeldLock]) -> frozenset[HeldLock]:
    """The locks certainly held during the wait; a wait for a condition has given up its own."""
    if not isinstance(edge.label, Wait):
        return held
    return frozenset(lock for lock in held if not Taken(edge, wanted).may_be(frozenset((lock.pointer,))))


def _gives_up(edge: Edge, held: Taken, pointers: PointsTo) -> bool:
    """Whether a wait for a condition gives up this very lock while it waits."""
    if not isinstance(edge.label, Wait):
        return False
    term = lock_argument(edge)
    return term is not None and held.exact is not None and pointers.address(term) == {held.exact}


def lock_cycles(
    waits: tuple[LockWait, ...], parallel: Parallelism, poll: Callable[[], None] = lambda: None
) -> Iterator[LockCycle]:
    """All cycles, the shortest first: different threads that may wait at the same time, without a common gate lock."""
    for wait in waits:
        if wait.held.may_be(wait.wanted) and _is_lock(wait.held):
            yield LockCycle((wait,))
    follows = {
        first: [second for second in waits if second.held.may_be(first.wanted) and _together(first, second, parallel)]
        for first in waits
    }
    for wait in waits:
        if wait in follows[wait]:
            yield LockCycle((wait, wait), open_ended=True)
    order = {wait: i for i, wait in enumerate(waits)}
    paths: list[tuple[LockWait, ...]] = [(wait,) for wait in waits]
    while paths:
        longer = []
        for path in paths:
            poll()
            for following in follows[path[-1]]:
                if following is path[0] and len(path) > 1:
                    yield LockCycle(path)
                elif order[following] > order[path[0]] and _joins(following, path, parallel):
                    longer.append((*path, following))
        paths = longer


def _joins(wait: LockWait, path: tuple[LockWait, ...], parallel: Parallelism) -> bool:
    return wait not in path and all(_together(member, wait, parallel) for member in path)


def _is_lock(held: Taken) -> bool:
    """Whether nobody but the holder can give it up: not a semaphore, and not the end of a thread."""
    return isinstance(held.site.label, Lock)


def abandoned_locks(
    threads: Threads,
    pointers: PointsTo,
    must: Mapping[AbstractThread, Mapping[int, frozenset[HeldLock]]],
    may: Mapping[AbstractThread, Mapping[int, frozenset[Taken]]],
) -> Iterator[LockCycle]:
    """Waits for a lock that another thread may have kept when it ended, as cycles of one."""
    for other in threads.all:
        kept = {held for end in _ends(other, threads) for held in may[other].get(end, ()) if _is_lock(held)}
        for held in sorted(kept, key=lambda taken: taken.site.source):
            for thread in threads.all:
                if thread is other and not other.several:
                    continue
                for edge, wanted in _waits(thread, threads, pointers):
                    if held.may_be(wanted):
                        gates = _gates(edge, wanted, must[thread].get(edge.source, frozenset()))
                        yield LockCycle((LockWait(thread, edge, wanted, held, gates),))


def _ends(thread: AbstractThread, threads: Threads) -> list[int]:
    """The locations where a thread ends while others go on; returning from the main thread ends them all."""
    program = threads.calls.program
    found = [] if thread.site is None else [program.procedures[thread.routine].exit]
    for name in thread.procedures:
        edges = program.procedures[name].edges
        found += [edge.source for edge in edges if isinstance(edge.label, Exit)]
    return found


def _waits(thread: AbstractThread, threads: Threads, pointers: PointsTo) -> Iterator[tuple[Edge, Pointers]]:
    """The edges where a thread may wait, with what it waits for."""
    for name in sorted(thread.procedures):
        for edge in threads.calls.program.procedures[name].edges:
            wanted = _wanted(edge, pointers)
            if wanted and edge.source in pointers.reached:
                yield edge, wanted


def _together(first: LockWait, second: LockWait, parallel: Parallelism) -> bool:
    """Whether two different threads may wait like this at the same time."""
    if any(mine.excludes(theirs) for mine in first.gates for theirs in second.gates):
        return False
    return parallel.may_happen_in_parallel(first.thread, first.site.source, second.thread, second.site.source)
