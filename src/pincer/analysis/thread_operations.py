"""What the functions of thread libraries do to threads and locks, as far as the analyses need to know.

Only facts about the arguments are recorded here: which one is the lock, the thread, the routine. A function that is not
listed is unknown: it may run any function it is given, release any lock, and change whatever its arguments point to.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pincer.logic.terms import Term
from pincer.program.control_flow import Edge, ThreadCall

LockMode = Literal["exclusive", "shared"]


@dataclass(frozen=True, slots=True)
class Acquire:
    """The lock that argument `lock` points to is taken. `tries`: it does not wait (for ever), and the result tells
    whether the lock was taken by being zero. `counting`: a semaphore, which excludes nobody for certain."""

    lock: int
    mode: LockMode = "exclusive"
    tries: bool = False
    counting: bool = False


@dataclass(frozen=True, slots=True)
class Release:
    """The lock that argument `lock` points to is given up."""

    lock: int
    counting: bool = False


@dataclass(frozen=True, slots=True)
class Wait:
    """A condition variable: the lock is given up, and taken again before the call returns."""

    lock: int


@dataclass(frozen=True, slots=True)
class Create:
    """A thread begins: its identity is stored where argument `thread` points, it runs `routine` with `argument`."""

    thread: int
    routine: int
    argument: int


@dataclass(frozen=True, slots=True)
class Join:
    """Wait for the end of a thread; its result is stored where argument `result` points, unless that is null.
    `tries`: the thread may still run afterwards."""

    thread: int
    result: int
    tries: bool = False


@dataclass(frozen=True, slots=True)
class Exit:
    """The thread ends with this argument as its result."""

    result: int


@dataclass(frozen=True, slots=True)
class AtomicBegin:
    """No other thread runs until the section ends."""


@dataclass(frozen=True, slots=True)
class AtomicEnd:
    """Other threads may run again."""


@dataclass(frozen=True, slots=True)
class SetOwn:
    """A value is kept for the thread under a key."""

    value: int


@dataclass(frozen=True, slots=True)
class GetOwn:
    """The value the thread keeps under a key."""


@dataclass(frozen=True, slots=True)
class Atomic:
    """An operation on the object that argument 0 points to which no other atomic operation can interrupt."""

    writes: bool


@dataclass(frozen=True, slots=True)
class Harmless:
    """Nothing that the analyses follow, except that numbers are stored where the arguments `stores` point."""

    stores: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Unknown:
    """A function without an entry in the table."""


Operation = (
    Acquire | Release | Wait | Create | Join | Exit | AtomicBegin | AtomicEnd | SetOwn | GetOwn | Atomic
    | Harmless | Unknown
)  # fmt: skip

_OPERATIONS: dict[str, Operation] = {
    "pthread_create": Create(0, 2, 3),
    "thrd_create": Create(0, 1, 2),
    "pthread_join": Join(0, 1),
    "thrd_join": Join(0, 1),
    "pthread_tryjoin_np": Join(0, 1, tries=True),
    "pthread_timedjoin_np": Join(0, 1, tries=True),
    "pthread_exit": Exit(0),
    "thrd_exit": Exit(0),
    "pthread_setspecific": SetOwn(1),
    "tss_set": SetOwn(1),
    "pthread_getspecific": GetOwn(),
    "tss_get": GetOwn(),
    "__VERIFIER_atomic_begin": AtomicBegin(),
    "__VERIFIER_atomic_end": AtomicEnd(),
    "pthread_mutex_lock": Acquire(0),
    "pthread_mutex_trylock": Acquire(0, tries=True),
    "pthread_mutex_timedlock": Acquire(0, tries=True),
    "pthread_mutex_clocklock": Acquire(0, tries=True),
    "pthread_mutex_unlock": Release(0),
    "mtx_lock": Acquire(0),
    "mtx_trylock": Acquire(0, tries=True),
    "mtx_timedlock": Acquire(0, tries=True),
    "mtx_unlock": Release(0),
    "pthread_spin_lock": Acquire(0),
    "pthread_spin_trylock": Acquire(0, tries=True),
    "pthread_spin_unlock": Release(0),
    "pthread_rwlock_wrlock": Acquire(0),
    "pthread_rwlock_rdlock": Acquire(0, "shared"),
    "pthread_rwlock_trywrlock": Acquire(0, tries=True),
    "pthread_rwlock_tryrdlock": Acquire(0, "shared", tries=True),
    "pthread_rwlock_timedwrlock": Acquire(0, tries=True),
    "pthread_rwlock_timedrdlock": Acquire(0, "shared", tries=True),
    "pthread_rwlock_unlock": Release(0),
    "sem_wait": Acquire(0, counting=True),
    "sem_trywait": Acquire(0, tries=True, counting=True),
    "sem_timedwait": Acquire(0, tries=True, counting=True),
    "sem_post": Release(0, counting=True),
    "sem_getvalue": Harmless((1,)),
    "pthread_cond_wait": Wait(1),
    "pthread_cond_timedwait": Wait(1),
    "pthread_cond_clockwait": Wait(1),
    "cnd_wait": Wait(1),
    "cnd_timedwait": Wait(1),
    "pthread_mutexattr_gettype": Harmless((1,)),
    "pthread_attr_getdetachstate": Harmless((1,)),
    "pthread_attr_getstacksize": Harmless((1,)),
    "pthread_setcancelstate": Harmless((1,)),
    "pthread_setcanceltype": Harmless((1,)),
    "pthread_getschedparam": Harmless((1, 2)),
}
_OPERATIONS |= dict.fromkeys(
    (
        "pthread_mutex_init", "pthread_mutex_destroy", "pthread_mutex_consistent", "pthread_mutexattr_init",
        "pthread_mutexattr_destroy", "pthread_mutexattr_settype", "pthread_mutexattr_setpshared",
        "pthread_mutexattr_setprotocol", "pthread_mutexattr_setrobust", "pthread_attr_init", "pthread_attr_destroy",
        "pthread_attr_setdetachstate", "pthread_attr_setstacksize", "pthread_attr_setscope", "pthread_cond_init",
        "pthread_cond_destroy", "pthread_cond_signal", "pthread_cond_broadcast", "pthread_condattr_init",
        "pthread_condattr_destroy", "pthread_rwlock_init", "pthread_rwlock_destroy", "pthread_rwlockattr_init",
        "pthread_rwlockattr_destroy", "pthread_spin_init", "pthread_spin_destroy", "pthread_barrier_init",
        "pthread_barrier_destroy", "pthread_barrier_wait", "pthread_barrierattr_init", "pthread_barrierattr_destroy",
        "pthread_detach", "pthread_self", "pthread_equal", "pthread_yield", "pthread_testcancel", "pthread_cancel",
        "pthread_once", "pthread_once_done", "pthread_key_delete",
        "pthread_setname_np", "pthread_setaffinity_np", "pthread_kill", "sem_init",
        "sem_destroy", "mtx_init", "mtx_destroy", "cnd_init", "cnd_destroy", "cnd_signal", "cnd_broadcast",
        "thrd_detach", "thrd_yield", "thrd_current", "thrd_equal", "thrd_sleep", "tss_delete",
        "atomic_thread_fence", "atomic_signal_fence", "__sync_synchronize", "__atomic_thread_fence",
        "__atomic_signal_fence", "__pincer_target",
    ),
    Harmless(),
)  # fmt: skip
_ATOMIC_PREFIXES = ("atomic_", "__atomic_", "__sync_", "__c11_atomic_")


def operation(call: ThreadCall) -> Operation:
    """What a call does."""
    known = _OPERATIONS.get(call.function)
    if known is not None:
        return known
    if call.function.startswith(_ATOMIC_PREFIXES):
        return Atomic(writes="load" not in call.function)
    return Unknown()


def operation_of(edge: Edge) -> Operation | None:
    """What an edge does to threads and locks, None for edges of any other kind."""
    return operation(edge.label) if isinstance(edge.label, ThreadCall) else None


def argument(call: ThreadCall, which: int) -> Term | None:
    """An argument, None when the call has too few."""
    return call.arguments[which] if which < len(call.arguments) else None
