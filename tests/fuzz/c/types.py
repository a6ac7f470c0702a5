"""The C types of generated programs, how they are written, and the conversions of integers.

A pointer type here says more than C's: how many elements are certain to be there (`room`), so that every access a
program makes is within bounds by construction. A room of zero marks a pointer that may be null.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True)
class Integer:
    """An integer type under one of its names; enumerations and typedefs included."""

    name: str
    bits: int
    signed: bool
    rank: int


@dataclass(frozen=True)
class Member:
    """A member of a structure; `width` is that of a bit-field."""

    name: str
    type: Type
    width: int | None = None


@dataclass(frozen=True)
class Record:
    """A structure or a union. The members of a union all have its full size, without padding."""

    tag: str
    members: tuple[Member, ...]
    union: bool = False

    @property
    def name(self) -> str:
        return f"{'union' if self.union else 'struct'} {self.tag}"


@dataclass(frozen=True)
class Array:
    element: Type
    length: int


@dataclass(frozen=True)
class Pointer:
    """A pointer to the first of at least `room` elements; 0: it may be null, and points to one element if not."""

    target: Type
    room: int = 1
    const: bool = False


@dataclass(frozen=True)
class FunctionPointer:
    """A pointer to a function of integers."""

    result: Integer
    parameters: tuple[Integer, ...]


Type: TypeAlias = Integer | Record | Array | Pointer | FunctionPointer

BOOL = Integer("_Bool", 8, False, 0)
CHAR = Integer("char", 8, True, 1)
UCHAR = Integer("unsigned char", 8, False, 1)
USHORT = Integer("unsigned short", 16, False, 2)
INT = Integer("int", 32, True, 3)
UNSIGNED = Integer("unsigned", 32, False, 3)
LONG_LONG = Integer("long long", 64, True, 5)
ULONG_LONG = Integer("unsigned long long", 64, False, 5)


@dataclass(frozen=True)
class Longs:
    """The types whose size the data model chooses."""

    bits: int = 64

    @property
    def long(self) -> Integer:
        return Integer("long", self.bits, True, 4)

    @property
    def unsigned(self) -> Integer:
        return Integer("unsigned long", self.bits, False, 4)

    @property
    def size(self) -> Integer:
        """`size_t`."""
        return UNSIGNED if self.bits == UNSIGNED.bits else self.unsigned

    @property
    def difference(self) -> Integer:
        """`ptrdiff_t`."""
        return INT if self.bits == INT.bits else self.long

    @property
    def integers(self) -> tuple[Integer, ...]:
        """All integer types, the usual ones more than once."""
        narrow = (BOOL, CHAR, Integer("signed char", 8, True, 1), UCHAR, Integer("short", 16, True, 2), USHORT)
        return (*narrow, INT, INT, UNSIGNED, UNSIGNED, self.long, self.unsigned, LONG_LONG, ULONG_LONG)

    def wide_literal(self, signed: bool) -> Integer:
        """The type of a constant that needs 64 bits and is not written as a `long long`."""
        if self.bits == LONG_LONG.bits:
            return self.long if signed else self.unsigned
        return LONG_LONG if signed else ULONG_LONG


def declare(type_: Type, name: str) -> str:
    """The declaration of a name, inside out as C has it."""
    match type_:
        case Integer() | Record():
            return f"{type_.name} {name}".rstrip()
        case Array(element, length):
            return declare(element, f"{name}[{length}]")
        case Pointer(target, _, const):
            star = f"(*{name})" if isinstance(target, Array) else f"*{name}"
            return ("const " if const else "") + declare(target, star)
        case FunctionPointer(result, parameters):
            return f"{result.name} (*{name})({', '.join(p.name for p in parameters)})"


def promoted(type_: Integer) -> Integer:
    """The type after the integer promotions."""
    return type_ if type_.rank >= INT.rank else INT


def common(left: Integer, right: Integer) -> Integer:
    """The type of the usual arithmetic conversions."""
    left, right = promoted(left), promoted(right)
    if left.signed == right.signed:
        return left if left.rank >= right.rank else right
    signed, unsigned = (left, right) if left.signed else (right, left)
    if unsigned.rank >= signed.rank:
        return unsigned
    if signed.bits > unsigned.bits:
        return signed
    return Integer(f"unsigned {signed.name}", signed.bits, False, signed.rank)
