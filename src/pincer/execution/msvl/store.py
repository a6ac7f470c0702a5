"""Memory: objects with their slots, and the scopes that name them.

All maps are persistent, so a snapshot is a few references and `or` can go back at no cost. Numbers of released
objects and scopes are used again, smallest first: a program that calls the same function for ever keeps returning to
the same configuration.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from immutables import Map

from pincer.execution.msvl.values import NIL_VALUE, Value
from pincer.frontends.msvl.types import ArrayOf, StructType, Type

GLOBAL = 0


class ObjectInfo(NamedTuple):
    """What an object is. `automatic` ones need no frame; `declared` is false for names of a `local` without a type.

    The type is None for memory from `malloc` that no typed pointer has reached yet; then `slots` counts bytes.
    """

    name: str
    type: Type | None
    slots: int
    automatic: bool
    declared: bool

    @property
    def aggregate(self) -> bool:
        return self.slots != 1 or self.type is None or isinstance(self.type, ArrayOf | StructType)


class StoreScope(NamedTuple):
    parent: int | None
    names: Map[str, int]


Contents = Map[int, "Value | Map[int, Value]"]


@dataclass(slots=True)
class VariableStore:
    """`fingerprint` changes with every concrete value, so that equal stores are found without comparing all."""

    contents: Contents = field(default_factory=Map)
    objects: Map[int, ObjectInfo] = field(default_factory=Map)
    scopes: Map[int, StoreScope] = field(default_factory=lambda: Map({GLOBAL: StoreScope(None, Map())}))
    free_objects: tuple[int, ...] = ()
    free_scopes: tuple[int, ...] = ()
    next_object: int = 1
    next_scope: int = 1
    fingerprint: int = 0
    generations: Map[int, int] = field(default_factory=Map)

    def save(self) -> tuple[Any, ...]:
        return (
            *(self.contents, self.objects, self.scopes, self.free_objects, self.free_scopes),
            *(self.next_object, self.next_scope, self.fingerprint),
        )

    def restore(self, saved: tuple[Any, ...]) -> None:
        """Generations only grow: a pointer made on the way that was given up stays invalid."""
        self.contents, self.objects, self.scopes, self.free_objects, self.free_scopes, *rest = saved
        self.next_object, self.next_scope, self.fingerprint = rest

    def lookup(self, scope: int | None, name: str) -> int | None:
        """The object that a name means in a scope."""
        while scope is not None:
            parent, names = self.scopes[scope]
            found = names.get(name)
            if found is not None:
                return found
            scope = parent
        return None

    def open_scope(self, parent: int) -> int:
        if self.free_scopes:
            number, *rest = self.free_scopes
            self.free_scopes = tuple(rest)
        else:
            number = self.next_scope
            self.next_scope += 1
        self.scopes = self.scopes.set(number, StoreScope(parent, Map()))
        return number

    def close_scope(self, number: int) -> None:
        """Release a scope and everything declared in it."""
        for found in self.scopes[number].names.values():
            self.release(found)
        self.scopes = self.scopes.delete(number)
        self.free_scopes = tuple(sorted((*self.free_scopes, number)))

    def allocate(self, info: ObjectInfo, scope: int | None = None) -> int:
        """A fresh object without a value, named in a scope if one is given."""
        if self.free_objects:
            number, *rest = self.free_objects
            self.free_objects = tuple(rest)
        else:
            number = self.next_object
            self.next_object += 1
        self.objects = self.objects.set(number, info)
        self.generations = self.generations.set(number, self.generations.get(number, 0) + 1)
        if scope is not None:
            parent, names = self.scopes[scope]
            self.scopes = self.scopes.set(scope, StoreScope(parent, names.set(info.name, number)))
        return number

    def release(self, number: int) -> None:
        self.clear(number)
        self.objects = self.objects.delete(number)
        self.free_objects = tuple(sorted((*self.free_objects, number)))

    def clear(self, number: int) -> None:
        """Make an object NIL."""
        for offset, value in self._slots(number):
            self.fingerprint ^= hash((number, offset, value.concrete))
        if number in self.contents:
            self.contents = self.contents.delete(number)

    def retype(self, number: int, info: ObjectInfo) -> None:
        self.objects = self.objects.set(number, info)

    def read(self, number: int, offset: int) -> Value:
        found = self.contents.get(number)
        if type(found) is Value:
            return found
        if found is None:
            return NIL_VALUE
        assert isinstance(found, Map)
        value: Value = found.get(offset, NIL_VALUE)
        return value

    def write(self, number: int, offset: int, value: Value) -> None:
        old = self.read(number, offset)
        if old is not NIL_VALUE:
            self.fingerprint ^= hash((number, offset, old.concrete))
        if value is NIL_VALUE:
            self._forget(number, offset)
            return
        self.fingerprint ^= hash((number, offset, value.concrete))
        if self.objects[number].aggregate:
            slots = self.contents.get(number, Map())
            assert isinstance(slots, Map)
            self.contents = self.contents.set(number, slots.set(offset, value))
        else:
            self.contents = self.contents.set(number, value)

    def _forget(self, number: int, offset: int) -> None:
        found = self.contents.get(number)
        if isinstance(found, Map):
            self.contents = self.contents.set(number, found.delete(offset) if offset in found else found)
        elif found is not None:
            self.contents = self.contents.delete(number)

    def _slots(self, number: int) -> Iterator[tuple[int, Value]]:
        found = self.contents.get(number)
        if isinstance(found, Map):
            yield from found.items()
        elif found is not None:
            yield 0, found


def same_concretely(left: Contents, right: Contents) -> bool:
    """Whether two memories hold the same concrete values."""
    if left is right:
        return True
    if len(left) != len(right):
        return False
    for number, value in left.items():
        other = right.get(number)
        if other is None or not _same(value, other):
            return False
    return True


def _same(left: Value | Map[int, Value], right: Value | Map[int, Value]) -> bool:
    if left is right:
        return True
    if isinstance(left, Map) and isinstance(right, Map):
        return len(left) == len(right) and all(
            offset in right and value.concrete == right[offset].concrete for offset, value in left.items()
        )
    return isinstance(left, Value) and isinstance(right, Value) and left.concrete == right.concrete
