"""A state of a run as seen from outside: the variables, and what propositions are worth there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar

from immutables import Map
from msgspec import Struct

from pincer.execution.msvl.evaluation import evaluate
from pincer.execution.msvl.machine import Machine
from pincer.execution.msvl.records import DEFAULTS, ExecutionError, Options
from pincer.execution.msvl.store import GLOBAL, Contents, ObjectInfo, StoreScope, VariableStore
from pincer.execution.msvl.values import NIL_VALUE, Concrete, PointerValue, Value, condition_term, is_true
from pincer.frontends.msvl import syntax
from pincer.frontends.msvl.program import Program
from pincer.frontends.msvl.syntax import Expression, StaticError
from pincer.frontends.msvl.types import ArrayOf, Layouts, StructType, Type
from pincer.logic import terms
from pincer.logic.terms import Term

Shown: TypeAlias = "Concrete | tuple[Any, ...] | dict[str, Any]"
_Leaf = TypeVar("_Leaf")


class Snapshot(Struct, frozen=True):
    """Every variable at one state. `active` are the scopes that ran in this state, in the order they were entered.

    Arrays are shown as tuples and structs as dictionaries, of values or of terms.
    """

    layouts: Layouts
    contents: Contents
    objects: Map[int, ObjectInfo]
    scopes: Map[int, StoreScope]
    active: tuple[int, ...]
    generations: Map[int, int]

    def names(self) -> tuple[str, ...]:
        """The variables of the program outside functions, in the order of their declaration."""
        names = self.scopes[GLOBAL].names
        return tuple(sorted((name for name in names if "@" not in name), key=names.__getitem__))

    def lookup(self, name: str) -> int | None:
        """The variable that a proposition means: a global one first, then that of the innermost active scope."""
        for scope in (GLOBAL, *reversed(self.active)):
            current: int | None = scope
            while current is not None:
                parent, names = self.scopes[current]
                if name in names:
                    return names[name]
                current = parent
        return None

    def value(self, name: str) -> Shown | None:
        """The concrete value of a variable, NIL when it has none; None when there is no such variable."""
        shown: Shown | None = self._shown(name, lambda value: value.concrete)
        return shown

    def symbolic(self, name: str) -> Any:
        """The term a variable stands for, None when it is concrete."""
        return self._shown(name, lambda value: value.symbolic)

    def values(self) -> dict[str, Shown | None]:
        return {name: self.value(name) for name in self.names()}

    def texts(self) -> dict[str, str]:
        """The values as people write them: `[1, 2]`, `{u: 1, v: NIL}`, `&x`."""
        return {name: self._text(value) for name, value in self.values().items()}

    def symbolics(self) -> dict[str, Term]:
        """The symbolic map: the variables that depend on inputs, elements and fields under their own names."""
        found: dict[str, Term] = {}
        for name in self.names():
            _collect(name, self.symbolic(name), found)
        return found

    def _text(self, shown: Shown | None) -> str:
        match shown:
            case PointerValue(number, offset):
                name = self._name_of(number)
                return str(shown) if name is None else f"&{name}" + (f"[{offset}]" if offset else "")
            case tuple():
                return f"[{', '.join(map(self._text, shown))}]"
            case dict():
                return f"{{{', '.join(f'{name}: {self._text(part)}' for name, part in shown.items())}}}"
        return str(shown)

    def _name_of(self, number: int) -> str | None:
        """The variable that an object is, None for memory without a name."""
        scopes = (self.scopes[scope].names for scope in (GLOBAL, *self.active))
        return next((name for names in scopes for name, which in names.items() if which == number), None)

    def _shown(self, name: str, leaf: Callable[[Value], Any]) -> Any:
        number = self.lookup(name)
        if number is None:
            return None
        return self._part(number, 0, self.objects[number].type, leaf)

    def _part(self, number: int, offset: int, type_: Type | None, leaf: Callable[[Value], _Leaf]) -> Any:
        match type_:
            case ArrayOf(element, length):
                width = self.layouts.slots(element)
                return tuple(self._part(number, offset + i * width, element, leaf) for i in range(length))
            case StructType(tag):
                fields = self.layouts.struct(tag).items()
                return {name: self._part(number, offset + field.offset, field.type, leaf) for name, field in fields}
        found = self.contents.get(number)
        if isinstance(found, Map):
            return leaf(found.get(offset, NIL_VALUE))
        return leaf(NIL_VALUE if found is None else found)


def _collect(name: str, shown: Any, found: dict[str, Term]) -> None:
    if isinstance(shown, tuple):
        for i, part in enumerate(shown):
            _collect(f"{name}[{i}]", part, found)
    elif isinstance(shown, dict):
        for field, part in shown.items():
            _collect(f"{name}.{field}", part, found)
    elif shown is not None:
        found[name] = shown


class Observation(Struct, frozen=True):
    """The truth of a proposition at a state, and the formula over the inputs that it stands for.

    `defined` is false when the expression has no value there: the proposition is false then. `exact` is false when
    the formula holds for this input only, because something in it had to be made concrete.
    """

    value: bool
    formula: Term
    defined: bool = True
    exact: bool = True


class StateObserver:
    """Evaluates expressions at the states of runs of one program."""

    def __init__(self, program: Program, options: Options = DEFAULTS) -> None:
        self._program = program
        self._options = options
        self._accepted: set[Expression] = set()

    def observe(self, snapshot: Snapshot, expression: Expression) -> Observation:
        machine = Machine(self._program, self._options, {})
        scopes = Map({GLOBAL: StoreScope(None, _visible(snapshot))})
        machine.store = VariableStore(snapshot.contents, snapshot.objects, scopes, generations=snapshot.generations)
        self._reject_calls(expression)
        try:
            value = evaluate(machine, expression)
        except ExecutionError:
            return Observation(False, terms.FALSE, defined=False, exact=not machine.constraints)
        truth = is_true(value.concrete)
        formula = terms.boolean(truth) if value.symbolic is None else condition_term(value)
        return Observation(truth, formula, exact=not machine.constraints and not machine.concretised)

    def _reject_calls(self, expression: Expression) -> None:
        if expression in self._accepted:
            return
        self._accepted.add(expression)
        for node in syntax.descendants(expression):
            if isinstance(node, syntax.Call):
                raise self._program.source.error(
                    node.at, "a proposition cannot call a function; name its result", StaticError
                )


def _visible(snapshot: Snapshot) -> Map[str, int]:
    """The names a proposition can use: those of the scopes that ran, innermost first, and global ones before all."""
    names: dict[str, int] = {}
    for scope in snapshot.active:
        current: int | None = scope
        chain = []
        while current is not None and current != GLOBAL:
            chain.append(snapshot.scopes[current])
            current = snapshot.scopes[current].parent
        for part in reversed(chain):
            names.update(part.names)
    names.update(snapshot.scopes[GLOBAL].names)
    return Map(names)
