"""Types of different files are compared by what they are made of."""

from __future__ import annotations

import pytest

from pincer.frontends.c.semantics.agreement import Agreement, agreement, is_alike
from pincer.frontends.c.semantics.types import (
    CHAR,
    INT,
    LONG_LONG,
    UNSIGNED_INT,
    VOID,
    Array,
    CType,
    Function,
    Member,
    Pointer,
    Record,
)


def node(value: CType, tag: str = "node") -> Record:
    """A list's node, which points to its own type."""
    record = Record("struct", tag)
    record.complete((Member("value", value, 0), Member("next", Pointer(record), 8)), 16, 8)
    return record


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (INT, INT, Agreement.SAME),
        (INT, UNSIGNED_INT, Agreement.SIMILAR),
        (INT, LONG_LONG, Agreement.CONFLICTING),
        (Pointer(INT), Pointer(CHAR), Agreement.SIMILAR),
        (Pointer(CHAR), Array(CHAR, 8), Agreement.CONFLICTING),
        (Array(INT, None), Array(INT, 3), Agreement.SAME),
        (Array(INT, 4), Array(INT, 3), Agreement.CONFLICTING),
        (node(INT), node(INT), Agreement.SAME),
        (node(INT), node(UNSIGNED_INT), Agreement.SIMILAR),
        (node(INT), node(INT, "other"), Agreement.SIMILAR),
        (Pointer(Record("struct", "node")), Pointer(node(INT)), Agreement.SAME),
        (Function(VOID, (INT,)), Function(INT, (INT,)), Agreement.SIMILAR),
        (Function(INT, (INT,)), Function(VOID, (INT,)), Agreement.CONFLICTING),
        (Function(INT, (), False, False), Function(INT, (INT,)), Agreement.SAME),
    ],
)
def test_declarations_agree_or_not(one: CType, other: CType, expected: Agreement) -> None:
    assert agreement(one, other) is expected


def test_records_of_two_files_are_alike() -> None:
    assert is_alike(node(INT), node(INT))
    assert not is_alike(node(INT), INT)
