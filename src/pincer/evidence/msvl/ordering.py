"""What statements may read and write at their first state: conjuncts run in the order of their data, not of the text.

Names stand for variables, wherever they are declared; POINTED stands for whatever an address may lead to.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import reduce

from msgspec import Struct
from msgspec.structs import replace

from pincer.evidence.msvl.remainders import (
    Activated,
    Assignments,
    Conjoined,
    Counting,
    Projecting,
    Remainder,
    Scoping,
    Sequel,
    Side,
)
from pincer.frontends.msvl import syntax
from pincer.frontends.msvl.program import LIBRARY, Program
from pincer.frontends.msvl.syntax import Node

POINTED = "*"
_NO_NAMES: frozenset[str] = frozenset()


class TouchedVariables(Struct, frozen=True):
    """`ends` says whether the statement may end at this state, so that what follows it begins here as well."""

    reads: frozenset[str] = _NO_NAMES
    writes: frozenset[str] = _NO_NAMES
    ends: bool = True

    def __or__(self, other: TouchedVariables) -> TouchedVariables:
        """One or the other, or both at the same time: it may end when one of them may."""
        return TouchedVariables(self.reads | other.reads, self.writes | other.writes, self.ends or other.ends)

    def then(self, other: TouchedVariables) -> TouchedVariables:
        return replace(self | other, ends=other.ends) if self.ends else self

    def without(self, names: Iterable[str]) -> TouchedVariables:
        return replace(self, reads=self.reads.difference(names), writes=self.writes.difference(names))


_NEVER = TouchedVariables(ends=False)


def _any(found: Iterable[TouchedVariables]) -> TouchedVariables:
    return reduce(TouchedVariables.__or__, found, _NEVER)


def _sequence(found: Iterable[TouchedVariables]) -> TouchedVariables:
    return reduce(TouchedVariables.then, found, TouchedVariables())


@dataclass
class Ordering:
    """Statements of one program; what functions do is found by going round until nothing is added."""

    program: Program
    _first: dict[str, TouchedVariables] = field(default_factory=dict)
    _whole: dict[str, TouchedVariables] = field(default_factory=dict)
    _known: dict[Node, TouchedVariables] = field(default_factory=dict)

    def __post_init__(self) -> None:
        functions = self.program.functions
        self._pointers = _pointer_names(self.program)
        self._first = dict.fromkeys(functions, TouchedVariables())
        self._whole = dict.fromkeys(functions, TouchedVariables())
        while True:
            first = {name: self._first[name] | self.of(f.body).without(f.own) for name, f in functions.items()}
            whole = {name: self._whole[name] | self._life(f.body).without(f.own) for name, f in functions.items()}
            self._known.clear()
            if (first, whole) == (self._first, self._whole):
                return
            self._first, self._whole = first, whole

    def waits(self, one: TouchedVariables, others: Iterable[TouchedVariables]) -> bool:
        """Whether others may write at this state what one reads."""
        taken = self.program.address_taken
        for other in others:
            pointed = POINTED in other.writes and one.reads & taken
            if one.reads & other.writes or pointed or (POINTED in one.reads and other.writes & taken):
                return True
        return False

    def of(self, node: Node) -> TouchedVariables:
        """What the statement, or what remains of one, does at its first state."""
        if isinstance(node, Remainder):
            return self._compound(node)
        if node not in self._known:
            self._known[node] = self._simple(node)
        return self._known[node]

    def _simple(self, node: Node) -> TouchedVariables:
        match node:
            case syntax.Immediate(target, value):
                return self._read(value) | self._place(target) | TouchedVariables(writes=self._name(target))
            case syntax.Unit(target, value):
                return replace(self._read(value) | self._place(target), ends=False)
            case syntax.Declaration(_, declarators):
                return self._declaration(declarators)
            case syntax.InputStatement(targets):
                return _any([*map(self._place, targets), *(TouchedVariables(writes=self._name(t)) for t in targets)])
            case syntax.OutputStatement(values):
                return self._read(*values)
            case syntax.LengthStatement(value) | syntax.HaltStatement(value):
                return self._read(value)
            case syntax.Bind(_, call) | syntax.Evaluate(syntax.Call(external=False) as call) if (
                call.function in self.program.functions
            ):
                return self._read(*call.arguments).then(self._first[call.function])
            case syntax.Evaluate(expression):
                return self._read(expression)
            case syntax.Skip() | syntax.More() | syntax.Next():
                return _NEVER
        return self._compound(node)

    def _compound(self, node: Node) -> TouchedVariables:
        match node:
            case Counting(left):
                return TouchedVariables(ends=left == 0)
            case Assignments(cells):
                return TouchedVariables(writes=frozenset(variable.name for variable, _, _ in cells if variable.there))
            case syntax.And(parts) | Conjoined(parts):
                found = [self.of(part) for part in parts]
                return replace(_any(found), ends=all(one.ends for one in found))
            case syntax.Or(parts) | syntax.Parallel(parts) | Side(parts):
                return _any(map(self.of, parts))
            case syntax.Chop(parts):
                return _sequence(map(self.of, parts))
            case Sequel(first, after):
                return self.of(first).then(self.of(after))
            case syntax.If(condition, then, otherwise):
                return self._read(condition).then(_any(self.of(way) for way in (then, otherwise) if way is not None))
            case syntax.While(condition, body):
                return self._read(condition) | self.of(body)
            case syntax.Always(body) | syntax.Keep(body) | syntax.Fin(body):
                return replace(self.of(body), ends=True)
            case syntax.Local(names, body):
                return self.of(body).without(names)
            case syntax.Projection(parts, whole) | Projecting(parts, whole):
                before = _sequence(map(self.of, parts))
                return replace(before | self.of(whole), ends=before.ends)
            case Scoping(_, body) | Activated(_, _, body):
                return self.of(body)
        return TouchedVariables()

    def _declaration(self, declarators: tuple[syntax.Declarator, ...]) -> TouchedVariables:
        names = frozenset(one.name for one in declarators)
        used = [part for one in declarators for part in (*one.dimensions, one.initial) if part is not None]
        found = self._read(*used)
        ends = not any(one.unit for one in declarators)
        return TouchedVariables(found.reads - names, found.writes | names, ends)

    def _read(self, *expressions: Node) -> TouchedVariables:
        """What evaluating expressions reads, and writes through external calls."""
        return _any([TouchedVariables(), *map(self._read_one, expressions)])

    def _read_one(self, expression: Node) -> TouchedVariables:
        match expression:
            case syntax.Name() | syntax.Index() | syntax.MemberAccess() | syntax.Unary("*"):
                return self._place(expression) | TouchedVariables(self._name(expression))
            case syntax.Unary("&", operand):
                return self._place(operand)
            case syntax.Call(function, arguments):
                return self._read(*arguments) | self._external(function)
        return self._read(*syntax.children(expression))

    def _place(self, place: Node) -> TouchedVariables:
        """What finding a place reads: indices, and the pointers on the way."""
        match place:
            case syntax.Name():
                return TouchedVariables()
            case syntax.Index(base, indices):
                return (self._place(base) if self._is_array(base) else self._read(base)) | self._read(*indices)
            case syntax.MemberAccess(base, _, arrow):
                return self._read(base) if arrow else self._place(base)
        return self._read(*syntax.children(place))

    def _name(self, place: Node) -> frozenset[str]:
        """The variable that a place belongs to."""
        match place:
            case syntax.Name(text):
                return frozenset((text,))
            case syntax.Index(base) if self._is_array(base):
                return self._name(base)
            case syntax.MemberAccess(base, _, False):
                return self._name(base)
        return frozenset((POINTED,))

    def _is_array(self, base: Node) -> bool:
        """Whether an indexed expression is certainly an array in place."""
        while isinstance(base, syntax.Index):
            base = base.base
        return isinstance(base, syntax.Name) and base.text not in self._pointers

    def _external(self, name: str) -> TouchedVariables:
        """All that a function may read and write until it ends."""
        if name in self.program.functions:
            return self._whole[name]
        pointed = frozenset((POINTED,))
        return TouchedVariables(pointed, pointed if LIBRARY[name].writes else _NO_NAMES)

    def _life(self, body: Node) -> TouchedVariables:
        total = TouchedVariables()
        for node in syntax.descendants(body):
            match node:
                case syntax.Immediate(target) | syntax.Unit(target):
                    total |= TouchedVariables(writes=self._name(target))
                case syntax.InputStatement(targets):
                    total = _any([total, *(TouchedVariables(writes=self._name(target)) for target in targets)])
                case syntax.Name() | syntax.Call() | syntax.Unary() | syntax.Index() | syntax.MemberAccess():
                    total |= self._read_one(node)
        return total


def _pointer_names(program: Program) -> frozenset[str]:
    """The names that mean a pointer somewhere: indexing them leads to other variables."""
    names: set[str] = set()
    for node in syntax.descendants(program.written, inside_definitions=True):
        match node:
            case syntax.Declarator(name, stars) if stars:
                names.add(name)
            case syntax.Parameter(_, syntax.Declarator(name)):
                names.add(name)
            case syntax.Declaration(type_, declarators) if type_.stars or "string" in type_.words:
                names.update(declarator.name for declarator in declarators)
    return frozenset(names)
