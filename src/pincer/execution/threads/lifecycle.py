"""Threads themselves: create, join, exit, detach, self."""

from __future__ import annotations

from immutables import Map
from msgspec.structs import replace

from pincer.execution.machine import State
from pincer.execution.stepping import Stop
from pincer.execution.testing import ExecutionFrame
from pincer.execution.threads.accesses import Access, Role
from pincer.execution.threads.calls import (
    EBUSY,
    EINVAL,
    Answer,
    Blocked,
    LibraryCall,
    Performed,
    Waiting,
    is_defined,
    object_name,
)
from pincer.execution.threads.limits import ADDRESS_REGIONS
from pincer.execution.threads.objects import ADAPTIVE, OnceControl
from pincer.execution.threads.sharing import published
from pincer.execution.threads.state import Thread, ThreadedState
from pincer.logic import bitvectors
from pincer.logic.terms import Term
from pincer.program.control_flow import ControlFlowProgram, Procedure
from pincer.program.registers import is_local, is_thread_object
from pincer.program.thread_labels import Detach, Exit, Join, Patience, SetAttribute, Setting, Start

FIRST_IDENTIFIER = 1
"""What `pthread_self` gives in the first thread; thread n has this plus n."""


def region(program: ControlFlowProgram, number: int) -> tuple[int, int]:
    """The addresses in which a thread allocates: so they do not depend on what other threads do meanwhile."""
    slots = ((1 << program.layout.pointer_bits) - program.first_free) >> program.layout.slot_bits
    size = (slots // ADDRESS_REGIONS) << program.layout.slot_bits
    start = program.first_free + number * size
    return start, start + size


def main_thread(program: ControlFlowProgram, state: State) -> Thread:
    entry = program.procedures[program.entry]
    return Thread(0, entry.name, entry.entry, ExecutionFrame(entry), state.registers, Map())


def _life(number: int, role: Role = "") -> Access:
    """The access to a thread's beginning or end."""
    return Access("thread", number, write=True, role=role, name=f"thread {number}")


def start(call: LibraryCall, label: Start) -> Answer:
    target, attributes, routine = call[label.thread], call[label.attributes], call[label.routine]
    procedure = _routine(call, routine)
    if isinstance(procedure, Stop):
        return procedure
    number = len(call.threads.threads)
    if len(procedure.parameters) > 1 or number >= ADDRESS_REGIONS:
        return call.unsupported(f"the start routine {procedure.name} with these parameters")
    if number >= call.limits.max_threads:
        return Stop("steps", f"stopped at {call.limits.max_threads} threads", call.edge)
    if attributes and not is_defined(call.state, attributes, 4):
        return call.undefined(f"the attributes {call.named(attributes)} have not been initialised")
    threads = call.stored(call.threads, target, call.pointer_bytes, FIRST_IDENTIFIER + number)
    if isinstance(threads, Stop):
        return threads
    detached = bool(attributes) and call.state.load(attributes, 4) == 1
    threads = _started(call, label, threads, procedure, detached)
    written = Access("memory", target, call.pointer_bytes, write=True, name=call.named(target))
    created = Access("thread", -1, write=True, name="thread creation")
    return Performed(threads, 0, (written, created, _life(number)))


def _routine(call: LibraryCall, address: int) -> Procedure | Stop:
    """The procedure that a new thread is to run."""
    program = call.state.world.program
    names = {known: name for name, known in program.functions.items()}
    procedure = program.procedures.get(names.get(address, ""))
    if procedure is not None:
        return procedure
    if address in names:
        return call.unsupported(f"the thread function {names[address]} has no body here; check it together with "
                                "the file that defines it")  # fmt: skip
    what = call.named(address) if address else "a null pointer"
    return call.undefined(f"the start routine of {call.label.function} is no function ({what})")


def _started(
    call: LibraryCall, label: Start, threads: ThreadedState, procedure: Procedure, detached: bool
) -> ThreadedState:
    """The state with a new thread in it: its argument, its thread-local variables, its own addresses."""
    program, number = call.state.world.program, len(call.threads.threads)
    registers = {register: value for register, value in program.initial.items() if not is_local(register)}
    registers[program.top] = region(program, number)[0]
    symbols: dict[Term, Term] = {}
    state, owners = threads.state, threads.owners
    for parameter in procedure.parameters:
        registers[parameter] = call[label.argument] & ((1 << bitvectors.width(parameter)) - 1)
        symbol = state.symbolic(label.argument, call.conditions)
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
        number,
        procedure.name,
        procedure.entry,
        ExecutionFrame(procedure),
        Map(registers),
        Map(symbols),
        detached=detached,
    )  # fmt: skip
    owners = published(state, owners, call[label.argument])
    return replace(threads, state=state, owners=owners).with_thread(made)


def join(call: LibraryCall, label: Join) -> Answer:
    number, target = call[label.thread] - FIRST_IDENTIFIER, call[label.value]
    joined = call.threads.threads.get(number)
    if joined is None:
        return call.undefined(f"{label.function} gets a value that is no thread")
    if number == call.me.number:
        return call.undefined(f"thread {number} joins itself")
    if joined.detached:
        return call.undefined(f"thread {number} is joined although it is detached")
    if joined.joined:
        return call.undefined(f"thread {number} is joined a second time")
    accesses = (_life(number, role="acquire"),)
    if not joined.ended:
        if label.patience is not Patience.FOR_EVER:
            return Performed(call.threads, EBUSY, (_life(number),))
        return Blocked(Waiting(f"the end of thread {number}", (number,), until_end=True), accesses)
    threads = call.threads.with_thread(replace(joined, joined=True))
    if not target:
        return Performed(threads, 0, accesses)
    size = call.pointer_bytes
    value, symbol = joined.result
    after = call.stored(threads, target, size, value)
    if isinstance(after, Stop):
        return after
    if symbol is not None:
        after = replace(after, state=after.state.with_store(target, size, value, symbol))
    return Performed(after, 0, (*accesses, Access("memory", target, size, write=True, name=call.named(target))))


def exit_thread(call: LibraryCall, label: Exit) -> Answer:
    running = (known for _, known in call.threads.sync.values() if isinstance(known, OnceControl))
    if any(known.runner == call.me.number for known in running):
        return call.unsupported(f"{label.function} in a routine that pthread_once runs")
    if label.value is None:
        return ended(call.threads, 0, None)
    symbol = call.state.symbolic(label.value, call.conditions)
    return ended(call.threads, call[label.value], None if symbol.op == "bvconst" else symbol)


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


def detach(call: LibraryCall, label: Detach) -> Answer:
    number = call[label.thread] - FIRST_IDENTIFIER
    detached = call.threads.threads.get(number)
    if detached is None:
        return call.undefined(f"{label.function} gets a value that is no thread")
    if detached.joined or detached.detached:
        word = "joined" if detached.joined else "detached"
        return call.undefined(f"thread {number} is detached although it has been {word} already")
    return Performed(call.threads.with_thread(replace(detached, detached=True)), 0, (_life(number),))


_MOST = {Setting.DETACHED: 1, Setting.MUTEX_KIND: ADAPTIVE}
"""The largest values of settings."""


def set_attribute(call: LibraryCall, label: SetAttribute) -> Answer:
    """That is no step that others may notice, so they must not know the attribute object."""
    address, value = call[label.attributes], None if label.value is None else call[label.value]
    if value is not None and value > _MOST.get(label.setting, value):
        return Performed(call.threads, EINVAL)
    base = address & call.state.world.slot_mask
    if base not in call.threads.owners and any(t is not call.me for t in call.threads.live()):
        return call.unsupported(f"{label.function} for attributes that other threads may use")
    if value is None:
        return Performed(call.threads)
    after = call.stored(call.threads, address, 4, value)
    return after if isinstance(after, Stop) else Performed(after)
