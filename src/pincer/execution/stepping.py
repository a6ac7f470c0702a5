"""One step of a control-flow program: what each label does to a state, for concrete and symbolic values alike."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from pincer.execution.machine import MemoryObject, State
from pincer.logic import bitvectors
from pincer.logic.terms import BOOL, FALSE, TRUE, Term
from pincer.program.control_flow import (
    Allocate,
    Assign,
    Assume,
    Begin,
    Check,
    Copy,
    Edge,
    End,
    Fail,
    Fill,
    Free,
    Halt,
    Input,
    Skip,
    Store,
    Unsupported,
)
from pincer.program.registers import renamed
from pincer.program.thread_labels import ThreadOperation

ARGUMENT = "the argument "
"""How objects are told that came with the call of the entry."""
LARGEST_BLOCK = 1 << 16
"""Bytes that one Copy or Fill may touch, whole objects apart."""


class Stop(Struct, frozen=True):
    """The execution ends at an edge: a failed assertion, a violated check, exit, or something not modelled.

    Objects that are `left` on the heap are told where that is the failure. `returns` says that a thread has come back
    to where it was, and nothing has changed meanwhile: it goes on so for ever."""

    kind: Literal["fail", "check", "halt", "unsupported", "steps"]
    message: str
    edge: Edge | None = None
    left: tuple[int, ...] = ()
    returns: bool = False


def enabled(state: State, edge: Edge) -> bool:
    return not isinstance(edge.label, Assume) or bool(state.value(edge.label.condition))


def step(state: State, edge: Edge, conditions: list[Term]) -> State | Stop:
    """The state after an enabled edge other than a call. What the inputs must satisfy for it goes to `conditions`."""
    label = edge.label
    match label:
        case Assign(register, value):
            return state.with_register(register, state.value(value), _symbol(state, value, conditions))
        case Assume(condition):
            _require(state, condition, conditions)
            return state
        case Store():
            return _store(state, edge, label, conditions)
        case Check(_, condition, message):
            if not state.value(condition):
                return Stop("check", message, edge)
            _require(state, condition, conditions)
            return state
        case Input(register):
            return state.with_input(register, label, edge.position)
        case Skip():
            return state
        case Fail(message):
            return Stop("fail", message, edge)
        case Halt(what):
            return Stop("halt", what, edge)
        case Unsupported(what):
            return Stop("unsupported", what, edge)
        case ThreadOperation(function=function):
            return Stop("unsupported", f"call of {function} (threads)", edge)
    return _memory_step(state, edge, conditions)


def _memory_step(state: State, edge: Edge, conditions: list[Term]) -> State | Stop:
    label = edge.label
    match label:
        case Begin(address, size):
            what = f"{ARGUMENT}{label.argument}" if label.argument else f"local object at {edge.position}"
            return state.with_object(address, size, address, None, what)
        case End(address) | Free(address):
            base = state.pinned(address, conditions)
            return state.without_object(base) if base else state
        case Allocate():
            return _allocate(state, edge, label, conditions)
        case Fill():
            return _fill(state, edge, label, conditions)
        case Copy():
            return _copy(state, edge, label, conditions)
    raise AssertionError(f"no step for {label}")


def _symbol(state: State, value: Term, conditions: list[Term]) -> Term | None:
    """The symbolic value of a term, None when it does not depend on inputs."""
    term = state.symbolic(value, conditions)
    return None if term.op == "bvconst" else term


def _require(state: State, condition: Term, conditions: list[Term]) -> None:
    term = state.symbolic(condition, conditions)
    assert term is not FALSE and term.sort is BOOL
    if term is not TRUE:
        conditions.append(term)


def _writable(state: State, edge: Edge, address: int, size: int) -> MemoryObject | Stop:
    found = state.objects.get(address & state.world.slot_mask)
    offset = address & state.world.offset_mask
    if found is None or not found.live or offset + size > found.size:
        return Stop("check", "write outside of all objects", edge)
    if found.shape in state.world.read_only:
        return Stop("check", f"write to the constant {found.origin}", edge)
    return found


def _store(state: State, edge: Edge, label: Store, conditions: list[Term]) -> State | Stop:
    address = state.pinned(label.address, conditions)
    size = bitvectors.width(label.value) // 8
    target = _writable(state, edge, address, size)
    if isinstance(target, Stop):
        return target
    return state.with_store(address, size, state.value(label.value), _symbol(state, label.value, conditions))


def _allocate(state: State, edge: Edge, label: Allocate, conditions: list[Term]) -> State | Stop:
    program = state.world.program
    size, room = state.value(label.size), _symbol(state, label.size, conditions)
    largest = program.layout.slot // 2
    base = state.registers[program.top]
    following = base + program.layout.slot
    if size > largest:
        return Stop("unsupported", f"an object of {size} bytes (the largest modelled has {largest})", edge)
    if following >> program.layout.pointer_bits:
        return Stop("unsupported", "more objects than the address space has slots", edge)
    if room is not None:
        limit = bitvectors.constant(largest, bitvectors.width(room))
        conditions.append(bitvectors.compare("bvule", room, limit))
    origin = f"the {label.storage} object of line {edge.position.line}"
    made = state.with_object(base, size, edge, b"" if label.zero else None, origin, room)
    return made.with_register(program.top, following, None).with_register(label.register, base, None)


def _fill(state: State, edge: Edge, label: Fill, conditions: list[Term]) -> State | Stop:
    address, size = state.pinned(label.target, conditions), state.pinned(label.size, conditions)
    if size == 0:
        return state
    found = _writable(state, edge, address, size)
    if isinstance(found, Stop):
        return found
    byte, symbol = state.value(label.byte) & 0xFF, _symbol(state, label.byte, conditions)
    offset = address & state.world.offset_mask
    if offset == 0 and size == found.size and symbol is None:
        return _refilled(state, address, found, byte)
    if size > LARGEST_BLOCK:
        return Stop("unsupported", f"filling {size} bytes of a larger object", edge)
    for start, width in state.world.cells.pieces(found.shape, offset, size):
        low, high = max(start, offset), min(start + width, offset + size)
        term = symbol
        for _ in range(high - low - 1):
            term = None if term is None or symbol is None else bitvectors.concat(symbol, term)
        value = int.from_bytes(bytes([byte]) * (high - low), "little")
        state = state.with_store(address - offset + low, high - low, value, term)
    return state


def _refilled(state: State, base: int, found: MemoryObject, byte: int) -> State:
    """A whole object set to one byte: it gets new contents instead of many cells."""
    room = state.symbols.get(("room", base))
    background = b"" if byte == 0 else bytes([byte]) * found.size
    return state.with_object(base, found.size, found.shape, background, found.origin, room)


def _copy(state: State, edge: Edge, label: Copy, conditions: list[Term]) -> State | Stop:
    target, source = state.pinned(label.target, conditions), state.pinned(label.source, conditions)
    size = state.pinned(label.size, conditions)
    if size == 0 or target == source:
        return state
    if size > LARGEST_BLOCK:
        return Stop("unsupported", f"copying {size} bytes at once", edge)
    into = _writable(state, edge, target, size)
    if isinstance(into, Stop):
        return into
    origin = state.objects.get(source & state.world.slot_mask)
    if origin is None or not origin.live or (source & state.world.offset_mask) + size > origin.size:
        return Stop("check", "read outside of all objects", edge)
    before, at = state, 0
    first = source & state.world.offset_mask
    for start, width in state.world.cells.pieces(origin.shape, first, size):
        low, high = max(start, first), min(start + width, first + size)
        address, bits = source + (low - first), 8 * (high - low)
        term = before.symbolic_load(address, high - low)
        state = state.with_store(
            target + at, high - low, before.load(address, high - low), None if term.op == "bvconst" else term
        )
        at += bits // 8
    return state


def push_frame(state: State, registers: tuple[Term, ...], depth: int) -> State:
    """Put away the registers of a procedure that is entered again: `r` becomes `saved(r, depth)`."""
    current, symbols = state.registers, state.symbols
    for register in registers:
        if register in current:
            kept = saved(register, depth)
            current = current.set(kept, current[register])
            symbol = symbols.get(register)
            if symbol is not None:
                symbols = symbols.set(kept, symbol)
            elif kept in symbols:
                symbols = symbols.delete(kept)
    return replace(state, registers=current, symbols=symbols)


def pop_frame(state: State, registers: tuple[Term, ...], depth: int) -> State:
    """Bring back the registers of the activation that continues."""
    current, symbols = state.registers, state.symbols
    for register in registers:
        kept = saved(register, depth)
        if kept in current:
            current = current.set(register, current[kept]).delete(kept)
            symbol = symbols.get(kept)
            if symbol is not None:
                symbols = symbols.set(register, symbol).delete(kept)
            elif register in symbols:
                symbols = symbols.delete(register)
    return replace(state, registers=current, symbols=symbols)


def saved(register: Term, depth: int) -> Term:
    """The name of a register of the `depth`-th activation of its procedure while a later one runs."""
    name = register.args[0]
    return renamed(register, name.owner, f"{name.name}#{depth}")
