"""The threads library as an executor sees it: one step of an operation, by what the operation is."""

from __future__ import annotations

from pincer.execution.machine import State
from pincer.execution.threads import lifecycle, locks, waiting
from pincer.execution.threads.calls import Answer, LibraryCall, Performed
from pincer.program.thread_labels import (
    AtomicBegin,
    AtomicEnd,
    BarrierWait,
    Destroy,
    Detach,
    Exit,
    Initialise,
    Join,
    Lock,
    Meet,
    Once,
    OnceDone,
    Patience,
    Post,
    SameThread,
    Self,
    SemaphoreValue,
    SemaphoreWait,
    SetAttribute,
    Signal,
    Start,
    SyncKind,
    ThreadOperation,
    Unlock,
    Wait,
    Yield,
)


def perform(call: LibraryCall) -> Answer:
    """One step of an operation. Atomic sections are no steps of their own."""
    match call.label:
        case Lock(limit=limit) | Wait(limit=limit) | SemaphoreWait(limit=limit) if limit is not None:
            if not _is_time(call.state, call[limit]):
                return call.unsupported(f"{call.label.function} with a time limit that is no valid time")
    match call.label:
        case Lock():
            return locks.lock(call, call.label)
        case Unlock():
            return locks.unlock(call, call.label)
        case Wait():
            return waiting.wait(call, call.label)
        case Signal():
            return waiting.signal(call, call.label)
        case SemaphoreWait():
            return waiting.semaphore_wait(call, call.label)
        case Post():
            return waiting.post(call, call.label)
        case BarrierWait():
            return waiting.barrier_wait(call, call.label)
        case Once():
            return waiting.once(call, call.label)
        case OnceDone():
            return waiting.once_done(call, call.label)
        case Meet():
            return waiting.meet(call, call.label)
    return _of_threads(call)


def _of_threads(call: LibraryCall) -> Answer:
    match call.label:
        case Start():
            return lifecycle.start(call, call.label)
        case Join():
            return lifecycle.join(call, call.label)
        case Exit():
            return lifecycle.exit_thread(call, call.label)
        case Detach():
            return lifecycle.detach(call, call.label)
        case Self():
            return Performed(call.threads, lifecycle.FIRST_IDENTIFIER + call.me.number)
        case SameThread(first, second):
            return Performed(call.threads, int(call[first] == call[second]))
        case Yield():
            return Performed(call.threads)
        case SetAttribute():
            return lifecycle.set_attribute(call, call.label)
        case Initialise():
            return locks.initialise(call, call.label)
        case Destroy():
            return locks.destroy(call, call.label)
        case SemaphoreValue():
            return waiting.semaphore_value(call, call.label)
    return call.unsupported(f"call of {call.label.function}")


def _is_time(state: State, address: int) -> bool:
    """Whether the nanoseconds of a time are less than a second."""
    size = state.world.program.layout.pointer_bits // 8
    return state.room(address) >= 2 * size and state.load(address + size, size) < 10**9


def is_blind(label: ThreadOperation) -> bool:
    """Whether an operation never sees a mutex held, or a thread alive, without waiting for its release or end."""
    match label:
        case (
            Start() | Exit() | Signal() | Post() | BarrierWait() | Once() | OnceDone() | Meet() | AtomicBegin()
            | AtomicEnd() | Wait(limit=None)
        ):  # fmt: skip
            return True
        case Join(patience=patience) | SemaphoreWait(patience=patience):
            return patience is Patience.FOR_EVER
        case Lock(kind=kind, patience=patience):
            return patience is Patience.FOR_EVER and kind is not SyncKind.SPIN_LOCK
        case Unlock(kind=kind):
            return kind is not SyncKind.SPIN_LOCK
        case Initialise(kind=kind):
            return kind not in (SyncKind.MUTEX, SyncKind.SPIN_LOCK)
        case Destroy(kind=kind):
            return kind is SyncKind.SEMAPHORE
    return False
