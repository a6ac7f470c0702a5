"""Offsets of members and bits, as gcc lays records out on x86-64 and i386."""

from __future__ import annotations

import pytest

from pincer.frontends.c.semantics.layout import Field, Packing, complete
from pincer.frontends.c.semantics.types import (
    CHAR,
    DOUBLE,
    INT,
    LONG_LONG,
    SHORT,
    UNSIGNED_INT,
    Array,
    Record,
    Target,
)

PLAIN = Packing()
CHAR_INT_SHORT = (Field("c", CHAR), Field("i", INT), Field("s", SHORT))


def laid_out(fields: tuple[Field, ...], packing: Packing = PLAIN, wide: bool = True, kind: str = "struct") -> Record:
    record = Record("union" if kind == "union" else "struct", "r")
    complete(record, fields, Target("LP64" if wide else "ILP32"), packing)
    return record


@pytest.mark.parametrize(
    ("fields", "packing", "offsets", "size", "alignment"),
    [
        (CHAR_INT_SHORT, Packing(), [0, 4, 8], 12, 4),
        (CHAR_INT_SHORT, Packing(packed=True), [0, 1, 5], 7, 1),
        (CHAR_INT_SHORT, Packing(cap=2), [0, 2, 6], 8, 2),
        (CHAR_INT_SHORT, Packing(alignment=16), [0, 4, 8], 16, 16),
        ((Field("c", CHAR), Field("d", CHAR, alignment=8)), Packing(), [0, 8], 16, 8),
        ((Field("c", CHAR), Field("i", INT, packed=True)), Packing(), [0, 1], 5, 1),
        ((Field("n", INT), Field("rest", Array(LONG_LONG, None))), Packing(), [0, 8], 8, 8),
    ],
)
def test_members_of_structures(
    fields: tuple[Field, ...], packing: Packing, offsets: list[int], size: int, alignment: int
) -> None:
    record = laid_out(fields, packing)
    assert [member.offset for member in record.members] == offsets
    assert (record.size, record.alignment) == (size, alignment)


def test_eight_bytes_are_aligned_to_four_in_32_bits() -> None:
    for type in (DOUBLE, LONG_LONG):
        fields = (Field("c", CHAR), Field("d", type))
        assert [laid_out(fields, wide=wide).members[1].offset for wide in (True, False)] == [8, 4]


def test_members_of_unions_all_begin_at_the_start() -> None:
    record = laid_out((Field("c", Array(CHAR, 5)), Field("i", INT)), kind="union")
    assert [member.offset for member in record.members] == [0, 0]
    assert record.size == 8


@pytest.mark.parametrize(
    ("widths", "packing", "starts", "size"),
    [
        ((3, 30), Packing(), [0, 32], 8),
        ((3, 29), Packing(), [0, 3], 4),
        ((3, 30), Packing(packed=True), [0, 3], 5),
        ((3, 0, 5), Packing(), [0, 32], 8),
    ],
)
def test_bit_fields_do_not_straddle_units_unless_they_are_packed(
    widths: tuple[int, ...], packing: Packing, starts: list[int], size: int
) -> None:
    fields = tuple(Field(f"f{n}" if width else None, UNSIGNED_INT, width) for n, width in enumerate(widths))
    record = laid_out(fields, packing)
    assert [member.bits.first for member in record.members if member.bits is not None] == starts
    assert record.size == size
