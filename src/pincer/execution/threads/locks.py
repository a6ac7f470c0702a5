"""Mutexes, spin locks and read-write locks, with the error codes of POSIX; what POSIX leaves undefined is a violation.

`initialise` and `destroy` serve all kinds of synchronisation objects.
"""

from __future__ import annotations

from msgspec.structs import replace

from pincer.execution.stepping import Stop
from pincer.execution.threads.accesses import Access, Role
from pincer.execution.threads.calls import (
    EBUSY,
    EDEADLK,
    EINVAL,
    EPERM,
    ETIMEDOUT,
    Answer,
    Blocked,
    LibraryCall,
    Performed,
    Waiting,
    is_defined,
)
from pincer.execution.threads.objects import (
    CLASSES,
    ERROR_CHECKING,
    NORMAL,
    RECURSIVE,
    Barrier,
    Condition,
    Destroyed,
    LibraryObject,
    Mutex,
    ReadWriteLock,
    Semaphore,
    SpinLock,
)
from pincer.program.thread_labels import Destroy, Initialise, Lock, Patience, SyncKind, Unlock

KIND_MASK = 3
MOST_POSTS = (1 << 31) - 1
"""The largest value of a semaphore."""


def initialise(call: LibraryCall, label: Initialise) -> Answer:
    address, kind = call[label.object], CLASSES[label.kind]
    if not call.state.room(address):
        return call.undefined(f"{label.function} gets a pointer to no object")
    known = call.existing(address, kind)
    if known is not None and known.use is not None:
        return call.undefined(f"the {known.word} {call.named(address)} is initialised while {known.use}")
    if isinstance(known, Semaphore) and len(call.threads.live()) > 1:
        return call.unsupported(f"the semaphore {call.named(address)} is initialised a second time")
    number = 0 if label.number is None else call[label.number]
    if kind is Semaphore and number > MOST_POSTS:
        return failed(call, address, EINVAL)
    made = _new(call, label, number)
    if isinstance(made, Stop):
        return made
    refused = kind is Barrier and not number
    return Performed(call.changed(address, made), EINVAL if refused else 0, call.shared(address))


def _new(call: LibraryCall, label: Initialise, number: int) -> LibraryObject | Stop:
    match label.kind:
        case SyncKind.MUTEX:
            attributes = 0 if label.attributes is None else call[label.attributes]
            if attributes and not is_defined(call.state, attributes, 4):
                return call.undefined(f"the attributes {call.named(attributes)} have not been initialised")
            return Mutex(call.state.load(attributes, 4) & KIND_MASK if attributes else NORMAL)
        case SyncKind.BARRIER:
            return Barrier(number)
        case SyncKind.SEMAPHORE:
            return Semaphore(number)
        case SyncKind.SPIN_LOCK:
            return SpinLock()
    return Condition() if label.kind is SyncKind.CONDITION else ReadWriteLock()


def failed(call: LibraryCall, address: int, code: int) -> Performed | Stop:
    """A semaphore function fails: the thread's errno says why, wherever the program has it (C reserves the name)."""
    errno = next((v for v in call.state.world.program.variables if v.name == "errno" and v.scope is None), None)
    threads, accesses = call.threads, call.shared(address)
    if errno is None:
        return Performed(threads, -1, accesses)
    if errno.register is not None:
        return Performed(replace(threads, state=call.state.with_register(errno.register, code, None)), -1, accesses)
    assert errno.address is not None
    place = call.state.value(errno.address)
    after = call.stored(threads, place, 4, code)
    written = Access("memory", place, 4, write=True, name="errno")
    return after if isinstance(after, Stop) else Performed(after, -1, (*accesses, written))


def barrier_at(call: LibraryCall, address: int) -> Barrier | Stop:
    barrier = call.found(address, Barrier)
    if isinstance(barrier, Barrier) and not barrier.needed:
        return call.undefined(f"the barrier {call.named(address)} is used, which was to be initialised for 0 threads")
    return barrier


def destroy(call: LibraryCall, label: Destroy) -> Answer:
    address = call[label.object]
    kind = CLASSES[label.kind]
    known = barrier_at(call, address) if kind is Barrier else call.found(address, kind)
    if isinstance(known, Stop):
        return known
    if known.use is not None:
        return call.undefined(f"the {known.word} {call.named(address)} is destroyed while {known.use}")
    return Performed(call.changed(address, Destroyed(label.kind)), 0, call.shared(address))


def lock(call: LibraryCall, label: Lock) -> Answer:
    match label.kind:
        case SyncKind.SPIN_LOCK:
            return _spin_lock(call, label)
        case SyncKind.READ_WRITE_LOCK:
            return _read_write_lock(call, label)
    address = call[label.lock]
    answer = acquire(call, address)
    if label.patience is Patience.FOR_EVER or isinstance(answer, Stop):
        return answer
    tries = label.patience is Patience.NOT_AT_ALL
    if isinstance(answer, Blocked):
        return Performed(call.threads, EBUSY if tries else ETIMEDOUT, call.shared(address))
    if answer.result == EDEADLK:
        return replace(answer, result=EBUSY if tries else EDEADLK)
    return replace(answer, accesses=call.shared(address))


def unlock(call: LibraryCall, label: Unlock) -> Answer:
    address = call[label.lock]
    match label.kind:
        case SyncKind.SPIN_LOCK:
            return _spin_unlock(call, address)
        case SyncKind.READ_WRITE_LOCK:
            return _read_write_unlock(call, address)
    return _mutex_unlock(call, address)


def acquire(call: LibraryCall, address: int) -> Answer:
    """Lock a mutex, or say who holds it."""
    mutex = call.found(address, Mutex)
    if isinstance(mutex, Stop):
        return mutex
    me = call.me.number
    accesses = call.shared(address, "acquire")
    if mutex.owner is None:
        return Performed(call.changed(address, replace(mutex, owner=me, count=1)), 0, accesses)
    if mutex.owner == me and mutex.kind == RECURSIVE:
        return Performed(call.changed(address, replace(mutex, count=mutex.count + 1)), 0, accesses)
    if mutex.owner == me and mutex.kind == ERROR_CHECKING:
        return Performed(call.threads, EDEADLK, accesses)
    return Blocked(Waiting(f"the mutex {call.named(address)}", (mutex.owner,)), accesses)


def is_held(call: LibraryCall, address: int) -> bool:
    """Whether the running thread holds the mutex at an address."""
    known = call.existing(address, Mutex)
    return known is not None and known.owner == call.me.number


def _mutex_unlock(call: LibraryCall, address: int) -> Answer:
    mutex = call.found(address, Mutex)
    if isinstance(mutex, Stop):
        return mutex
    if mutex.owner == call.me.number:
        left = mutex.count - 1
        released = replace(mutex, owner=mutex.owner if left else None, count=left)
        return Performed(call.changed(address, released), 0, call.shared(address, "release"))
    if mutex.kind in (RECURSIVE, ERROR_CHECKING):
        return Performed(call.threads, EPERM, call.shared(address))
    holder = "nobody holds" if mutex.owner is None else f"thread {mutex.owner} holds"
    return call.undefined(f"the mutex {call.named(address)}, which {holder}, is unlocked by thread {call.me.number}")


def _spin_lock(call: LibraryCall, label: Lock) -> Answer:
    address = call[label.lock]
    found = call.found(address, SpinLock)
    if isinstance(found, Stop):
        return found
    waits = label.patience is Patience.FOR_EVER
    if found.owner is None:
        role: Role = "acquire" if waits else ""
        return Performed(call.changed(address, SpinLock(call.me.number)), 0, call.shared(address, role))
    if not waits:
        return Performed(call.threads, EBUSY, call.shared(address))
    return Blocked(Waiting(f"the spin lock {call.named(address)}", (found.owner,)), call.shared(address, "acquire"))


def _spin_unlock(call: LibraryCall, address: int) -> Answer:
    found = call.found(address, SpinLock)
    if isinstance(found, Stop):
        return found
    if found.owner != call.me.number:
        return call.undefined(f"the spin lock {call.named(address)} is unlocked by a thread that does not hold it")
    return Performed(call.changed(address, SpinLock()), 0, call.shared(address, "release"))


def _read_write_lock(call: LibraryCall, label: Lock) -> Answer:
    address, me = call[label.lock], call.me.number
    found = call.found(address, ReadWriteLock)
    if isinstance(found, Stop):
        return found
    if found.writer is None and (label.shared or not found.readers):
        taken = replace(found, readers=(*found.readers, me)) if label.shared else ReadWriteLock(me)
        return Performed(call.changed(address, taken), 0, call.shared(address))
    if label.patience is Patience.NOT_AT_ALL:
        return Performed(call.threads, EBUSY, call.shared(address))
    if found.writer == me:
        return Performed(call.threads, EDEADLK, call.shared(address))
    if label.patience is Patience.A_WHILE:
        return Performed(call.threads, ETIMEDOUT, call.shared(address))
    holders = tuple(dict.fromkeys(found.readers)) if found.writer is None else (found.writer,)
    return Blocked(Waiting(f"the read-write lock {call.named(address)}", holders), call.shared(address))


def _read_write_unlock(call: LibraryCall, address: int) -> Answer:
    me = call.me.number
    found = call.found(address, ReadWriteLock)
    if isinstance(found, Stop):
        return found
    if found.writer == me:
        return Performed(call.changed(address, ReadWriteLock()), 0, call.shared(address))
    if me in found.readers:
        at = found.readers.index(me)
        left = replace(found, readers=found.readers[:at] + found.readers[at + 1 :])
        return Performed(call.changed(address, left), 0, call.shared(address))
    return call.undefined(f"the read-write lock {call.named(address)} is unlocked by a thread that does not hold it")
