"""Programs as control-flow automata: procedures whose edges carry machine-level labels with source positions.

Expressions are terms of `pincer.logic` without side effects: bit-vectors for integers and pointers, Booleans for
conditions. All conversions, promotions and signedness of the source language are explicit in them. A term reads the
state through three leaves:

- a *register* (a bit-vector variable whose name is a `Register`): a scalar whose address is never taken, a temporary.
  Every activation has its own registers of its procedure;
- `bitvectors.load(address, bytes)`: a little-endian read of memory;
- `bitvectors.room(address)`: how many bytes the live object in the slot of this address has, 0 if there is none.

Memory is divided into slots of 2**slot_bits bytes. Every object begins at the start of its own slot, so a pointer is
an object (the high bits) and an offset (the low bits); slot 0 is the null pointer's and never holds an object. An
access of n bytes at `a` is valid when `offset(a) + n <= room(a)`. The register `$top` holds the address of the next
free slot.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from functools import cached_property
from typing import Literal, TypeAlias

from msgspec import Struct

from pincer.errors import Position
from pincer.logic import bitvectors, terms
from pincer.logic.terms import Term
from pincer.program.parts import Elements, Enumerators, Parts, part_name
from pincer.program.property import Assumption, Concern
from pincer.program.registers import Role, register_of
from pincer.program.thread_labels import ThreadLabel


class Assign(Struct, frozen=True):
    """register := value."""

    register: Term
    value: Term


class Store(Struct, frozen=True):
    """memory[address ..] := value; the value's width is a multiple of eight bits, at most 64."""

    address: Term
    value: Term


class Copy(Struct, frozen=True):
    """Copy `size` bytes between objects that do not overlap (structures too large to copy field by field, memcpy)."""

    target: Term
    source: Term
    size: Term


class Fill(Struct, frozen=True):
    """Set `size` bytes to the 8-bit value `byte` (memset, zero initialisation)."""

    target: Term
    size: Term
    byte: Term


class Assume(Struct, frozen=True):
    """Continue only where the condition holds. `branch` tells which side of a source decision this is.

    The two sides of a decision leave the same location with complementary conditions. `branch` is None for
    `__VERIFIER_assume` and for conditions the programmer did not write.
    """

    condition: Term
    branch: bool | None = None


InputKind: TypeAlias = Literal["nondet", "undefined", "external", "library", "argument", "command"]
"""Where an input comes from: a word of verifiers, memory that nothing was stored in, a function or object without a
definition, a function of the C library that is not modelled, a parameter of the entry, the command line."""


LITERALS_ARE_APART = "whether equal string literals are apart"
"""An input that compilers decide: C leaves open whether such literals share their memory."""
OBJECT_ORDER = "the order of different objects in memory"
OBJECT_DISTANCE = "the distance of different objects in memory"
OBJECTS_TOUCH = "whether an object begins just behind another one"
WHERE_OBJECTS_LIE = frozenset((OBJECT_ORDER, OBJECT_DISTANCE, OBJECTS_TOUCH))
"""Inputs that compilers and allocators decide: C leaves open where objects lie."""


class Input(Struct, frozen=True):
    """register := any value of its width. `source` names the function that delivers it, or what is undefined;
    people read the value of a `signed` one as two's complement, of a `floating` one as a number. Tests that want no
    other value take the `usual` one. The values of an enumeration have `names`."""

    register: Term
    source: str
    kind: InputKind = "nondet"
    signed: bool = False
    usual: int = 0
    floating: bool = False
    names: Enumerators = ()


class Allocate(Struct, frozen=True):
    """A new object in the slot of `$top`, its address in `register`; `$top` moves on by one slot.

    Contents are zero or undefined. `stack` objects (locals of recursive procedures, alloca) end with their activation,
    by `End` edges; `heap` ones by `Free`. A `mark` is no object of the program's: it says that the one before it is
    empty, and ends in its place.
    """

    register: Term
    size: Term
    zero: bool
    storage: Literal["heap", "stack"]
    mark: bool = False


class Begin(Struct, frozen=True):
    """The lifetime of a local object with a fixed address begins: `size` bytes, contents undefined.

    Those of a `given` object were put there before the program began, by whoever calls it. What an `argument` is, or
    points to (`*p`), bears its name where a test can put any contents there."""

    address: int
    size: int
    given: bool = False
    argument: str = ""


class End(Struct, frozen=True):
    """The lifetime of a local object ends."""

    address: Term


class Free(Struct, frozen=True):
    """free(address), after its `Check`: the object has no room any more. Freeing null does nothing."""

    address: Term


CheckKind: TypeAlias = Literal[
    "dereference", "free", "division", "shift", "overflow", "overlap", "call", "read-only", "arguments", "bounds",
    "pointer", "jump", "conversion", "unreachable", "uninitialised", "character", "assertion", "error function",
    "label", "choice", "truth",
]  # fmt: skip


class Check(Struct, frozen=True):
    """Undefined behaviour unless the condition holds: a violation of `memory` or `overflow`; for other properties the
    path ends here."""

    kind: CheckKind
    condition: Term
    message: str


class Call(Struct, frozen=True):
    """A call of a procedure of the program, and the return from it. Arguments have the parameters' widths."""

    procedure: str
    arguments: tuple[Term, ...]
    result: Term | None


class FailKind(Enum):
    """What a failure is in the source."""

    ASSERTION = "assertion"
    ERROR_FUNCTION = "error function"
    LABEL = "label"
    RULE = "rule"
    OVERFLOW = "overflow"
    CONVERSION = "conversion"
    DIVISION = "division"
    SHIFT = "shift"
    UNINITIALISED = "uninitialised"


class Fail(Struct, frozen=True):
    """The property `assertions` is violated: assert, reach_error, an ERROR label. The target is a dead end."""

    message: str
    kind: FailKind = FailKind.ASSERTION


class Halt(Struct, frozen=True):
    """exit, abort: the program ends. The target is a dead end. An `orderly` end is one as by returning from main."""

    what: str
    orderly: bool = False


class Unsupported(Struct, frozen=True):
    """A construct that is not modelled. The target is a dead end; a path that arrives here is undecided."""

    what: str


class LeftAllocated(Unsupported, frozen=True):
    """The program ends while memory of the heap is allocated, which is an error; with `lost` only if some of it cannot
    be reached: from static objects, and with `frames` also from what belongs to calls that have not returned.

    Who cannot tell takes it for what it is otherwise: a construct that is not modelled. The error is that of a check
    that does not hold (`as_check`) or of a failure."""

    what: str = "whether all memory that is allocated at the end can be reached"
    lost: bool = True
    frames: bool = False
    as_check: bool = False

    @property
    def message(self) -> str:
        """What is wrong with memory that was allocated somewhere."""
        return "this memory is lost: nothing points to it at the end" if self.lost else "this memory is never freed"


class Skip(Struct, frozen=True):
    """No effect."""


class Observe(Skip, frozen=True):
    """No effect: the state here is one that temporal formulas speak about, the `last` one if the program ends now.

    `moment` says what happens here in the source: `call f`, `return f`, `at LABEL`, or nothing of these. `letters` are
    the propositions of a formula, each with its condition on the state; they are about global registers and memory."""

    moment: str = ""
    letters: tuple[tuple[str, Term], ...] = ()
    last: bool = False


class AtLabel(Struct, frozen=True):
    """Whether some thread stands at a label: any, the one with a number, or one that began with a function."""

    label: str
    thread: str = ""


class Watched(Struct, frozen=True):
    """A proposition of a formula about threads, which is looked at in every state: a condition on global registers and
    memory, in which some registers stand for where threads are."""

    name: str
    condition: Term
    places: tuple[tuple[Term, AtLabel], ...] = ()


Label: TypeAlias = (
    Assign | Store | Copy | Fill | Assume | Input | Allocate | Begin | End | Free | Check | Call | Fail | Halt
    | Unsupported | ThreadLabel | Skip
)  # fmt: skip


class Edge(Struct, frozen=True, eq=False):
    """One step between two locations of a procedure. Edges are compared by identity."""

    source: int
    target: int
    label: Label
    position: Position


class Mark(Struct, frozen=True):
    """A check of arithmetic that stands beside the program: the processor goes on where it does not hold."""

    check: Check
    position: Position


class SourceVariable(Struct, frozen=True):
    """What a register or an object was in the source: for reports, witnesses and C expressions.

    `register` is None for a variable that lives in memory; its object then begins at `address` (an address constant,
    or the register that holds it). `type` is the C type as text, `parts` what reports call its parts and the values of
    an enumeration, `pointed` what a pointer points to, as elements one behind the other, `scope` the procedure or None
    for globals.
    """

    name: str
    type: str
    signed: bool
    scope: str | None
    position: Position
    register: Term | None = None
    address: Term | None = None
    parts: Parts | None = None
    pointed: Elements | None = None


class Procedure(Struct, frozen=True, eq=False, dict=True):
    """Locations are numbers, unique in the whole program. `result` is the register a `return` assigns.

    `marks` are checks for properties that ask about them (`pincer.program.passes.overflow`): at a location, in their
    order, before whatever follows. They are no steps of the program. One of the kind `choice` may hold or not: its
    condition decides which operand is evaluated, or gives the value (`pincer.program.passes.uninitialised`)."""

    name: str
    parameters: tuple[Term, ...]
    result: Term | None
    entry: int
    exit: int
    edges: tuple[Edge, ...]
    position: Position
    loop_heads: frozenset[int] = frozenset()
    marks: Mapping[int, tuple[Mark, ...]] = {}

    @cached_property
    def outgoing(self) -> Mapping[int, tuple[Edge, ...]]:
        return _grouped(self.edges, lambda edge: edge.source)

    @cached_property
    def incoming(self) -> Mapping[int, tuple[Edge, ...]]:
        return _grouped(self.edges, lambda edge: edge.target)

    def following(self, location: int) -> list[int]:
        """The locations one step after a location."""
        return [edge.target for edge in self.outgoing.get(location, ())]

    def preceding(self, location: int) -> list[int]:
        """The locations one step before a location."""
        return [edge.source for edge in self.incoming.get(location, ())]

    @cached_property
    def locations(self) -> tuple[int, ...]:
        """The entry and the exit, and all others in the order of the edges."""
        ends = (place for edge in self.edges for place in (edge.source, edge.target))
        return tuple(dict.fromkeys((self.entry, self.exit, *ends)))

    @cached_property
    def callees(self) -> tuple[str, ...]:
        """The procedures that are called, each once."""
        return tuple(dict.fromkeys(edge.label.procedure for edge in self.edges if isinstance(edge.label, Call)))


def _grouped(edges: tuple[Edge, ...], key: Callable[[Edge], int]) -> dict[int, tuple[Edge, ...]]:
    groups: dict[int, list[Edge]] = {}
    for edge in edges:
        groups.setdefault(key(edge), []).append(edge)
    return {location: tuple(group) for location, group in groups.items()}


class StaticObject(Struct, frozen=True):
    """A global, a static local, a string literal or a function, at the start of its slot.

    `contents` holds the initialised bytes from the front; the rest of a global is zero. A function has size 0.
    """

    name: str
    address: int
    size: int
    contents: bytes = b""
    read_only: bool = False


class GivenObject(Struct, frozen=True):
    """What reports call an object that the program is given when it starts; its elements have so many bytes."""

    name: str
    element: int

    def place(self, offset: int) -> str:
        """A pointer into the object, as a C expression."""
        if self.element > 1:
            return f"&{self.name}[{offset // self.element}]"
        return f"{self.name} + {offset}" if offset else self.name


class Layout(Struct, frozen=True):
    """Widths of the data model, and how addresses divide into slots."""

    data_model: Literal["ILP32", "LP64"]
    pointer_bits: int
    slot_bits: int

    @property
    def slot(self) -> int:
        return 1 << self.slot_bits

    def offset(self, address: Term) -> Term:
        """The offset part of an address, at pointer width."""
        return bitvectors.binary("bvand", bitvectors.constant(self.slot - 1, self.pointer_bits), address)

    def valid(self, address: Term, size: int) -> Term:
        """The condition under which `size` bytes may be accessed at an address."""
        room = bitvectors.room(address)
        needed = bitvectors.constant(size, self.pointer_bits)
        offset = self.offset(address)
        fits = bitvectors.compare("bvule", offset, bitvectors.binary("bvsub", room, needed))
        return terms.conjunction(bitvectors.compare("bvule", needed, room), fits)


class ControlFlowProgram(Struct, frozen=True, eq=False, dict=True):
    """A whole program. Execution begins at `procedures[entry]`, with `initial` registers and static objects.

    `assumptions` are what a verdict rests on beyond the text (functions without a body, fixed bounds), one sentence
    each; they are listed with every verdict. `functions` gives the address of each function whose address is taken.
    `started` is the function that the entry procedure calls, where that one is no function of the source.
    `concerns` are warned of beside every verdict. `formula` is the temporal one whose propositions observations have,
    or, where there are threads, whose propositions are `watched`.
    `loops` says where loops are in the source, by what their steps tell of it (`pincer.program.loops`). `given` tells
    by their addresses the objects of the command line.
    """

    file: str
    layout: Layout
    procedures: Mapping[str, Procedure]
    entry: str
    initial: Mapping[Term, int]
    objects: tuple[StaticObject, ...]
    variables: tuple[SourceVariable, ...]
    first_free: int
    assumptions: tuple[Assumption, ...] = ()
    functions: Mapping[str, int] = {}
    concerns: tuple[Concern, ...] = ()
    started: str | None = None
    formula: str = ""
    watched: tuple[Watched, ...] = ()
    loops: Mapping[Position, Position] = {}
    given: Mapping[int, GivenObject] = {}

    @property
    def entry_function(self) -> str:
        """The function of the source in which execution begins."""
        return self.started or self.entry

    @property
    def top(self) -> Term:
        """The register `$top`."""
        return register_of(None, "", self.layout.pointer_bits, Role.TOP)

    def name_at(self, address: int, whole: bool = False) -> str | None:
        """What the source calls the byte at an address, or the `whole` structure there, if a variable lies there."""
        found = self.variable_at(address)
        return None if found is None else found[0].name + part_name(found[0].parts, found[1], whole)

    def variable_at(self, address: int) -> tuple[SourceVariable, int] | None:
        """The variable around the byte at an address, and how far inside it the byte is."""
        offset = address & (self.layout.slot - 1)
        variable = self._placed.get(address - offset)
        return None if variable is None else (variable, offset)

    @cached_property
    def _placed(self) -> Mapping[int, SourceVariable]:
        return {
            variable.address.args[0]: variable
            for variable in self.variables
            if variable.address is not None and variable.address.op == "bvconst"
        }

    @cached_property
    def callers(self) -> Mapping[str, tuple[str, ...]]:
        """The procedures that call each procedure."""
        found: dict[str, list[str]] = {name: [] for name in self.procedures}
        for name, procedure in self.procedures.items():
            for callee in procedure.callees:
                found.setdefault(callee, []).append(name)
        return {name: tuple(above) for name, above in found.items()}

    def callees(self, name: str) -> tuple[str, ...]:
        """The procedures that a procedure calls."""
        return self.procedures[name].callees

    def edges(self) -> Iterator[Edge]:
        for procedure in self.procedures.values():
            yield from procedure.edges
