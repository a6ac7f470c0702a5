"""What a move of a thread does, as formulas over the state before it.

A move may end in several ways (a lock is free or not, a signal wakes one thread or another): each `Step` has its guard.
Where behaviour is undefined the run ends, and so it does at failures and at the end of the program; that such a place
is not reached is an obligation of its own where the property asks for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from pincer.errors import PincerError
from pincer.evidence.c_proof.memory import AnyBytes, Beyond, Bytes, Ranged, Resized, Stored
from pincer.evidence.c_proof.smt import Node
from pincer.evidence.c_proof.term_data import extended
from pincer.evidence.thread_proof import leaves
from pincer.evidence.thread_proof.leaves import GHOST, ThreadStatus
from pincer.evidence.thread_proof.states import State, Step, ThreadEncoder, Turn, View
from pincer.evidence.thread_proof.sync import LibrarySteps
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
from pincer.program.thread_labels import AtomicBegin, AtomicEnd, ThreadOperation
from pincer.program.threaded_system import Action, EndThread, Enter, Leave, Move, Perform, UnfoldedThread


class StepWriter:
    """The steps of moves. `sync` knows what the threads library does."""

    def __init__(self, encoder: ThreadEncoder, updates: Mapping[tuple[int, int], Mapping[str, Term]]) -> None:
        self.encoder = encoder
        self.script = encoder.script
        self._updates = updates
        self.library = LibrarySteps(encoder, self)
        self._fresh = 0
        self._who = ""

    def steps(self, thread: UnfoldedThread, move: Move, me: View) -> list[Step]:
        """All ways in which a move of a thread may end."""
        *_, (_, ends) = self.prefixes(thread, move, me)
        return [self._with_ghosts(thread, move, step, me) for step in ends]

    def prefixes(self, thread: UnfoldedThread, move: Move, me: View) -> Iterator[tuple[Action | None, list[Step]]]:
        """Each action of a move with the ways to come to it, and in the end, without one, the ways to its end."""
        self._fresh, self._who = 0, me.who
        states = [Step(self.script.true, self.encoder.before)]
        for action in move.actions:
            yield action, states
            following: list[Step] = []
            for step in states:
                for after in self._action(Turn(thread, move, me), action, step.after):
                    guard = self.script.conjunction((step.guard, after.guard))
                    if not guard.is_false:
                        following.append(replace(after, guard=guard))
            states = following
        yield None, states

    def _with_ghosts(self, thread: UnfoldedThread, move: Move, step: Step, me: View) -> Step:
        updates = self._updates.get((thread.number, move.number), {})
        before = self.encoder.before
        values = {GHOST + name: self.encoder.encode(value, before, me) for name, value in updates.items()}
        return replace(step, after=step.after.with_values(values)) if values else step

    def fresh(self, width: int) -> Node:
        """A value about which nothing is known."""
        self._fresh += 1
        return self.script.variable(f"fresh {self._fresh} of {self._who}, {width} bits", width)

    def _action(self, turn: Turn, action: Action, state: State) -> Iterator[Step]:
        script, me = self.script, turn.me
        match action:
            case Perform(label=AtomicBegin() | AtomicEnd()):
                yield Step(script.true, state)
            case Perform(label=ThreadOperation() as operation, half=half):
                yield from self.library.steps(turn, operation, half, state)
            case Perform(label=label):
                yield from self._plain(label, state, me)
            case Enter(procedure, arguments):
                values: dict[str, Node] = {
                    f"{me.who}|{name}": self.fresh(width)
                    for name, width in self.encoder.registers.locals_of(procedure).items()
                }
                for parameter, argument in zip(procedure.parameters, arguments, strict=True):
                    values[f"{me.who}|{parameter.args[0]}"] = self._fitting(parameter, argument, state, me)
                yield Step(script.true, state.with_values(values))
            case Leave(procedure, result):
                yield Step(script.true, self._returned(procedure.result, result, state, me))
            case EndThread():
                if turn.thread.number:
                    yield Step(script.true, self.ended(state, me))
            case _:
                raise PincerError("no meaning is known for this move")

    def _fitting(self, register: Term, value: Term, state: State, me: View) -> Node:
        if register.sort is not value.sort:
            raise PincerError(f"a value that does not fit {register}")
        return self.encoder.encode(value, state, me)

    def _returned(self, given: Term | None, wanted: Term | None, state: State, me: View) -> State:
        if wanted is None:
            return state
        value = self.fresh(wanted.sort.width or 1) if given is None else self._fitting(wanted, given, state, me)
        return self.assigned(wanted, value, state, me)

    def assigned(self, register: Term, value: Node, state: State, me: View) -> State:
        if register.sort.width != value.width:
            raise PincerError(f"an assignment to {register} of a value of {value.width} bits")
        return state.with_values({self.encoder.registers.scoped(register, me.who): value})

    def ended(self, state: State, me: View) -> State:
        status = state.tables[leaves.STATUS.name]
        return state.with_table(leaves.STATUS, status.set(me.id, self.script.constant(ThreadStatus.ENDED, 8)))

    def _plain(self, label: Label, state: State, me: View) -> Iterator[Step]:
        script, encoder = self.script, self.encoder
        match label:
            case Assign(register, value):
                yield Step(script.true, self.assigned(register, encoder.encode(value, state, me), state, me))
            case Input(register):
                yield Step(script.true, self.assigned(register, self.fresh(register.sort.width or 1), state, me))
            case Assume(condition) | Check(_, condition):
                yield Step(encoder.encode(condition, state, me), state)
            case Skip():
                yield Step(script.true, state)
            case Fail() | Halt() | Unsupported():
                return
            case Allocate():
                yield self._allocated(label, state, me)
            case Begin(address, size):
                start = script.constant(address - address % encoder.program.layout.slot, encoder.bits)
                yield Step(script.true, self._begun(start, script.constant(size, encoder.bits), state))
            case End(address) | Free(address):
                slot = encoder.slot_of(encoder.encode(address, state, me))
                zero = script.constant(0, encoder.bits)
                yield Step(script.true, self._resized(slot, zero, state))
            case Store() | Copy() | Fill():
                yield Step(script.true, self.written(label, state, me))
            case _:
                raise PincerError(f"no meaning is known for {type(label).__name__}")

    def _resized(self, slot: Node, size: Node, state: State) -> State:
        """Another object, or none, in a slot. Freeing null does nothing, and nothing ever lies there."""
        rooms = Resized(self.script, self.encoder.bits, state.rooms, slot, size)
        return self.library.forgotten(replace(state, rooms=rooms, memo={}), slot)

    def _begun(self, start: Node, size: Node, state: State) -> State:
        memory = self._undefined(start, state)
        return self._resized(self.encoder.slot_of(start), size, replace(state, memory=memory, memo={}))

    def _undefined(self, start: Node, state: State) -> Bytes:
        """Memory after the contents of the slot that begins at an address became arbitrary."""
        script, slot, bits = self.script, self.encoder.slot_of(start), self.encoder.bits

        def kept(address: Node, size: int) -> tuple[Node, Node]:
            reached = script.at_most(script.difference(start, address), script.constant(size - 1, bits))
            return script.negation(script.equal(self.encoder.slot_of(address), slot)), script.negation(reached)

        self._fresh += 1
        return Beyond(script, state.memory, (), kept, AnyBytes(script, f"fresh memory {self._fresh} of {self._who}"))

    def _allocated(self, label: Allocate, state: State, me: View) -> Step:
        """A new object at an address where none is: which one is not known."""
        script, encoder, bits = self.script, self.encoder, self.encoder.bits
        layout = encoder.program.layout
        address = self.fresh(bits)
        size = extended(script, bits, encoder.encode(label.size, state, me))
        zero = script.constant(0, layout.slot_bits)
        lowest = encoder.slot_of(script.constant(encoder.program.first_free, bits))
        guard = script.conjunction((
            script.equal(script.extract(layout.slot_bits - 1, 0, address), zero),
            script.at_most(lowest, encoder.slot_of(address)),
            script.equal(state.rooms.at(encoder.slot_of(address)), script.constant(0, bits)),
        ))  # fmt: skip
        after = self._begun(address, size, state)
        if label.zero:
            filled = Ranged(script, state.memory, (), address, size, lambda _, n: script.constant(0, 8 * n))
            after = replace(after, memory=filled, memo={})
        return Step(guard, self.assigned(label.register, address, after, me))

    def oversized(self, label: Allocate, state: State, me: View) -> Node:
        """That an allocation is larger than what the memory model stands for."""
        size = extended(self.script, self.encoder.bits, self.encoder.encode(label.size, state, me))
        return self.script.below(self.script.constant(self.encoder.program.layout.slot // 2, size.width), size)

    def stored(self, address: Term, value: Node, state: State, me: View) -> State:
        """The state after a value was stored at an address, by the library."""
        start = self.encoder.encode(address, state, me)
        return replace(state, memory=Stored(self.script, state.memory, (), start, value), memo={})

    def written(self, label: Store | Copy | Fill, state: State, me: View) -> State:
        script, bits = self.script, self.encoder.bits

        def value(term: Term) -> Node:
            return self.encoder.encode(term, state, me)

        memory: Bytes
        match label:
            case Store(address, stored):
                if (stored.sort.width or 1) % 8:
                    raise PincerError("a store of a value that is not whole bytes")
                memory = Stored(script, state.memory, (), value(address), value(stored))
            case Copy(target, source, size):
                origin, before = value(source), state.memory
                length = extended(script, bits, value(size))
                read = before.coarse_load if self.encoder.coarse else before.load
                memory = Ranged(script, before, (), value(target), length, lambda i, n: read(script.add(origin, i), n))
            case Fill(target, size, byte):
                filler, length = value(byte), extended(script, bits, value(size))
                memory = Ranged(script, state.memory, (), value(target), length, lambda _, n: self._times(filler, n))
        return replace(state, memory=memory, memo={})

    def _times(self, byte: Node, times: int) -> Node:
        value = byte
        for _ in range(times - 1):
            value = self.script.concat(value, byte)
        return value
