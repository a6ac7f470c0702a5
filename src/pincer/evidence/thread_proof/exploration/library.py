"""What the threads library does to a state, operation by operation, as POSIX has it with error numbers as on Linux.

An operation has one or several outcomes, or the thread waits. Undefined uses refuse the program.
"""

from __future__ import annotations

from typing import TypeAlias, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from pincer.evidence.thread_proof.exploration.library_objects import (
    ADAPTIVE,
    CLASSES,
    ERROR_CHECKING,
    NOBODY,
    NORMAL,
    RECURSIVE,
    UNUSED,
    Barrier,
    Destroyed,
    LibraryObject,
    Mutex,
    ReadWriteLock,
    Semaphore,
    SpinLock,
    is_used,
)
from pincer.evidence.thread_proof.exploration.refusals import ExplorationRefused, Unexplored
from pincer.evidence.thread_proof.exploration.states import StepAccess, WorkingState
from pincer.evidence.thread_proof.exploration.steps import Span, Steps
from pincer.logic.terms import Term
from pincer.program.control_flow import Edge
from pincer.program.thread_labels import (
    Destroy,
    Initialise,
    Lock,
    Patience,
    SyncKind,
    ThreadOperation,
    Unlock,
)

EPERM, EAGAIN, EBUSY, EINVAL, EDEADLK, EOVERFLOW, ETIMEDOUT = 1, 11, 16, 22, 35, 75, 110
MOST_POSTS = (1 << 31) - 1
OBJECT_BYTES = 4
"""How many bytes every object of the library has at least."""
_KIND_MASK = 3


class Blocked(Struct, frozen=True):
    """The thread waits; `holders` are threads that could end that, if that is known."""

    holders: tuple[int, ...] = ()


Outcome: TypeAlias = list[WorkingState] | Blocked
Kind = TypeVar("Kind", bound=LibraryObject)


class Call(Struct):
    """An operation about to be done by the thread at work."""

    steps: Steps
    state: WorkingState
    edge: Edge
    label: ThreadOperation

    @property
    def me(self) -> int:
        return self.state.me

    def number(self, operand: Term) -> int:
        return self.steps.values.number(operand, self.state)

    def refused(self, what: str) -> ExplorationRefused:
        return ExplorationRefused(f"{self.edge.position}: {self.label.function}: {what}")

    def unexplored(self, what: str) -> Unexplored:
        return Unexplored(f"{self.edge.position}: {self.label.function}: {what}")

    def touch(self, address: int, size: int = OBJECT_BYTES, atomic: bool = True, write: bool = True) -> None:
        """Note that the operation accesses memory; what is the library's own, it accesses in one step."""
        self._touch(StepAccess(address, size, write, atomic or bool(self.state.atomic)))

    def touch_alone(self, address: int) -> None:
        """Note that the operation makes an object what it is, or ends that."""
        self._touch(StepAccess(address, OBJECT_BYTES, True, True, lone=True))

    def _touch(self, access: StepAccess) -> None:
        address = access.start
        base = self.steps.base(address)
        owner = self.state.owners.get(base)
        if owner is not None and owner != self.me:
            raise self.unexplored("an object of another thread")
        if owner is not None or base not in self.state.memory:
            return
        self.state.touched = (*self.state.touched, access, StepAccess(base, 1, False, True, life=True))

    def found(self, address: int, kind: type[Kind]) -> Kind:
        """The object at an address; memory that nobody has initialised by a call may hold a static initialiser."""
        thing = self.state.memory.get(self.steps.base(address))
        offset = address - self.steps.base(address)
        if thing is None or offset >= thing.size:
            raise self.refused("a pointer to no object")
        self.touch(address)
        known = self.state.library.get(address)
        if isinstance(known, kind):
            return known
        if known is not None:
            raise self.refused("the object was destroyed, or is of another kind")
        if kind is Mutex:
            return self._static_mutex(address)  # type: ignore[return-value]
        unused = UNUSED.get(kind)
        if isinstance(unused, kind) and thing.is_defined(offset, OBJECT_BYTES):
            return unused
        raise self.refused("the object has not been initialised")

    def _static_mutex(self, address: int) -> Mutex:
        base = self.steps.base(address)
        thing, at = self.state.memory[base], address - base + (16 if self.steps.slots.top.width == 64 else 12)
        if not thing.is_defined(at, 4):
            raise self.refused("the mutex has not been initialised")
        if not thing.is_plain(at, 4) or thing.number(at, 4) > ADAPTIVE:
            raise self.unexplored("the kind of a mutex is not known")
        return Mutex(thing.number(at, 4))

    def set(self, address: int, known: LibraryObject) -> None:
        self.state.library[address] = known

    def done(self, result: int = 0) -> list[WorkingState]:
        """The operation is over, with a result."""
        if self.label.result is not None:
            self.steps.assign(self.state, self.label.result, result)
        self.state.location = self.edge.target
        return [self.state]

    def store(self, address: int, size: int, value: int) -> None:
        """The library writes a result to memory."""
        self.touch(address, size, atomic=False)
        self.steps.store(self.state, Span(address, size, self.edge), value)

    def failed(self, code: int) -> list[WorkingState]:
        """A function of semaphores fails; the program's errno says why."""
        program = self.steps.program
        errno = next((v for v in program.variables if v.name == "errno" and v.scope is None), None)
        if errno is not None and errno.register is not None:
            self.steps.assign(self.state, errno.register, code)
        elif errno is not None and errno.address is not None:
            self.store(self.number(errno.address), 4, code)
        return self.done(-1)

    def check_limit(self, limit: Term | None) -> None:
        """A time limit is a valid time: an assumption of the program, which is listed where time limits occur."""
        if limit is None:
            return
        address, word = self.number(limit), self.steps.slots.top.width // 8
        thing = self.state.memory.get(self.steps.base(address))
        at = address - self.steps.base(address) + word
        if thing is None or at + word > thing.size:
            raise self.unexplored("a time limit that is no valid time")
        value = self.steps.values.load(address + word, word, self.state)
        valid = self.steps.values.script.at_most(value, self.steps.values.script.constant(10**9 - 1, value.width))
        if not self.steps.conditions.passes(self.state, valid):
            raise self.unexplored("a time limit that is no valid time")


def initialise(call: Call, label: Initialise) -> Outcome:
    address = call.number(label.object)
    thing = call.state.memory.get(call.steps.base(address))
    if thing is None or address - call.steps.base(address) >= thing.size:
        raise call.refused("a pointer to no object")
    known = call.state.library.get(address)
    kind = CLASSES[label.kind]
    if isinstance(known, kind) and is_used(known):
        raise call.refused("an object is initialised while it is in use")
    if isinstance(known, Semaphore) and kind is Semaphore and not call.state.is_alone():
        raise call.unexplored("a semaphore is initialised a second time")
    number = 0 if label.number is None else call.number(label.number)
    call.touch_alone(address)
    if kind is Semaphore and number > MOST_POSTS:
        return call.failed(EINVAL)
    call.set(address, _new(call, label, number))
    return call.done(EINVAL if kind is Barrier and not number else 0)


def _new(call: Call, label: Initialise, number: int) -> LibraryObject:
    match label.kind:
        case SyncKind.MUTEX:
            attributes = 0 if label.attributes is None else call.number(label.attributes)
            return Mutex(attribute(call, attributes) & _KIND_MASK if attributes else NORMAL)
        case SyncKind.BARRIER:
            return Barrier(number)
        case SyncKind.SEMAPHORE:
            return Semaphore(number)
        case SyncKind.SPIN_LOCK:
            return SpinLock()
    return UNUSED[CLASSES[label.kind]]


def attribute(call: Call, address: int) -> int:
    """What an attribute object says."""
    base = call.steps.base(address)
    thing = call.state.memory.get(base)
    call.touch(address, atomic=False, write=False)
    if thing is None or not thing.is_defined(address - base, 4):
        raise call.refused("the attributes have not been initialised")
    if not thing.is_plain(address - base, 4):
        raise call.unexplored("attributes that depend on inputs")
    return thing.number(address - base, 4)


def destroy(call: Call, label: Destroy) -> Outcome:
    address = call.number(label.object)
    known = call.found(address, CLASSES[label.kind])
    if is_used(known) or (isinstance(known, Barrier) and not known.needed):
        raise call.refused("an object is destroyed while it is in use")
    call.touch_alone(address)
    call.set(address, Destroyed())
    return call.done()


def lock(call: Call, label: Lock) -> Outcome:
    call.check_limit(label.limit)
    address = call.number(label.lock)
    match label.kind:
        case SyncKind.SPIN_LOCK:
            return _spin_lock(call, label, address)
        case SyncKind.READ_WRITE_LOCK:
            return _read_write_lock(call, label, address)
    mutex = call.found(address, Mutex)
    if label.patience is Patience.FOR_EVER:
        return acquire(call, address)
    if mutex.owner == NOBODY or (mutex.owner == call.me and mutex.kind == RECURSIVE):
        return acquire(call, address)
    if label.patience is Patience.NOT_AT_ALL:
        return call.done(EBUSY)
    return call.done(EDEADLK if mutex.owner == call.me and mutex.kind == ERROR_CHECKING else ETIMEDOUT)


def acquire(call: Call, address: int, result: int = 0) -> Outcome:
    """Take a mutex, or wait for it."""
    mutex = call.found(address, Mutex)
    if mutex.owner == NOBODY:
        call.set(address, replace(mutex, owner=call.me, count=1))
    elif mutex.owner == call.me and mutex.kind == RECURSIVE:
        call.set(address, replace(mutex, count=mutex.count + 1))
    elif mutex.owner == call.me and mutex.kind == ERROR_CHECKING:
        return call.done(EDEADLK)
    else:
        return Blocked((mutex.owner,))
    return call.done(result)


def _spin_lock(call: Call, label: Lock, address: int) -> Outcome:
    known = call.found(address, SpinLock)
    if known.owner == NOBODY:
        call.set(address, SpinLock(call.me))
        return call.done()
    return Blocked((known.owner,)) if label.patience is Patience.FOR_EVER else call.done(EBUSY)


def _read_write_lock(call: Call, label: Lock, address: int) -> Outcome:
    known = call.found(address, ReadWriteLock)
    if known.writer == NOBODY and (label.shared or not known.readers):
        readers = tuple(sorted((*known.readers, call.me)))
        call.set(address, replace(known, readers=readers) if label.shared else ReadWriteLock(call.me))
        return call.done()
    if label.patience is Patience.NOT_AT_ALL:
        return call.done(EBUSY)
    if known.writer == call.me:
        return call.done(EDEADLK)
    if label.patience is Patience.A_WHILE:
        return call.done(ETIMEDOUT)
    return Blocked(tuple(dict.fromkeys(known.readers)) if known.writer == NOBODY else (known.writer,))


def unlock(call: Call, label: Unlock) -> Outcome:
    address = call.number(label.lock)
    match label.kind:
        case SyncKind.SPIN_LOCK:
            if call.found(address, SpinLock).owner != call.me:
                raise call.refused("a spin lock is unlocked by a thread that does not hold it")
            call.set(address, SpinLock())
            return call.done()
        case SyncKind.READ_WRITE_LOCK:
            return _read_write_unlock(call, address)
    mutex = call.found(address, Mutex)
    if mutex.owner != call.me:
        if mutex.kind in (RECURSIVE, ERROR_CHECKING):
            return call.done(EPERM)
        raise call.refused("a mutex is unlocked by a thread that does not hold it")
    left = mutex.count - 1
    call.set(address, replace(mutex, owner=call.me if left else NOBODY, count=left))
    return call.done()


def _read_write_unlock(call: Call, address: int) -> Outcome:
    known = call.found(address, ReadWriteLock)
    if known.writer == call.me:
        call.set(address, ReadWriteLock())
        return call.done()
    if call.me not in known.readers:
        raise call.refused("a read-write lock is unlocked by a thread that does not hold it")
    at = known.readers.index(call.me)
    call.set(address, replace(known, readers=known.readers[:at] + known.readers[at + 1 :]))
    return call.done()
