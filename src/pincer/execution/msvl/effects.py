"""What a statement may read and write at its first state: conjuncts run in the order of their data, not of the text.

Names stand for variables; MEMORY stands for whatever a pointer may reach. Two variables of the same name in different
scopes are taken for one, which can only forbid an order, never allow a wrong one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any, NamedTuple

from pincer.execution.msvl.residual import (
    Anything,
    Both,
    Counted,
    Pending,
    PendingActivation,
    Project,
    Scoped,
    Then,
    Together,
)
from pincer.execution.msvl.store import VariableStore
from pincer.frontends.msvl import syntax
from pincer.frontends.msvl.program import LIBRARY, Program
from pincer.frontends.msvl.syntax import Node

MEMORY = "*"
Names = frozenset[str]
_NONE: Names = frozenset()


class StatementEffects(NamedTuple):
    """`ends` says whether the statement may end at this state, so that what follows it begins here as well."""

    reads: Names = _NONE
    writes: Names = _NONE
    ends: bool = True

    def then(self, other: StatementEffects) -> StatementEffects:
        return self.joined(other, other.ends) if self.ends else self

    def joined(self, other: StatementEffects, ends: bool) -> StatementEffects:
        return StatementEffects(self.reads | other.reads, self.writes | other.writes, ends)

    def without(self, hidden: Names) -> StatementEffects:
        return StatementEffects(self.reads - hidden, self.writes - hidden, self.ends)


FREE: tuple[StatementEffects, ...] = ()
ALONE: tuple[StatementEffects, ...] = (StatementEffects(),)
_QUIET = frozenset((syntax.FrameStatement, syntax.Skip, syntax.Empty, syntax.More, syntax.Next, Counted, Anything))
"""Statements that neither read nor write anything at their first state."""


class Analysis:
    """The effects of the statements of one program, remembered; remainders are looked at anew each time."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._known: dict[Node, StatementEffects] = {}
        self._schedules: dict[syntax.And | syntax.Parallel, tuple[StatementEffects, ...]] = {}
        self._calls: dict[str, StatementEffects] = {}
        self._whole: dict[str, StatementEffects] = {}
        self._complete = False

    @cached_property
    def _pointers(self) -> Names:
        return _pointer_names(self._program)

    def schedule(self, store: VariableStore, node: Node, parts: tuple[Node, ...]) -> tuple[StatementEffects, ...]:
        """The effects of the parts when their order matters.

        FREE when the order of the text will do, ALONE when moreover no two parts can write the same variable.
        """
        if isinstance(node, syntax.And | syntax.Parallel):
            known = self._schedules.get(node)
            if known is None:
                found = tuple(self.first(part) for part in parts)
                known = self._schedules[node] = found if self._ordered(found) else _freedom(found)
            return known
        loud = [part for part in parts if type(part) not in _QUIET]
        if len(loud) <= 1:
            return ALONE
        if all(type(part) is Pending for part in loud):
            return FREE
        return tuple(self.effects(store, part) for part in parts)

    def _ordered(self, found: tuple[StatementEffects, ...]) -> bool:
        return any(self.blocked(one, found[:i] + found[i + 1 :]) for i, one in enumerate(found))

    def blocked(self, effects: StatementEffects, pending: Iterable[StatementEffects]) -> bool:
        """Whether something still to be run may write what these effects read."""
        return any(self._overlap(effects.reads, other.writes) for other in pending)

    def _overlap(self, reads: Names, writes: Names) -> bool:
        if not writes or not reads:
            return False
        taken = self._program.address_taken
        if not reads.isdisjoint(writes):
            return True
        return (MEMORY in writes and not reads.isdisjoint(taken)) or (MEMORY in reads and not writes.isdisjoint(taken))

    def effects(self, store: VariableStore, node: Node) -> StatementEffects:
        rule = _REMAINDERS.get(type(node))
        if rule is not None:
            return rule(self, store, node)
        return self.first(node)

    def first(self, node: Node) -> StatementEffects:
        """The effects of a statement of the program."""
        known = self._known.get(node)
        if known is None:
            if not self._calls and self._program.functions:
                self._collect_functions()
            known = self._static(node)
            if self._complete or not self._program.functions:
                self._known[node] = known
        return known

    def _collect_functions(self) -> None:
        """The effects of all functions at once, from none upwards until nothing is added: they may be recursive."""
        functions = self._program.functions
        self._calls = dict.fromkeys(functions, StatementEffects())
        self._whole = dict.fromkeys(functions, StatementEffects())
        changed = True
        while changed:
            changed = False
            for name, function in functions.items():
                first = self.first(function.body).without(function.own)
                called = self._calls[name].joined(first, True)
                whole = self._whole[name].joined(self._lifelong(function.body).without(function.own), True)
                changed = changed or called != self._calls[name] or whole != self._whole[name]
                self._calls[name], self._whole[name] = called, whole
        self._complete = True

    def _lifelong(self, body: Node) -> StatementEffects:
        """All that a statement may read and write until it ends."""
        total = StatementEffects()
        for node in syntax.descendants(body):
            match node:
                case syntax.Immediate(target) | syntax.Unit(target):
                    total = total.joined(StatementEffects(writes=self._written(target)), True)
                case syntax.InputStatement(targets):
                    for target in targets:
                        total = total.joined(StatementEffects(writes=self._written(target)), True)
                case syntax.Name() | syntax.Call() | syntax.Unary() | syntax.Index() | syntax.MemberAccess():
                    total = total.joined(self._read_one(node), True)
        return total

    def _static(self, node: Node) -> StatementEffects:
        match node:
            case syntax.Immediate(target, value):
                reads = self._read(value).joined(self._address(target), True)
                return reads.joined(StatementEffects(writes=self._written(target)), True)
            case syntax.Unit(target, value):
                return self._read(value).joined(self._address(target), False)
            case syntax.Declaration(_, declarators):
                return self._declaration(declarators)
            case syntax.InputStatement(targets):
                writes = frozenset[str]().union(*map(self._written, targets))
                return _union(map(self._address, targets)).joined(StatementEffects(writes=writes), True)
            case syntax.OutputStatement(values):
                return self._read(*values)
            case syntax.LengthStatement(value) | syntax.HaltStatement(value):
                return self._read(value)
            case syntax.Evaluate(syntax.Call(name, arguments, False)) | syntax.Bind(_, syntax.Call(name, arguments)):
                if name in self._program.functions:
                    return self._read(*arguments).then(self._called(name))
                return self._read(node.expression) if isinstance(node, syntax.Evaluate) else StatementEffects()
            case syntax.Evaluate(expression):
                return self._read(expression)
            case syntax.Skip() | syntax.More() | syntax.Next():
                return StatementEffects(ends=False)
            case _:
                return self._compound(node)

    def _compound(self, node: Node) -> StatementEffects:
        match node:
            case syntax.And(parts):
                found = [self.first(part) for part in parts]
                return _union(found)._replace(ends=all(e.ends for e in found))
            case syntax.Or(parts) | syntax.Parallel(parts):
                return _union(self.first(part) for part in parts)
            case syntax.Chop(parts):
                total = StatementEffects()
                for part in parts:
                    total = total.then(self.first(part))
                return total
            case syntax.If(condition, then, otherwise):
                branches = [self.first(branch) for branch in (then, otherwise) if branch is not None]
                return self._read(condition).then(_union(branches))
            case syntax.While(condition, body):
                return self._read(condition).joined(self.first(body), True)
            case syntax.Always(body) | syntax.Keep(body) | syntax.Fin(body):
                return self.first(body)._replace(ends=True)
            case syntax.Local(names, body):
                return self.first(body).without(frozenset(names))
            case syntax.Projection(parts, whole):
                total = StatementEffects()
                for part in parts:
                    total = total.then(self.first(part))
                return total.joined(self.first(whole), total.ends)
        return StatementEffects()

    def _declaration(self, declarators: tuple[syntax.Declarator, ...]) -> StatementEffects:
        total = StatementEffects(writes=frozenset(declarator.name for declarator in declarators))
        for declarator in declarators:
            used = (*declarator.dimensions, declarator.initial)
            total = total.joined(self._read(*(e for e in used if e is not None)), True)
        names = frozenset(declarator.name for declarator in declarators)
        return StatementEffects(total.reads - names, total.writes, not any(d.unit for d in declarators))

    def _read(self, *expressions: Node) -> StatementEffects:
        """What evaluating the expressions reads, and writes through external calls."""
        total = StatementEffects()
        for expression in expressions:
            total = total.joined(self._read_one(expression), True)
        return total

    def _read_one(self, expression: Node) -> StatementEffects:
        match expression:
            case syntax.Name() | syntax.Index() | syntax.MemberAccess() | syntax.Unary("*"):
                return self._address(expression).joined(StatementEffects(self._written(expression)), True)
            case syntax.Unary("&", operand):
                return self._address(operand)
            case syntax.Call(function, arguments):
                return self._read(*arguments).joined(self._external(function), True)
        return self._read(*syntax.children(expression))

    def _address(self, place: Node) -> StatementEffects:
        """What finding a place reads: indices, and the pointers on the way."""
        match place:
            case syntax.Name():
                return StatementEffects()
            case syntax.Index(base, indices):
                found = self._address(base) if self._is_array(base) else self._read(base)
                return found.joined(self._read(*indices), True)
            case syntax.MemberAccess(base, _, arrow):
                return self._read(base) if arrow else self._address(base)
        return self._read(*syntax.children(place))

    def _written(self, place: Node) -> Names:
        """The variable that a place belongs to; MEMORY when a pointer leads there."""
        match place:
            case syntax.Name(text):
                return frozenset((text,))
            case syntax.Index(base):
                return self._written(base) if self._is_array(base) else frozenset((MEMORY,))
            case syntax.MemberAccess(base, _, False):
                return self._written(base)
        return frozenset((MEMORY,))

    def _is_array(self, base: Node) -> bool:
        """Whether an indexed expression is certainly an array in place."""
        match base:
            case syntax.Name(text):
                return text not in self._pointers
            case syntax.Index(inner):
                return self._is_array(inner)
        return False

    def _called(self, name: str) -> StatementEffects:
        """The first state of a function."""
        if not self._calls:
            self._collect_functions()
        return self._calls[name]

    def _external(self, name: str) -> StatementEffects:
        """All that a function may read and write in its whole life."""
        if name in LIBRARY and name not in self._program.functions:
            return StatementEffects(frozenset((MEMORY,)), frozenset((MEMORY,)) if LIBRARY[name].writes else _NONE)
        if not self._whole:
            self._collect_functions()
        return self._whole[name]


def _pointer_names(program: Program) -> Names:
    """The names that mean a pointer somewhere; indexing them leads to other variables."""
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


def _freedom(effects: tuple[StatementEffects, ...]) -> tuple[StatementEffects, ...]:
    return ALONE if sum(bool(one.writes) for one in effects) <= 1 else FREE


def _union(effects: Iterable[StatementEffects]) -> StatementEffects:
    """The effects of one of several statements: it may end if any of them may."""
    total = StatementEffects(ends=False)
    for one in effects:
        total = total.joined(one, total.ends or one.ends)
    return total


def _pending(analysis: Analysis, store: VariableStore, node: Pending) -> StatementEffects:
    infos = (store.objects.get(number) for number, _ in node.targets)
    return StatementEffects(writes=frozenset(info.name for info in infos if info is not None))


def _both(analysis: Analysis, store: VariableStore, node: Both) -> StatementEffects:
    found = [analysis.effects(store, part) for part in node.parts]
    return _union(found)._replace(ends=all(e.ends for e in found))


def _project(analysis: Analysis, store: VariableStore, node: Project) -> StatementEffects:
    total = StatementEffects()
    for part in node.parts:
        total = total.then(analysis.effects(store, part))
    return total.joined(analysis.effects(store, node.whole), total.ends)


_REMAINDERS: dict[type, Callable[[Analysis, VariableStore, Any], StatementEffects]] = {
    Pending: _pending,
    Then: lambda a, s, n: a.effects(s, n.first).then(a.effects(s, n.after)),
    Both: _both,
    Together: lambda a, s, n: _union(a.effects(s, part) for part in n.parts),
    Project: _project,
    Scoped: lambda a, s, n: a.effects(s, n.body),
    PendingActivation: lambda a, s, n: a.effects(s, n.body),
    Counted: lambda a, s, n: StatementEffects(ends=n.left == 0),
    Anything: lambda a, s, n: StatementEffects(),
}
