"""What the names of a program stand for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from msgspec import Struct

from pincer.program.guarded import FiniteType, GuardedProgram, GuardedVariable, Number, Type


class IndexRange(Struct, frozen=True):
    low: int
    high: int


@dataclass
class GuardedScope:
    """Constants, variables by expanded name, arrays, and the enumerations in which a name is a value.

    Equal enumerations are one object here, so that they can be compared by identity. `lenient` lets a finite
    variable stand for its number wherever an integer is wanted: formulas that tools write may need that,
    programs may not use it.
    """

    lenient: bool = False
    constants: dict[str, int] = field(default_factory=dict)
    later_constants: set[str] = field(default_factory=set)
    variables: dict[str, GuardedVariable] = field(default_factory=dict)
    arrays: dict[str, IndexRange] = field(default_factory=dict)
    values: dict[str, tuple[tuple[FiniteType, Number], ...]] = field(default_factory=dict)
    _types: dict[Type, Type] = field(default_factory=dict)

    def intern(self, type_: Type) -> Type:
        """The one object for `type_`; the first time, an enumeration's names become values of it."""
        known = self._types.get(type_)
        if known is not None:
            return known
        self._types[type_] = type_
        if isinstance(type_, FiniteType) and type_.names is not None and not type_.is_bool:
            for number, name in enumerate(type_.names, type_.low):
                self.values[name] = (*self.values.get(name, ()), (type_, Number(number)))
        return type_

    def names(self) -> Iterable[str]:
        scalars = (name for name in self.variables if "[" not in name)
        return (*self.constants, *scalars, *self.arrays, *self.values)


def element_name(array: str, index: int) -> str:
    return f"{array}[{index}]"


def program_scope(program: GuardedProgram) -> GuardedScope:
    """The scope of formulas over the expanded program; the latest one is kept, as callers ask many times."""
    global _latest
    latest = _latest
    if latest is None or latest[0] is not program:
        latest = _latest = (program, _scope_of(program, lenient=True))
    return latest[1]


def strict_scope(program: GuardedProgram) -> GuardedScope:
    """The scope of what a user writes about the expanded program."""
    return _scope_of(program, lenient=False)


_latest: tuple[GuardedProgram, GuardedScope] | None = None


def _scope_of(program: GuardedProgram, lenient: bool) -> GuardedScope:
    scope = GuardedScope(lenient=lenient, constants=dict(program.constants))
    for variable in program.variables:
        type_ = scope.intern(variable.type)
        scope.variables[variable.name] = GuardedVariable(variable.name, type_, variable.position)
        array, bracket, index = variable.name.partition("[")
        if bracket:
            number = int(index.rstrip("]"))
            known = scope.arrays.get(array, IndexRange(number, number))
            scope.arrays[array] = IndexRange(min(known.low, number), max(known.high, number))
    return scope
