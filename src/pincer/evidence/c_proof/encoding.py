"""States, terms and labels as SMT-LIB: what holds before an edge, and what is read after it.

The state before an edge is a variable per register and an unknown function for memory and for the sizes of objects;
the state after it is written over the same names, plus fresh ones for what is arbitrary. Names are shared between
obligations: each of them is refuted by itself.

Some facts hold in every state of every program, because only allocations change `$top` and only they, objects of fixed
address and static ones give a slot room: `$top` is the start of a slot and not below the first free one; slot 0 and
slots from `$top` on have no room. The encoder adds them where they are about something that is mentioned.
A run that has used up all slots ends there: that is an assumption of the memory model.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping

from msgspec import Struct
from msgspec.structs import replace

from pincer.errors import PincerError
from pincer.evidence.c_proof.memory import (
    AnyBytes,
    AnyRooms,
    Beyond,
    Bytes,
    Ranged,
    Resized,
    Rooms,
    RoomsBeyond,
    StaticBytes,
    StaticRooms,
    Stored,
)
from pincer.evidence.c_proof.program_facts import TOP, Effects, ProgramFacts
from pincer.evidence.c_proof.smt import BOOL, Node, Script
from pincer.evidence.c_proof.term_data import Reads, children, combined, extended
from pincer.logic.terms import Term
from pincer.program.control_flow import (
    Allocate,
    Assign,
    Assume,
    Begin,
    Check,
    Copy,
    End,
    Fail,
    Fill,
    Free,
    Halt,
    Input,
    Label,
    Skip,
    Store,
    Unsupported,
)

_STATE, _FRESH, _RESULT = "state ", "fresh ", "result "
"""Prefixes that keep the names of registers and ghosts apart from those of values after an edge."""


class State(Struct, frozen=True, eq=False):
    """The value of every register (those not in `changed` have the value they have before the edge), and memory."""

    changed: Mapping[str, Node]
    memory: Bytes
    rooms: Rooms
    memory_changed: bool = True
    rooms_changed: bool = True
    memo: dict[Term, Node] = {}

    def unaffected(self, reads: Reads) -> bool:
        """Whether a term with these reads has the same value as before the edge."""
        return not (
            (self.memory_changed and reads.memory)
            or (self.rooms_changed and reads.rooms)
            or not self.changed.keys().isdisjoint(reads.registers)
        )


class RangeAtom(Struct, frozen=True):
    """A name for whether a range fact holds in a state."""

    atom: Node
    term: Term
    state: State


class Step(Struct, frozen=True):
    """An edge: taken only where `guard` holds, then leading to `after`."""

    guard: Node
    after: State


class Encoder:
    """Writes terms and labels of one program, with exact or with coarse memory."""

    def __init__(self, facts: ProgramFacts, script: Script, coarse: bool = False) -> None:
        self.facts = facts
        self.script = script
        self._coarse = coarse
        self._bits = facts.program.layout.pointer_bits
        self._slot = facts.program.layout.slot
        self.before = State({}, AnyBytes(script, "memory"), self._any_rooms("rooms", self._top()), False, False)
        self.ranges: dict[str, RangeAtom] = {}

    def _top(self) -> Node:
        return self.script.variable(_STATE + TOP, self._bits)

    def _address(self, value: int) -> Node:
        return self.script.constant(value, self._bits)

    def slot_of(self, address: Node) -> Node:
        """The number of the slot an address lies in."""
        return self.script.extract(self._bits - 1, self.facts.program.layout.slot_bits, address)

    def _any_rooms(self, name: str, top: Node) -> Rooms:
        script = self.script

        def fact(slot: Node, room: Node) -> Node:
            null = script.equal(slot, script.constant(0, slot.width))
            empty = script.disjunction((null, script.at_most(self.slot_of(top), slot)))
            return script.implication(empty, script.equal(room, self._address(0)))

        return AnyRooms(script, self._bits, name, fact)

    def standing_facts(self, formula: Node) -> list[Node]:
        """What holds in every state before an edge, about `$top` and the slots that a formula reads."""
        script, top = self.script, self._top()
        lowest = self.slot_of(self._address(self.facts.program.first_free))
        return [self._aligned(top), script.at_most(lowest, self.slot_of(top)), *script.facts(formula)]

    def _aligned(self, address: Node) -> Node:
        bits = self.facts.program.layout.slot_bits
        return self.script.equal(self.script.extract(bits - 1, 0, address), self.script.constant(0, bits))

    def initial(self) -> State:
        """The initial states: given registers and static objects, everything else arbitrary."""
        program = self.facts.program
        values = {str(register.args[0]): self._initial_value(register) for register in program.initial}
        values[TOP] = self._address(program.first_free)
        objects = [(item.address, item.size, item.contents) for item in program.objects]
        memory = StaticBytes(self.script, self.before.memory, objects)
        sizes = [(address // self._slot, size) for address, size, _ in objects]
        return State(values, memory, StaticRooms(self.script, self._bits, sizes))

    def _initial_value(self, register: Term) -> Node:
        return self.script.constant(self.facts.program.initial[register], register.sort.width or 1)

    def encode(self, term: Term, state: State) -> Node:
        """The value of a term in a state."""
        if state is not self.before and state.unaffected(self.facts.reader.reads(term)):
            state = self.before
        if term in state.memo:
            return state.memo[term]
        pending = [term]
        while pending:
            current = pending[-1]
            parts = () if current.op == "every" else children(current)
            waiting = [child for child in parts if child not in state.memo]
            if waiting and current not in state.memo:
                pending.extend(waiting)
                continue
            pending.pop()
            if current not in state.memo:
                state.memo[current] = self._encode(current, state)
        return state.memo[term]

    def _encode(self, term: Term, state: State) -> Node:
        script, op, width = self.script, term.op, term.sort.width
        if op == "var" and width is not None:
            name = str(term.args[0])
            known = state.changed.get(name)
            if known is not None and known.width != width:
                raise PincerError(f"{name} is used with {width} bits and with {known.width} bits")
            return script.variable(_STATE + name, width) if known is None else known
        if op == "every":
            return self._range_atom(term, state)
        args = [state.memo[child] for child in children(term)]
        if op == "load" and width is not None:
            read = state.memory.coarse_load if self._coarse else state.memory.load
            return read(args[0], term.args[1])
        if op == "room":
            return state.rooms.at(self.slot_of(args[0]))
        return combined(script, term, args)

    def _range_atom(self, term: Term, state: State) -> Node:
        """Whether a range fact holds in a state, as a name; what it means comes with `range_facts`."""
        atom = self.script.variable(f"range {len(self.ranges)}{' coarse' if self._coarse else ''}", BOOL)
        self.ranges[atom.text] = RangeAtom(atom, term, state)
        return atom

    def step(
        self, label: Label, known: Container[Node] = (), before: State | None = None, mark: str = ""
    ) -> Step | None:
        """The edge relation of a label other than a call, None when the path ends there.

        The state after it may be written in a shorter way that is right only where the `known` conditions hold before.
        Steps after others begin in the state `before`; what each leaves open has a name with its `mark`."""
        script, before = self.script, before or self.before
        match label:
            case Assign(register, value):
                return Step(script.true, self._assigned(before, register, self.encode(value, before)))
            case Input(register):
                return Step(script.true, self._assigned(before, register, self._fresh(register, mark)))
            case Assume(condition) | Check(_, condition):
                return Step(self.encode(condition, before), before)
            case Skip():
                return Step(script.true, before)
            case Fail() | Halt() | Unsupported():
                return None
            case Allocate():
                return self._allocate(label, known, before, mark)
            case Begin(address, size):
                start = self._address(address - address % self._slot)
                rooms = Resized(script, self._bits, before.rooms, self.slot_of(start), self._address(size))
                memory = self._undefined(start, known, before.memory, mark)
                return Step(script.true, State(before.changed, memory, rooms))
            case End(address) | Free(address):
                slot = self.slot_of(self.encode(address, before))
                rooms = Resized(script, self._bits, before.rooms, slot, self._address(0))
                return Step(script.true, State(before.changed, before.memory, rooms, before.memory_changed))
            case Store() | Copy() | Fill():
                written = self._written(label, known, before, mark)
                after = State(before.changed, written, before.rooms, rooms_changed=before.rooms_changed)
                return Step(script.true, after)
        raise PincerError(f"no meaning is known for {type(label).__name__}")

    def _assigned(self, before: State, register: Term, value: Node) -> State:
        if register.sort.width != value.width:
            raise PincerError(f"an assignment to {register} of a value of {value.width} bits")
        return replace(before, changed={**before.changed, str(register.args[0]): value}, memo={})

    def _fresh(self, register: Term, mark: str) -> Node:
        return self.script.variable(f"{_FRESH}{mark}{register.args[0]}", register.sort.width or 1)

    def _written(self, label: Store | Copy | Fill, known: Container[Node], before: State, mark: str) -> Bytes:
        script = self.script
        match label:
            case Store(address, value):
                at, stored = self.encode(address, before), self.encode(value, before)
                return Stored(script, before.memory, known, at, stored, mark=mark)
            case Copy(target, source, size):
                start, origin = self.encode(target, before), self.encode(source, before)
                copied = extended(script, self._bits, self.encode(size, before))
                return Ranged(
                    script,
                    before.memory,
                    known,
                    start,
                    copied,
                    lambda i, n: before.memory.coarse_load(script.add(origin, i), n),
                    mark=mark,
                )
            case Fill(target, size, byte):
                filled, filler = extended(script, self._bits, self.encode(size, before)), self.encode(byte, before)
                start = self.encode(target, before)
                return Ranged(
                    script, before.memory, known, start, filled, lambda _, n: self._repeated(filler, n), mark=mark
                )

    def _repeated(self, byte: Node, times: int) -> Node:
        value = byte
        for _ in range(times - 1):
            value = self.script.concat(value, byte)
        return value

    def oversized(self, label: Allocate, state: State) -> Node:
        """That an allocation in a state is larger than what the memory model stands for."""
        size = extended(self.script, self._bits, self.encode(label.size, state))
        return self.script.below(self._address(self.facts.largest_object), size)

    def any_result(self, width: int) -> Node:
        """The unknown value that a call returns."""
        return self.script.variable(f"{_RESULT}{width}", width)

    def _allocate(self, label: Allocate, known: Container[Node], before: State, mark: str) -> Step:
        script, top = self.script, before.changed.get(TOP, self._top())
        size = extended(script, self._bits, self.encode(label.size, before))
        following = script.shifted(top, self._slot)
        if label.zero:
            memory: Bytes = Ranged(
                script, before.memory, known, top, size, lambda _, n: script.constant(0, 8 * n), mark=mark
            )
        else:
            memory = self._undefined(top, known, before.memory, mark)
        values = {**before.changed, TOP: following, str(label.register.args[0]): top}
        rooms = Resized(script, self._bits, before.rooms, self.slot_of(top), size)
        return Step(script.below(top, following), State(values, memory, rooms))

    def anything_after(self, label: Allocate, before: State, mark: str) -> State:
        """The state after an allocation of which nothing is known: neither where it is nor what memory holds then."""
        script, top = self.script, self.script.variable(f"{_FRESH}{mark}{TOP}", self._bits)
        values = {**before.changed, TOP: top, str(label.register.args[0]): self._fresh(label.register, mark)}
        rooms = AnyRooms(script, self._bits, "fresh rooms" + mark, lambda _slot, _room: script.true)
        return State(values, AnyBytes(script, "fresh memory" + mark), rooms)

    def _undefined(self, start: Node, known: Container[Node], before: Bytes, mark: str) -> Bytes:
        """Memory after the contents of the slot that begins at an address became arbitrary."""
        script, slot = self.script, self.slot_of(start)

        def kept(address: Node, size: int) -> tuple[Node, Node]:
            reached = script.at_most(script.difference(start, address), script.constant(size - 1, self._bits))
            return script.negation(script.equal(self.slot_of(address), slot)), script.negation(reached)

        return Beyond(script, before, known, kept, AnyBytes(script, "fresh memory" + mark), mark=mark)

    def returned(self, callee: str) -> tuple[Node, State]:
        """What is known of the state in which a call comes back, before its result is assigned.

        Registers that no procedure below the call assigns keep their values, and so do slots that none of them
        touches; `$top` never moves down.
        """
        script, effects, top = self.script, self.facts.effects[callee], self._top()
        changed = {name: script.variable(_FRESH + name, self.facts.widths[name]) for name in sorted(effects.registers)}
        memory, rooms = self.before.memory, self.before.rooms
        memory_changed = bool(effects.slots) or effects.anywhere or effects.allocates
        rooms_changed = bool(effects.room_slots) or effects.any_room or effects.allocates
        new_top = changed.get(TOP, top)
        if memory_changed:
            fresh = AnyBytes(script, "fresh memory")
            kept = self._kept(effects, effects.slots)
            memory = fresh if effects.anywhere else self._kept_bytes(kept, fresh)
        if rooms_changed:
            other = self._any_rooms("fresh rooms" if new_top is top else "fresh rooms, more slots", new_top)
            kept_rooms = self._kept(effects, effects.room_slots)
            rooms = other if effects.any_room else RoomsBeyond(script, self._bits, rooms, kept_rooms, other)
        return self._top_moved(new_top), State(changed, memory, rooms, memory_changed, rooms_changed)

    def _kept_bytes(self, kept: Callable[[Node], Node], fresh: AnyBytes) -> Bytes:
        """Memory before the edge in slots that are kept, fresh elsewhere; no read is longer than a slot."""

        def kept_all(address: Node, size: int) -> tuple[Node, ...]:
            ends = (address, self.script.shifted(address, size - 1))
            return tuple(kept(self.slot_of(end)) for end in ends)

        return Beyond(self.script, self.before.memory, (), kept_all, fresh)

    def _top_moved(self, new_top: Node) -> Node:
        script, top = self.script, self._top()
        if new_top is top:
            return script.true
        return script.conjunction((self._aligned(new_top), script.at_most(top, new_top)))

    def _kept(self, effects: Effects, touched: set[int]) -> Callable[[Node], Node]:
        """The condition on a slot under which a call leaves it alone: not touched, and not new."""
        script = self.script
        numbers = sorted(address // self._slot for address in touched)
        first_new = self.slot_of(self._top()) if effects.allocates else None

        def kept(slot: Node) -> Node:
            others = [script.equal(slot, script.constant(number, slot.width)) for number in numbers]
            if first_new is not None:
                others.append(script.at_most(first_new, slot))
            return script.negation(script.disjunction(others))

        return kept
