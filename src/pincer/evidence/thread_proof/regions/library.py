"""What the threads library does, as steps of a program without threads.

Who holds a lock, who waits and how many permits there are stand in registers of the product. An operation is a list of
ways, each a list of labels; it is possible only where their conditions hold. Which threads are over is known from the
region. A thread may be joined more than once here: that is undefined, and nothing is lost by going on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from pincer.errors import PincerError
from pincer.evidence.thread_proof.sync import EBUSY, ETIMEDOUT, MOST_POSTS
from pincer.evidence.thread_proof.sync_objects import SyncObjects
from pincer.logic import bitvectors, terms
from pincer.logic.terms import Term
from pincer.program.control_flow import Assign, Assume, Input, Label, Store
from pincer.program.registers import Role, register_of
from pincer.program.thread_labels import (
    Destroy,
    Detach,
    Initialise,
    Join,
    Lock,
    Once,
    OnceDone,
    Patience,
    Post,
    SameThread,
    Self,
    SemaphoreWait,
    SetAttribute,
    Signal,
    SyncKind,
    ThreadOperation,
    Unlock,
    Wait,
    Yield,
)

PRODUCT = "$product"
"""The procedure that the product consists of."""

Way = list[Label]

_KEPT = {
    SyncKind.MUTEX: ("owner", 8),
    SyncKind.SPIN_LOCK: ("owner", 8),
    SyncKind.SEMAPHORE: ("permits", 32),
    SyncKind.ONCE: ("once", 8),
}
"""What is kept about an object, and in how many bits."""


def undefined(register: Term) -> Label:
    """A register gets a value of which nothing is known."""
    return Input(register, "an undefined value", "undefined")


class ProductLibrary:
    """The operations of one program. Terms of operations are those of the product."""

    def __init__(self, objects: SyncObjects, bits: int, threads: int) -> None:
        self._objects = objects
        self._bits = bits
        self._threads = threads
        for kind, _ in objects.kinds_and_addresses:
            if kind not in _KEPT and kind is not SyncKind.CONDITION:
                raise PincerError(f"a {kind.value} is not followed in regions")

    def identity(self, thread: int) -> Term:
        """The number of a thread as programs see it: not known, but different from all others."""
        return register_of(PRODUCT, f"id{thread}", self._bits, Role.VARIABLE)

    def owner(self, address: int) -> Term:
        """Who holds a lock: nobody is 0, thread n is n + 1."""
        return register_of(None, f"$owner{address}", 8)

    def is_held(self, address: int, thread: int) -> Term:
        return terms.equal(self.owner(address), bitvectors.constant(thread + 1, 8))

    def _waits(self, thread: int, condition: int) -> Term:
        return register_of(None, f"$waits{thread}for{condition}", 8)

    def _kept(self, kind: SyncKind, address: int) -> Term | None:
        if kind not in _KEPT:
            return None
        name, width = _KEPT[kind]
        return register_of(None, f"${name}{address}", width)

    def initial(self) -> Mapping[Term, int]:
        """The registers of the library, all zero in the beginning."""
        found = dict.fromkeys(self._kept_registers(self._objects.kinds_and_addresses), 0)
        for condition in self._objects.of(SyncKind.CONDITION):
            found.update({self._waits(thread, condition): 0 for thread in range(self._threads)})
        return found

    def _kept_registers(self, objects: Iterable[tuple[SyncKind, int]]) -> Iterator[Term]:
        for kind, address in objects:
            register = self._kept(kind, address)
            if register is not None:
                yield register

    def forgotten(self, slot: int, size: int) -> Way:
        """What was kept about the objects in a slot begins anew, or is over."""
        inside = [(kind, address) for kind, address in self._objects.kinds_and_addresses if 0 <= address - slot < size]
        return [_set(register, 0) for register in self._kept_registers(inside)]

    def ways(self, label: ThreadOperation, half: str, me: int, ended: Iterable[int]) -> Iterator[Way]:
        """All ways in which an operation of a thread can be done. Creation and end of threads are not among them."""
        match label:
            case Join():
                yield from self._joined(label, ended)
            case Self():
                yield [] if label.result is None else [Assign(label.result, self.identity(me))]
            case SameThread(first, second):
                same = terms.equal(first, second)
                yield [Assume(same), *_result(label, 1)]
                yield [Assume(terms.negate(same)), *_result(label, 0)]
            case Detach() | Destroy() | Yield():
                yield _result(label, 0)
            case SetAttribute(value=None):
                yield _result(label, 0)
            case Initialise():
                yield from self._initialised(label)
            case Lock(kind=SyncKind.MUTEX | SyncKind.SPIN_LOCK) | Unlock(kind=SyncKind.MUTEX | SyncKind.SPIN_LOCK):
                yield from self._locks(label, me)
            case Wait():
                yield from self._waiting(label, half, me)
            case Signal():
                yield from self._signals(label)
            case Post() | SemaphoreWait():
                yield from self._semaphores(label)
            case Once() | OnceDone():
                yield from self._once(label)
            case _:
                raise PincerError(f"{label.function} is not followed in regions")

    def _joined(self, label: Join, ended: Iterable[int]) -> Iterator[Way]:
        if label.patience is not Patience.FOR_EVER:
            raise PincerError(f"{label.function} is not followed in regions")
        null = terms.equal(label.value, bitvectors.constant(0, bitvectors.width(label.value)))
        result = register_of(PRODUCT, "joined", self._bits, Role.TEMPORARY)
        for thread in ended:
            is_it = Assume(terms.equal(label.thread, self.identity(thread)))
            if null is not terms.FALSE:
                yield [is_it, Assume(null), *_result(label, 0)]
            if null is not terms.TRUE:
                stored = [undefined(result), Store(label.value, result)]
                yield [is_it, Assume(terms.negate(null)), *stored, *_result(label, 0)]

    def _initialised(self, label: Initialise) -> Iterator[Way]:
        address = self._objects.address(label.object)
        match label.kind:
            case SyncKind.MUTEX | SyncKind.SPIN_LOCK:
                yield [Assume(_is(self.owner(address), 0)), *_result(label, 0)]
            case SyncKind.CONDITION:
                yield _result(label, 0)
            case SyncKind.SEMAPHORE if label.number is not None and bitvectors.width(label.number) == 32:
                fits = bitvectors.compare("bvule", label.number, bitvectors.constant(MOST_POSTS, 32))
                permits = self._kept(SyncKind.SEMAPHORE, address)
                assert permits is not None
                yield [Assume(fits), Assign(permits, label.number), *_result(label, 0)]
                yield [Assume(terms.negate(fits)), *_result(label, -1)]
            case _:
                raise PincerError(f"{label.function} is not followed in regions")

    def _locks(self, label: Lock | Unlock, me: int) -> Iterator[Way]:
        owner = self.owner(self._objects.address(label.lock))
        if isinstance(label, Unlock):
            yield [Assume(_is(owner, me + 1)), _set(owner, 0), *_result(label, 0)]
            return
        yield [Assume(_is(owner, 0)), _set(owner, me + 1), *_result(label, 0)]
        if label.patience is not Patience.FOR_EVER:
            code = EBUSY if label.patience is Patience.NOT_AT_ALL else ETIMEDOUT
            yield [Assume(terms.negate(_is(owner, 0))), *_result(label, code)]

    def _waiting(self, label: Wait, half: str, me: int) -> Iterator[Way]:
        owner = self.owner(self._objects.address(label.lock))
        waits = self._waits(me, self._objects.address(label.condition))
        match half:
            case "release":
                yield [Assume(_is(owner, me + 1)), _set(owner, 0), _set(waits, 1)]
            case "spurious":
                yield [_set(waits, 0)]
            case "resume":
                awake = [Assume(_is(waits, 0)), Assume(_is(owner, 0)), _set(owner, me + 1)]
                yield [*awake, *_result(label, 0)]
                if label.limit is not None:
                    yield [*awake, *_result(label, ETIMEDOUT)]

    def _signals(self, label: Signal) -> Iterator[Way]:
        condition = self._objects.address(label.condition)
        waiters = [
            self._waits(thread.number, condition)
            for thread in self._objects.waiters.get(condition, ())
            if thread.number < self._threads
        ]
        if label.everyone:
            yield [*(_set(waits, 0) for waits in waiters), *_result(label, 0)]
            return
        yield [*(Assume(_is(waits, 0)) for waits in waiters), *_result(label, 0)]
        for waits in waiters:
            yield [Assume(terms.negate(_is(waits, 0))), _set(waits, 0), *_result(label, 0)]

    def _semaphores(self, label: Post | SemaphoreWait) -> Iterator[Way]:
        permits = self._kept(SyncKind.SEMAPHORE, self._objects.address(label.semaphore))
        assert permits is not None
        if isinstance(label, Post):
            full = _is(permits, MOST_POSTS)
            yield [Assume(terms.negate(full)), _moved(permits, 1), *_result(label, 0)]
            yield [Assume(full), *_result(label, -1)]
            return
        none = _is(permits, 0)
        yield [Assume(terms.negate(none)), _moved(permits, -1), *_result(label, 0)]
        if label.patience is not Patience.FOR_EVER:
            yield [Assume(none), *_result(label, -1)]

    def _once(self, label: Once | OnceDone) -> Iterator[Way]:
        known = self._kept(SyncKind.ONCE, self._objects.address(label.control))
        assert known is not None
        if isinstance(label, OnceDone):
            yield [_set(known, 2), *_result(label, 0)]
            return
        yield [Assume(_is(known, 0)), _set(known, 1), *_result(label, 1)]
        yield [Assume(_is(known, 2)), *_result(label, 0)]


def _is(register: Term, value: int) -> Term:
    return terms.equal(register, bitvectors.constant(value, bitvectors.width(register)))


def _set(register: Term, value: int) -> Label:
    return Assign(register, bitvectors.constant(value, bitvectors.width(register)))


def _moved(register: Term, by: int) -> Label:
    one = bitvectors.constant(1, bitvectors.width(register))
    return Assign(register, bitvectors.binary("bvadd" if by > 0 else "bvsub", register, one))


def _result(label: ThreadOperation, value: int) -> Way:
    if label.result is None:
        return []
    width = bitvectors.width(label.result)
    return [Assign(label.result, bitvectors.constant(value % (1 << width), width))]
