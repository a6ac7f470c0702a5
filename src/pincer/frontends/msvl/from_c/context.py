"""What the translation of a file and of a function carries along."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NoReturn

from msgspec import Struct

from pincer.errors import UnsupportedError
from pincer.frontends.c.semantics.context import TypedProgram
from pincer.frontends.c.semantics.symbols import Variable
from pincer.frontends.c.semantics.tree import Written
from pincer.frontends.c.semantics.types import VOID, CType, Function
from pincer.frontends.msvl import syntax
from pincer.frontends.msvl.from_c.arithmetic import IntegerArithmetic, NotExact, Operand
from pincer.frontends.msvl.from_c.names import TranslatedNames
from pincer.frontends.msvl.from_c.steps import NO_FLAGS, Step, at_once
from pincer.frontends.msvl.from_c.types import Types
from pincer.frontends.msvl.syntax import Statement


class Scheme(Struct, frozen=True):
    """Choices of the translation.

    `merge_declarations` puts the declarations at the beginning of a function into one state, `merge_input` reads a
    variable in the state that declares it, `drop_abort` leaves out `abort()` and the tests that only lead to it, and
    `compat` adds the state that C2M spends after a `return`.
    """

    merge_declarations: bool = False
    merge_input: bool = False
    drop_abort: bool = False
    compat: bool = False


class TranslationMeans(Struct, frozen=True):
    """What translates each kind of expression, as a value and as a place, and each kind of statement."""

    values: Mapping[type, Callable[..., Operand]]
    places: Mapping[type, Callable[..., Operand]]
    statements: Mapping[type, Callable[..., None]]


@dataclass
class Whole:
    """The program being translated. `ending` gives the flags by which each function may end the whole program."""

    program: TypedProgram
    means: TranslationMeans
    arithmetic: IntegerArithmetic
    types: Types
    names: TranslatedNames
    scheme: Scheme
    ending: Mapping[str, frozenset[str]]
    functions: dict[str, str] = field(default_factory=dict)
    variables: dict[Variable, str] = field(default_factory=dict)
    statics: list[Step] = field(default_factory=list)
    framed: list[str] = field(default_factory=list)
    texts: dict[bytes, str] = field(default_factory=dict)
    flags: set[str] = field(default_factory=set)
    locals: dict[str, list[str]] = field(default_factory=dict)

    def refuse(self, what: str, node: Written | None) -> NoReturn:
        message = f"{what}: this has no exact translation to MSVL; rewrite it or check the C file directly"
        raise UnsupportedError(message, self.program.position(node))

    @contextmanager
    def exactly(self, node: Written | None) -> Iterator[None]:
        """What turns out to have no counterpart in here is reported at the node."""
        try:
            yield
        except NotExact as problem:
            self.refuse(str(problem), node)


@dataclass
class TranslatedBody:
    """A function, or the static initialisers when `name` is empty. Expressions leave their effects in `steps`."""

    whole: Whole
    name: str
    type: Function
    names: TranslatedNames
    steps: list[Step] = field(default_factory=list)
    framed: list[str] = field(default_factory=list)
    breaks: list[str] = field(default_factory=list)
    continues: list[str] = field(default_factory=list)
    level: int = 0
    block: int = 0
    temporaries: int = 0
    switches: int = 0
    returns: bool = False

    @property
    def arithmetic(self) -> IntegerArithmetic:
        return self.whole.arithmetic

    def emit(self, statement: Statement, exits: frozenset[str] = NO_FLAGS, leaves: bool = False) -> None:
        self.steps.append(Step(statement, exits, leaves))

    @contextmanager
    def collecting(self) -> Iterator[list[Step]]:
        """Steps made inside go into the list instead."""
        outer, self.steps = self.steps, []
        try:
            yield self.steps
        finally:
            self.steps = outer

    def frame_name(self, name: str) -> str:
        if name not in self.framed:
            self.framed.append(name)
        return name

    def temporary(self) -> str:
        self.temporaries += 1
        return self.frame_name(self.names.claim(f"{self.name}_temp$_{self.temporaries}"))

    def saved(self, value: Operand, at: int | None = None) -> Operand:
        """The value in a temporary, from the given place among the steps on; constants need none."""
        return value if isinstance(value.expression, syntax.Number) else self.stored(value, at)

    def stored(self, value: Operand, at: int | None = None) -> Operand:
        """The value in a temporary that may be assigned later."""
        name = self.temporary()
        shape = self.whole.types.shape(value.type)
        step = Step(at_once(shape.declaration(name, value.expression)))
        self.steps.insert(len(self.steps) if at is None else at, step)
        return Operand(syntax.Name(name), value.type, value.low, value.high)

    def unset(self, type: CType) -> Operand:
        """A temporary without a value yet."""
        name = self.temporary()
        self.emit(at_once(self.whole.types.shape(type).declaration(name)))
        return self.arithmetic.any_of(syntax.Name(name), type)

    def assign(self, target: Operand, value: Operand) -> None:
        self.emit(syntax.Unit(target.expression, value.expression))


def new_body(whole: Whole, name: str, type: Function | None = None) -> TranslatedBody:
    function = type or Function(VOID, ())
    return TranslatedBody(whole, name, function, TranslatedNames(whole.names))
