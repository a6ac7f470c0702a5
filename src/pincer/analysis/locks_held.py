"""Locks held at each location of each thread: those certainly held, and those that may be held.

For certain locks, what was given up is an upper bound and what was taken a lower one; for possible locks it is the
other way round.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from pincer.analysis import thread_operations as operations
from pincer.analysis.lock_flow import Change, LockFlow
from pincer.analysis.locks import ATOMIC_SECTION, Lock, lock_argument
from pincer.analysis.memory_regions import UNKNOWN, Pointer, Region
from pincer.analysis.points_to import PointsTo
from pincer.analysis.thread_operations import LockMode
from pincer.analysis.threads import AbstractThread, Threads
from pincer.logic.bitvectors import constant_value
from pincer.logic.terms import Term, conjuncts
from pincer.program.control_flow import Assign, Assume, Edge, ThreadCall


@dataclass(frozen=True, slots=True)
class Tried:
    """A lock that is held if this register is zero."""

    lock: Lock
    register: Term


@dataclass(frozen=True, slots=True)
class Taken:
    """A lock that may be held since an edge; `term` names it as long as its registers keep their values.

    For the thread itself, which others may wait for, the edge is the one that creates it.
    """

    site: Edge
    pointers: frozenset[Pointer]
    exact: Pointer | None = None
    term: Term | None = None

    def may_be(self, wanted: frozenset[Pointer]) -> bool:
        """Whether this may be one of the locks an operation wants."""
        return any(Region(mine, 1).overlaps(Region(other, 1)) for mine in self.pointers for other in wanted)


def must_held(threads: Threads, pointers: PointsTo) -> Mapping[AbstractThread, Mapping[int, frozenset[Lock]]]:
    """The locks that a thread certainly holds at each location it reaches."""
    found = _Must(threads, pointers).held({thread: frozenset() for thread in threads.all})
    return {
        thread: {at: frozenset(lock for lock in held if isinstance(lock, Lock)) for at, held in places.items()}
        for thread, places in found.items()
    }


def may_held(threads: Threads, pointers: PointsTo) -> Mapping[AbstractThread, Mapping[int, frozenset[Taken]]]:
    """The locks that a thread may hold at each location, with the edges that took them; semaphores count as locks.

    Every thread also holds itself until it ends: who joins it waits for that.
    """
    made = {target.site: Pointer(target) for target in pointers.objects if target.kind == "thread"}
    starts: dict[AbstractThread, frozenset[Taken]] = {}
    for thread in threads.all:
        created = None if thread.site is None else thread.site.edge
        itself = made.get(created)
        own = [] if created is None or itself is None else [Taken(created, frozenset((itself,)))]
        starts[thread] = frozenset(own)
    return _May(threads, pointers).held(starts)


class _Must(LockFlow[Lock | Tried]):
    """Certain locks: only operations on one known lock count as taking it, and any lock that may be meant is lost."""

    def meet_removed(self, left: frozenset[Pointer], right: frozenset[Pointer]) -> frozenset[Pointer]:
        return left | right

    def meet_added(self, left: frozenset[Lock | Tried], right: frozenset[Lock | Tried]) -> frozenset[Lock | Tried]:
        return left & right

    def is_removed(self, item: Lock | Tried, removed: frozenset[Pointer]) -> bool:
        place = Region((item if isinstance(item, Lock) else item.lock).pointer, 1)
        return any(Region(pointer, 1).overlaps(place) for pointer in removed)

    def outside(self, item: Lock | Tried) -> Lock | Tried | None:
        return item if isinstance(item, Lock) else None

    def reassigned(self, item: Lock | Tried, register: Term) -> Lock | Tried | None:
        return None if isinstance(item, Tried) and item.register is register else item

    def operate(self, edge: Edge, before: Change[Lock | Tried]) -> Change[Lock | Tried]:
        match edge.label:
            case Assume(condition):
                zero = set(_zeros(condition))
                taken = {tried.lock for tried in before.added if isinstance(tried, Tried) and tried.register in zero}
                return Change(before.removed, before.added | taken)
            case Assign(register, value):
                copies = [Tried(t.lock, register) for t in before.added if isinstance(t, Tried) and t.register is value]
                return Change(before.removed, before.added.union(copies))
            case ThreadCall():
                return self._thread_call(edge, edge.label, before)
        return before

    def _thread_call(self, edge: Edge, call: ThreadCall, before: Change[Lock | Tried]) -> Change[Lock | Tried]:
        match operations.operation(call):
            case operations.Acquire(_, mode, tries, counting=False):
                return self._acquired(edge, mode, call.result, tries, before)
            case operations.Wait():
                return self._acquired(edge, "exclusive", None, False, before)
            case operations.Release(counting=False):
                term = lock_argument(edge)
                return self._released(frozenset((UNKNOWN,)) if term is None else self.named(term).pointers, before)
            case operations.AtomicBegin():
                return Change(before.removed, before.added | {Lock(ATOMIC_SECTION)})
            case operations.AtomicEnd():
                return self._released(frozenset((ATOMIC_SECTION,)), before)
            case operations.Unknown():
                return self._released(frozenset((UNKNOWN,)), before)
        return before

    def _acquired(
        self, edge: Edge, mode: LockMode, result: Term | None, tries: bool, before: Change[Lock | Tried]
    ) -> Change[Lock | Tried]:
        term = lock_argument(edge)
        exact = None if term is None else self.named(term).exact
        if exact is None or (tries and result is None):
            return before
        lock = Lock(exact, mode)
        return Change(before.removed, before.added | {lock if result is None else Tried(lock, result)})

    def _released(self, released: frozenset[Pointer], before: Change[Lock | Tried]) -> Change[Lock | Tried]:
        kept = frozenset(item for item in before.added if not self.is_removed(item, released))
        return Change(before.removed | released, kept)


def _zeros(condition: Term) -> Iterator[Term]:
    """The registers that are zero where a condition holds."""
    for part in conjuncts(condition):
        if part.op == "same":
            for register, value in (part.args, part.args[::-1]):
                if register.op == "var" and constant_value(value) == 0:
                    yield register


class _May(LockFlow[Taken]):
    """Possible locks: every attempt counts as taking them, and only releases of the very same lock as giving it up."""

    def __init__(self, threads: Threads, pointers: PointsTo) -> None:
        self.recursive = _may_be_recursive(threads)
        super().__init__(threads, pointers)

    def meet_removed(self, left: frozenset[Pointer], right: frozenset[Pointer]) -> frozenset[Pointer]:
        return left & right

    def meet_added(self, left: frozenset[Taken], right: frozenset[Taken]) -> frozenset[Taken]:
        return left | right

    def is_removed(self, item: Taken, removed: frozenset[Pointer]) -> bool:
        return item.exact is not None and item.exact in removed

    def outside(self, item: Taken) -> Taken | None:
        return item if item.term is None else replace(item, term=None)

    def reassigned(self, item: Taken, register: Term) -> Taken | None:
        return replace(item, term=None) if item.term is not None and register in item.term.variables else item

    def operate(self, edge: Edge, before: Change[Taken]) -> Change[Taken]:
        operation, term = operations.operation_of(edge), lock_argument(edge)
        if term is None:
            return before
        named = self.named(term)
        if isinstance(operation, operations.Acquire):
            taken = Taken(edge, named.pointers, named.exact, named.term)
            return Change(before.removed, before.added | {taken})
        if not isinstance(operation, operations.Release) or self.recursive:
            return before
        kept = frozenset(item for item in before.added if not _same(item, named.exact, named.term))
        return Change(before.removed if named.exact is None else before.removed | {named.exact}, kept)


def _same(item: Taken, exact: Pointer | None, term: Term | None) -> bool:
    return (exact is not None and item.exact == exact) or (term is not None and item.term is term)


_RECURSIVE = ("pthread_mutexattr_settype", "mtx_init")


def _may_be_recursive(threads: Threads) -> bool:
    """Whether a lock may have to be released more than once: then a release proves nothing."""
    program = threads.calls.program
    asked = any(isinstance(edge.label, ThreadCall) and edge.label.function in _RECURSIVE for edge in program.edges())
    locks = {constant_value(term) for edge in program.edges() if (term := lock_argument(edge)) is not None}
    return asked or any(static.contents and static.address in locks for static in program.objects)
