"""Copies of what a run stands on, its memory, its names and what remains of it, perhaps with other values."""

from __future__ import annotations

from collections.abc import Callable

from pincer.errors import UnsupportedError
from pincer.evidence.msvl.memory import CellAddress, CellVariable, Datum, NameScope, StructValue, VariableMemory
from pincer.evidence.msvl.remainders import (
    Activated,
    AnyRemainder,
    Assignments,
    Conjoined,
    Counting,
    Projecting,
    Remainder,
    Scoping,
    Sequel,
    Side,
)
from pincer.frontends.msvl.syntax import Node


class Renewal:
    """One copy: each variable and scope is copied once. `value` says what becomes of simple values."""

    def __init__(self, value: Callable[[Datum], Datum]) -> None:
        self._value = value
        self._variables: dict[int, CellVariable] = {}
        self._scopes: dict[int, NameScope] = {}

    def memory(self, memory: VariableMemory) -> VariableMemory:
        return VariableMemory({number: self.variable(variable) for number, variable in memory.variables.items()})

    def variable(self, variable: CellVariable) -> CellVariable:
        made = self._variables.get(id(variable))
        if made is None:
            v = variable
            made = CellVariable(v.number, v.name, v.type, v.size, v.automatic, v.declared, v.there)
            self._variables[id(variable)] = made
            made.cells = {offset: self.value(value) for offset, value in v.cells.items()}
        return made

    def scope(self, scope: NameScope) -> NameScope:
        made = self._scopes.get(id(scope))
        if made is None:
            parent = None if scope.parent is None else self.scope(scope.parent)
            made = self._scopes[id(scope)] = NameScope(parent)
            made.own = {name: self.variable(variable) for name, variable in scope.own.items()}
        return made

    def value(self, value: Datum) -> Datum:
        match value:
            case CellAddress(variable, offset, target, low, high) if variable is not None:
                return CellAddress(self.variable(variable), offset, target, low, high)
            case StructValue(tag, cells):
                return StructValue(tag, tuple(map(self.value, cells)))
        return self._value(value)

    def node(self, node: Node) -> Node:
        """What remains of a program; what stands in its text is the same for all copies."""
        match node:
            case Assignments(cells):
                return Assignments(tuple((self.variable(v), offset, self.value(value)) for v, offset, value in cells))
            case Sequel(first, after):
                return Sequel(self.node(first), self.node(after))
            case Conjoined(parts) | Side(parts):
                return type(node)(tuple(map(self.node, parts)))
            case Projecting(parts, whole):
                return Projecting(tuple(map(self.node, parts)), self.node(whole))
            case Scoping(scope, body):
                return Scoping(self.scope(scope), self.node(body))
            case Activated(function, scope, body, result):
                kept = None if result is None else self.variable(result)
                return Activated(function, self.scope(scope), self.node(body), kept)
            case Counting() | AnyRemainder():
                return node
        if isinstance(node, Remainder):
            raise UnsupportedError(f"a {type(node).__name__} cannot be copied")
        return node
