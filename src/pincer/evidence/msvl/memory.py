"""The memory of a run: variables with their cells, the values they hold, and the names that mean them.

Numbers of variables are only for showing them: a new variable gets the smallest number that no other one has.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from msgspec import Struct

from pincer.evidence.msvl.forms import LinearForm
from pincer.frontends.msvl.types import Type


class NoState(Exception):
    """A state cannot be made: the run breaks here."""


class RunCut(Exception):
    """A bound is reached: the run is not followed any further."""


class Nothing(Struct, frozen=True):
    """No value yet."""

    def __str__(self) -> str:
        return "NIL"


NIL: Final = Nothing()


@dataclass(eq=False, slots=True)
class CellVariable:
    """Cells hold numbers, texts and addresses; arrays and structs have several. Cells without a value are absent.

    `automatic` ones keep their value without a frame. `declared` is false for names of a `local` without a type. The
    type is None for memory from `malloc` that no typed pointer has reached; then `size` counts bytes. `there` becomes
    false when the variable is gone.
    """

    number: int
    name: str
    type: Type | None
    size: int
    automatic: bool
    declared: bool = True
    there: bool = True
    cells: dict[int, Datum] = field(default_factory=dict)

    def get(self, offset: int) -> Datum:
        return self.cells.get(offset, NIL)

    def put(self, offset: int, value: Datum) -> None:
        if value is NIL:
            self.cells.pop(offset, None)
        else:
            self.cells[offset] = value


class CellAddress(Struct, frozen=True):
    """A cell of a variable within the array from `low` to `high`; NULL has no variable, `malloc` gives no target."""

    variable: CellVariable | None
    offset: int = 0
    target: Type | None = None
    low: int = 0
    high: int = 0

    def __str__(self) -> str:
        return "NULL" if self.variable is None else f"&{self.variable.number}[{self.offset}]"


NULL: Final = CellAddress(None)


class StructValue(Struct, frozen=True):
    """A struct as a value."""

    tag: str
    cells: tuple[Datum, ...]


class NamedFunction(Struct, frozen=True):
    """A function as a value; it can be passed on."""

    name: str

    def __str__(self) -> str:
        return self.name


Datum: TypeAlias = int | float | str | CellAddress | StructValue | NamedFunction | Nothing | LinearForm
"""Forms occur only where a program is followed for many values at once."""
Cell: TypeAlias = tuple[CellVariable, int]


def is_true(value: Datum) -> bool:
    return value.variable is not None if isinstance(value, CellAddress) else bool(value)


@dataclass(eq=False, slots=True)
class NameScope:
    """A scope: what names mean in it; other names mean what they do in its parent."""

    parent: NameScope | None = None
    own: dict[str, CellVariable] = field(default_factory=dict)

    def find(self, name: str) -> CellVariable | None:
        scope: NameScope | None = self
        while scope is not None:
            if name in scope.own:
                return scope.own[name]
            scope = scope.parent
        return None

    def chain(self) -> Iterator[NameScope]:
        """This scope and those around it, except the outermost."""
        scope: NameScope | None = self
        while scope is not None and scope.parent is not None:
            yield scope
            scope = scope.parent


@dataclass(slots=True)
class VariableMemory:
    """All variables that exist, by number."""

    variables: dict[int, CellVariable] = field(default_factory=dict)

    def new(
        self, name: str, type_: Type | None, size: int, automatic: bool = True, declared: bool = True
    ) -> CellVariable:
        number = 1
        while number in self.variables:
            number += 1
        made = self.variables[number] = CellVariable(number, name, type_, size, automatic, declared)
        return made

    def release(self, variable: CellVariable) -> None:
        variable.there = False
        del self.variables[variable.number]
