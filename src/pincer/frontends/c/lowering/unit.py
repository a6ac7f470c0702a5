"""State shared by all procedures of a translation unit while it is lowered: addresses, objects, assumptions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Set
from itertools import pairwise
from typing import Any

from msgspec import Struct, field

from pincer.errors import PincerError, Position
from pincer.frontends.c.lowering.hooks import Hook
from pincer.frontends.c.lowering.values import Pair
from pincer.frontends.c.semantics import symbols
from pincer.frontends.c.semantics.context import TypedProgram
from pincer.frontends.c.semantics.evaluation_order import Orders
from pincer.frontends.c.semantics.tree import Written
from pincer.frontends.c.semantics.types import Target
from pincer.logic import bitvectors, terms
from pincer.logic.terms import Term
from pincer.program.control_flow import GivenObject, Layout, SourceVariable, StaticObject
from pincer.program.property import EVERY_KIND, Assumption, Concern
from pincer.program.registers import register_of


class AddressesExhausted(Exception):
    """The slots are too small or too few for this program: `slot_bits` and `static_bits` must be chosen anew."""

    def __init__(self, slot_bits: int, static_bits: int) -> None:
        super().__init__()
        self.slot_bits = slot_bits
        self.static_bits = static_bits


class MarkedObjects(Struct, frozen=True):
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


class Means(Struct, frozen=True):
    """What lowers each kind of expression to a value or a place, each known function, and static contents.

    `functions` are those known without a body (see `calls.Known`); `assumed` says what the bodies of library functions
    rest on.
    """

    values: Mapping[type, Callable[..., Any]]
    places: Mapping[type, Callable[..., Any]]
    contents: Callable[[Unit, symbols.Variable], bytes]
    functions: Mapping[str, Any]
    assumed: Mapping[str, Assumption]


class Storage(Struct):
    """Where a variable lives: in a register or at an address; `constant` is the value of one that never changes."""

    register: Term | None = None
    address: Term | None = None
    constant: Term | None = None


EQUAL_TEXTS_SHARE = Assumption("equal string literals in initial values of static objects share their memory")
TEXTS_ARE_APART = Assumption("no string literal is the end of another one's memory")
CONSTANT_LITERALS_ARE_APART = Assumption(
    "compound literals of constant type, which may share memory, are objects of their own", leaves_open=EVERY_KIND
)


class Choice(Struct, frozen=True):
    """Where a string literal is: with equal ones when the register is zero, elsewhere at an address of its own."""

    register: Term
    address: Term


class Literals(Struct):
    """String literals: by contents the memory that equal ones share and which came first, and where `vary` says that
    they need not share it, what each other one does. `repeated` says whether there are equal ones, `compared` whether
    their addresses may be compared, and `pointers_compared` whether any are. `static` are those of initial values, by
    contents, `constant` the compound literals of constant type with their sizes."""

    vary: bool = False
    repeated: bool = False
    compared: bool = False
    pointers_compared: bool = False
    shared: dict[bytes, int] = {}
    first: dict[bytes, Written] = {}
    choices: dict[Written, Choice] = {}
    static: dict[bytes, set[Written]] = {}
    constant: dict[Written, int] = {}

    def assumed(self) -> list[Assumption]:
        """What is assumed about where literals are, as far as the program may see it."""
        if not self.pointers_compared:
            return []
        reversed_texts = sorted(text[::-1] for text in self.shared if len(text) > 1)
        sizes = [*self.constant.values()]
        found = []
        if self.compared and any(len(nodes) > 1 or text in self.first for text, nodes in self.static.items()):
            found.append(EQUAL_TEXTS_SHARE)
        if self.compared and any(text.startswith(end) for end, text in pairwise(reversed_texts)):
            found.append(TEXTS_ARE_APART)
        if any(sizes.count(size) > 1 or size in map(len, self.shared) for size in sizes):
            found.append(CONSTANT_LITERALS_ARE_APART)
        return found


class Observers(Struct, frozen=True):
    """`functions` that only look at states, and `lines` that formulas speak of, of files by the ends of their names."""

    functions: frozenset[str]
    lines: frozenset[tuple[str, int]] = frozenset()

    def at(self, position: Position) -> Iterator[str]:
        """The moments at which a statement begins that stands there."""
        for file, line in sorted(self.lines):
            if line == position.line and f"/{position.file}".endswith(f"/{file}"):
                yield f"at {file}:{line}"


class Unit(Struct, eq=False):
    """One program being lowered. `means` says what expressions and known functions become; where there are `observers`,
    the states of the other functions that formulas speak about are observed.
    `constant_locals` counts the objects of blocks that are constant, and lie where nothing may be written. `apart` are
    the expressions that ask how different objects lie, as far as that is known; `pairs` are the pointers in all others
    (`object_order`). `numbers` are read from where there may be addresses."""

    program: TypedProgram
    layout: Layout
    addresses: Addresses
    hooks: Mapping[str, Hook]
    means: Means
    orders: Orders
    observers: Observers | None = None
    marks: MarkedObjects = MarkedObjects()
    may_be_empty: bool = False
    compares_pointers: bool = False
    has_empty_objects: bool = False
    constant_locals: int = 0
    literals: Literals = field(default_factory=Literals)
    apart: Set[Written] = frozenset()
    pairs: dict[Written, list[Pair]] = {}
    numbers: dict[Term, None] = {}
    exchanges_pointers: bool = False
    objects: list[StaticObject] = []
    initial: dict[Term, int] = {}
    variables: list[SourceVariable] = []
    given: dict[int, GivenObject] = {}
    functions: dict[str, int] = {}
    storage: dict[symbols.Variable, Storage] = {}
    assumptions: dict[Assumption, None] = {}
    concerns: dict[Concern, None] = {}
    undefined: list[symbols.Variable] = []
    unsupported: list[tuple[str, Position]] = []
    loops: dict[Position, Position] = {}
    _labels: dict[str, dict[str, int]] = {}

    @property
    def target(self) -> Target:
        return self.program.target

    @property
    def threaded(self) -> bool:
        return self.program.usage.threaded

    def position(self, node: Written | None) -> Position:
        return self.program.position(node)

    def error(self, message: str, node: Written | None) -> PincerError:
        return self.program.error(message, node)

    def address(self, value: int) -> Term:
        """An address constant."""
        return bitvectors.constant(value, self.layout.pointer_bits)

    def assume(self, assumption: Assumption) -> None:
        """Note something a verdict rests on, once."""
        self.assumptions[assumption] = None

    def warn(self, text: str, position: Position) -> None:
        """Note something that readers of a verdict should know, once."""
        self.concerns[Concern(text, position)] = None

    def take(self, size: int, read_only: bool = False) -> int:
        """The address of an object that the program names or writes out."""
        self.has_empty_objects |= size == 0
        return self.addresses.take(size, read_only=read_only)

    def function_address(self, name: str) -> Term:
        """The address of a function, in a slot without room."""
        if name not in self.functions:
            self.functions[name] = self.addresses.take(0)
            self.objects.append(StaticObject(name, self.functions[name], 0, read_only=True))
        return self.address(self.functions[name])

    def label_address(self, function: str, name: str) -> Term:
        """The address of a label. Those of one function lie in one slot, so that their distances are small numbers."""
        if function not in self._labels:
            self._labels[function] = {"": self.addresses.take(0)}
            self.objects.append(StaticObject(f"labels of {function}", self._labels[function][""], 0, read_only=True))
        known = self._labels[function]
        return self.address(known.setdefault(name, known[""] + len(known)))

    def string_address(self, contents: bytes) -> Term:
        """The address of the array that string literals share."""
        if contents not in self.literals.shared:
            self.literals.shared[contents] = self._new_string(contents)
        return self.address(self.literals.shared[contents])

    def literal_address(self, node: Written, contents: bytes) -> Term:
        """The address of one string literal's array: where it matters, an input says whether it shares the memory of
        an equal one."""
        shared, literals = self.string_address(contents), self.literals
        if literals.first.setdefault(contents, node) is node:
            return shared
        literals.repeated = True
        if not literals.vary:
            return shared
        if node not in literals.choices:
            own = self.address(self._new_string(contents))
            choice = register_of(None, f"literal {len(literals.choices)}", 8)
            self.initial[choice] = 0
            literals.choices[node] = Choice(choice, own)
        chosen = literals.choices[node]
        return terms.conditional(terms.equal(chosen.register, bitvectors.constant(0, 8)), shared, chosen.address)

    def _new_string(self, contents: bytes) -> int:
        address = self.addresses.take(len(contents), read_only=True)
        name = contents[:-1].decode("utf-8", "replace")
        self.objects.append(StaticObject(f'"{name}"', address, len(contents), contents, True))
        return address
