"""The parts of an object by name: `a[1].lock` instead of `a+56`."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct


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


Parts: TypeAlias = Elements | Members | FloatingPart


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
    number, offset = divmod(distance, pointed.stride)
    inner = part_name(pointed.element, offset)
    place = pointer if number == 0 else f"({pointer} + {number})"
    if inner.startswith(".") and "+" not in inner:
        return f"{place}->{inner[1:]}"
    return None if inner else f"*{place}"


def floating_bits(parts: Parts | None, offset: int) -> int | None:
    """How many bits the floating-point number has that begins at an offset; None if there is none."""
    if isinstance(parts, Elements) and parts.stride:
        return floating_bits(parts.element, offset % parts.stride)
    if isinstance(parts, Members):
        begun = [member for member in parts.members if member[0] <= offset]
        if begun:
            start, _, inner = max(begun, key=lambda member: member[0])
            return floating_bits(inner, offset - start)
    return parts.bits if isinstance(parts, FloatingPart) and offset == 0 else None
