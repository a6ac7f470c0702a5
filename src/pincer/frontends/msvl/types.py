"""Types of variables, and how much room they take: in slots of the interpreter, and in bytes for `sizeof`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, cached_property
from typing import Literal, TypeAlias

from msgspec import Struct

from pincer.frontends.msvl.syntax import StructDefinition, TypeName

BasicName = Literal["int", "char", "bool", "short", "long", "float", "double", "string", "void"]


class Basic(Struct, frozen=True):
    name: BasicName
    unsigned: bool = False


class PointerTo(Struct, frozen=True):
    target: Type


class ArrayOf(Struct, frozen=True):
    element: Type
    length: int


class StructType(Struct, frozen=True):
    tag: str


class FunctionPointer(Struct, frozen=True):
    """A pointer to a function; such values can be passed on but not called."""


Type: TypeAlias = Basic | PointerTo | ArrayOf | StructType | FunctionPointer

INT = Basic("int")
CHAR = Basic("char")
_BYTES: Mapping[str, int] = {"char": 1, "bool": 1, "short": 2, "int": 4, "float": 4, "void": 1}
"""All others, pointers among them, take a word of 8."""


def _basic(words: tuple[str, ...]) -> Basic:
    """C's freedom of word order: `unsigned long int`, `long unsigned`."""
    unsigned = "unsigned" in words or "size_t" in words
    for name in ("char", "bool", "short", "float", "double", "string", "void"):
        if name in words:
            return Basic(name, unsigned)
    if "FILE" in words:
        return Basic("void")
    long = "long" in words or "size_t" in words
    return INT if not long and not unsigned else Basic("long" if long else "int", unsigned)


def named_type(type_: TypeName, stars: int, tags: Mapping[str, StructDefinition]) -> Type:
    """The type that the words and all the stars name."""
    tag = next((word for word in type_.words if word in tags), None)
    result: Type = _basic(type_.words) if tag is None else StructType(tag)
    for _ in range(type_.stars + stars):
        result = PointerTo(result)
    return result


class PlacedField(Struct, frozen=True):
    type: Type
    offset: int


class Layouts(Struct, frozen=True, dict=True):
    """Where the fields of each struct lie. Slots hold one number or pointer each; arrays and structs follow on."""

    fields: Mapping[str, Mapping[str, Type]]

    @cached_property
    def _structs(self) -> dict[str, dict[str, PlacedField]]:
        return {}

    def slots(self, type_: Type) -> int:
        if isinstance(type_, ArrayOf):
            return type_.length * self.slots(type_.element)
        if isinstance(type_, StructType):
            return sum(self.slots(field) for field in self.fields[type_.tag].values())
        return 1

    def struct(self, tag: str) -> dict[str, PlacedField]:
        """The fields by name, in order, with their first slots."""
        if tag not in self._structs:
            found: dict[str, PlacedField] = {}
            offset = 0
            for name, type_ in self.fields[tag].items():
                found[name] = PlacedField(type_, offset)
                offset += self.slots(type_)
            self._structs[tag] = found
        return self._structs[tag]

    def size(self, type_: Type) -> int:
        """Bytes, as a C compiler for a 64-bit machine lays them out."""
        match type_:
            case ArrayOf(element, length):
                return length * self.size(element)
            case StructType(tag):
                end = 0
                for field in self.fields[tag].values():
                    end = _rounded(end, self._alignment(field)) + self.size(field)
                return _rounded(end, self._alignment(type_))
            case Basic(name):
                return _BYTES.get(name, 8)
        return 8

    def _alignment(self, type_: Type) -> int:
        match type_:
            case ArrayOf(element, _):
                return self._alignment(element)
            case StructType(tag):
                return max((self._alignment(field) for field in self.fields[tag].values()), default=1)
        return self.size(type_)


def _rounded(offset: int, alignment: int) -> int:
    return -(-offset // alignment) * alignment


@cache
def integer_range(type_: Basic, machine: bool) -> tuple[int | None, int | None]:
    """The least and the greatest input of a type. `machine` bounds int as well, as a 32-bit machine does."""
    if type_.name == "bool":
        return 0, 1
    if type_.name == "char":
        return (0, 255) if type_.unsigned else (-128, 127)
    if not machine:
        return (0 if type_.unsigned else None), None
    bits = 16 if type_.name == "short" else 32
    return (0, (1 << bits) - 1) if type_.unsigned else (-(1 << (bits - 1)), (1 << (bits - 1)) - 1)
