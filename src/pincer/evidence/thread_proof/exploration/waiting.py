"""Condition variables, barriers, semaphores, routines that run once, and the places that a user asks about."""

from __future__ import annotations

from collections import Counter

from msgspec.structs import replace

from pincer.evidence.thread_proof.exploration.library import (
    EAGAIN,
    EOVERFLOW,
    EPERM,
    ETIMEDOUT,
    MOST_POSTS,
    Blocked,
    Call,
    Outcome,
    acquire,
)
from pincer.evidence.thread_proof.exploration.library_objects import (
    ERROR_CHECKING,
    NOBODY,
    Barrier,
    Condition,
    Meeting,
    Mutex,
    OnceControl,
    Semaphore,
)
from pincer.evidence.thread_proof.exploration.states import ThreadPhase, WorkingState
from pincer.program.thread_labels import (
    BarrierWait,
    Meet,
    Once,
    OnceDone,
    Patience,
    Post,
    SemaphoreValue,
    SemaphoreWait,
    Signal,
    Wait,
)

NOWHERE = 0
"""The address under which the meeting is kept, where no object can be."""


def wait(call: Call, label: Wait, spurious: bool) -> Outcome:
    """Two steps: give up the mutex and wait; then, woken, take it again."""
    state = call.state
    if state.phase is not None:
        return _resumed(call, state.phase, spurious)
    call.check_limit(label.limit)
    address, lock = call.number(label.condition), call.number(label.lock)
    condition, mutex = call.found(address, Condition), call.found(lock, Mutex)
    if mutex.owner != call.me and mutex.kind == ERROR_CHECKING:
        return call.done(EPERM)
    if mutex.owner != call.me:
        raise call.refused("waiting with a mutex that the thread does not hold")
    if mutex.count > 1:
        raise call.unexplored("waiting with a mutex that is locked more than once")
    for other in condition.waiters:
        phase = state.threads[other].phase
        if phase is None or phase.mutex != lock:
            raise call.refused("threads wait for a condition with different mutexes")
    call.set(address, Condition(tuple(sorted((*condition.waiters, call.me)))))
    call.set(lock, replace(mutex, owner=NOBODY, count=0))
    state.phase = ThreadPhase("condition", address, lock, timed=label.limit is not None)
    state.over = True
    return [state]


def _resumed(call: Call, phase: ThreadPhase, spurious: bool) -> Outcome:
    """A thread that has been woken takes its mutex again; one that waits may end that by itself, in some cases."""
    state = call.state
    if phase.woken:
        outcome = acquire(call, phase.mutex, phase.result)
        if not isinstance(outcome, Blocked):
            state.phase = None
        return outcome
    if not phase.timed and not spurious:
        return Blocked()
    condition = call.found(phase.address, Condition)
    call.set(phase.address, Condition(tuple(other for other in condition.waiters if other != call.me)))
    state.phase = replace(phase, woken=True, result=ETIMEDOUT if phase.timed else 0)
    state.over = True
    if not (phase.timed and spurious):
        return [state]
    other = state.copy()
    other.phase = replace(phase, woken=True, result=0)
    return [state, other]


def _wake(state: WorkingState, numbers: tuple[int, ...]) -> None:
    for number in numbers:
        thread = state.threads[number]
        assert thread.phase is not None
        state.changed_thread(number, thread._replace(phase=replace(thread.phase, woken=True)))


def signal(call: Call, label: Signal) -> Outcome:
    """A signal wakes any of those that wait; nobody only if nobody waits."""
    address = call.number(label.condition)
    condition = call.found(address, Condition)
    if label.everyone or not condition.waiters:
        call.set(address, Condition())
        _wake(call.state, condition.waiters)
        return call.done()
    outcomes: list[WorkingState] = []
    for chosen in condition.waiters:
        one = replace(call, state=call.state.copy())
        one.set(address, Condition(tuple(other for other in condition.waiters if other != chosen)))
        _wake(one.state, (chosen,))
        outcomes += one.done()
    return outcomes


def barrier_wait(call: Call, label: BarrierWait) -> Outcome:
    """The last to arrive opens the barrier; any one of them gets the special result."""
    state, phase = call.state, call.state.phase
    if phase is not None and phase.woken:
        state.phase = None
        return call.done(-1 if phase.serial else 0)
    address = call.number(label.barrier)
    barrier = call.found(address, Barrier)
    if not barrier.needed:
        raise call.refused("a barrier for no threads is used")
    if phase is not None:
        return Blocked()
    arrived = tuple(sorted((*barrier.arrived, call.me)))
    if len(arrived) < barrier.needed:
        call.set(address, Barrier(barrier.needed, arrived))
        state.phase, state.over = ThreadPhase("barrier", address), True
        return [state]
    call.set(address, Barrier(barrier.needed))
    outcomes: list[WorkingState] = []
    for chosen in arrived:
        one = replace(call, state=state.copy())
        _wake(one.state, barrier.arrived)
        if chosen != call.me:
            thread = one.state.threads[chosen]
            assert thread.phase is not None
            one.state.changed_thread(chosen, thread._replace(phase=replace(thread.phase, serial=True)))
        outcomes += one.done(-1 if chosen == call.me else 0)
    return outcomes


def post(call: Call, label: Post) -> Outcome:
    address = call.number(label.semaphore)
    semaphore = call.found(address, Semaphore)
    if semaphore.value == MOST_POSTS:
        return call.failed(EOVERFLOW)
    call.set(address, Semaphore(semaphore.value + 1))
    return call.done()


def semaphore_wait(call: Call, label: SemaphoreWait) -> Outcome:
    call.check_limit(label.limit)
    address = call.number(label.semaphore)
    semaphore = call.found(address, Semaphore)
    if semaphore.value:
        call.set(address, Semaphore(semaphore.value - 1))
        return call.done()
    if label.patience is Patience.FOR_EVER:
        return Blocked()
    return call.failed(EAGAIN if label.patience is Patience.NOT_AT_ALL else ETIMEDOUT)


def semaphore_value(call: Call, label: SemaphoreValue) -> Outcome:
    semaphore = call.found(call.number(label.semaphore), Semaphore)
    call.store(call.number(label.target), 4, semaphore.value)
    return call.done()


def once(call: Call, label: Once) -> Outcome:
    address = call.number(label.control)
    control = call.found(address, OnceControl)
    if control.done:
        return call.done(0)
    if control.runner != NOBODY:
        return Blocked((control.runner,))
    call.set(address, OnceControl(call.me))
    return call.done(1)


def once_done(call: Call, label: OnceDone) -> Outcome:
    call.set(call.number(label.control), OnceControl(NOBODY, True))
    return call.done()


def meet(call: Call, label: Meet) -> Outcome:
    """Two steps, arriving and leaving, so that a thread can stay while others come."""
    state = call.state
    known = state.library.get(NOWHERE, Meeting())
    assert isinstance(known, Meeting)
    if state.phase is not None:
        state.phase = None
        call.set(NOWHERE, Meeting(tuple(found for found in known.present if found[0] != call.me)))
        return call.done()
    present = tuple(sorted((*known.present, (call.me, label.place))))
    counts = Counter(place for _, place in present)
    if all(counts[number] >= count for number, count in enumerate(label.needed)):
        raise call.refused("all these places may be reached at the same time")
    call.set(NOWHERE, Meeting(present))
    state.phase, state.over = ThreadPhase("target", NOWHERE), True
    return [state]
