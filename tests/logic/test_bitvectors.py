"""Bit-vector operations against definitions written here, and against Z3."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import trunc
from random import Random

import pytest
import z3

from pincer.logic import bitvectors as bv
from pincer.logic import terms
from pincer.logic.evaluation import evaluate
from pincer.logic.solver import Status
from pincer.logic.terms import Term
from pincer.logic.z3_solver import Z3Solver


def to_signed(value: int, bits: int) -> int:
    """Two's complement by weights: the top bit counts negatively."""
    digits = [value >> i & 1 for i in range(bits)]
    return sum(d << i for i, d in enumerate(digits[:-1])) - (digits[-1] << (bits - 1))


def quotient(x: int, y: int) -> int:
    return trunc(Fraction(x, y))


def shifted_left(a: int, b: int, bits: int) -> int:
    for _ in range(min(b, bits)):
        a = a * 2 % 2**bits
    return a


def shifted_right(a: int, b: int, bits: int, fill: int) -> int:
    for _ in range(min(b, bits)):
        a = a // 2 + fill * 2 ** (bits - 1)
    return a


def signed_division(a: int, b: int, bits: int) -> int:
    x, y = to_signed(a, bits), to_signed(b, bits)
    if y == 0:
        return 1 if x < 0 else -1
    return quotient(x, y)


def signed_remainder(a: int, b: int, bits: int) -> int:
    x, y = to_signed(a, bits), to_signed(b, bits)
    return x if y == 0 else x - y * quotient(x, y)


DEFINITIONS: dict[str, Callable[[int, int, int], int]] = {
    "bvadd": lambda a, b, bits: a + b,
    "bvsub": lambda a, b, bits: a - b,
    "bvmul": lambda a, b, bits: a * b,
    "bvand": lambda a, b, bits: sum((a >> i & 1) * (b >> i & 1) << i for i in range(bits)),
    "bvor": lambda a, b, bits: sum(max(a >> i & 1, b >> i & 1) << i for i in range(bits)),
    "bvxor": lambda a, b, bits: sum(((a >> i & 1) + (b >> i & 1)) % 2 << i for i in range(bits)),
    "bvshl": shifted_left,
    "bvlshr": lambda a, b, bits: shifted_right(a, b, bits, 0),
    "bvashr": lambda a, b, bits: shifted_right(a, b, bits, a >> (bits - 1)),
    "bvudiv": lambda a, b, bits: 2**bits - 1 if b == 0 else quotient(a, b),
    "bvurem": lambda a, b, bits: a if b == 0 else a - b * quotient(a, b),
    "bvsdiv": signed_division,
    "bvsrem": signed_remainder,
}
COMPARISONS: dict[str, Callable[[int, int, int], bool]] = {
    "bvult": lambda a, b, bits: a < b,
    "bvule": lambda a, b, bits: a <= b,
    "bvslt": lambda a, b, bits: to_signed(a, bits) < to_signed(b, bits),
    "bvsle": lambda a, b, bits: to_signed(a, bits) <= to_signed(b, bits),
}
Z3_OPERATIONS: dict[str, Callable[[z3.BitVecRef, z3.BitVecRef], z3.ExprRef]] = {
    "bvadd": lambda a, b: a + b,
    "bvsub": lambda a, b: a - b,
    "bvmul": lambda a, b: a * b,
    "bvand": lambda a, b: a & b,
    "bvor": lambda a, b: a | b,
    "bvxor": lambda a, b: a ^ b,
    "bvshl": lambda a, b: a << b,
    "bvlshr": z3.LShR,
    "bvashr": lambda a, b: a >> b,
    "bvudiv": z3.UDiv,
    "bvurem": z3.URem,
    "bvsdiv": lambda a, b: a / b,
    "bvsrem": z3.SRem,
    "bvult": z3.ULT,
    "bvule": z3.ULE,
    "bvslt": lambda a, b: a < b,
    "bvsle": lambda a, b: a <= b,
}
ALL = [*DEFINITIONS, *COMPARISONS]


def pairs(bits: int, rng: Random, count: int) -> list[tuple[int, int]]:
    """All pairs of small widths; otherwise random ones with the corners: zero, one, minus one, the least number."""
    top = 2**bits - 1
    if bits <= 3:
        return [(a, b) for a in range(2**bits) for b in range(2**bits)]
    corners = [0, 1, bits - 1, bits, bits + 1, top, 2 ** (bits - 1), 2 ** (bits - 1) - 1]
    corner_pairs = [(a, b) for a in corners for b in corners]
    return corner_pairs + [(rng.randint(0, top), rng.randint(0, top)) for _ in range(count)]


def build(op: str, left: Term, right: Term) -> Term:
    return bv.binary(op, left, right) if op in DEFINITIONS else bv.compare(op, left, right)


def meaning(op: str, a: int, b: int, bits: int) -> int:
    if op in COMPARISONS:
        return int(COMPARISONS[op](a, b, bits))
    modulus: int = 2**bits
    return DEFINITIONS[op](a, b, bits) % modulus


def constant_of(term: Term) -> int | None:
    if term in (terms.TRUE, terms.FALSE):
        return int(term is terms.TRUE)
    return bv.constant_value(term)


@pytest.mark.parametrize("op", ALL)
def test_operations_follow_their_definition(op: str) -> None:
    rng = Random(op)
    for bits in range(1, 9):
        x, y = bv.variable(f"x{bits}", bits), bv.variable(f"y{bits}", bits)
        general = build(op, x, y)
        for a, b in pairs(bits, rng, 30):
            expected = meaning(op, a, b, bits)
            left, right = bv.constant(a, bits), bv.constant(b, bits)
            assert constant_of(build(op, left, right)) == expected, (bits, a, b)
            assert evaluate(general, {x: a, y: b}) == expected, (bits, a, b)
            assert evaluate(build(op, left, y), {y: b}) == expected, (bits, a, b)
            assert evaluate(build(op, x, right), {x: a}) == expected, (bits, a, b)
            assert constant_of(terms.substitute(general, {x: left, y: right})) == expected, (bits, a, b)


@pytest.mark.parametrize("op", ALL)
def test_definitions_agree_with_z3(op: str) -> None:
    rng = Random(op + "z3")
    for bits in (1, 2, 5, 8):
        for a, b in rng.sample(pairs(bits, rng, 10), k=min(16, 4**bits)):
            applied = Z3_OPERATIONS[op](z3.BitVecVal(a, bits), z3.BitVecVal(b, bits))
            value = z3.simplify(applied)
            found = int(z3.is_true(value)) if op in COMPARISONS else value.as_long()
            assert found == meaning(op, a, b, bits), (bits, a, b)


@pytest.mark.parametrize("op", ALL)
def test_the_translation_to_z3_means_the_same(op: str) -> None:
    rng = Random(op + "translate")
    for bits in (1, 4, 7):
        solver = Z3Solver(logic=None)
        x, y = bv.variable("x", bits), bv.variable("y", bits)
        for a, b in rng.sample(pairs(bits, rng, 10), k=min(8, 4**bits)):
            given = [terms.equal(x, bv.constant(a, bits)), terms.equal(y, bv.constant(b, bits))]
            result = build(op, x, y)
            if op in COMPARISONS:
                claim = terms.literal(result, bool(meaning(op, a, b, bits)))
            else:
                claim = terms.equal(result, bv.constant(meaning(op, a, b, bits), bits))
            assert solver.check([*given, claim]) is Status.SAT, (bits, a, b)
            assert solver.check([*given, terms.negate(claim)]) is Status.UNSAT, (bits, a, b)


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


def test_parts_mean_the_same_in_z3() -> None:
    solver = Z3Solver(logic=None)
    x, y = bv.variable("x", 6), bv.variable("y", 3)
    cases = [bv.concat(x, y), bv.extract(4, 1, x), bv.extend(x, 3, True), bv.extend(x, 3, False), bv.invert(x)]
    for a, b in [(0, 0), (63, 7), (32, 4), (21, 5)]:
        given = [terms.equal(x, bv.constant(a, 6)), terms.equal(y, bv.constant(b, 3))]
        for case in cases:
            claim = terms.equal(case, bv.constant(evaluate(case, {x: a, y: b}), bv.width(case)))
            assert solver.check([*given, terms.negate(claim)]) is Status.UNSAT


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


def test_equal_constants_are_equal_and_others_are_not() -> None:
    assert terms.equal(bv.constant(9, 3), bv.constant(1, 3)) is terms.TRUE
    assert terms.equal(bv.constant(2, 3), bv.constant(1, 3)) is terms.FALSE
    x, y = bv.variable("x", 3), bv.variable("y", 3)
    assert terms.equal(x, y) is terms.equal(y, x)
    assert bv.binary("bvadd", x, y) is bv.binary("bvadd", y, x)
    assert terms.negate(bv.compare("bvult", x, y)) is bv.compare("bvule", y, x)


def test_a_width_of_zero_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one bit"):
        bv.variable("x", 0)
