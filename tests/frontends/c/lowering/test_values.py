"""Small questions about terms, answered as arithmetic on bits has them."""

from __future__ import annotations

import pytest

from pincer.frontends.c.lowering.values import flag, resized
from pincer.logic import bitvectors, terms


@pytest.mark.parametrize(
    ("value", "width", "bits", "keep_sign", "expected"),
    [
        (0xFF, 8, 16, True, 0xFFFF),
        (0xFF, 8, 16, False, 0x00FF),
        (0x7F, 8, 16, True, 0x007F),
        (0x1234, 16, 8, True, 0x34),
        (0x1234, 16, 16, False, 0x1234),
    ],
)
def test_resizing_cuts_and_extends(value: int, width: int, bits: int, keep_sign: bool, expected: int) -> None:
    found = resized(bitvectors.constant(value, width), bits, keep_sign)
    assert bitvectors.width(found) == bits
    assert bitvectors.constant_value(found) == expected


@pytest.mark.parametrize(("condition", "number"), [(terms.TRUE, 1), (terms.FALSE, 0)])
def test_a_flag_is_one_or_zero(condition: terms.Term, number: int) -> None:
    assert bitvectors.constant_value(flag(condition, 8)) == number
