"""States of a control-flow program: registers and byte-precise memory, concrete and symbolic at once.

A state is persistent: a step shares all it does not change, so the states of long executions are cheap to keep. Every
register and every memory cell has a concrete value, and a symbolic one beside it when it depends on an input: a term
over the input symbols of the execution. The same code serves plain execution (no symbols) and symbolic execution.

Memory is a map of cells. Which bytes form a cell is decided once per *shape* (a static object, or an allocation site)
by the first access, for all states; an access of another size composes or updates the cells it overlaps. Bytes that
were never written come from the object's background: zero, given bytes, or undefined, in which case each cell is an
input of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from immutables import Map
from msgspec import Struct
from msgspec.structs import replace

from pincer.errors import Position
from pincer.logic import bitvectors
from pincer.logic.compilation import compile_expression
from pincer.logic.rewriting import rewrite
from pincer.logic.terms import BOOL, Term, boolean, conditional, equal
from pincer.program.control_flow import ControlFlowProgram, Input, StaticObject
from pincer.program.parts import Enumerators

MOST_CANDIDATES = 200
"""Objects among which the solver may choose the one a pointer from an input points into."""


class MemoryObject(Struct, frozen=True):
    """An object in its slot. `instance` tells apart what lived in one slot at different times; `background` is the
    initial bytes (zeros follow them), or None when contents are undefined."""

    size: int
    shape: object
    instance: int
    background: bytes | None
    origin: str
    live: bool = True


class InputRecord(Struct, frozen=True):
    """One value an execution consumed: its symbol, where it came from, where in the program, and how it is read."""

    symbol: Term
    source: str
    kind: str
    position: Position | None
    signed: bool = False
    floating: bool = False
    names: Enumerators = ()

    def word(self, value: int) -> str:
        """What the source calls a value of an enumeration, empty where it has no name for it."""
        number = bitvectors.signed(value, bitvectors.width(self.symbol)) if self.signed else value
        return dict(self.names).get(number, "")


class History(Struct, frozen=True):
    """A persistent list, newest first."""

    item: Any
    earlier: History | None

    def __iter__(self) -> Iterator[Any]:
        node: History | None = self
        while node is not None:
            yield node.item
            node = node.earlier


def chronological(history: History | None) -> list[Any]:
    return [] if history is None else list(history)[::-1]


class Cells:
    """Which bytes of a shape form a cell. Grows for the whole analysis; decided cells never change."""

    def __init__(self) -> None:
        self._starts: dict[object, dict[int, tuple[int, int]]] = {}

    def pieces(self, shape: object, offset: int, size: int) -> list[tuple[int, int]]:
        """The cells (start, size) that overlap a byte range, in order; undecided bytes are decided now."""
        decided = self._starts.setdefault(shape, {})
        cell = decided.get(offset)
        if cell == (offset, size):
            return [cell]
        found: list[tuple[int, int]] = []
        at, end = offset, offset + size
        while at < end:
            cell = decided.get(at)
            if cell is None:
                cell = (at, self._width(decided, at, end))
                for byte in range(at, at + cell[1]):
                    decided[byte] = cell
            found.append(cell)
            at = cell[0] + cell[1]
        return found

    @staticmethod
    def _width(decided: dict[int, tuple[int, int]], at: int, end: int) -> int:
        """The largest aligned free cell that begins here and does not pass the end."""
        for width in (8, 4, 2):
            if at % width == 0 and at + width <= end and not any(b in decided for b in range(at, at + width)):
                return width
        return 1


class State(Struct, frozen=True):
    """Values before a step. `symbols` maps registers, cell keys and `("room", base)` to terms over input symbols."""

    world: World
    registers: Map[Term, int]
    cells: Map[int, int]
    objects: Map[int, MemoryObject]
    symbols: Map[Any, Term]
    values: Map[Term, int]
    inputs: History | None
    counters: tuple[int, int]

    def value(self, term: Term) -> int:
        """The concrete value of a term, 0 or 1 for a condition."""
        function = compile_expression(term)
        try:
            return function(self.registers, self.load, self.room)
        except KeyError:
            return function(_Total(self.registers), self.load, self.room)

    def room(self, address: int) -> int:
        found = self.objects.get(address & self.world.slot_mask)
        return found.size if found is not None and found.live else 0

    def load(self, address: int, size: int) -> int:
        """The bytes at an address; what lies outside all objects reads as zero."""
        found = self.objects.get(address & self.world.slot_mask)
        if found is None:
            return 0
        offset = address & self.world.offset_mask
        pieces = self.world.cells.pieces(found.shape, offset, size)
        if len(pieces) == 1 and pieces[0] == (offset, size):
            return self._cell(found, offset, size)
        whole = 0
        for start, width in pieces:
            value = self._cell(found, start, width)
            whole |= value << 8 * (start - offset) if start >= offset else value >> 8 * (offset - start)
        return whole & ((1 << 8 * size) - 1)

    def written(self, address: int, size: int) -> int:
        """The bytes at an address; a `LookupError` where they are in no object, or nobody has put them there."""
        found = self.objects.get(address & self.world.slot_mask)
        offset = address & self.world.offset_mask
        if found is None or offset + size > found.size:
            raise LookupError
        if found.background is None and found.instance << 40 | offset not in self.cells:
            raise LookupError
        return self.load(address, size)

    def _cell(self, found: MemoryObject, start: int, width: int) -> int:
        value = self.cells.get(found.instance << 40 | start)
        if value is not None:
            return value
        if found.background is None:
            return self.values.get(self.world.undefined(found, start, width), 0)
        return int.from_bytes(found.background[start : start + width], "little")

    def symbolic(self, term: Term, pins: list[Term]) -> Term:
        """The term over input symbols. Addresses that depend on inputs are pinned to their concrete values."""
        if self.world.concrete or not (self.symbols or self.world.has_undefined):
            return self._constant(term)
        return rewrite(term, lambda leaf: self._symbolic_leaf(leaf, pins), {})

    def _constant(self, term: Term) -> Term:
        value = self.value(term)
        return boolean(bool(value)) if term.sort is BOOL else bitvectors.constant(value, bitvectors.width(term))

    def _symbolic_leaf(self, leaf: Term, pins: list[Term]) -> Term:
        if leaf.op == "var":
            symbol = self.symbols.get(leaf)
            bits = bitvectors.width(leaf)
            return symbol if symbol is not None else bitvectors.constant(self.registers.get(leaf, 0), bits)
        if leaf.op == "room":
            return self._symbolic_room(leaf.args[0], pins)
        return self.symbolic_load(self.pinned(leaf.args[0], pins), leaf.args[1])

    def _symbolic_room(self, address: Term, pins: list[Term]) -> Term:
        """Room at an address; one that depends on inputs may point into any of the live objects."""
        term = rewrite(address, lambda leaf: self._symbolic_leaf(leaf, pins), {})
        fixed = bitvectors.constant_value(term)
        if fixed is not None:
            return self._room_of_slot(fixed & self.world.slot_mask, bitvectors.width(term))
        bits = bitvectors.width(term)
        slot = bitvectors.binary("bvand", bitvectors.constant(self.world.slot_mask, bits), term)
        room = bitvectors.constant(0, bits)
        live = [base for base, found in self.objects.items() if found.live and found.size]
        for base in sorted(live)[:MOST_CANDIDATES]:
            here = equal(slot, bitvectors.constant(base, bits))
            room = conditional(here, self._room_of_slot(base, bits), room)
        if len(live) > MOST_CANDIDATES:
            return self._room_of_slot(self.pinned(address, pins) & self.world.slot_mask, bits)
        return room

    def _room_of_slot(self, base: int, bits: int) -> Term:
        symbol = self.symbols.get(("room", base))
        live = self.room(base)
        return symbol if symbol is not None and live else bitvectors.constant(live, bits)

    def pinned(self, address: Term, pins: list[Term]) -> int:
        """The concrete value of an address; when it depends on inputs, equality with it is added to `pins`."""
        if self.world.concrete:
            return self.value(address)
        term = rewrite(address, lambda leaf: self._symbolic_leaf(leaf, pins), {})
        fixed = bitvectors.constant_value(term)
        if fixed is not None:
            return fixed
        value = self.world.evaluate_symbols(term, self.values)
        if self.world.pinned is not None:
            self.world.pinned.append(value)
        pins.append(equal(term, bitvectors.constant(value, bitvectors.width(term))))
        return value

    def symbolic_load(self, address: int, size: int) -> Term:
        """The bytes at a concrete address over input symbols."""
        if self.world.concrete:
            return bitvectors.constant(self.load(address, size), 8 * size)
        found = self.objects.get(address & self.world.slot_mask)
        if found is None:
            return bitvectors.constant(0, 8 * size)
        offset = address & self.world.offset_mask
        whole: Term | None = None
        for start, width in self.world.cells.pieces(found.shape, offset, size):
            part = self._symbolic_cell(found, start, width)
            low, high = max(start, offset), min(start + width, offset + size)
            if high - low < width:
                part = bitvectors.extract(8 * (high - start) - 1, 8 * (low - start), part)
            whole = part if whole is None else bitvectors.concat(part, whole)
        assert whole is not None
        return whole

    def _symbolic_cell(self, found: MemoryObject, start: int, width: int) -> Term:
        key = found.instance << 40 | start
        symbol = self.symbols.get(key)
        if symbol is not None:
            return symbol
        if found.background is None and key not in self.cells:
            return self.world.undefined(found, start, width)
        return bitvectors.constant(self._cell(found, start, width), 8 * width)

    def with_register(self, register: Term, value: int, symbol: Term | None) -> State:
        return replace(
            self,
            registers=self.registers.set(register, value),
            symbols=_set_symbol(self.symbols, register, symbol),
        )

    def with_store(self, address: int, size: int, value: int, symbol: Term | None) -> State:
        """Memory with `size` bytes written inside one object."""
        found = self.objects[address & self.world.slot_mask]
        offset = address & self.world.offset_mask
        cells, symbols = self.cells, self.symbols
        for start, width in self.world.cells.pieces(found.shape, offset, size):
            key = found.instance << 40 | start
            if (start, width) == (offset, size):
                new, term = value, symbol
            else:
                new, term = self._merged(found, (start, width), (offset, size), value, symbol)
            cells = cells.set(key, new)
            symbols = _set_symbol(symbols, key, term)
        return replace(self, cells=cells, symbols=symbols)

    def _merged(
        self, found: MemoryObject, cell: tuple[int, int], span: tuple[int, int], value: int, symbol: Term | None
    ) -> tuple[int, Term | None]:
        """A cell with the overlapping part of a written range put in; both are told by their first byte and size."""
        (start, width), (offset, size) = cell, span
        low, high = max(start, offset), min(start + width, offset + size)
        mask = ((1 << 8 * (high - low)) - 1) << 8 * (low - start)
        piece = value >> 8 * (low - offset)
        new = self._cell(found, start, width) & ~mask | (piece << 8 * (low - start)) & mask
        old_term = self._symbolic_cell(found, start, width)
        if symbol is None and bitvectors.constant_value(old_term) is not None:
            return new, None
        written = symbol if symbol is not None else bitvectors.constant(value, 8 * size)
        parts = [bitvectors.extract(8 * (high - offset) - 1, 8 * (low - offset), written)]
        if low > start:
            parts.append(bitvectors.extract(8 * (low - start) - 1, 0, old_term))
        if high < start + width:
            parts.insert(0, bitvectors.extract(8 * width - 1, 8 * (high - start), old_term))
        whole = parts[0]
        for part in parts[1:]:
            whole = bitvectors.concat(whole, part)
        return new, whole

    def with_object(
        self, base: int, size: int, shape: object, background: bytes | None, origin: str, room: Term | None = None
    ) -> State:
        """A new object in a slot; it hides what was there."""
        instance, consumed = self.counters
        made = MemoryObject(size, shape, instance + 1, background, origin)
        if background is None:
            self.world.has_undefined = True
        return replace(
            self,
            objects=self.objects.set(base, made),
            symbols=_set_symbol(self.symbols, ("room", base), room),
            counters=(instance + 1, consumed),
        )

    def without_object(self, base: int) -> State:
        """The object of a slot has ended: no room is left, its bytes stay what they were."""
        found = self.objects.get(base)
        if found is None:
            return self
        return replace(self, objects=self.objects.set(base, replace(found, live=False)))

    @property
    def inputs_read(self) -> int:
        return self.counters[1]

    def next_input(self, register: Term) -> Term:
        """The symbol the next input of a register's width will have."""
        return bitvectors.variable(f"input{self.counters[1]}", bitvectors.width(register))

    def with_input(self, register: Term, label: Input, position: Position) -> State:
        """A register set to the next input: the value planned for its symbol, or what the world's default says."""
        instance, consumed = self.counters
        symbol = self.next_input(register)
        value = self.values.get(symbol)
        if value is None:
            value = self.world.default_input(label, symbol)
        return replace(
            self,
            registers=self.registers.set(register, value),
            symbols=self.symbols if self.world.concrete else self.symbols.set(register, symbol),
            values=self.values.set(symbol, value),
            inputs=History(
                InputRecord(symbol, label.source, label.kind, position, label.signed, label.floating, label.names),
                self.inputs,
            ),
            counters=(instance, consumed + 1),
        )

    def under(self, model: dict[Term, int]) -> State:
        """The state the same steps lead to when the input symbols take other values that follow the same path."""
        values = self.values
        for symbol, value in model.items():
            values = values.set(symbol, value)
        registers, cells, objects = self.registers, self.cells, self.objects
        for key, term in self.symbols.items():
            if term.variables.isdisjoint(model):
                continue
            value = self.world.evaluate_symbols(term, values)
            if isinstance(key, int):
                cells = cells.set(key, value)
            elif isinstance(key, Term):
                registers = registers.set(key, value)
            else:
                objects = objects.set(key[1], replace(objects[key[1]], size=value))
        return replace(self, registers=registers, cells=cells, objects=objects, values=values)


def _set_symbol(symbols: Map[Any, Term], key: object, symbol: Term | None) -> Map[Any, Term]:
    if symbol is not None:
        return symbols.set(key, symbol)
    return symbols.delete(key) if key in symbols else symbols


class _Total(dict[Term, int]):
    """Registers with zero for those that hold no value yet; only formulas over other branches read such."""

    def __init__(self, registers: Mapping[Term, int]) -> None:
        super().__init__(registers)

    def __missing__(self, register: Term) -> int:
        return 0


@dataclass
class World:
    """What all states of one analysis share: the program's memory layout and the names of undefined cells.

    In a `concrete` one nothing is known about inputs but their values, which makes steps faster. `pinned`, when it is a
    list, collects the values to which addresses that depend on inputs were pinned."""

    program: ControlFlowProgram
    default_input: Callable[[Input, Term], int] = field(default=lambda label, symbol: label.usual)
    concrete: bool = False
    cells: Cells = field(default_factory=Cells)
    has_undefined: bool = False
    undefined_cells: dict[Term, str] = field(default_factory=dict)
    pinned: list[int] | None = None
    _undefined: dict[tuple[int, int, int], Term] = field(default_factory=dict)

    def __post_init__(self) -> None:
        layout = self.program.layout
        self.offset_mask = layout.slot - 1
        self.slot_mask = ((1 << layout.pointer_bits) - 1) & ~self.offset_mask
        self.read_only = frozenset(obj.address for obj in self.program.objects if obj.read_only)

    def undefined(self, found: MemoryObject, start: int, width: int) -> Term:
        """The input symbol of a cell that was never written."""
        key = (found.instance, start, width)
        symbol = self._undefined.get(key)
        if symbol is None:
            symbol = bitvectors.variable(f"undefined{found.instance}+{start}", 8 * width)
            self._undefined[key] = symbol
            self.undefined_cells[symbol] = f"{found.origin}, byte {start}"
        return symbol

    @staticmethod
    def evaluate_symbols(term: Term, values: Mapping[Term, int]) -> int:
        function = compile_expression(term)
        try:
            return function(values, _no_read, _no_read)
        except KeyError:
            return function(_Total(values), _no_read, _no_read)

    def initial_state(self, planned: Mapping[Term, int] | None = None) -> State:
        """The state in which the entry procedure begins; `planned` gives values of input symbols to come."""
        program = self.program
        registers = Map(dict(program.initial)).set(program.top, program.first_free)
        objects = {obj.address: self._static(obj, i) for i, obj in enumerate(program.objects, 1)}
        return State(self, registers, Map(), Map(objects), Map(), Map(planned or {}), None, (len(objects) + 1, 0))

    @staticmethod
    def _static(obj: StaticObject, instance: int) -> MemoryObject:
        return MemoryObject(obj.size, obj.address, instance, obj.contents, obj.name)


def _no_read(*_: int) -> int:
    raise AssertionError("a symbolic value reads no state")
