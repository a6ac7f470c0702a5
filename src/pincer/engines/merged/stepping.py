"""What the steps of a program do to a merged state."""

from __future__ import annotations

from msgspec import Struct

from pincer.engines.merged.accesses import Accesses
from pincer.engines.merged.cells import SteeringCells
from pincer.engines.merged.evaluation import Evaluation
from pincer.engines.merged.limits import LIMITS
from pincer.engines.merged.memory import Thing
from pincer.engines.merged.state import GoalKind, Noting, State, Unmodelled
from pincer.engines.merged.values import Value
from pincer.logic import bitvectors, terms
from pincer.logic.bitvectors import width
from pincer.logic.decision_diagrams import FALSE, TRUE, Function
from pincer.logic.terms import Term
from pincer.program.control_flow import (
    Allocate,
    Assign,
    Begin,
    ControlFlowProgram,
    Copy,
    Edge,
    End,
    Fill,
    Free,
    Input,
    Skip,
    Store,
)
from pincer.program.registers import is_local


class Read(Struct, frozen=True):
    """An input that executions have read which satisfy a guard."""

    guard: Function
    symbol: Term
    label: Input


class Stepping:
    """Steps inside of one activation. Inputs are kept in the order in which any execution reads them."""

    def __init__(
        self,
        program: ControlFlowProgram,
        accesses: Accesses,
        evaluation: Evaluation,
        noting: Noting,
        cells: SteeringCells,
    ) -> None:
        self._program, self._cells = program, cells
        self._accesses, self._evaluation, self._noting = accesses, evaluation, noting
        self._values = accesses.values
        self._diagrams = self._values.conditions.diagrams
        self.inputs: list[Read] = []
        self.made: list[tuple[Function, int]] = []

    def step(self, state: State, edge: Edge) -> None:
        """Change a state as a label says that neither decides, calls nor ends anything."""
        value = self._evaluation.value
        match edge.label:
            case Assign(register, term):
                assigned = value(state, term)
                if self._cells.is_steering(state, edge, register):
                    assigned = self._values.concrete(assigned, state.guard)
                self.set(state, register, assigned)
            case Store(address, term):
                place, stored = value(state, address), value(state, term)
                if self._cells.is_known(place):
                    stored = self._values.concrete(stored, state.guard)
                self._accesses.store(state, place, width(term) // 8, stored)
            case Input(register):
                symbol = self._values.fresh(width(register))
                self.inputs.append(Read(state.guard, symbol, edge.label))
                self.set(state, register, symbol)
            case Begin(address, size):
                self._begin(state, address, Thing(self._accesses.number(), size, None), TRUE)
            case End(term) | Free(term):
                self._end(state, term)
            case Allocate():
                self._allocate(state, edge.label)
            case Copy(target, source, size):
                self._copy(state, target, source, size)
            case Fill(target, size, byte):
                self._fill(state, target, size, value(state, byte))
            case Skip():
                pass
            case label:
                raise Unmodelled(f"no step for {type(label).__name__}")

    @staticmethod
    def set(state: State, register: Term, value: Value) -> None:
        """Give a register a value."""
        (state.registers if is_local(register) else state.shared)[register] = value

    def _begin(self, state: State, base: int, thing: Thing, condition: Function) -> None:
        self.made.append((self._diagrams.both(state.guard, condition), thing.number))
        self._accesses.begun(state, base, thing, condition)

    def _end(self, state: State, term: Term) -> None:
        for condition, address in self._numbers(state, self._evaluation.value(state, term)):
            if address:
                self._accesses.ended(state, address, condition)

    def _numbers(self, state: State, value: Value) -> list[tuple[Function, int]]:
        """The cases of a value that are numbers; what is no number is noted."""
        found = []
        for condition, part in self._values.spread(value, state.guard):
            if self._diagrams.are_apart(condition, state.guard):
                continue
            if isinstance(part, int):
                found.append((condition, part))
            else:
                text = "an address depends on inputs in a way that is not followed"
                self._noting.note(GoalKind.UNMODELLED, self._diagrams.both(state.guard, condition), text)
        return found

    def _allocate(self, state: State, label: Allocate) -> None:
        layout = self._program.layout
        bits = layout.pointer_bits
        size = self._extended(state, self._evaluation.value(state, label.size), width(label.size), bits)
        fits = self._accesses.fits_below(size, layout.slot // 2)
        self._noting.note(
            GoalKind.UNMODELLED,
            self._diagrams.both(state.guard, fits ^ 1),
            f"an object of more than {layout.slot // 2} bytes",
        )
        state.guard = self._diagrams.both(state.guard, fits)
        top = self._evaluation.value(state, self._program.top)
        heap = label.storage == "heap" and not label.mark
        bases = self._numbers(state, top)
        for condition, base in bases:
            if (base + layout.slot) >> bits:
                raise Unmodelled("more objects than the address space has slots")
            thing = Thing(self._accesses.number(), size, b"" if label.zero else None, heap=heap)
            when = condition if len(bases) > 1 else TRUE
            self._begin(state, base, thing, when)
        moved = [(condition, base + layout.slot) for condition, base in bases]
        self.set(state, self._program.top, self._values.gathered(moved, bits))
        self.set(state, label.register, top)

    def _extended(self, state: State, value: Value, bits: int, wanted: int) -> Value:
        if bits == wanted:
            return value
        return self._values.lifted(
            state.guard,
            ((value, bits),),
            wanted,
            lambda number: number,
            lambda word: bitvectors.extend(word, wanted - bits, False),
        )

    def _sizes(self, state: State, value: Value, bits: int) -> list[tuple[Function, int]]:
        """The sizes that a value may be; what is larger than any block is noted."""
        found: list[tuple[Function, int]] = []
        for condition, part in self._values.spread(value, state.guard):
            if self._diagrams.are_apart(condition, state.guard):
                continue
            found += [(condition, part)] if isinstance(part, int) else self._tried_sizes(state, condition, part, bits)
        return found

    def _tried_sizes(self, state: State, condition: Function, size: Term, bits: int) -> list[tuple[Function, int]]:
        both = self._diagrams.both
        left, found = both(state.guard, condition), []
        for number in range(LIMITS.places):
            here = self._values.conditions.function(terms.equal(size, bitvectors.constant(number, bits)))
            if not self._diagrams.are_apart(here, left):
                found.append((both(condition, here), number))
                left = both(left, here ^ 1)
            if left == FALSE:
                break
        self._noting.note(GoalKind.UNMODELLED, left, "a block of unknown size")
        return found

    def _copy(self, state: State, target: Term, source: Term, size: Term) -> None:
        value, both = self._evaluation.value, self._diagrams.both
        sizes = self._sizes(state, value(state, size), width(size))
        targets = self._numbers(state, value(state, target))
        sources = self._numbers(state, value(state, source))
        before = state.copy()
        for when, number in sizes:
            for to_when, to in targets:
                for from_when, origin in sources:
                    condition = both(when, both(to_when, from_when))
                    if number and to != origin and not self._diagrams.are_apart(condition, state.guard):
                        alone = len(sizes) == len(targets) == len(sources) == 1
                        self._copied(state, before, to, origin, number, TRUE if alone else condition)

    def _copied(self, state: State, before: State, to: int, origin: int, size: int, condition: Function) -> None:
        accesses = self._accesses
        if size > LIMITS.copied:
            raise Unmodelled(f"copying {size} bytes at once")
        base, offset = accesses.divided(origin)
        guard = self._diagrams.both(state.guard, condition)
        slot = accesses.slot(before, base)
        self._noting.note(GoalKind.CHECK, accesses.unreadable(slot, offset, size, guard), "read outside of all objects")
        into, at = accesses.divided(to)
        accesses.writable(state, into, at, size, condition)
        for when, thing in slot:
            here = self._diagrams.both(condition, when)
            if self._diagrams.are_apart(here, state.guard):
                continue
            for place, extent, piece in accesses.contents.pieces(thing, offset, size, guard):
                accesses.put(state, into, at + place - offset, extent, piece, here if len(slot) > 1 else condition)

    def _fill(self, state: State, target: Term, size: Term, byte: Value) -> None:
        value, both = self._evaluation.value, self._diagrams.both
        sizes = self._sizes(state, value(state, size), width(size))
        targets = self._numbers(state, value(state, target))
        for when, number in sizes:
            for to_when, to in targets:
                condition = both(when, to_when) if len(sizes) * len(targets) > 1 else TRUE
                if number and not self._diagrams.are_apart(condition, state.guard):
                    self._filled(state, to, number, byte, condition)

    def _filled(self, state: State, to: int, size: int, byte: Value, condition: Function) -> None:
        accesses = self._accesses
        base, offset = accesses.divided(to)
        accesses.writable(state, base, offset, size, condition)
        slot = accesses.slot(state, base)
        if condition == TRUE and len(slot) == 1 and slot[0][0] == TRUE and isinstance(byte, int):
            thing = slot[0][1]
            if offset == 0 and thing.size == size:
                background = b"" if byte & 0xFF == 0 else bytes([byte & 0xFF]) * size
                fresh = Thing(accesses.number(), size, background, live=thing.live, heap=thing.heap)
                self._begin(state, base, fresh, TRUE)
                return
        if size > LIMITS.copied:
            raise Unmodelled(f"filling {size} bytes of a larger object")
        for _, thing in slot[:1]:
            for place, extent, _ in accesses.contents.pieces(thing, offset, size, state.guard):
                accesses.put(state, base, place, extent, self._repeated(state, byte, extent), condition)

    def _repeated(self, state: State, byte: Value, times: int) -> Value:
        whole = byte
        for i in range(1, times):
            whole = self._values.joined(state.guard, byte, 8, whole, 8 * i)
        return whole
