"""The pieces of an initialiser once its braces and designators are gone, and which of them count."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pycparser import c_ast

from pincer.frontends.c.semantics.effects import effects
from pincer.frontends.c.semantics.types import Bits, CType, Target

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Item:
    """A scalar, a whole record or the bytes of a string literal, at an offset of the object."""

    offset: int
    type: CType
    node: c_ast.Node
    bits: Bits | None = None
    contents: bytes | None = None


@dataclass(frozen=True, slots=True)
class Arranged:
    """Items in the order of the object, in which compilers evaluate them. `refused` is one with no clear meaning."""

    items: list[Item]
    refused: tuple[str, c_ast.Node] | None = None


def arranged(found: Sequence[Item], target: Target) -> Arranged:
    """Let items of the text override earlier ones for the same place.

    C leaves open whether an initialiser that is overridden is evaluated, and compilers differ about one that is
    overridden in part.
    """
    last: dict[Span, tuple[int, Item]] = {}
    dropped: list[Item] = []
    for number, item in enumerate(found):
        span = _span(item, target)
        if span in last and span[0] < span[1]:
            dropped.append(last[span][1])
        last[span if span[0] < span[1] else (span[0], -number)] = number, item
    kept: list[Item] = []
    outer, outer_number = (0, 0), -1
    for span, (number, item) in sorted(last.items(), key=lambda entry: (entry[0][0], -entry[0][1], entry[1][0])):
        if span[0] < span[1] and span[0] < outer[1]:
            if span[1] > outer[1] or number > outer_number:
                return Arranged(kept, ("an initialiser that overrides a part of another", item.node))
            dropped.append(item)
            continue
        kept.append(item)
        if span[0] < span[1]:
            outer, outer_number = span, number
    for item in dropped:
        if not effects(item.node).none:
            return Arranged(kept, ("an initialiser with effects that another one overrides", item.node))
    return Arranged(kept)


def _span(item: Item, target: Target) -> Span:
    """The bits of the object that an item is about: from the first to the one after the last."""
    if item.bits is not None:
        return item.bits.first, item.bits.first + item.bits.width
    size = target.size(item.type)
    if size is None:
        size = len(item.contents or b"")
    return 8 * item.offset, 8 * (item.offset + size)
