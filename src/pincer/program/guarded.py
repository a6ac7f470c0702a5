"""A guarded-command program after expansion: flat variables, flat transitions, typed expressions.

Three independent readers work from this form: the lowering to a transition system that the engines run on, the
interpreter that replays counterexamples, and the SMT-LIB writer behind the certificate checker.

Every value is an integer. A finite type numbers its values from `low` to `high`; an enumeration counts its names
from zero, and `bool` is the enumeration {false, true}.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from pincer.errors import Position


@dataclass(frozen=True, slots=True)
class IntType:
    """Mathematical integers."""


@dataclass(frozen=True, slots=True)
class FiniteType:
    """The integers low..high; `names` gives each value a name where the type is an enumeration."""

    low: int
    high: int
    names: tuple[str, ...] | None = None

    @property
    def is_bool(self) -> bool:
        return self.names == ("false", "true")


BOOL = FiniteType(0, 1, ("false", "true"))

Type: TypeAlias = IntType | FiniteType


@dataclass(frozen=True, slots=True)
class Number:
    value: int


@dataclass(frozen=True, slots=True)
class VariableRef:
    """The integer value of a variable (of a Boolean one: 0 or 1)."""

    name: str


@dataclass(frozen=True, slots=True)
class Negate:
    operand: Expression


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """`*` has a constant side; `div` and `mod` (floor) have a positive constant on the right."""

    operator: Literal["+", "-", "*", "div", "mod"]
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Conditional:
    """`if condition then a else b` over integers; Boolean conditionals are expanded into connectives."""

    condition: Formula
    then: Expression
    otherwise: Expression


Expression: TypeAlias = Number | VariableRef | Negate | Arithmetic | Conditional


@dataclass(frozen=True, slots=True)
class Truth:
    value: bool


@dataclass(frozen=True, slots=True)
class Comparison:
    operator: Literal["=", "!=", "<", "<=", ">", ">="]
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Not:
    operand: Formula


@dataclass(frozen=True, slots=True)
class Connective:
    """`=>` and `<=>` have exactly two operands, `&&` and `||` two or more."""

    operator: Literal["&&", "||", "=>", "<=>"]
    operands: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Deadlock:
    """No transition of the program is enabled. Appears in properties only."""


Formula: TypeAlias = Truth | Comparison | Not | Connective | Deadlock


@dataclass(frozen=True, slots=True)
class GuardedChoice:
    """Any integer (both bounds None) or any integer in low..high."""

    low: int | None
    high: int | None


@dataclass(frozen=True, slots=True)
class GuardedVariable:
    name: str
    type: Type
    position: Position

    @property
    def finite(self) -> bool:
        return isinstance(self.type, FiniteType)


@dataclass(frozen=True, slots=True)
class GuardedTransition:
    """`name: guard -> assignments`, all assignments at once; variables not assigned keep their values.

    A step that would give a finite variable a value outside its type is a violation of the implicit property
    `range`; the run ends there. Such a transition still counts as enabled.
    """

    name: str
    process: str | None
    guard: Formula
    assignments: tuple[tuple[str, Expression | GuardedChoice], ...]
    position: Position


@dataclass(frozen=True, slots=True)
class GuardedProperty:
    """`formula` must hold in every reachable state."""

    name: str
    formula: Formula
    position: Position


RANGE_PROPERTY = "range"


@dataclass(frozen=True, slots=True)
class ExpansionLimits:
    """Beyond these a program is refused as unsupported: no engine could hold what it expands to."""

    instances: int = 1_000_000
    """Instances of quantifiers, processes and array elements: more take minutes to write down."""
    cases: int = 4096
    """Cases that one transition may split into; they multiply with every conditional and finite choice."""


LIMITS = ExpansionLimits()


@dataclass(frozen=True)
class GuardedProgram:
    """`init` holds in exactly the initial states, together with the types of the finite variables."""

    name: str
    variables: tuple[GuardedVariable, ...]
    init: Formula
    transitions: tuple[GuardedTransition, ...]
    properties: tuple[GuardedProperty, ...]
    file: str
    sha256: str
    constants: Mapping[str, int]

    def variable(self, name: str) -> GuardedVariable:
        return next(v for v in self.variables if v.name == name)


def value_text(type_: Type, value: int) -> str:
    """The value as the user writes it: an enumeration's name or a number."""
    if isinstance(type_, FiniteType) and type_.names is not None and type_.low <= value <= type_.high:
        return type_.names[value - type_.low]
    return str(value)
