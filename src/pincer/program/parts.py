"""The parts of an object by name: `a[1].lock` instead of `a+56`, and their values as people read them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from msgspec import Struct

from pincer.logic.bitvectors import signed
from pincer.logic.machine_floats import decimal_text

Enumerators: TypeAlias = tuple[tuple[int, str], ...]
"""The numbers of an enumeration with their names; of several names for one number, the first."""


class Elements(Struct, frozen=True):
    """An array whose elements have `stride` bytes."""

    stride: int
    element: Parts | None


class Members(Struct, frozen=True):
    """A structure or union: offset, name and parts of each member that people know by name, in order."""

    members: tuple[tuple[int, str, Parts | None], ...]


class FloatingPart(Struct, frozen=True):
    """A number of a floating type, of so many bits."""

    bits: int

    def text(self, value: int) -> str:
        return decimal_text(value & ((1 << self.bits) - 1), self.bits)


CHARACTERS: Enumerators = tuple((code, f"{code} '{chr(code)}'") for code in range(32, 127))
"""What people want to see where a plain `char` has a value that can be printed."""


class IntegerPart(Struct, frozen=True):
    """An integer of so many bits; one of an enumeration has `names`, and so has a plain `char`."""

    bits: int
    signed: bool
    names: Enumerators = ()

    def text(self, value: int) -> str:
        number = signed(value, self.bits) if self.signed else value
        return dict(self.names).get(number, str(number))


class PointerPart(Struct, frozen=True):
    """An address, of so many bits."""

    bits: int

    def text(self, value: int) -> str:
        return str(value) if value else "NULL"


class FieldPart(Struct, frozen=True):
    """A bit-field: it begins so many bits (`shift`) behind the start of its first byte."""

    shift: int
    number: IntegerPart


Number: TypeAlias = FloatingPart | IntegerPart | PointerPart
Parts: TypeAlias = Elements | Members | FloatingPart | IntegerPart | PointerPart | FieldPart


def part_name(parts: Parts | None, offset: int, whole: bool = False) -> str:
    """What follows the name of an object for the byte at an offset: selectors, and the bytes into the last part.

    At the beginning of a structure this is its first member, or the structure as a `whole`."""
    if isinstance(parts, Elements) and parts.stride:
        return f"[{offset // parts.stride}]" + part_name(parts.element, offset % parts.stride, whole)
    if isinstance(parts, Members) and not (whole and offset == 0):
        begun = [member for member in parts.members if member[0] <= offset]
        if begun:
            start, name, inner = max(begun, key=lambda member: member[0])
            return f".{name}" + part_name(inner, offset - start, whole)
    return f"+{offset}" if offset else ""


def name_behind(pointer: str, pointed: Elements, distance: int) -> str | None:
    """What lies so many bytes behind a pointer: `*p`, `*(p + 2)`, `p->next`; None where that has no such name."""
    inner = part_name(pointed.element, distance % pointed.stride)
    if inner and ("+" in inner or not inner.startswith(".")):
        return None
    return name_in(pointer, pointed, distance, inner)


def name_in(pointer: str, pointed: Elements, distance: int, inner: str) -> str:
    """The part `inner` of the element so many bytes behind a pointer, or the element if that is empty."""
    number = distance // pointed.stride
    place = pointer if number == 0 else f"({pointer} + {number})"
    return f"{place}->{inner[1:]}" if inner else f"*{place}"


def number_at(parts: Parts | None, offset: int) -> Number | None:
    """The number that begins at an offset; None where it is not known that there is one."""
    if isinstance(parts, Elements) and parts.stride:
        return number_at(parts.element, offset % parts.stride)
    if isinstance(parts, Members):
        begun = [member for member in parts.members if member[0] <= offset]
        if begun:
            start, _, inner = max(begun, key=lambda member: member[0])
            return number_at(inner, offset - start)
    return parts if isinstance(parts, FloatingPart | IntegerPart | PointerPart) and offset == 0 else None


def fields_in(parts: Parts | None, offset: int, size: int) -> Iterator[tuple[str, FieldPart]]:
    """The bit-fields that lie within so many bytes from an offset on, by what follows the name of the object; `shift`
    counts from that offset."""
    if isinstance(parts, Elements) and parts.stride:
        number, inside = divmod(offset, parts.stride)
        for name, found in fields_in(parts.element, inside, size):
            yield f"[{number}]{name}", found
    elif isinstance(parts, Members):
        for start, name, inner in parts.members:
            if isinstance(inner, FieldPart):
                first = 8 * (start - offset) + inner.shift
                if first >= 0 and first + inner.number.bits <= 8 * size:
                    yield f".{name}", FieldPart(first, inner.number)
            elif inner is not None and start <= offset:
                for deeper, found in fields_in(inner, offset - start, size):
                    yield f".{name}{deeper}", found
