"""A state of a run, as seen from outside."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

from immutables import Map

from pincer.execution.msvl.store import GLOBAL, Contents, ObjectInfo, Scope
from pincer.execution.msvl.values import NIL_VALUE, Concrete, Pointer, Value
from pincer.frontends.msvl.types import ArrayOf, Layouts, StructType, Type
from pincer.logic.terms import Term

Shown: TypeAlias = "Concrete | tuple[Any, ...] | dict[str, Any]"
_Leaf = TypeVar("_Leaf")


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Every variable at one state. `active` are the scopes that ran in this state, in the order they were entered.

    Arrays are shown as tuples and structs as dictionaries, of values or of terms.
    """

    layouts: Layouts
    contents: Contents
    objects: Map[int, ObjectInfo]
    scopes: Map[int, Scope]
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
            case Pointer(number, offset):
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
