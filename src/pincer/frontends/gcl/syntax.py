"""The syntax tree of a `.gcl` file, as written: nothing expanded, nothing resolved.

Every `at` is an offset into the source text; an expression's is where it begins.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct


class Identifier(Struct, frozen=True):
    """A name where it is defined."""

    text: str
    at: int


class Numeral(Struct, frozen=True):
    digits: str
    at: int


class Boolean(Struct, frozen=True):
    value: bool
    at: int


class DeadlockWord(Struct, frozen=True):
    at: int


class NameRead(Struct, frozen=True):
    text: str
    at: int


class ElementRead(Struct, frozen=True):
    """`name[index]`."""

    name: str
    index: Tree
    at: int


class Prefix(Struct, frozen=True):
    operator: Literal["!", "-"]
    operand: Tree
    at: int


class Infix(Struct, frozen=True):
    """Any operator between two operands except `&&` and `||`."""

    operator: str
    left: Tree
    right: Tree
    at: int


class Chain(Struct, frozen=True):
    """`a && b && c` or `a || b || c`, written without inner parentheses."""

    operator: Literal["&&", "||"]
    operands: tuple[Tree, ...]
    at: int


class IfThenElse(Struct, frozen=True):
    condition: Tree
    then: Tree
    otherwise: Tree
    at: int


class RangeTree(Struct, frozen=True):
    low: Tree
    high: Tree

    @property
    def at(self) -> int:
        return self.low.at


class Binder(Struct, frozen=True):
    """`name in low..high`."""

    name: Identifier
    range: RangeTree


class Quantified(Struct, frozen=True):
    quantifier: Literal["forall", "exists"]
    binders: tuple[Binder, ...]
    body: Tree
    at: int


Tree: TypeAlias = (
    Numeral | Boolean | DeadlockWord | NameRead | ElementRead | Prefix | Infix | Chain | IfThenElse | Quantified
)


class SimpleType(Struct, frozen=True):
    name: Literal["int", "bool"]
    at: int


class Enumeration(Struct, frozen=True):
    names: tuple[Identifier, ...]

    @property
    def at(self) -> int:
        return self.names[0].at


TypeTree: TypeAlias = SimpleType | Enumeration | RangeTree


class Constant(Struct, frozen=True):
    name: Identifier
    value: Tree


class DeclaredName(Struct, frozen=True):
    """One name of a variable declaration; `range` makes it an array."""

    name: Identifier
    range: RangeTree | None


class VariablesDeclaration(Struct, frozen=True):
    keyword: Literal["var", "control"]
    declarators: tuple[DeclaredName, ...]
    type: TypeTree
    initial: Tree | None


class Init(Struct, frozen=True):
    formula: Tree


class NondetWord(Struct, frozen=True):
    """`nondet` or `nondet(low..high)`."""

    range: RangeTree | None
    at: int


class Assignment(Struct, frozen=True):
    target: NameRead | ElementRead
    value: Tree | NondetWord


class Command(Struct, frozen=True):
    """`name: guard -> assignments`, of a process or of none."""

    name: Identifier
    guard: Tree
    assignments: tuple[Assignment, ...]


class Process(Struct, frozen=True):
    name: Identifier
    binders: tuple[Binder, ...]
    commands: tuple[Command, ...]


class Safety(Struct, frozen=True):
    name: Identifier
    formula: Tree


Declaration: TypeAlias = Constant | VariablesDeclaration | Init | Process | Command | Safety


class ProgramTree(Struct, frozen=True):
    name: Identifier | None
    declarations: tuple[Declaration, ...]
