"""A guarded-command program after expansion: flat variables, flat transitions, typed expressions.

Three independent readers work from this form: the lowering to a transition system that the engines run on, the
interpreter that replays counterexamples, and the SMT-LIB writer behind the certificate checker.

Every value is an integer. A finite type numbers its values from `low` to `high`; an enumeration counts its names
from zero, and `bool` is the enumeration {false, true}.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from msgspec import Struct

from pincer.errors import Position


class IntType(Struct, frozen=True):
    """Mathematical integers."""


class FiniteType(Struct, frozen=True):
    """The integers low..high; `names` gives each value a name where the type is an enumeration."""

    low: int
    high: int
    names: tuple[str, ...] | None = None

    @property
    def is_bool(self) -> bool:
        return self.names == ("false", "true")


BOOL = FiniteType(0, 1, ("false", "true"))

Type: TypeAlias = IntType | FiniteType


class Number(Struct, frozen=True):
    value: int


class VariableRef(Struct, frozen=True):
    """The integer value of a variable (of a Boolean one: 0 or 1)."""

    name: str


class Negate(Struct, frozen=True):
    operand: Expression


class Arithmetic(Struct, frozen=True):
    """`*` has a constant side; `div` and `mod` (floor) have a positive constant on the right."""

    operator: Literal["+", "-", "*", "div", "mod"]
    left: Expression
    right: Expression


class Conditional(Struct, frozen=True):
    """`if condition then a else b` over integers; Boolean conditionals are expanded into connectives."""

    condition: Formula
    then: Expression
    otherwise: Expression


Expression: TypeAlias = Number | VariableRef | Negate | Arithmetic | Conditional


class Truth(Struct, frozen=True):
    value: bool


class Comparison(Struct, frozen=True):
    operator: Literal["=", "!=", "<", "<=", ">", ">="]
    left: Expression
    right: Expression


class Not(Struct, frozen=True):
    operand: Formula


class Connective(Struct, frozen=True):
    """`=>` and `<=>` have exactly two operands, `&&` and `||` two or more."""

    operator: Literal["&&", "||", "=>", "<=>"]
    operands: tuple[Formula, ...]


class Deadlock(Struct, frozen=True):
    """No transition of the program is enabled. Appears in properties only."""


Formula: TypeAlias = Truth | Comparison | Not | Connective | Deadlock


class GuardedChoice(Struct, frozen=True):
    """Any integer (both bounds None) or any integer in low..high."""

    low: int | None
    high: int | None


class GuardedVariable(Struct, frozen=True):
    name: str
    type: Type
    position: Position

    @property
    def finite(self) -> bool:
        return isinstance(self.type, FiniteType)


class GuardedTransition(Struct, frozen=True):
    """`name: guard -> assignments`, all assignments at once; variables not assigned keep their values.

    A step that would give a finite variable a value outside its type is a violation of the implicit property
    `range`; the run ends there. Such a transition still counts as enabled.
    """

    name: str
    process: str | None
    guard: Formula
    assignments: tuple[tuple[str, Expression | GuardedChoice], ...]
    position: Position
    instance: tuple[int, ...] = ()
    """The indices of its process, and so of the instance it belongs to."""


class GuardedProperty(Struct, frozen=True):
    """`formula` must hold in every reachable state."""

    name: str
    formula: Formula
    position: Position


class TemporalProperty(Struct, frozen=True):
    """A formula that must hold on every run: on infinite ones, and on those that end in deadlock.

    `text` is PPTL (LTL after `ltl:`) over the names of `propositions`, in the columns of what was `written`.
    """

    name: str
    written: str
    text: str
    propositions: tuple[tuple[str, Formula], ...]
    position: Position


class FairGroup(Struct, frozen=True):
    """Transitions that are owed steps together: an instance of a process, or some transitions of it.

    Weakly fair: where one of them is enabled in every state from some point on, one of them is taken again and again.
    Strongly fair: already where that is so in infinitely many states.
    """

    name: str
    strong: bool
    transitions: tuple[str, ...]


RANGE_PROPERTY = "range"


class ExpansionLimits(Struct, frozen=True):
    """Beyond these a program is refused as unsupported: no engine could hold what it expands to."""

    instances: int = 1_000_000
    """Instances of quantifiers, processes and array elements: more take minutes to write down."""
    cases: int = 4096
    """Cases that one transition may split into; they multiply with every conditional and finite choice."""


LIMITS = ExpansionLimits()


class GuardedProgram(Struct, frozen=True):
    """`init` holds in exactly the initial states, together with the types of the finite variables."""

    name: str
    variables: tuple[GuardedVariable, ...]
    init: Formula
    transitions: tuple[GuardedTransition, ...]
    properties: tuple[GuardedProperty, ...]
    file: str
    sha256: str
    constants: Mapping[str, int]
    temporal: tuple[TemporalProperty, ...] = ()
    fairness: tuple[FairGroup, ...] = ()

    def variable(self, name: str) -> GuardedVariable:
        return next(v for v in self.variables if v.name == name)


def value_text(type_: Type, value: int) -> str:
    """The value as the user writes it: an enumeration's name or a number."""
    if isinstance(type_, FiniteType) and type_.names is not None and type_.low <= value <= type_.high:
        return type_.names[value - type_.low]
    return str(value)
