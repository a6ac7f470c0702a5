"""Mutexes and spin locks, with the error codes of POSIX; what POSIX leaves undefined is a violation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from pincer.execution.machine import State
from pincer.execution.stepping import Stop
from pincer.execution.threads.accesses import Role
from pincer.execution.threads.calls import (
    EBUSY,
    EDEADLK,
    EINVAL,
    EPERM,
    ETIMEDOUT,
    Answer,
    Blocked,
    Call,
    Performed,
    Waiting,
    called,
    meaning,
)
from pincer.execution.threads.objects import (
    ADAPTIVE,
    ERROR_CHECKING,
    NORMAL,
    RECURSIVE,
    Destroyed,
    Mutex,
    SpinLock,
)

called(Mutex, "mutex")
called(SpinLock, "spin lock")

KIND_MASK = 3


def static_mutex(address: int) -> Callable[[State], Mutex | None]:
    """The mutex that the bytes of a static initialiser make; None where memory is undefined or holds no mutex."""

    def read(state: State) -> Mutex | None:
        offset = 16 if state.world.program.layout.data_model == "LP64" else 12
        if not is_defined(state, address + offset, 4):
            return None
        kind = state.load(address + offset, 4)
        return Mutex(kind) if kind in (NORMAL, RECURSIVE, ERROR_CHECKING, ADAPTIVE) else None

    return read


def is_defined(state: State, address: int, size: int) -> bool:
    """Whether memory holds something that was written or given; undefined bytes are symbols of their own."""
    return all(not str(name).startswith("undefined") for name in state.symbolic_load(address, size).variables)


def is_held(call: Call, address: int) -> bool:
    """Whether the running thread holds the mutex at an address."""
    known = call.existing(address, Mutex)
    return known is not None and known.owner == call.me.number


@meaning("pthread_mutex_init")
def _init(call: Call) -> Answer:
    address, attributes = call.arguments[:2]
    known = call.existing(address, Mutex)
    if known is not None and known.owner is not None:
        return call.undefined(f"the mutex {call.named(address)} is initialised while thread {known.owner} holds it")
    if not call.state.room(address):
        return call.undefined("pthread_mutex_init gets a pointer to no object")
    if attributes and not is_defined(call.state, attributes, 4):
        return call.undefined(f"the attributes {call.named(attributes)} have not been initialised")
    kind = call.state.load(attributes, 4) & KIND_MASK if attributes else NORMAL
    return Performed(call.changed(address, Mutex(kind)), 0, call.shared(address))


@meaning("pthread_mutex_destroy")
def _destroy(call: Call) -> Answer:
    address = call.arguments[0]
    mutex = call.found(address, Mutex, static_mutex(address))
    if isinstance(mutex, Stop):
        return mutex
    if mutex.owner is not None:
        return call.undefined(f"the mutex {call.named(address)} is destroyed while thread {mutex.owner} holds it")
    return Performed(call.changed(address, Destroyed("mutex")), 0, call.shared(address))


@meaning("pthread_mutex_lock")
def _lock(call: Call) -> Answer:
    return acquire(call, call.arguments[0])


@meaning("pthread_mutex_trylock")
def _try_lock(call: Call) -> Answer:
    return _attempt(call, EBUSY)


@meaning("pthread_mutex_timedlock")
def _timed_lock(call: Call) -> Answer:
    """The time may always be over when the mutex is held."""
    return _attempt(call, ETIMEDOUT)


def _attempt(call: Call, refusal: int) -> Answer:
    answer = acquire(call, call.arguments[0])
    if isinstance(answer, Blocked):
        return Performed(call.threads, refusal, call.shared(call.arguments[0]))
    if isinstance(answer, Performed) and answer.result == EDEADLK:
        return replace(answer, result=EBUSY if refusal == EBUSY else EDEADLK)
    if isinstance(answer, Performed):
        return replace(answer, accesses=call.shared(call.arguments[0]))
    return answer


def acquire(call: Call, address: int) -> Answer:
    """Lock a mutex, or say who holds it."""
    mutex = call.found(address, Mutex, static_mutex(address))
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


@meaning("pthread_mutex_unlock")
def _unlock(call: Call) -> Answer:
    address = call.arguments[0]
    mutex = call.found(address, Mutex, static_mutex(address))
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


@meaning("pthread_mutexattr_init", visible=False)
def _attributes(call: Call) -> Answer:
    return call.attribute(NORMAL)


@meaning("pthread_mutexattr_settype", visible=False)
def _set_type(call: Call) -> Answer:
    kind = call.arguments[1]
    return call.attribute(kind) if kind <= ADAPTIVE else Performed(call.threads, EINVAL)


@meaning("pthread_mutexattr_destroy", "pthread_mutexattr_setpshared", visible=False)
def _unkept(call: Call) -> Answer:
    return call.attribute(None)


@meaning("pthread_spin_init")
def _spin_init(call: Call) -> Answer:
    if not call.state.room(call.arguments[0]):
        return call.undefined("pthread_spin_init gets a pointer to no object")
    known = call.existing(call.arguments[0], SpinLock)
    if known is not None and known.owner is not None:
        return call.undefined(f"the spin lock {call.named(call.arguments[0])} is initialised while it is held")
    return Performed(call.changed(call.arguments[0], SpinLock()), 0, call.shared(call.arguments[0]))


@meaning("pthread_spin_destroy")
def _spin_destroy(call: Call) -> Answer:
    address = call.arguments[0]
    lock = _spin(call)
    if isinstance(lock, Stop):
        return lock
    if lock.owner is not None:
        return call.undefined(f"the spin lock {call.named(address)} is destroyed while thread {lock.owner} holds it")
    return Performed(call.changed(address, Destroyed("spin lock")), 0, call.shared(address))


def _spin(call: Call) -> SpinLock | Stop:
    return call.found(call.arguments[0], SpinLock, lambda state: None)


@meaning("pthread_spin_lock", "pthread_spin_trylock")
def _spin_lock(call: Call) -> Answer:
    address = call.arguments[0]
    lock = _spin(call)
    if isinstance(lock, Stop):
        return lock
    if lock.owner is None:
        role: Role = "acquire" if call.function == "pthread_spin_lock" else ""
        return Performed(call.changed(address, SpinLock(call.me.number)), 0, call.shared(address, role))
    if call.function == "pthread_spin_trylock":
        return Performed(call.threads, EBUSY, call.shared(address))
    return Blocked(Waiting(f"the spin lock {call.named(address)}", (lock.owner,)), call.shared(address, "acquire"))


@meaning("pthread_spin_unlock")
def _spin_unlock(call: Call) -> Answer:
    address = call.arguments[0]
    lock = _spin(call)
    if isinstance(lock, Stop):
        return lock
    if lock.owner != call.me.number:
        return call.undefined(f"the spin lock {call.named(address)} is unlocked by a thread that does not hold it")
    return Performed(call.changed(address, SpinLock()), 0, call.shared(address, "release"))
