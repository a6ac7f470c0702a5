"""State shared by all procedures of a translation unit while it is lowered: addresses, objects, assumptions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from pycparser import c_ast

from pincer.errors import PincerError, Position
from pincer.frontends.c.lowering.hooks import Hook
from pincer.frontends.c.semantics import symbols
from pincer.frontends.c.semantics.symbols import Scope
from pincer.frontends.c.semantics.touched import Touched
from pincer.frontends.c.semantics.types import Function, Integer, Record, Target
from pincer.frontends.c.semantics.usage import Usage
from pincer.logic import bitvectors
from pincer.logic.terms import Term
from pincer.program.control_flow import Layout, StaticObject, Variable
from pincer.program.property import Assumption


class AddressesExhausted(Exception):
    """The slots are too small or too few for this program: `slot_bits` and `static_bits` must be chosen anew."""

    def __init__(self, slot_bits: int, static_bits: int) -> None:
        super().__init__()
        self.slot_bits = slot_bits
        self.static_bits = static_bits


@dataclass(frozen=True, slots=True)
class Marks:
    """Which dynamic objects are followed by a mark: heap objects that may be empty, automatic objects."""

    empty: bool = False
    stack: bool = False

    @property
    def any(self) -> bool:
        return self.empty or self.stack


class Addresses:
    """Hands out slots. Read-only objects come first, then functions, globals and locals; the heap follows.

    That order is what lets one comparison tell read-only from writable addresses, and another one heap objects from
    all others.
    """

    def __init__(self, layout: Layout, read_only: int, static_bits: int) -> None:
        self.layout = layout
        self.first_writable = (read_only + 1) << layout.slot_bits
        self.first_free = 1 << (static_bits + layout.slot_bits)
        self._static_bits = static_bits
        self._read_only = 1
        self._next = read_only + 1

    @property
    def any_read_only(self) -> bool:
        return self._read_only > 1

    def check_size(self, size: int) -> None:
        """Objects take at most half a slot, and are smaller than the marks behind dynamic ones."""
        if size > self.layout.slot // 2 - 2:
            raise AddressesExhausted((size + 2).bit_length() + 1, self._static_bits)

    def take(self, size: int, read_only: bool = False) -> int:
        """The address of a new slot for an object of this size."""
        self.check_size(size)
        if read_only and self._read_only << self.layout.slot_bits < self.first_writable:
            self._read_only += 1
            return (self._read_only - 1) << self.layout.slot_bits
        self._next += 1
        address = (self._next - 1) << self.layout.slot_bits
        if address >= self.first_free:
            raise AddressesExhausted(self.layout.slot_bits, self._static_bits + 1)
        return address


@dataclass(frozen=True, slots=True)
class Definition:
    """A function with a body: the names of its parameters belong to their types in order."""

    name: str
    type: Function
    node: c_ast.FuncDef
    parameters: tuple[c_ast.Decl, ...]


@dataclass(eq=False)
class Unit:
    """One program being lowered."""

    file: str
    target: Target
    layout: Layout
    addresses: Addresses
    usage: Usage
    noreturn: frozenset[str]
    hooks: Mapping[str, Hook]
    contents: Callable[[Unit, symbols.Variable], bytes]
    library: frozenset[str] = frozenset()
    encoding: str = "utf-8"
    marks: Marks = Marks()
    may_be_empty: bool = False
    compares_pointers: bool = False
    exchanges_pointers: bool = False
    touched: dict[str, Touched] = field(default_factory=dict)
    scope: Scope = field(default_factory=Scope)
    definitions: dict[str, Definition] = field(default_factory=dict)
    objects: list[StaticObject] = field(default_factory=list)
    initial: dict[Term, int] = field(default_factory=dict)
    variables: list[Variable] = field(default_factory=list)
    functions: dict[str, int] = field(default_factory=dict)
    statics: dict[int, symbols.Variable] = field(default_factory=dict)
    records: dict[int, Record] = field(default_factory=dict)
    enumerations: dict[int, tuple[Integer, dict[str, symbols.Enumerator]]] = field(default_factory=dict)
    first_declared: dict[str, c_ast.Node] = field(default_factory=dict)
    record_nodes: dict[int, c_ast.Node] = field(default_factory=dict)
    unknown: set[str] = field(default_factory=set)
    weak: set[str] = field(default_factory=set)
    assumptions: dict[Assumption, None] = field(default_factory=dict)
    undefined: list[symbols.Variable] = field(default_factory=list)
    unsupported: list[tuple[str, Position]] = field(default_factory=list)
    _strings: dict[bytes, int] = field(default_factory=dict)
    _positions: dict[tuple[str, int, int], Position] = field(default_factory=dict)

    def position(self, node: c_ast.Node | None) -> Position:
        coord = getattr(node, "coord", None)
        if coord is None:
            return Position(self.file, 1, 1)
        key = (coord.file, coord.line, coord.column or 1)
        found = self._positions.get(key)
        if found is None:
            found = self._positions[key] = Position(*key)
        return found

    def error(self, message: str, node: c_ast.Node | None) -> PincerError:
        return PincerError(message, self.position(node))

    def may_be_missing(self, name: str) -> bool:
        """Whether a function or variable of this name is weak and no part of this file: its address may be null."""
        return name in self.weak and name not in self.definitions and name not in self.library

    def address(self, value: int) -> Term:
        """An address constant."""
        return bitvectors.constant(value, self.layout.pointer_bits)

    def assume(self, assumption: Assumption) -> None:
        """Note something a verdict rests on, once."""
        self.assumptions[assumption] = None

    def function_address(self, name: str) -> Term:
        """The address of a function, in a slot without room."""
        if name not in self.functions:
            self.functions[name] = self.addresses.take(0)
            self.objects.append(StaticObject(name, self.functions[name], 0, read_only=True))
        return self.address(self.functions[name])

    def string_address(self, contents: bytes) -> Term:
        """The address of a string literal's array; equal literals share one."""
        if contents not in self._strings:
            address = self.addresses.take(len(contents), read_only=True)
            self._strings[contents] = address
            name = contents[:-1].decode("utf-8", "replace")
            self.objects.append(StaticObject(f'"{name}"', address, len(contents), contents, True))
        return self.address(self._strings[contents])
