"""What steps other than those of the threads library do, and what others could notice of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from msgspec import Struct

from pincer.evidence.c_proof.program_facts import assigned_register, label_terms
from pincer.evidence.c_proof.term_data import children
from pincer.evidence.thread_proof.exploration import things
from pincer.evidence.thread_proof.exploration.asked import ConditionQuestions
from pincer.evidence.thread_proof.exploration.futures import Futures, Uses, idle_registers
from pincer.evidence.thread_proof.exploration.library_objects import Destroyed, bytes_of
from pincer.evidence.thread_proof.exploration.refusals import ExplorationRefused, Unexplored
from pincer.evidence.thread_proof.exploration.sharing import SlotSharing
from pincer.evidence.thread_proof.exploration.slots import Liveness, RegisterSlots
from pincer.evidence.thread_proof.exploration.states import CallerFrame, StepAccess, ThreadState, Value, WorkingState
from pincer.evidence.thread_proof.exploration.things import STATIC, Thing
from pincer.evidence.thread_proof.exploration.values import TermValues
from pincer.evidence.thread_proof.exploration.watching import Watching
from pincer.logic.terms import Term
from pincer.program.control_flow import (
    Allocate,
    Assign,
    Assume,
    Begin,
    Call,
    Check,
    Copy,
    Edge,
    End,
    Fill,
    Free,
    Input,
    Label,
    Skip,
    Store,
)
from pincer.program.thread_labels import ThreadOperation

THREADS = 64
"""Into how many parts the addresses of new objects are divided: one for each thread."""

LARGEST_BLOCK = 1 << 16
"""Bytes that one step may copy or fill."""


class Reading(Struct, frozen=True):
    """What a label reads and assigns that threads may share: loads and rooms by address, registers by number."""

    loads: tuple[tuple[Term, int], ...]
    rooms: tuple[Term, ...]
    registers: tuple[int, ...]
    assigned: int | None

    @property
    def is_private(self) -> bool:
        return not (self.loads or self.rooms or self.registers) and self.assigned is None


class Span(NamedTuple):
    """Bytes that an edge writes."""

    address: int
    size: int
    edge: Edge


class Steps:
    """Takes steps of the program at hand."""

    def __init__(self, slots: RegisterSlots, values: TermValues, conditions: ConditionQuestions) -> None:
        self.slots = slots
        self.program = slots.program
        self.values = values
        self.conditions = conditions
        self.liveness = Liveness(slots)
        self._futures = Futures(slots)
        self.idle = idle_registers(self.program)
        self._slot = self.program.layout.slot
        self._bits = self.program.layout.pointer_bits
        self.sharing = SlotSharing(values, self._slot, self._bits // 8)
        self._readings: dict[Label | ThreadOperation, Reading] = {}
        self.watching = Watching(slots, values)
        self.given: Mapping[Edge, int] | None = None
        """The values of inputs, where only executions with these are looked at; others are 0 then."""

    def base(self, address: int) -> int:
        return address - address % self._slot

    def region(self, number: int) -> tuple[int, int]:
        """The addresses in which a thread makes objects."""
        first, layout = self.program.first_free, self.program.layout
        count = ((1 << layout.pointer_bits) - first) >> layout.slot_bits
        size = count // THREADS << layout.slot_bits
        return first + number * size, first + (number + 1) * size

    def reading(self, label: Label | ThreadOperation) -> Reading:
        found = self._readings.get(label)
        if found is None:
            terms = label.operands if isinstance(label, ThreadOperation) else label_terms(label)
            parts = [part for term in terms for part in _reads(term, self._slot // 2)]
            assigned = label.result if isinstance(label, ThreadOperation) else assigned_register(label)
            slot = None if assigned is None else self.slots.of(assigned)
            shared = slot is not None and slot.space == "all" and slot.number in self.slots.written
            found = self._readings[label] = Reading(
                tuple((part.args[0], part.args[1]) for part in parts if part.op == "load"),
                tuple(part.args[0] for part in parts if part.op == "room"),
                self.slots.shared(terms),
                slot.number if shared and slot is not None and not isinstance(label, Call) else None,
            )
        return found

    def accesses(self, state: WorkingState, label: Label | ThreadOperation) -> tuple[StepAccess, ...]:
        """What a step touches that other threads may touch. Raises OpenValue where an address has no single value."""
        reading = self.reading(label)
        if reading.is_private and not isinstance(label, Store | Copy | Fill | End | Free | Begin):
            return ()
        return tuple(dict.fromkeys(self._accesses(state, label, reading)))

    def _accesses(self, state: WorkingState, label: Label | ThreadOperation, reading: Reading) -> Iterator[StepAccess]:
        number = self.values.number
        for register in reading.registers:
            if any(register in uses.writes for uses in self._others(state)):
                yield StepAccess(register, 1, False, register=True)
        for address, size in reading.loads:
            yield from self._memory(state, number(address, state), size, False)
        for address in reading.rooms:
            yield from self._life(state, number(address, state), False)
        if reading.assigned is not None and self._is_used(state, reading.assigned):
            yield StepAccess(reading.assigned, 1, True, register=True)
        match label:
            case Store(address, value):
                yield from self._memory(state, number(address, state), (value.sort.width or 8) // 8, True)
            case Copy(target, source, length):
                size = number(length, state)
                yield from self._memory(state, number(target, state), size, True)
                yield from self._memory(state, number(source, state), size, False)
            case Fill(target, length, _):
                yield from self._memory(state, number(target, state), number(length, state), True)
            case End(address) | Free(address):
                yield from self._life(state, number(address, state), True)
            case Begin(start):
                yield from self._life(state, start, True)

    def future(self, thread: ThreadState) -> Uses:
        """What a thread may still do."""
        return self._futures.of(thread)

    def _others(self, state: WorkingState) -> Iterator[Uses]:
        """What each of the other threads may still do."""
        for number, thread in enumerate(state.threads):
            if number != state.me:
                yield self._futures.of(thread)

    def _is_used(self, state: WorkingState, register: int) -> bool:
        """Whether another thread may still read or assign a register."""
        return any(register in uses.reads or register in uses.writes for uses in self._others(state))

    def _memory(self, state: WorkingState, address: int, size: int, write: bool) -> Iterator[StepAccess]:
        base = self.base(address)
        thing = state.memory.get(base)
        if thing is not None and not thing.read_only and size and self._is_shared(state, base):
            yield StepAccess(address, size, write)

    def _life(self, state: WorkingState, address: int, write: bool) -> Iterator[StepAccess]:
        """Objects that are there from the beginning live for ever."""
        base = self.base(address)
        thing = state.memory.get(base)
        if thing is not None and thing.maker != STATIC and self._is_shared(state, base):
            yield StepAccess(base, 1, write, life=True)

    @staticmethod
    def _is_shared(state: WorkingState, base: int) -> bool:
        owner = state.owners.get(base)
        if owner is not None and owner != state.me:
            raise Unexplored("a pointer to a thread's own object reaches another thread in a way that is not followed")
        return owner is None

    def untouched(self, state: WorkingState, edge: Edge) -> None:
        """Nobody but the library touches objects of the library that are in use; one that was destroyed and is written
        to may be initialised so."""
        if not state.library:
            return
        for start, size, write in self._spans(state, edge.label):
            base = self.base(start)
            for address, known in list(state.library.items()):
                if address < base or address >= base + self._slot:
                    continue
                if start < address + bytes_of(known, self._bits) and address < start + size:
                    if not isinstance(known, Destroyed):
                        raise Unexplored(f"{edge.position}: the bytes of an object of the library are touched")
                    if write and start <= address:
                        del state.library[address]

    def _spans(self, state: WorkingState, label: Label) -> Iterator[tuple[int, int, bool]]:
        number = self.values.number
        for address, size in self.reading(label).loads:
            yield number(address, state), size, False
        match label:
            case Store(address, value):
                yield number(address, state), (value.sort.width or 8) // 8, True
            case Copy(target, source, length):
                yield number(target, state), number(length, state), True
                yield number(source, state), number(length, state), False
            case Fill(target, length, _):
                yield number(target, state), number(length, state), True

    def taken(self, state: WorkingState, edge: Edge) -> bool:
        """Take an edge of the program; whether the thread can go on along it."""
        self.untouched(state, edge)
        label = edge.label
        match label:
            case Assume(condition):
                if not self.conditions.passes(state, self.values.of(condition, state)):
                    return False
            case Check(_, condition, message):
                failing = self.conditions.negated(self.values.of(condition, state))
                if self.conditions.is_possible(state, failing):
                    raise ExplorationRefused(f"{edge.position}: this may go wrong: {message}")
            case Call():
                self._enter(state, edge, label)
                return True
            case _:
                self._changed(state, edge)
        state.location = edge.target
        return True

    def assign(self, state: WorkingState, register: Term, value: Value) -> None:
        slot = self.slots.of(register)
        registers = {"own": state.own, "thread": state.thread, "all": state.all}[slot.space]
        registers[slot.number] = value & ((1 << slot.width) - 1) if isinstance(value, int) else value
        if slot.space == "all":
            self.sharing.show_value(state, value)

    def forget(self, state: WorkingState, register: Term) -> None:
        """Nothing depends on what the register holds."""
        slot = self.slots.of(register)
        {"own": state.own, "thread": state.thread, "all": state.all}[slot.space][slot.number] = None

    def _changed(self, state: WorkingState, edge: Edge) -> None:
        values = self.values
        match edge.label:
            case Assign(register) | Input(register) if register in self.idle:
                self.forget(state, register)
            case Assign(register, value):
                self.assign(state, register, values.of(value, state))
            case Input(register):
                self.assign(state, register, self._input(state, edge, register.sort.width or 1))
            case Store(address, value):
                width = value.sort.width or 8
                self.store(state, Span(values.number(address, state), width // 8, edge), values.of(value, state))
            case Copy(target, source, size):
                first, origin, count = (values.number(term, state) for term in (target, source, size))
                self._copied(state, Span(first, count, edge), origin)
            case Fill(target, size, byte):
                where, count = values.number(target, state), values.number(size, state)
                self._filled(state, Span(where, count, edge), values.of(byte, state))
            case Begin(address, size):
                self._begun(state, address, size, edge)
            case End(address) | Free(address):
                self.end(state, values.number(address, state))
            case Allocate():
                self._allocated(state, edge, edge.label)
            case Skip():
                pass
            case label:
                raise Unexplored(f"{edge.position}: no meaning is known for {type(label).__name__}")

    def _input(self, state: WorkingState, edge: Edge, width: int) -> Value:
        return self.values.fresh(state, width) if self.given is None else self.given.get(edge, 0)

    def writable(self, state: WorkingState, span: Span) -> tuple[Thing, int]:
        thing = state.memory.get(self.base(span.address))
        offset = span.address % self._slot
        if thing is None or offset + span.size > thing.size or thing.read_only:
            raise ExplorationRefused(f"{span.edge.position}: this may write outside of all objects")
        return thing, offset

    def store(self, state: WorkingState, span: Span, value: Value) -> None:
        thing, offset = self.writable(state, span)
        size = span.size
        if isinstance(value, int):
            changed = thing.with_bytes(offset, (value & ((1 << 8 * size) - 1)).to_bytes(size, "little"))
        else:
            changed = thing.with_node(self.values.script, offset, value)
        base = span.address - offset
        state.memory[base] = changed
        if base not in state.owners and size == self._bits // 8:
            self.sharing.show_value(state, value)

    def _filled(self, state: WorkingState, span: Span, byte: Value) -> None:
        size = span.size
        if not size:
            return
        self._at_most(span)
        thing, offset = self.writable(state, span)
        if isinstance(byte, int):
            changed = thing.with_bytes(offset, bytes((byte & 255,)) * size)
        else:
            part = self.values.script.extract(7, 0, byte)
            changed = thing.with_bytes(offset, bytes(size), nodes=dict.fromkeys(range(size), part))
        state.memory[span.address - offset] = changed

    def _copied(self, state: WorkingState, span: Span, source: int) -> None:
        size = span.size
        if not size or span.address == source:
            return
        self._at_most(span)
        thing, offset = self.writable(state, span)
        origin, first = state.memory.get(self.base(source)), source % self._slot
        if origin is None or first + size > origin.size:
            raise ExplorationRefused(f"{span.edge.position}: this may read outside of all objects")
        origin.check_kept(first + size)
        nodes = {at - first: node for at, node in origin.nodes if first <= at < first + size}
        data, undefined = origin.data[first : first + size], origin.undefined[first : first + size]
        base = span.address - offset
        state.memory[base] = thing.with_bytes(offset, data, undefined, nodes)
        if base not in state.owners:
            self.sharing.show_bytes(state, base, offset, size)

    @staticmethod
    def _at_most(span: Span) -> None:
        if span.size > LARGEST_BLOCK:
            raise Unexplored(f"{span.edge.position}: a step copies or fills {span.size} bytes")

    def _begun(self, state: WorkingState, address: int, size: int, edge: Edge) -> None:
        known = state.memory.get(address)
        if known is not None and known.maker != state.me:
            raise Unexplored(f"{edge.position}: several threads have a local object at the same address")
        self.begin(state, address, things.made(size, None, state.me))

    def begin(self, state: WorkingState, start: int, thing: Thing, owner: int | None = None) -> None:
        """A new object of a thread's own, of the one at work if none is named."""
        self._forget(state, start)
        state.memory[start] = thing
        state.owners[start] = state.me if owner is None else owner

    def _forget(self, state: WorkingState, base: int) -> None:
        """What the library knew of objects in a slot is no more."""
        for address in [a for a in state.library if a and self.base(a) == base]:
            del state.library[address]

    def end(self, state: WorkingState, address: int) -> None:
        base = self.base(address)
        thing = state.memory.get(base)
        if thing is not None:
            self._forget(state, base)
            state.memory[base] = things.ended(thing)

    def _allocated(self, state: WorkingState, edge: Edge, label: Allocate) -> None:
        size = self.values.number(label.size, state)
        if size > self._slot // 2:
            raise Unexplored(f"{edge.position}: an object of {size} bytes is not modelled")
        top = state.thread[self.slots.top.number]
        if not isinstance(top, int) or top + self._slot > self.region(state.me)[1]:
            raise Unexplored(f"{edge.position}: a thread makes more objects than it has addresses for")
        self.begin(state, top, things.made(size, b"" if label.zero else None, state.me))
        state.thread[self.slots.top.number] = top + self._slot
        self.assign(state, label.register, top)

    def _enter(self, state: WorkingState, edge: Edge, label: Call) -> None:
        arguments = [self.values.of(argument, state) for argument in label.arguments]
        needed = self.liveness.after_call(state.procedure, label, edge.target)
        kept = tuple(value if number in needed else None for number, value in enumerate(state.own))
        callee = self.program.procedures[label.procedure]
        state.frames = (*state.frames, CallerFrame(state.procedure, edge, kept))
        state.procedure, state.location = callee, callee.entry
        state.own = [None] * self.slots.count(callee.name)
        for parameter, argument in zip(callee.parameters, arguments, strict=True):
            self.assign(state, parameter, argument)

    def result_of(self, state: WorkingState) -> Value | None:
        """What the present activation returns; None if that is not said."""
        register = state.procedure.result
        return None if register is None else state.own[self.slots.of(register).number]

    def leave(self, state: WorkingState) -> None:
        """Return to the caller."""
        result = self.result_of(state)
        frame = state.frames[-1]
        state.frames = state.frames[:-1]
        state.procedure, state.location, state.own = frame.procedure, frame.call.target, list(frame.own)
        assert isinstance(frame.call.label, Call)
        register = frame.call.label.result
        if register is not None:
            if result is None:
                result = self.values.fresh(state, register.sort.width or 1)
            self.assign(state, register, result)

    def is_result_watched(self, state: WorkingState) -> bool:
        """Whether returning to the caller may change what a formula speaks of."""
        label = state.frames[-1].call.label
        assert isinstance(label, Call)
        return label.result is not None and self.watching.is_register(label.result)

    def result_accesses(self, state: WorkingState) -> tuple[StepAccess, ...]:
        """What returning to the caller touches: its register for the result may be one of the program."""
        label = state.frames[-1].call.label
        assert isinstance(label, Call)
        slot = None if label.result is None else self.slots.of(label.result)
        if slot is None or slot.space != "all" or not self._is_used(state, slot.number):
            return ()
        return (StepAccess(slot.number, 1, True, register=True),)


def _reads(term: Term, mark: int) -> Iterator[Term]:
    """All loads and rooms in a term, the inner ones first; but not the rooms that are only compared with the `mark`
    behind objects on stacks: whether there is one never changes while the object before it lives."""
    parts = tuple(children(term))
    if term.op == "same" and any(part.op == "bvconst" and part.args[0] == mark for part in parts):
        parts = tuple(inner for part in parts for inner in (children(part) if part.op == "room" else (part,)))
    for child in parts:
        yield from _reads(child, mark)
    if term.op in ("load", "room"):
        yield term
