"""Condition variables, barriers, semaphores, once routines, and meetings at lines that the user asks about."""

from __future__ import annotations

from collections import Counter

from msgspec.structs import replace

from pincer.execution.stepping import Stop
from pincer.execution.threads.accesses import Access, Role
from pincer.execution.threads.calls import (
    EAGAIN,
    EOVERFLOW,
    EPERM,
    ETIMEDOUT,
    Answer,
    Blocked,
    LibraryCall,
    Performed,
    Waiting,
)
from pincer.execution.threads.locks import MOST_POSTS, acquire, barrier_at, failed
from pincer.execution.threads.objects import (
    ERROR_CHECKING,
    Barrier,
    Condition,
    Meeting,
    Mutex,
    OnceControl,
    Semaphore,
)
from pincer.execution.threads.state import Phase, ThreadedState
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

_NOWHERE = 0
"""The address of the meeting, where no object can be."""


def wait(call: LibraryCall, label: Wait) -> Answer:
    """Two steps: give up the mutex and wait; then, woken, take it again."""
    phase = call.me.phase
    if phase is not None:
        return _wake(call, phase)
    address, lock = call[label.condition], call[label.lock]
    condition = call.found(address, Condition)
    mutex = call.found(lock, Mutex)
    if isinstance(condition, Stop):
        return condition
    if isinstance(mutex, Stop):
        return mutex
    if mutex.owner != call.me.number and mutex.kind == ERROR_CHECKING:
        return Performed(call.threads, EPERM, call.shared(lock))
    if mutex.owner != call.me.number:
        return call.undefined(f"{label.function} needs the mutex {call.named(lock)}, which the thread does not hold")
    if mutex.count > 1:
        return call.unsupported("waiting for a condition with a mutex that is locked more than once")
    if any(_mutex_of(call, other) != lock for other in condition.waiters):
        return call.undefined(f"threads wait for {call.named(address)} with different mutexes")
    phase = Phase("condition", address, lock, timed=label.limit is not None)
    waiting = replace(condition, waiters=(*condition.waiters, call.me.number))
    threads = replace(call, threads=call.changed(address, waiting)).changed(lock, replace(mutex, owner=None, count=0))
    threads = threads.with_thread(replace(call.me, phase=phase))
    accesses = call.shared(lock, "release") + call.shared(address)
    return Performed(threads, None, accesses, complete=False)


def _mutex_of(call: LibraryCall, number: int) -> int:
    phase = call.threads.threads[number].phase
    assert phase is not None
    return phase.mutex


def _wake(call: LibraryCall, phase: Phase) -> Answer:
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


def _unsignalled(call: LibraryCall, phase: Phase) -> Answer:
    """Waiting that may end without a signal does so in a step of its own: from then on, no signal is for this thread,
    even while it waits for the mutex."""
    condition = call.found(phase.address, Condition)
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


def signal(call: LibraryCall, label: Signal) -> Answer:
    """A signal wakes one of those that wait, whichever `pick` says."""
    address = call[label.condition]
    condition = call.found(address, Condition)
    if isinstance(condition, Stop):
        return condition
    waiters = condition.waiters
    chosen = waiters if label.everyone else waiters[call.pick : call.pick + 1]
    left = Condition(tuple(number for number in waiters if number not in chosen))
    accesses = sum((woken(number, "release") for number in chosen), call.shared(address))
    return Performed(_released(call.changed(address, left), chosen), 0, accesses)


def picks(call: LibraryCall) -> int:
    """How many outcomes an operation's step may have, all else being equal."""
    phase = call.me.phase
    match call.label:
        case Signal(condition, everyone=False):
            known = call.existing(call[condition], Condition)
            return max(1, len(known.waiters)) if known is not None else 1
        case Wait(limit=limit) if limit is not None:
            return 2 if phase is not None and not phase.woken and call.limits.spurious else 1
        case BarrierWait(address) if phase is None:
            barrier = call.existing(call[address], Barrier)
            if barrier is not None and len(barrier.arrived) + 1 == barrier.needed:
                return barrier.needed
    return 1


def barrier_wait(call: LibraryCall, label: BarrierWait) -> Answer:
    """The last to arrive opens the barrier. Which thread gets the special result is open: `pick` says."""
    address, me, phase = call[label.barrier], call.me.number, call.me.phase
    if phase is not None and phase.woken:
        threads = call.threads.with_thread(replace(call.me, phase=None))
        return Performed(threads, -1 if phase.serial else 0, woken(me, "acquire"))
    barrier = barrier_at(call, address)
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


def post(call: LibraryCall, label: Post) -> Answer:
    address = call[label.semaphore]
    semaphore = call.found(address, Semaphore)
    if isinstance(semaphore, Stop):
        return semaphore
    if semaphore.value == MOST_POSTS:
        return failed(call, address, EOVERFLOW)
    return Performed(call.changed(address, Semaphore(semaphore.value + 1)), 0, call.shared(address))


def semaphore_wait(call: LibraryCall, label: SemaphoreWait) -> Answer:
    address = call[label.semaphore]
    semaphore = call.found(address, Semaphore)
    if isinstance(semaphore, Stop):
        return semaphore
    if semaphore.value:
        return Performed(call.changed(address, Semaphore(semaphore.value - 1)), 0, call.shared(address))
    if label.patience is Patience.FOR_EVER:
        return Blocked(Waiting(f"the semaphore {call.named(address)}"), call.shared(address))
    return failed(call, address, EAGAIN if label.patience is Patience.NOT_AT_ALL else ETIMEDOUT)


def semaphore_value(call: LibraryCall, label: SemaphoreValue) -> Answer:
    address, target = call[label.semaphore], call[label.target]
    semaphore = call.found(address, Semaphore)
    if isinstance(semaphore, Stop):
        return semaphore
    after = call.stored(call.threads, target, 4, semaphore.value)
    if isinstance(after, Stop):
        return after
    written = Access("memory", target, 4, write=True, name=call.named(target))
    return Performed(after, 0, (*call.shared(address, write=False), written))


def once(call: LibraryCall, label: Once) -> Answer:
    """1 for the thread that has to run the routine; the others wait until it has."""
    address = call[label.control]
    control = call.found(address, OnceControl)
    if isinstance(control, Stop):
        return control
    if control.done:
        return Performed(call.threads, 0, call.shared(address))
    if control.runner is not None:
        return Blocked(Waiting(f"the end of a once routine ({call.named(address)})", (control.runner,)),
                       call.shared(address))  # fmt: skip
    return Performed(call.changed(address, OnceControl(call.me.number)), 1, call.shared(address))


def once_done(call: LibraryCall, label: OnceDone) -> Answer:
    address = call[label.control]
    return Performed(call.changed(address, OnceControl(None, True)), None, call.shared(address))


def meet(call: LibraryCall, label: Meet) -> Answer:
    """Two steps, arriving and leaving, so that a thread can stay while others come."""
    me = call.me.number
    _, known = call.threads.sync.get(_NOWHERE, (_NOWHERE, Meeting()))
    assert isinstance(known, Meeting)
    accesses = (Access("sync", _NOWHERE, write=True, name="targets"),)
    if call.me.phase is not None:
        present = tuple(found for found in known.present if found[0] != me)
        left = call.threads.with_thread(replace(call.me, phase=None))
        return Performed(replace(left, sync=left.sync.set(_NOWHERE, (_NOWHERE, Meeting(present)))), 0, accesses)
    present = (*known.present, (me, label.place, call.edge.position.line))
    counts = Counter(found[1] for found in present)
    if all(counts[number] >= count for number, count in enumerate(label.needed)):
        return Stop("fail", _reached(present, sum(label.needed)), call.edge)
    arrived = call.threads.with_thread(replace(call.me, phase=Phase("target", _NOWHERE)))
    sync = arrived.sync.set(_NOWHERE, (_NOWHERE, Meeting(present)))
    return Performed(replace(arrived, sync=sync), None, accesses, complete=False)


def _reached(present: tuple[tuple[int, int, int], ...], needed: int) -> str:
    if needed == 1:
        return f"line {present[-1][2]} is reached"
    return " and ".join(f"thread {thread} is at line {line}" for thread, _, line in sorted(present))
