"""Threads themselves: how they begin and end, and who waits for that; and which operation does what."""

from __future__ import annotations

from pincer.evidence.thread_proof.exploration import things, waiting
from pincer.evidence.thread_proof.exploration.library import (
    EBUSY,
    EINVAL,
    Blocked,
    Call,
    Outcome,
    attribute,
    destroy,
    initialise,
    lock,
    unlock,
)
from pincer.evidence.thread_proof.exploration.library_objects import ADAPTIVE, OnceControl
from pincer.evidence.thread_proof.exploration.states import ThreadState, Value, WorkingState
from pincer.evidence.thread_proof.exploration.steps import THREADS, Span, Steps
from pincer.program.control_flow import Procedure
from pincer.program.registers import THREAD, is_thread_object
from pincer.program.thread_labels import (
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
    Setting,
    Signal,
    Start,
    Unlock,
    Wait,
    Yield,
)

FIRST_IDENTITY = 1
"""What `pthread_self` gives in the main thread; thread n has this plus n."""

_MOST = {Setting.DETACHED: 1, Setting.MUTEX_KIND: ADAPTIVE}


def performed(call: Call, spurious: bool) -> Outcome:
    """The outcomes of an operation, atomic sections apart."""
    label = call.label
    match label:
        case Lock():
            return lock(call, label)
        case Unlock():
            return unlock(call, label)
        case Wait():
            return waiting.wait(call, label, spurious)
        case Signal():
            return waiting.signal(call, label)
        case BarrierWait():
            return waiting.barrier_wait(call, label)
        case Post():
            return waiting.post(call, label)
        case SemaphoreWait():
            return waiting.semaphore_wait(call, label)
        case SemaphoreValue():
            return waiting.semaphore_value(call, label)
        case Once():
            return waiting.once(call, label)
        case OnceDone():
            return waiting.once_done(call, label)
        case Meet():
            return waiting.meet(call, label)
        case Initialise():
            return initialise(call, label)
        case Destroy():
            return destroy(call, label)
    return _of_threads(call)


def _of_threads(call: Call) -> Outcome:
    label = call.label
    match label:
        case Start():
            return _start(call, label)
        case Join():
            return _join(call, label)
        case Exit():
            return _exit(call, label)
        case Detach():
            return _detach(call, label)
        case Self():
            return call.done(FIRST_IDENTITY + call.me)
        case SameThread(first, second):
            return call.done(int(call.number(first) == call.number(second)))
        case Yield():
            return call.done()
        case SetAttribute():
            return _set_attribute(call, label)
    raise call.unexplored("this operation is not explored")


def _routine(call: Call, address: int) -> Procedure:
    program = call.steps.program
    names = {known: name for name, known in program.functions.items()}
    procedure = program.procedures.get(names.get(address, ""))
    if procedure is None or len(procedure.parameters) > 1:
        raise call.unexplored("the start routine is no function with a body and one parameter")
    return procedure


def _start(call: Call, label: Start) -> Outcome:
    """A new thread; its identity is stored before it does anything."""
    state, steps = call.state, call.steps
    procedure, number = _routine(call, call.number(label.routine)), len(state.threads)
    if number >= THREADS:
        raise call.unexplored(f"more than {THREADS} threads")
    attributes = call.number(label.attributes)
    detached = bool(attributes) and attribute(call, attributes) == 1
    argument = steps.values.of(label.argument, state)
    call.store(call.number(label.thread), steps.slots.top.width // 8, FIRST_IDENTITY + number)
    steps.sharing.show_value(state, argument)
    born = _born(steps, state, number, procedure, argument)
    state.threads = (*state.threads, born._replace(detached=detached))
    state.born = (*state.born, number)
    return call.done()


def _born(steps: Steps, state: WorkingState, number: int, procedure: Procedure, argument: Value) -> ThreadState:
    """The new thread with its argument and its own copies of thread-local objects."""
    slots, program = steps.slots, steps.program
    thread: list[Value | None] = [None] * slots.count(THREAD)
    own: list[Value | None] = [None] * slots.count(procedure.name)
    top = steps.region(number)[0]
    static = {item.address: item for item in program.objects}
    for register, value in program.initial.items():
        slot = slots.of(register)
        if is_thread_object(register):
            item = static[value]
            steps.begin(state, top, things.made(item.size, item.contents, number), number)
            thread[slot.number] = top
            top += program.layout.slot
        elif slot.space == "thread":
            thread[slot.number] = value
    thread[slots.top.number] = top
    for parameter in procedure.parameters:
        width = parameter.sort.width or 1
        node = argument if isinstance(argument, int) else steps.values.script.extract(width - 1, 0, argument)
        own[slots.of(parameter).number] = node & ((1 << width) - 1) if isinstance(node, int) else node
    return ThreadState(procedure, procedure.entry, (), tuple(own), tuple(thread))


def _join(call: Call, label: Join) -> Outcome:
    state = call.state
    number, target = call.number(label.thread) - FIRST_IDENTITY, call.number(label.value)
    if not 0 <= number < len(state.threads) or number == call.me:
        raise call.refused("the thread joins itself, or what is no thread")
    other = state.threads[number]
    if other.detached or other.joined:
        raise call.refused("a thread is joined that is detached, or has been joined")
    if not other.ended:
        return Blocked((number,)) if label.patience is Patience.FOR_EVER else call.done(EBUSY)
    state.changed_thread(number, other._replace(joined=True, result=None))
    if target:
        width = call.steps.slots.top.width
        result = other.result
        call.touch(target, width // 8, atomic=False)
        value = call.steps.values.fresh(state, width) if result is None else result
        call.steps.store(state, Span(target, width // 8, call.edge), value)
    return call.done()


def _exit(call: Call, label: Exit) -> Outcome:
    if any(isinstance(known, OnceControl) and known.runner == call.me for known in call.state.library.values()):
        raise call.unexplored("a thread ends in a routine that is run once")
    end(call.steps, call.state, 0 if label.value is None else call.steps.values.of(label.value, call.state))
    return [call.state]


def end(steps: Steps, state: WorkingState, result: Value | None) -> None:
    """The thread at work is over; who joins it gets the result."""
    steps.sharing.show_value(state, result)
    for register in steps.program.initial if state.me else ():
        if is_thread_object(register):
            value = state.thread[steps.slots.of(register).number]
            assert isinstance(value, int)
            steps.end(state, value)
    state.changed_thread(state.me, state.mine(())._replace(ended=True, result=result, own=(), frames=(), thread=()))
    state.frames, state.own, state.thread, state.phase, state.over = (), [], [], None, True


def _detach(call: Call, label: Detach) -> Outcome:
    state = call.state
    number = call.number(label.thread) - FIRST_IDENTITY
    if not 0 <= number < len(state.threads) or state.threads[number].joined or state.threads[number].detached:
        raise call.refused("what is detached is no thread, or has been joined or detached")
    state.changed_thread(number, state.threads[number]._replace(detached=True))
    return call.done()


def _set_attribute(call: Call, label: SetAttribute) -> Outcome:
    """That is no step that others may notice, so they must not know the attribute object."""
    state, address = call.state, call.number(label.attributes)
    value = None if label.value is None else call.number(label.value)
    if value is not None and value > _MOST.get(label.setting, value):
        return call.done(EINVAL)
    if state.owners.get(call.steps.base(address)) != call.me and not state.is_alone():
        raise call.unexplored("attributes that other threads may use are changed")
    if value is not None:
        call.steps.store(state, Span(address, 4, call.edge), value)
    return call.done()
