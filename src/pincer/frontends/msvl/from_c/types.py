"""C types as MSVL writes them: words, stars and dimensions; structures defined in the order they are needed."""

from __future__ import annotations

from dataclasses import dataclass, field

from msgspec import Struct

from pincer.frontends.c.semantics.types import Array, CType, Floating, Integer, Pointer, Record, Void
from pincer.frontends.msvl import syntax
from pincer.frontends.msvl.from_c.arithmetic import IntegerArithmetic, NotExact
from pincer.frontends.msvl.from_c.names import RESERVED, TranslatedNames

_SIGNED = {8: ("char",), 16: ("short",), 32: ("int",), 64: ("long",)}


class Shape(Struct, frozen=True):
    """A type around a name: `words *..* name[d]..[d]`; a dimension is None for a parameter's outermost one."""

    words: tuple[str, ...]
    stars: int = 0
    dimensions: tuple[int | None, ...] = ()

    def declarator(self, name: str, initial: syntax.Expression | None = None) -> syntax.Declarator:
        dimensions = tuple(None if length is None else syntax.Number(length) for length in self.dimensions)
        return syntax.Declarator(name, self.stars, dimensions, initial)

    def declaration(self, name: str, initial: syntax.Expression | None = None) -> syntax.Declaration:
        return syntax.Declaration(syntax.TypeName(self.words), (self.declarator(name, initial),))


def tag_name(tag: str, identifiers: frozenset[str]) -> str:
    while tag in RESERVED or tag in identifiers:
        tag += "$"
    return tag


@dataclass
class Types:
    """The structures of a program get their tags when they are first met.

    A tag is no name in MSVL: one that some variable, field or function has too, as `identifiers` say, gets a `$`.
    """

    arithmetic: IntegerArithmetic
    identifiers: frozenset[str]
    definitions: list[syntax.StructDefinition] = field(default_factory=list)
    _tags: dict[int, str] = field(default_factory=dict)
    _kept: list[Record] = field(default_factory=list)

    def shape(self, type: CType) -> Shape:
        """How a variable of the type is declared."""
        match type:
            case Integer():
                return Shape(self._integer(type))
            case Floating():
                self.arithmetic.require(type)
                return Shape(("double",))
            case Void():
                return Shape(("void",))
            case Record():
                return Shape((self.tag(type),))
            case Pointer(target):
                return self._pointer(target)
            case Array(element, int() as length):
                if length == 0:
                    raise NotExact("an array without elements")
                inner = self.shape(element)
                return Shape(inner.words, inner.stars, (length, *inner.dimensions))
            case Array():
                raise NotExact("an array whose length is not constant")
        raise NotExact("a pointer to a function")

    def parameter(self, type: CType) -> Shape:
        """A parameter may point to arrays, which no other variable can."""
        if isinstance(type, Pointer) and isinstance(type.target, Array):
            inner = self.shape(type.target)
            return Shape(inner.words, inner.stars, (None, *inner.dimensions))
        return self.shape(type)

    def _pointer(self, target: CType) -> Shape:
        inner = self.shape(target)
        if inner.dimensions:
            raise NotExact("a pointer to an array")
        return Shape(inner.words, inner.stars + 1)

    def _integer(self, type: Integer) -> tuple[str, ...]:
        """With 32-bit integers, small unsigned types live in an int: their values all fit."""
        self.arithmetic.require(type)
        if type.boolean:
            return ("bool",)
        if type.signed:
            return _SIGNED[type.bits]
        return ("int",) if self.arithmetic.int32 else ("unsigned", *_SIGNED[type.bits])

    def tag(self, record: Record) -> str:
        """The tag of a structure, whose definition is added with those it contains before it."""
        known = self._tags.get(id(record))
        if known is not None:
            return known
        if record.kind == "union":
            raise NotExact("a union")
        if record.size is None:
            raise NotExact("a structure that is never defined")
        tag = self._new_tag(record)
        self._tags[id(record)] = tag
        self._kept.append(record)
        fields = tuple(self._field(member.name, member.type, member.bits is not None) for member in record.members)
        if not fields:
            raise NotExact("a structure without members")
        self.definitions.append(syntax.StructDefinition(tag, fields))
        return tag

    def _new_tag(self, record: Record) -> str:
        tag = tag_name(record.tag, self.identifiers) if record.tag else f"struct${len(self._tags)}"
        while tag in self._tags.values():
            tag += "$"
        return tag

    def _field(self, name: str | None, type: CType, bits: bool) -> syntax.Declaration:
        if bits:
            raise NotExact("a bit-field")
        if name is None:
            raise NotExact("an unnamed structure inside another")
        return self.shape(type).declaration(self.field(name))

    def field(self, name: str) -> str:
        """Fields have names of their own, but reserved words are no names."""
        return TranslatedNames().claim(name)
