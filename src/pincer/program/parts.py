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


Parts: TypeAlias = Elements | Members


def part_name(parts: Parts | None, offset: int) -> str:
    """What follows the name of an object for the byte at an offset: selectors, and the bytes into the last part."""
    if isinstance(parts, Elements) and parts.stride:
        return f"[{offset // parts.stride}]" + part_name(parts.element, offset % parts.stride)
    if isinstance(parts, Members):
        begun = [member for member in parts.members if member[0] <= offset]
        if begun:
            start, name, inner = max(begun, key=lambda member: member[0])
            return f".{name}" + part_name(inner, offset - start)
    return f"+{offset}" if offset else ""
