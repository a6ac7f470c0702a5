"""Words to types: the table of C17 6.7.2, machine modes, and what holds an enumeration, as gcc has them on x86."""

from __future__ import annotations

from itertools import permutations

import pytest

from pincer.frontends.c.semantics.basic_types import basic_type, holding, moded
from pincer.frontends.c.semantics.types import INT, UNSIGNED_INT, Integer, Target, text

WIDE, NARROW = Target("LP64"), Target("ILP32")


@pytest.mark.parametrize(
    ("words", "type"),
    [
        ("char", "char"),
        ("signed char", "signed char"),
        ("unsigned char", "unsigned char"),
        ("short int", "short"),
        ("unsigned", "unsigned int"),
        ("signed", "int"),
        ("long int", "long"),
        ("unsigned long int", "unsigned long"),
        ("unsigned long long", "unsigned long long"),
        ("double", "double"),
        ("long double", "long double"),
        ("_Bool", "_Bool"),
        ("void", "void"),
    ],
)
def test_specifiers_name_a_type_in_any_order(words: str, type: str) -> None:
    found = {basic_type(order, WIDE) for order in permutations(words.split())}
    assert len(found) == 1
    (one,) = found
    assert one is not None and text(one) == type


@pytest.mark.parametrize("words", ["nonsense", "short long", "char short"])
def test_other_words_name_none(words: str) -> None:
    assert basic_type(words.split(), WIDE) is None


@pytest.mark.parametrize(("mode", "wide", "narrow"), [("QI", 8, 8), ("HI", 16, 16), ("DI", 64, 64), ("word", 64, 32)])
def test_modes_choose_the_width_and_keep_the_sign(mode: str, wide: int, narrow: int) -> None:
    for type in (INT, UNSIGNED_INT):
        found = [moded(type, mode, target) for target in (WIDE, NARROW)]
        assert [one.bits for one in found] == [wide, narrow]
        assert {one.signed for one in found} == {type.signed}


@pytest.mark.parametrize(
    ("numbers", "smallest", "bits", "signed"),
    [
        ([], False, 32, False),
        ([0, 1], False, 32, False),
        ([-1, 5], False, 32, True),
        ([1 << 32], False, 64, False),
        ([-1, 1 << 31], False, 64, True),
        ([0, 255], True, 8, False),
        ([-1, 127], True, 8, True),
        ([-1, 128], True, 16, True),
    ],
)
def test_an_enumeration_takes_the_first_type_that_holds_it(
    numbers: list[int], smallest: bool, bits: int, signed: bool
) -> None:
    found: Integer = holding(numbers, WIDE, smallest)
    assert (found.bits, found.signed) == (bits, signed)
