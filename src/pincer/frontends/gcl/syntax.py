"""The syntax tree of a `.gcl` file, as written: nothing expanded, nothing resolved.

Every `at` is an offset into the source text; an expression's is where it begins.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias


@dataclass(frozen=True, slots=True)
class Identifier:
    """A name where it is defined."""

    text: str
    at: int


@dataclass(frozen=True, slots=True)
class Numeral:
    digits: str
    at: int


@dataclass(frozen=True, slots=True)
class Boolean:
    value: bool
    at: int


@dataclass(frozen=True, slots=True)
class DeadlockWord:
    at: int


@dataclass(frozen=True, slots=True)
class NameRead:
    text: str
    at: int


@dataclass(frozen=True, slots=True)
class ElementRead:
    """`name[index]`."""

    name: str
    index: Tree
    at: int


@dataclass(frozen=True, slots=True)
class Prefix:
    operator: Literal["!", "-"]
    operand: Tree
    at: int


@dataclass(frozen=True, slots=True)
class Infix:
    """Any operator between two operands except `&&` and `||`."""

    operator: str
    left: Tree
    right: Tree
    at: int


@dataclass(frozen=True, slots=True)
class Chain:
    """`a && b && c` or `a || b || c`, written without inner parentheses."""

    operator: Literal["&&", "||"]
    operands: tuple[Tree, ...]
    at: int


@dataclass(frozen=True, slots=True)
class IfThenElse:
    condition: Tree
    then: Tree
    otherwise: Tree
    at: int


@dataclass(frozen=True, slots=True)
class RangeTree:
    low: Tree
    high: Tree

    @property
    def at(self) -> int:
        return self.low.at


@dataclass(frozen=True, slots=True)
class Binder:
    """`name in low..high`."""

    name: Identifier
    range: RangeTree


@dataclass(frozen=True, slots=True)
class Quantified:
    quantifier: Literal["forall", "exists"]
    binders: tuple[Binder, ...]
    body: Tree
    at: int


Tree: TypeAlias = (
    Numeral | Boolean | DeadlockWord | NameRead | ElementRead | Prefix | Infix | Chain | IfThenElse | Quantified
)


@dataclass(frozen=True, slots=True)
class SimpleType:
    name: Literal["int", "bool"]
    at: int


@dataclass(frozen=True, slots=True)
class Enumeration:
    names: tuple[Identifier, ...]

    @property
    def at(self) -> int:
        return self.names[0].at


TypeTree: TypeAlias = SimpleType | Enumeration | RangeTree


@dataclass(frozen=True, slots=True)
class Constant:
    name: Identifier
    value: Tree


@dataclass(frozen=True, slots=True)
class DeclaredName:
    """One name of a variable declaration; `range` makes it an array."""

    name: Identifier
    range: RangeTree | None


@dataclass(frozen=True, slots=True)
class VariablesDeclaration:
    keyword: Literal["var", "control"]
    declarators: tuple[DeclaredName, ...]
    type: TypeTree
    initial: Tree | None


@dataclass(frozen=True, slots=True)
class Init:
    formula: Tree


@dataclass(frozen=True, slots=True)
class NondetWord:
    """`nondet` or `nondet(low..high)`."""

    range: RangeTree | None
    at: int


@dataclass(frozen=True, slots=True)
class Assignment:
    target: NameRead | ElementRead
    value: Tree | NondetWord


@dataclass(frozen=True, slots=True)
class Command:
    """`name: guard -> assignments`, of a process or of none."""

    name: Identifier
    guard: Tree
    assignments: tuple[Assignment, ...]


@dataclass(frozen=True, slots=True)
class Process:
    name: Identifier
    binders: tuple[Binder, ...]
    commands: tuple[Command, ...]


@dataclass(frozen=True, slots=True)
class Safety:
    name: Identifier
    formula: Tree


Declaration: TypeAlias = Constant | VariablesDeclaration | Init | Process | Command | Safety


@dataclass(frozen=True, slots=True)
class ProgramTree:
    name: Identifier | None
    declarations: tuple[Declaration, ...]
