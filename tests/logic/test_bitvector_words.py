"""What can be seen of a word is seen, and its value stays."""

from __future__ import annotations

from random import Random

import pytest

from pincer.logic import bitvectors as bv
from pincer.logic import terms
from pincer.logic.evaluation import evaluate
from pincer.logic.terms import Term
from tests.logic.word_definitions import DEFINITIONS, LESS, C, P, X, Y, differs, meaning, number, plus, to_signed, truth


def test_parts_of_words_are_found_again() -> None:
    assert bv.extract(7, 0, bv.extend(C, 24, True)) is C
    assert bv.extract(31, 8, bv.extend(C, 24, False)) is number(0, 24)
    assert bv.extract(7, 0, plus(bv.extend(C, 24, True), 1)) is plus(C, 1)
    assert bv.extract(15, 8, bv.concat(C, bv.variable("d", 8))) is C
    assert bv.extend(bv.extend(C, 8, True), 16, True) is bv.extend(C, 24, True)
    assert bv.extend(bv.extend(C, 8, False), 16, True) is bv.extend(C, 24, False)
    assert bv.binary("bvand", number(255), X) is bv.extend(bv.extract(7, 0, X), 24, False)
    assert bv.binary("bvlshr", bv.binary("bvshl", X, number(24)), number(24)) is bv.binary("bvand", X, number(255))
    assert differs(bv.binary("bvand", number(4), X), number(0)) is terms.equal(bv.extract(2, 2, X), number(1, 1))
    assert bv.binary("bvurem", X, number(16)) is bv.binary("bvand", X, number(15))


@pytest.mark.parametrize(
    "whole",
    [X, plus(X, 7), bv.extend(C, 24, True), bv.extend(C, 24, False), truth(LESS), bv.binary("bvmul", X, Y),
     bv.binary("bvshl", X, number(8)), plus(bv.extend(C, 24, False), 1), bv.load(P, 4), bv.binary("bvxor", X, Y)],
)  # fmt: skip
def test_a_word_taken_apart_by_bytes_and_put_together_again_is_the_same(whole: Term) -> None:
    parts = [bv.extract(8 * i + 7, 8 * i, whole) for i in range(4)]
    upwards = parts[0]
    for part in parts[1:]:
        upwards = bv.concat(part, upwards)
    downwards = parts[3]
    for part in parts[2::-1]:
        downwards = bv.concat(downwards, part)
    assert upwards is whole
    assert downwards is whole


def test_bitwise_identities() -> None:
    ones = number(-1)
    assert bv.binary("bvand", X, ones) is X
    assert bv.binary("bvor", X, ones) is ones
    assert bv.binary("bvand", X, X) is X
    assert bv.binary("bvxor", X, X) is number(0)
    assert bv.binary("bvor", X, bv.invert(X)) is ones
    assert bv.binary("bvand", bv.invert(X), X) is number(0)


@pytest.mark.parametrize("bits", range(1, 9))
def test_parts_and_extensions_move_bits_where_they_belong(bits: int) -> None:
    rng = Random(bits)
    x, y = bv.variable(f"p{bits}", bits), bv.variable("q5", 5)
    for _ in range(30):
        a, b = rng.randrange(2**bits), rng.randrange(32)
        low = rng.randrange(bits)
        high = rng.randrange(low, bits)
        by = rng.randint(0, 4)
        cases = [
            (bv.concat(x, y), bv.concat(bv.constant(a, bits), bv.constant(b, 5)), a * 32 + b),
            (
                bv.extract(high, low, x),
                bv.extract(high, low, bv.constant(a, bits)),
                a // 2**low % 2 ** (high - low + 1),
            ),
            (bv.extend(x, by, False), bv.extend(bv.constant(a, bits), by, False), a),
            (
                bv.extend(x, by, True),
                bv.extend(bv.constant(a, bits), by, True),
                to_signed(a, bits) % 2 ** (bits + by),
            ),
            (bv.invert(x), bv.invert(bv.constant(a, bits)), 2**bits - 1 - a),
            (bv.negative(x), bv.negative(bv.constant(a, bits)), -a % 2**bits),
        ]
        for general, folded, expected in cases:
            assert evaluate(general, {x: a, y: b}) == expected
            assert bv.constant_value(folded) == expected
            assert general.sort == folded.sort


def test_extracts_of_extracts_are_one_extract() -> None:
    x = bv.variable("x", 8)
    inner = bv.extract(6, 2, x)
    assert bv.extract(3, 1, inner) is bv.extract(5, 3, x)
    assert bv.extract(7, 0, x) is x
    for a in range(256):
        assert evaluate(bv.extract(3, 1, inner), {x: a}) == (a >> 2 & 31) >> 1 & 7


@pytest.mark.parametrize("bits", [1, 3, 8])
def test_simplifications_keep_the_value(bits: int) -> None:
    x = bv.variable(f"s{bits}", bits)
    specials = [bv.constant(value, bits) for value in (0, 1, -1)]
    for op in DEFINITIONS:
        for special in specials:
            for a in range(2**bits):
                c = bv.constant_value(special)
                assert c is not None
                assert evaluate(bv.binary(op, x, special), {x: a}) == meaning(op, a, c, bits), (op, a, c)
                assert evaluate(bv.binary(op, special, x), {x: a}) == meaning(op, c, a, bits), (op, c, a)
