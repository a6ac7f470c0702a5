"""Where the members of a record lie: gcc's rules for x86, bit-fields and packing included."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from pincer.frontends.c.semantics.types import Array, Bits, CType, Member, Record, Target


class Field(Struct, frozen=True):
    """A member as declared: `width` for bit-fields, `alignment` where an attribute or _Alignas raises it.

    `natural` is the alignment that a typedef gives the type instead of its own.
    """

    name: str | None
    type: CType
    width: int | None = None
    alignment: int = 0
    packed: bool = False
    natural: int = 0


class Packing(Struct, frozen=True):
    """What attributes say: `packed`, a larger `alignment`, and the `cap` that `#pragma pack` puts on alignments."""

    packed: bool = False
    alignment: int = 0
    cap: int = 0


def complete(record: Record, fields: Sequence[Field], target: Target, packing: Packing) -> None:
    """Lay out the fields and complete the record."""
    lay_out = _union_members if record.kind == "union" else _structure_members
    members, bits, natural = lay_out(fields, target, packing.packed, packing.cap)
    final = max(natural, packing.alignment)
    size = -(-bits // (8 * final)) * final
    record.complete(tuple(members), size, final)


def _alignment(field: Field, target: Target, packed: bool, cap: int) -> int:
    """What a field asks of the record; under `#pragma pack` even attributes ask for no more than it allows."""
    natural = field.natural or target.alignment(field.type)
    if field.width is not None:
        natural = min(natural, cap) if cap else 1 if packed or field.packed else natural
    elif packed or field.packed:
        natural = 1
    wanted = max(natural, field.alignment)
    return min(wanted, cap) if cap else wanted


def _union_members(fields: Sequence[Field], target: Target, packed: bool, cap: int) -> tuple[list[Member], int, int]:
    members, size, alignment = [], 0, 1
    for field in fields:
        size = max(size, field.width if field.width is not None else 8 * _size(field, target))
        if field.width is not None and field.name is None:
            continue
        bits = None if field.width is None else Bits(0, field.width)
        own = _alignment(field, target, packed, cap)
        members.append(Member(field.name, field.type, 0, bits, own))
        alignment = max(alignment, own)
    return members, size, alignment


def _structure_members(
    fields: Sequence[Field], target: Target, packed: bool, cap: int
) -> tuple[list[Member], int, int]:
    members, position, alignment = [], 0, 1
    for field in fields:
        own = _alignment(field, target, packed, cap)
        if field.width is None:
            position = _round_up(position, 8 * own)
            members.append(Member(field.name, field.type, position // 8, None, own))
            position += 8 * _size(field, target)
            alignment = max(alignment, own)
            continue
        position = _bit_position(position, field, target, packed, cap)
        if field.width and field.name is not None:
            members.append(Member(field.name, field.type, position // 8, Bits(position, field.width)))
            alignment = max(alignment, own)
        position += field.width
    return members, position, alignment


def _bit_position(position: int, field: Field, target: Target, packed: bool, cap: int) -> int:
    """A bit-field moves to the next unit of its type when it would straddle one; width zero ends the unit.

    Packed bit-fields, and all of them under `#pragma pack`, follow each other without gaps.
    """
    assert field.width is not None
    if field.width == 0:
        return _round_up(position, 8 * (field.natural or target.alignment(field.type)))
    if field.alignment:
        position = _round_up(position, 8 * (min(field.alignment, cap) if cap else field.alignment))
    if packed or field.packed or cap:
        return position
    unit = 8 * (field.natural or target.alignment(field.type))
    spanned = -(-(position % unit + field.width) // unit)
    fits = spanned <= 8 * _size(field, target) // unit
    return position if fits else _round_up(position, unit)


def _round_up(position: int, unit: int) -> int:
    return -(-position // unit) * unit


def _size(field: Field, target: Target) -> int:
    """A flexible array member at the end adds nothing."""
    if isinstance(field.type, Array) and field.type.length is None:
        return 0
    return target.size(field.type) or 0
