"""Locks held at each location of each thread: those certainly held, and those that may be held.

For certain locks, what was given up is an upper bound and what was taken a lower one; for possible locks it is the
other way round.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from typing import Generic, TypeAlias, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from pincer.analysis.locks import ATOMIC_SECTION, ConcernedLocks, HeldLock, lock_argument, named_lock
from pincer.analysis.thread_flow import ThreadFlow
from pincer.analysis.threads import AbstractThread, Threads
from pincer.logic.bitvectors import constant_value
from pincer.logic.terms import Term, conjuncts
from pincer.program.control_flow import Assign, Assume, Edge
from pincer.program.labels import written_register
from pincer.program.memory_regions import UNKNOWN, AbstractPointer, MemoryRegion, Pointers
from pincer.program.points_to import PointsTo
from pincer.program.thread_labels import (
    AtomicBegin,
    AtomicEnd,
    Lock,
    Patience,
    Post,
    SemaphoreWait,
    SetAttribute,
    Setting,
    Unlock,
    Unmodelled,
    Wait,
)

Item = TypeVar("Item")


class TriedLock(Struct, frozen=True):
    """A lock that is held if this register is zero."""

    lock: HeldLock
    register: Term


Certain: TypeAlias = HeldLock | TriedLock


class Taken(Struct, frozen=True):
    """A lock that may be held since an edge; `term` names it as long as its registers keep their values.

    For the thread itself, which others may wait for, the edge is the one that creates it.
    """

    site: Edge
    pointers: Pointers
    exact: AbstractPointer | None = None
    term: Term | None = None

    def may_be(self, wanted: Pointers) -> bool:
        """Whether this may be one of the locks an operation wants."""
        return any(MemoryRegion(mine, 1).overlaps(MemoryRegion(other, 1)) for mine in self.pointers for other in wanted)


def must_held(threads: Threads, pointers: PointsTo) -> Mapping[AbstractThread, Mapping[int, frozenset[HeldLock]]]:
    """The locks that a thread certainly holds at each location it reaches."""
    flow = _Must(threads, pointers)
    found = {thread: flow.held(thread, frozenset()) for thread in threads.all}
    return {
        thread: {at: frozenset(lock for lock in held if isinstance(lock, HeldLock)) for at, held in places.items()}
        for thread, places in found.items()
    }


def may_held(threads: Threads, pointers: PointsTo) -> Mapping[AbstractThread, Mapping[int, frozenset[Taken]]]:
    """The locks that a thread may hold at each location, with the edges that took them; semaphores count as locks.

    Every thread also holds itself until it ends: who joins it waits for that.
    """
    made = {target.site: AbstractPointer(target) for target in pointers.objects if target.kind == "thread"}
    flow = _May(threads, pointers)
    found: dict[AbstractThread, Mapping[int, frozenset[Taken]]] = {}
    for thread in threads.all:
        created = None if thread.site is None else thread.site.edge
        itself = made.get(created)
        own = [] if created is None or itself is None else [Taken(created, frozenset((itself,)))]
        found[thread] = flow.held(thread, frozenset(own))
    return found


class Change(Struct, Generic[Item], frozen=True):
    """The locks given up and taken since the entry of a procedure."""

    removed: Pointers
    added: frozenset[Item]


class _LockFlow(ThreadFlow[Change[Item]], Generic[Item]):
    """The locks that are given up and taken; items are what is known of a lock that is held."""

    def __init__(self, threads: Threads, pointers: PointsTo) -> None:
        self.names: dict[Term, ConcernedLocks] = {}
        super().__init__(threads, pointers, Change(frozenset(), frozenset()))

    def held(self, thread: AbstractThread, start: frozenset[Item]) -> dict[int, frozenset[Item]]:
        """What a thread holds at each location, if it begins with some locks."""
        return {at: since.added for at, since in self.of_thread(thread, Change(frozenset(), start)).items()}

    def joined(self, left: Change[Item], right: Change[Item]) -> Change[Item]:
        return Change(self.meet_removed(left.removed, right.removed), self.meet_added(left.added, right.added))

    def then(self, first: Change[Item], second: Change[Item]) -> Change[Item]:
        kept = frozenset(item for item in first.added if not self.is_removed(item, second.removed))
        return Change(first.removed | second.removed, kept | second.added)

    def outside(self, since: Change[Item]) -> Change[Item]:
        seen = (self.item_outside(item) for item in since.added)
        return Change(since.removed, frozenset(item for item in seen if item is not None))

    def assigned(self, edge: Edge, before: Change[Item]) -> Change[Item]:
        register = written_register(edge.label)
        if register is None or not before.added:
            return before
        kept = (self.reassigned(item, register) for item in before.added)
        return Change(before.removed, frozenset(item for item in kept if item is not None))

    def named(self, term: Term) -> ConcernedLocks:
        known = self.names.get(term)
        if known is None:
            known = self.names[term] = named_lock(term, self.threads, self.pointers)
        return known

    @abstractmethod
    def meet_removed(self, left: Pointers, right: Pointers) -> Pointers:
        """What two paths to a location have both, or either, given up."""

    @abstractmethod
    def meet_added(self, left: frozenset[Item], right: frozenset[Item]) -> frozenset[Item]:
        """What two paths to a location have both, or either, taken."""

    @abstractmethod
    def is_removed(self, item: Item, removed: Pointers) -> bool:
        """Whether an item is no longer held after locks were given up."""

    @abstractmethod
    def item_outside(self, item: Item) -> Item | None:
        """An item seen from another procedure."""

    @abstractmethod
    def reassigned(self, item: Item, register: Term) -> Item | None:
        """An item after a register got a new value."""


class _Must(_LockFlow[Certain]):
    """Certain locks: only operations on one known lock count as taking it, and any lock that may be meant is lost."""

    def meet_removed(self, left: Pointers, right: Pointers) -> Pointers:
        return left | right

    def meet_added(self, left: frozenset[Certain], right: frozenset[Certain]) -> frozenset[Certain]:
        return left & right

    def is_removed(self, item: Certain, removed: Pointers) -> bool:
        place = MemoryRegion((item if isinstance(item, HeldLock) else item.lock).pointer, 1)
        return any(MemoryRegion(pointer, 1).overlaps(place) for pointer in removed)

    def item_outside(self, item: Certain) -> Certain | None:
        return item if isinstance(item, HeldLock) else None

    def reassigned(self, item: Certain, register: Term) -> Certain | None:
        return None if isinstance(item, TriedLock) and item.register is register else item

    def operate(self, edge: Edge, before: Change[Certain]) -> Change[Certain]:
        match edge.label:
            case Assume(condition):
                zero = set(_zeros(condition))
                taken = {
                    tried.lock for tried in before.added if isinstance(tried, TriedLock) and tried.register in zero
                }
                return Change(before.removed, before.added | taken)
            case Assign(register, value):
                copies = [
                    TriedLock(t.lock, register)
                    for t in before.added
                    if isinstance(t, TriedLock) and t.register is value
                ]
                return Change(before.removed, before.added.union(copies))
            case Lock(shared=shared, patience=patience, result=result):
                if result is None and patience is not Patience.FOR_EVER:
                    return before
                return self._acquired(edge, before, shared, result)
            case Wait():
                return self._acquired(edge, before)
            case Unlock(lock=lock):
                return self._released(self.named(lock).pointers, before)
            case AtomicBegin():
                return Change(before.removed, before.added | {HeldLock(ATOMIC_SECTION)})
            case AtomicEnd():
                return self._released(frozenset((ATOMIC_SECTION,)), before)
            case Unmodelled():
                return self._released(frozenset((UNKNOWN,)), before)
        return before

    def _acquired(
        self, edge: Edge, before: Change[Certain], shared: bool = False, result: Term | None = None
    ) -> Change[Certain]:
        term = lock_argument(edge)
        exact = None if term is None else self.named(term).exact
        if exact is None:
            return before
        lock = HeldLock(exact, shared)
        return Change(before.removed, before.added | {lock if result is None else TriedLock(lock, result)})

    def _released(self, released: Pointers, before: Change[Certain]) -> Change[Certain]:
        kept = frozenset(item for item in before.added if not self.is_removed(item, released))
        return Change(before.removed | released, kept)


def _zeros(condition: Term) -> Iterator[Term]:
    """The registers that are zero where a condition holds."""
    for part in conjuncts(condition):
        if part.op == "same":
            for register, value in (part.args, part.args[::-1]):
                if register.op == "var" and constant_value(value) == 0:
                    yield register


class _May(_LockFlow[Taken]):
    """Possible locks: every attempt counts as taking them, and only releases of the very same lock as giving it up."""

    def __init__(self, threads: Threads, pointers: PointsTo) -> None:
        self.recursive = _may_be_recursive(threads)
        super().__init__(threads, pointers)

    def meet_removed(self, left: Pointers, right: Pointers) -> Pointers:
        return left & right

    def meet_added(self, left: frozenset[Taken], right: frozenset[Taken]) -> frozenset[Taken]:
        return left | right

    def is_removed(self, item: Taken, removed: Pointers) -> bool:
        return item.exact is not None and item.exact in removed

    def item_outside(self, item: Taken) -> Taken | None:
        return item if item.term is None else replace(item, term=None)

    def reassigned(self, item: Taken, register: Term) -> Taken | None:
        return replace(item, term=None) if item.term is not None and register in item.term.variables else item

    def operate(self, edge: Edge, before: Change[Taken]) -> Change[Taken]:
        term = lock_argument(edge)
        if term is None:
            return before
        named = self.named(term)
        if isinstance(edge.label, Lock | SemaphoreWait):
            taken = Taken(edge, named.pointers, named.exact, named.term)
            return Change(before.removed, before.added | {taken})
        if not isinstance(edge.label, Unlock | Post) or self.recursive:
            return before
        kept = frozenset(item for item in before.added if not _same(item, named.exact, named.term))
        return Change(before.removed if named.exact is None else before.removed | {named.exact}, kept)


def _same(item: Taken, exact: AbstractPointer | None, term: Term | None) -> bool:
    return (exact is not None and item.exact == exact) or (term is not None and item.term is term)


def _may_be_recursive(threads: Threads) -> bool:
    """Whether a lock may have to be released more than once: then a release proves nothing."""
    program = threads.calls.program
    asked = any(_asks_for_a_kind(edge) for edge in program.edges())
    locks = {constant_value(term) for edge in program.edges() if (term := lock_argument(edge)) is not None}
    return asked or any(static.contents and static.address in locks for static in program.objects)


def _asks_for_a_kind(edge: Edge) -> bool:
    """Whether attributes are to make mutexes of another kind than the normal one."""
    match edge.label:
        case SetAttribute(setting=Setting.MUTEX_KIND, value=Term() as value):
            return constant_value(value) != 0
    return False
