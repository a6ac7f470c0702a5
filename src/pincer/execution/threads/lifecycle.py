"""Threads themselves: create, join, exit, detach, self."""

from __future__ import annotations

from dataclasses import replace

from immutables import Map

from pincer.execution.machine import State
from pincer.execution.stepping import Stop
from pincer.execution.testing import Frame
from pincer.execution.threads.accesses import Access, Role
from pincer.execution.threads.calls import (
    EBUSY,
    EINVAL,
    Answer,
    Blocked,
    Call,
    Performed,
    Waiting,
    meaning,
    object_name,
)
from pincer.execution.threads.mutexes import is_defined
from pincer.execution.threads.objects import Once
from pincer.execution.threads.sharing import published
from pincer.execution.threads.state import Thread, ThreadedState
from pincer.logic import bitvectors
from pincer.logic.terms import Term
from pincer.program.control_flow import ControlFlowProgram, Procedure
from pincer.program.registers import is_local, is_thread_object

REGIONS = 64
"""Into how many parts the addresses for new objects are divided: one for each thread that may be created."""

FIRST_IDENTIFIER = 1
"""What `pthread_self` gives in the first thread; thread n has this plus n."""


def region(program: ControlFlowProgram, number: int) -> tuple[int, int]:
    """The addresses in which a thread allocates: so they do not depend on what other threads do meanwhile."""
    slots = ((1 << program.layout.pointer_bits) - program.first_free) >> program.layout.slot_bits
    size = (slots // REGIONS) << program.layout.slot_bits
    start = program.first_free + number * size
    return start, start + size


def main_thread(program: ControlFlowProgram, state: State) -> Thread:
    entry = program.procedures[program.entry]
    return Thread(0, entry.name, entry.entry, Frame(entry), state.registers, Map())


def _life(number: int, role: Role = "") -> Access:
    """The access to a thread's beginning or end."""
    return Access("thread", number, write=True, role=role, name=f"thread {number}")


@meaning("pthread_create")
def _create(call: Call) -> Answer:
    target, attributes, routine, _ = call.arguments[:4]
    program = call.state.world.program
    names = {address: name for name, address in program.functions.items()}
    procedure = program.procedures.get(names.get(routine, ""))
    number = len(call.threads.threads)
    if routine in names and procedure is None:
        return Stop("unsupported", f"the thread function {names[routine]} has no body here; check it together with "
                    "the file that defines it", call.edge)  # fmt: skip
    if procedure is None:
        what = call.named(routine) if routine else "a null pointer"
        return call.undefined(f"the start routine of pthread_create is no function ({what})")
    if len(procedure.parameters) > 1 or number >= REGIONS:
        return Stop("unsupported", f"the start routine {procedure.name} with these parameters", call.edge)
    if number >= call.limits.max_threads:
        return Stop("steps", f"stopped at {call.limits.max_threads} threads", call.edge)
    if attributes and not is_defined(call.state, attributes, 4):
        return call.undefined(f"the attributes {call.named(attributes)} have not been initialised")
    size = program.layout.pointer_bits // 8
    threads = call.stored(call.threads, target, size, FIRST_IDENTIFIER + number)
    if isinstance(threads, Stop):
        return threads
    detached = bool(attributes) and call.state.load(attributes, 4) == 1
    threads = _started(call, threads, procedure, number, detached)
    written = Access("memory", target, size, write=True, name=call.named(target))
    created = Access("thread", -1, write=True, name="thread creation")
    return Performed(threads, 0, (written, created, _life(number)))


def _started(call: Call, threads: ThreadedState, procedure: Procedure, number: int, detached: bool) -> ThreadedState:
    """The state with a new thread in it: its argument, its thread-local variables, its own addresses."""
    program = call.state.world.program
    registers = {register: value for register, value in program.initial.items() if not is_local(register)}
    registers[program.top] = region(program, number)[0]
    symbols: dict[Term, Term] = {}
    state, owners = threads.state, threads.owners
    for parameter in procedure.parameters:
        registers[parameter] = call.arguments[3] & ((1 << bitvectors.width(parameter)) - 1)
        symbol = state.symbolic(call.terms[3], call.conditions)
        if symbol.op != "bvconst":
            symbols[parameter] = symbol
    contents = {obj.address: obj for obj in program.objects}
    for register, value in program.initial.items():
        if is_thread_object(register):
            base, obj = registers[program.top], contents[value]
            state = state.with_object(base, obj.size, value, obj.contents, obj.name)
            owners = owners.set(base, number)
            registers[register], registers[program.top] = base, base + program.layout.slot
        elif is_local(register):
            registers[register] = value
    made = Thread(
        number, procedure.name, procedure.entry, Frame(procedure), Map(registers), Map(symbols), detached=detached
    )
    owners = published(state, owners, call.arguments[3])
    return replace(threads, state=state, owners=owners).with_thread(made)


@meaning("pthread_join", "pthread_tryjoin_np")
def _join(call: Call) -> Answer:
    number, target = call.arguments[0] - FIRST_IDENTIFIER, call.arguments[1]
    joined = call.threads.threads.get(number)
    if joined is None:
        return call.undefined(f"{call.function} gets a value that is no thread")
    if number == call.me.number:
        return call.undefined(f"thread {number} joins itself")
    if joined.detached:
        return call.undefined(f"thread {number} is joined although it is detached")
    if joined.joined:
        return call.undefined(f"thread {number} is joined a second time")
    accesses = (_life(number, role="acquire"),)
    if not joined.ended:
        if call.function == "pthread_tryjoin_np":
            return Performed(call.threads, EBUSY, (_life(number),))
        return Blocked(Waiting(f"the end of thread {number}", (number,)), accesses)
    threads = call.threads.with_thread(replace(joined, joined=True))
    if not target:
        return Performed(threads, 0, accesses)
    size = call.state.world.program.layout.pointer_bits // 8
    value, symbol = joined.result
    after = call.stored(threads, target, size, value)
    if isinstance(after, Stop):
        return after
    if symbol is not None:
        after = replace(after, state=after.state.with_store(target, size, value, symbol))
    return Performed(after, 0, (*accesses, Access("memory", target, size, write=True, name=call.named(target))))


@meaning("pthread_exit")
def _exit(call: Call) -> Answer:
    if any(isinstance(known, Once) and known.runner == call.me.number for _, known in call.threads.sync.values()):
        return Stop("unsupported", "pthread_exit in a routine that pthread_once runs", call.edge)
    symbol = call.state.symbolic(call.terms[0], call.conditions) if call.terms else None
    result = call.arguments[0] if call.arguments else 0
    return ended(call.threads, result, None if symbol is None or symbol.op == "bvconst" else symbol)


def ended(threads: ThreadedState, value: int, symbol: Term | None) -> Performed:
    """The running thread is over, and its thread-local objects with it; what it returns, another thread may get."""
    me = replace(threads.threads[threads.running], ended=True, result=(value, symbol), phase=None)
    owners = published(threads.state, threads.owners, value)
    state, accesses = threads.state, [_life(me.number, role="release")]
    for base in _own_objects(threads.state) if me.number else ():
        if base not in owners:
            accesses.append(Access("life", base, write=True, name=object_name(state, base)))
        state = state.without_object(base)
    return Performed(replace(threads, state=state, owners=owners).with_thread(me), None, tuple(accesses))


def _own_objects(state: State) -> list[int]:
    """The thread-local objects of the running thread."""
    registers = state.world.program.initial
    return [state.registers[register] for register in registers if is_thread_object(register)]


@meaning("pthread_detach")
def _detach(call: Call) -> Answer:
    number = call.arguments[0] - FIRST_IDENTIFIER
    detached = call.threads.threads.get(number)
    if detached is None:
        return call.undefined("pthread_detach gets a value that is no thread")
    if detached.joined or detached.detached:
        word = "joined" if detached.joined else "detached"
        return call.undefined(f"thread {number} is detached although it has been {word} already")
    return Performed(call.threads.with_thread(replace(detached, detached=True)), 0, (_life(number),))


@meaning("pthread_self", visible=False)
def _self(call: Call) -> Answer:
    return Performed(call.threads, FIRST_IDENTIFIER + call.me.number)


@meaning("pthread_equal", visible=False)
def _equal(call: Call) -> Answer:
    return Performed(call.threads, int(call.arguments[0] == call.arguments[1]))


@meaning("pthread_yield", visible=False)
def _yield(call: Call) -> Answer:
    return Performed(call.threads)


@meaning("pthread_attr_init", visible=False)
def _attributes(call: Call) -> Answer:
    return call.attribute(0)


@meaning("pthread_attr_setdetachstate", visible=False)
def _detach_state(call: Call) -> Answer:
    if call.arguments[1] > 1:
        return Performed(call.threads, EINVAL)
    return call.attribute(call.arguments[1])


@meaning("pthread_attr_destroy", "pthread_attr_setstacksize", "pthread_attr_setscope", visible=False)
def _ignored(call: Call) -> Answer:
    return call.attribute(None)
