"""Condition variables, barriers, semaphores, reader-writer locks and one-time initialisation."""

from __future__ import annotations

from dataclasses import replace

from pincer.execution.machine import State
from pincer.execution.stepping import Stop
from pincer.execution.threads.accesses import Access, Role
from pincer.execution.threads.calls import (
    EAGAIN,
    EBUSY,
    EDEADLK,
    EINVAL,
    EOVERFLOW,
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
from pincer.execution.threads.mutexes import acquire, is_defined, static_mutex
from pincer.execution.threads.objects import (
    ERROR_CHECKING,
    Barrier,
    Condition,
    Destroyed,
    Mutex,
    Once,
    ReadWriteLock,
    Semaphore,
)
from pincer.execution.threads.state import Phase, ThreadedState
from pincer.program.registers import thread_register

MOST_POSTS = (1 << 31) - 1
"""The largest value of a semaphore."""

called(Condition, "condition variable")
called(Barrier, "barrier")
called(Semaphore, "semaphore")
called(ReadWriteLock, "read-write lock")
called(Once, "once control")


@meaning("pthread_cond_init")
def _condition_init(call: Call) -> Answer:
    known = call.existing(call.arguments[0], Condition)
    if known is not None and known.waiters:
        return call.undefined(f"{call.named(call.arguments[0])} is initialised while threads wait for it")
    if not call.state.room(call.arguments[0]):
        return call.undefined("pthread_cond_init gets a pointer to no object")
    return Performed(call.changed(call.arguments[0], Condition()), 0, call.shared(call.arguments[0]))


def _condition(call: Call, address: int) -> Condition | Stop:
    return call.found(address, Condition, lambda state: Condition() if is_defined(state, address, 4) else None)


@meaning("pthread_cond_destroy")
def _condition_destroy(call: Call) -> Answer:
    address = call.arguments[0]
    condition = _condition(call, address)
    if isinstance(condition, Stop):
        return condition
    if condition.waiters:
        return call.undefined(f"the condition variable {call.named(address)} is destroyed while threads wait for it")
    return Performed(call.changed(address, Destroyed("condition variable")), 0, call.shared(address))


@meaning("pthread_cond_wait", "pthread_cond_timedwait")
def _wait(call: Call) -> Answer:
    """Two steps: give up the mutex and wait; then, woken, take it again."""
    phase = call.me.phase
    if phase is not None:
        return _wake(call, phase)
    address, lock = call.arguments[:2]
    condition = _condition(call, address)
    mutex = call.found(lock, Mutex, static_mutex(lock))
    if isinstance(condition, Stop):
        return condition
    if isinstance(mutex, Stop):
        return mutex
    if mutex.owner != call.me.number and mutex.kind == ERROR_CHECKING:
        return Performed(call.threads, EPERM, call.shared(lock))
    if mutex.owner != call.me.number:
        return call.undefined(f"{call.function} needs the mutex {call.named(lock)}, which the thread does not hold")
    if mutex.count > 1:
        return Stop("unsupported", "waiting for a condition with a mutex that is locked more than once", call.edge)
    if any(_mutex_of(call, other) != lock for other in condition.waiters):
        return call.undefined(f"threads wait for {call.named(address)} with different mutexes")
    timed = call.function == "pthread_cond_timedwait"
    phase = Phase("condition", address, lock, timed=timed)
    waiting = replace(condition, waiters=(*condition.waiters, call.me.number))
    threads = replace(call, threads=call.changed(address, waiting)).changed(lock, replace(mutex, owner=None, count=0))
    threads = threads.with_thread(replace(call.me, phase=phase))
    accesses = call.shared(lock, "release") + call.shared(address)
    return Performed(threads, None, accesses, complete=False)


def _mutex_of(call: Call, number: int) -> int:
    phase = call.threads.threads[number].phase
    assert phase is not None
    return phase.mutex


def _wake(call: Call, phase: Phase) -> Answer:
    """The condition variable is no matter to a thread that has been woken: it may be destroyed by then."""
    if not phase.woken:
        return _unsignalled(call, phase)
    accesses = call.shared(phase.mutex, "acquire") + woken(call.me.number, "acquire")
    answer = acquire(call, phase.mutex)
    if isinstance(answer, Blocked):
        return replace(answer, accesses=accesses)
    if isinstance(answer, Stop):
        return answer
    return Performed(answer.threads.with_thread(replace(call.me, phase=None)), phase.result, accesses)


def _unsignalled(call: Call, phase: Phase) -> Answer:
    """Waiting that may end without a signal does so in a step of its own: from then on, no signal is for this thread,
    even while it waits for the mutex."""
    condition = _condition(call, phase.address)
    if isinstance(condition, Stop):
        return condition
    me = call.me.number
    if not phase.timed and not call.limits.spurious:
        accesses = call.shared(phase.mutex, "acquire") + call.shared(phase.address) + woken(me, "acquire")
        return Blocked(Waiting(f"a signal of {call.named(phase.address)}"), accesses)
    left = Condition(tuple(other for other in condition.waiters if other != me))
    result = ETIMEDOUT if phase.timed and not call.pick else 0
    awake = replace(call.me, phase=replace(phase, woken=True, result=result))
    threads = call.changed(phase.address, left).with_thread(awake)
    return Performed(threads, None, call.shared(phase.address), complete=False)


def woken(number: int, role: Role) -> tuple[Access, ...]:
    """The access by which one thread wakes another, and by which that one goes on."""
    return (Access("thread", number, write=True, role=role, name=f"thread {number}"),)


def _released(threads: ThreadedState, numbers: tuple[int, ...]) -> ThreadedState:
    """The state in which waiting threads have been woken."""
    for number in numbers:
        thread = threads.threads[number]
        assert thread.phase is not None
        threads = threads.with_thread(replace(thread, phase=replace(thread.phase, woken=True)))
    return threads


@meaning("pthread_cond_signal", "pthread_cond_broadcast")
def _signal(call: Call) -> Answer:
    """A signal wakes one of those that wait, whichever `pick` says."""
    address = call.arguments[0]
    condition = _condition(call, address)
    if isinstance(condition, Stop):
        return condition
    waiters = condition.waiters
    chosen = waiters if call.function == "pthread_cond_broadcast" else waiters[call.pick : call.pick + 1]
    left = Condition(tuple(number for number in waiters if number not in chosen))
    accesses = sum((woken(number, "release") for number in chosen), call.shared(address))
    return Performed(_released(call.changed(address, left), chosen), 0, accesses)


CHOOSING = ("pthread_cond_signal", "pthread_cond_timedwait", "pthread_barrier_wait")
"""The calls for which `picks` may be more than one."""


def picks(call: Call) -> int:
    """How many outcomes a call's step may have, all else being equal."""
    if call.function == "pthread_cond_signal":
        known = call.existing(call.arguments[0], Condition)
        return max(1, len(known.waiters)) if known is not None else 1
    phase = call.me.phase
    if call.function == "pthread_cond_timedwait":
        return 2 if phase is not None and not phase.woken and call.limits.spurious else 1
    if call.function == "pthread_barrier_wait" and phase is None:
        barrier = call.existing(call.arguments[0], Barrier)
        if barrier is not None and len(barrier.arrived) + 1 == barrier.needed:
            return barrier.needed
    return 1


@meaning(
    "pthread_condattr_init", "pthread_condattr_destroy", "pthread_rwlockattr_init", "pthread_rwlockattr_destroy",
    "pthread_barrierattr_init", "pthread_barrierattr_destroy", visible=False,
)  # fmt: skip
def _attributes(call: Call) -> Answer:
    return call.attribute(None)


@meaning("pthread_barrier_init")
def _barrier_init(call: Call) -> Answer:
    address, count = call.arguments[0], call.arguments[2]
    if not call.state.room(address):
        return call.undefined("pthread_barrier_init gets a pointer to no object")
    known = call.existing(address, Barrier)
    if known is not None and known.arrived:
        return call.undefined(f"the barrier {call.named(address)} is initialised while threads wait at it")
    return Performed(call.changed(address, Barrier(count)), 0 if count else EINVAL, call.shared(address))


def _barrier(call: Call) -> Barrier | Stop:
    address = call.arguments[0]
    barrier = call.found(address, Barrier, lambda state: None)
    if isinstance(barrier, Barrier) and not barrier.needed:
        return call.undefined(f"the barrier {call.named(address)} is used, which was to be initialised for 0 threads")
    return barrier


@meaning("pthread_barrier_destroy")
def _barrier_destroy(call: Call) -> Answer:
    address = call.arguments[0]
    barrier = _barrier(call)
    if isinstance(barrier, Stop):
        return barrier
    if barrier.arrived:
        return call.undefined(f"the barrier {call.named(address)} is destroyed while threads wait at it")
    return Performed(call.changed(address, Destroyed("barrier")), 0, call.shared(address))


@meaning("pthread_barrier_wait")
def _barrier_wait(call: Call) -> Answer:
    """The last to arrive opens the barrier. Which thread gets the special result is open: `pick` says."""
    address, me, phase = call.arguments[0], call.me.number, call.me.phase
    if phase is not None and phase.woken:
        threads = call.threads.with_thread(replace(call.me, phase=None))
        return Performed(threads, -1 if phase.serial else 0, woken(me, "acquire"))
    barrier = _barrier(call)
    if isinstance(barrier, Stop):
        return barrier
    if phase is not None:
        what = f"{barrier.needed - len(barrier.arrived)} more at the barrier {call.named(address)}"
        return Blocked(Waiting(what), call.shared(address, write=False) + woken(me, "acquire"))
    arrived = (*barrier.arrived, me)
    if len(arrived) < barrier.needed:
        threads = call.changed(address, replace(barrier, arrived=arrived))
        threads = threads.with_thread(replace(call.me, phase=Phase("barrier", address)))
        return Performed(threads, None, call.shared(address), complete=False)
    threads = _released(call.changed(address, Barrier(barrier.needed)), barrier.arrived)
    chosen = threads.threads[arrived[call.pick]]
    if chosen.phase is not None:
        threads = threads.with_thread(replace(chosen, phase=replace(chosen.phase, serial=True)))
    accesses = sum((woken(number, "release") for number in barrier.arrived), call.shared(address))
    return Performed(threads, -1 if chosen.number == me else 0, accesses)


@meaning("sem_init")
def _semaphore_init(call: Call) -> Answer:
    address, value = call.arguments[0], call.arguments[2]
    if not call.state.room(address):
        return call.undefined("sem_init gets a pointer to no object")
    if call.existing(address, Semaphore) is not None and len(call.threads.live()) > 1:
        return Stop("unsupported", f"the semaphore {call.named(address)} is initialised a second time", call.edge)
    if value > MOST_POSTS:
        return _failed(call, EINVAL)
    return Performed(call.changed(address, Semaphore(value)), 0, call.shared(address))


def _semaphore(call: Call) -> Semaphore | Stop:
    return call.found(call.arguments[0], Semaphore, lambda state: None)


@meaning("sem_destroy")
def _semaphore_destroy(call: Call) -> Answer:
    semaphore = _semaphore(call)
    if isinstance(semaphore, Stop):
        return semaphore
    return Performed(call.changed(call.arguments[0], Destroyed("semaphore")), 0, call.shared(call.arguments[0]))


@meaning("sem_post")
def _post(call: Call) -> Answer:
    semaphore = _semaphore(call)
    if isinstance(semaphore, Stop):
        return semaphore
    if semaphore.value == MOST_POSTS:
        return _failed(call, EOVERFLOW)
    return Performed(call.changed(call.arguments[0], Semaphore(semaphore.value + 1)), 0, call.shared(call.arguments[0]))


def _failed(call: Call, code: int) -> Performed:
    """A semaphore function fails: the thread's errno says why."""
    errno = thread_register("errno", 32)
    threads = replace(call.threads, state=call.state.with_register(errno, code, None))
    return Performed(threads, -1, call.shared(call.arguments[0]))


@meaning("sem_wait", "sem_trywait", "sem_timedwait")
def _semaphore_wait(call: Call) -> Answer:
    address = call.arguments[0]
    semaphore = _semaphore(call)
    if isinstance(semaphore, Stop):
        return semaphore
    if semaphore.value:
        return Performed(call.changed(address, Semaphore(semaphore.value - 1)), 0, call.shared(address))
    if call.function == "sem_wait":
        return Blocked(Waiting(f"the semaphore {call.named(address)}"), call.shared(address))
    return _failed(call, EAGAIN if call.function == "sem_trywait" else ETIMEDOUT)


@meaning("sem_getvalue")
def _semaphore_value(call: Call) -> Answer:
    semaphore = _semaphore(call)
    if isinstance(semaphore, Stop):
        return semaphore
    target = call.arguments[1]
    after = call.stored(call.threads, target, 4, semaphore.value)
    if isinstance(after, Stop):
        return after
    written = Access("memory", target, 4, write=True, name=call.named(target))
    return Performed(after, 0, (*call.shared(call.arguments[0], write=False), written))


@meaning("pthread_rwlock_init")
def _lock_init(call: Call) -> Answer:
    address = call.arguments[0]
    if not call.state.room(address):
        return call.undefined("pthread_rwlock_init gets a pointer to no object")
    known = call.existing(address, ReadWriteLock)
    if known is not None and (known.writer is not None or known.readers):
        return call.undefined(f"the read-write lock {call.named(address)} is initialised while it is held")
    return Performed(call.changed(address, ReadWriteLock()), 0, call.shared(address))


def _static_lock(address: int, state: State) -> ReadWriteLock | None:
    return ReadWriteLock() if is_defined(state, address, 4) else None


def _read_write_lock(call: Call) -> ReadWriteLock | Stop:
    address = call.arguments[0]
    return call.found(address, ReadWriteLock, lambda state: _static_lock(address, state))


@meaning("pthread_rwlock_destroy")
def _lock_destroy(call: Call) -> Answer:
    address = call.arguments[0]
    lock = _read_write_lock(call)
    if isinstance(lock, Stop):
        return lock
    if lock.writer is not None or lock.readers:
        return call.undefined(f"the read-write lock {call.named(address)} is destroyed while it is held")
    return Performed(call.changed(address, Destroyed("read-write lock")), 0, call.shared(address))


@meaning("pthread_rwlock_rdlock", "pthread_rwlock_tryrdlock", "pthread_rwlock_timedrdlock")
def _read_lock(call: Call) -> Answer:
    lock = _read_write_lock(call)
    if isinstance(lock, Stop):
        return lock
    if lock.writer is None:
        taken = replace(lock, readers=(*lock.readers, call.me.number))
        return Performed(call.changed(call.arguments[0], taken), 0, call.shared(call.arguments[0]))
    return _refused(call, (lock.writer,), lock.writer == call.me.number)


@meaning("pthread_rwlock_wrlock", "pthread_rwlock_trywrlock", "pthread_rwlock_timedwrlock")
def _write_lock(call: Call) -> Answer:
    lock = _read_write_lock(call)
    if isinstance(lock, Stop):
        return lock
    if lock.writer is None and not lock.readers:
        taken = ReadWriteLock(call.me.number)
        return Performed(call.changed(call.arguments[0], taken), 0, call.shared(call.arguments[0]))
    holders = tuple(dict.fromkeys(lock.readers)) if lock.writer is None else (lock.writer,)
    return _refused(call, holders, lock.writer == call.me.number)


def _refused(call: Call, holders: tuple[int, ...], mine: bool) -> Answer:
    address = call.arguments[0]
    if "lock_try" in call.function:
        return Performed(call.threads, EBUSY, call.shared(address))
    if mine:
        return Performed(call.threads, EDEADLK, call.shared(address))
    if "timed" in call.function:
        return Performed(call.threads, ETIMEDOUT, call.shared(address))
    return Blocked(Waiting(f"the read-write lock {call.named(address)}", holders), call.shared(address))


@meaning("pthread_rwlock_unlock")
def _lock_unlock(call: Call) -> Answer:
    address, me = call.arguments[0], call.me.number
    lock = _read_write_lock(call)
    if isinstance(lock, Stop):
        return lock
    if lock.writer == me:
        return Performed(call.changed(address, ReadWriteLock()), 0, call.shared(address))
    if me in lock.readers:
        at = lock.readers.index(me)
        left = replace(lock, readers=lock.readers[:at] + lock.readers[at + 1 :])
        return Performed(call.changed(address, left), 0, call.shared(address))
    return call.undefined(f"the read-write lock {call.named(address)} is unlocked by a thread that does not hold it")


@meaning("pthread_once")
def _once(call: Call) -> Answer:
    """1 for the thread that has to run the routine; the others wait until it has."""
    address = call.arguments[0]
    control = call.found(address, Once, lambda state: Once() if is_defined(state, address, 4) else None)
    if isinstance(control, Stop):
        return control
    if control.done:
        return Performed(call.threads, 0, call.shared(address))
    if control.runner is not None:
        return Blocked(Waiting(f"the end of a once routine ({call.named(address)})", (control.runner,)),
                       call.shared(address))  # fmt: skip
    return Performed(call.changed(address, Once(call.me.number)), 1, call.shared(address))


@meaning("pthread_once_done")
def _once_done(call: Call) -> Answer:
    return Performed(call.changed(call.arguments[0], Once(None, True)), None, call.shared(call.arguments[0]))
