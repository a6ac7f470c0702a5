"""The checker's own IEEE 754, against Python's numbers and the definition of rounding."""

from __future__ import annotations

import decimal
import math
import operator
import struct
from collections.abc import Callable
from fractions import Fraction
from random import Random

import pytest

from pincer.evidence.c_proof.float_values import FIELDS, holds, integer_result, nearest, real, result
from tests.logic.random_numbers import interesting

CODES = {32: "<f", 64: "<d"}
NOT_A_NUMBER = {32: 0xFFC00000, 64: 0xFFF8 << 48, 80: 0xFFFFC << 60}
INFINITY = {32: 0x7F800000, 64: 0x7FF << 52, 80: 0x7FFF8 << 60}


def number(pattern: int, width: int) -> float:
    found: float = struct.unpack(CODES[width], pattern.to_bytes(width // 8, "little"))[0]
    return found


def pattern(value: float, width: int) -> int:
    try:
        return int.from_bytes(struct.pack(CODES[width], value), "little")
    except OverflowError:
        return INFINITY[width] | (value < 0) << width - 1


def patterns(width: int, count: int, seed: int) -> list[int]:
    rng = Random(seed)
    return [interesting(width, rng) for _ in range(count)]


@pytest.mark.parametrize("width", [32, 64])
def test_patterns_stand_for_the_numbers_python_reads(width: int) -> None:
    for given in patterns(width, 500, 1):
        value, found = number(given, width), real(given, width)
        if math.isfinite(value):
            assert (found.signed, found.negative) == (Fraction(value), math.copysign(1, value) < 0)
            assert nearest(abs(Fraction(value)), found.negative, width) == given
        else:
            assert (found.nan, found.infinite) == (math.isnan(value), math.isinf(value))


@pytest.mark.parametrize("width", FIELDS)
def test_the_nearest_pattern_is_nearer_than_its_neighbours(width: int) -> None:
    """Of two that are as near it is the even one; of positive numbers, greater patterns are greater numbers."""
    rng = Random(width)
    for given in patterns(width, 300, 2):
        given &= (1 << width - 1) - 1
        around = [real(each, width).value for each in (given, nextafter(given, width))]
        if None in around:
            continue
        low, high = (value or Fraction(0) for value in around)
        middle = (low + high) / 2
        even = given if given % 2 == 0 else nextafter(given, width)
        assert nearest(middle, False, width) == even
        for part in (Fraction(rng.randrange(1, 1000), 1001), Fraction(1, 1 << 200)):
            assert nearest(middle + (high - middle) * part, False, width) == nextafter(given, width)
            assert nearest(middle - (middle - low) * part, True, width) == given | 1 << width - 1


def nextafter(given: int, width: int) -> int:
    """The next greater number; 80 bits store the leading one, which a carry leaves out."""
    following = given + 1
    if width < 80 or following < 1 << 63:
        return following
    return 3 << 63 if following == 1 << 63 else following | 1 << 63


@pytest.mark.parametrize("width", FIELDS)
def test_what_is_too_large_is_infinite_from_the_middle_on(width: int) -> None:
    last = (0x7FFF << 64) - 1 if width == 80 else INFINITY[width] - 1
    largest = real(last, width).value
    assert largest is not None
    middle = largest + largest / ((1 << FIELDS[width][1]) - 1) / 2
    assert nearest(middle, False, width) == INFINITY[width]
    assert nearest(middle - Fraction(1, 1 << 99), True, width) == last | 1 << width - 1


OPERATORS: dict[str, Callable[[float, float], float]] = {
    "fpadd": operator.add,
    "fpsub": operator.sub,
    "fpmul": operator.mul,
    "fpdiv": operator.truediv,
}
RELATIONS: dict[str, Callable[[float, float], bool]] = {"fplt": operator.lt, "fple": operator.le, "fpeq": operator.eq}


@pytest.mark.parametrize("width", [32, 64])
def test_arithmetic_is_pythons(width: int) -> None:
    """A double rounds the sum, product, quotient or root of floats once more without harm."""
    for left, right in zip(patterns(width, 600, 3), patterns(width, 600, 4), strict=True):
        a, b = number(left, width), number(right, width)
        for op, relation in RELATIONS.items():
            assert holds(op, left, right, width) == relation(a, b)
        if math.isnan(a) or math.isnan(b):
            continue
        for op, compute in OPERATORS.items():
            if op == "fpdiv" and b == 0:
                continue
            value = compute(a, b)
            expected = NOT_A_NUMBER[width] if math.isnan(value) else pattern(value, width)
            assert result(op, None, (left, right), (width, width)) == expected, (op, a, b)
        if a >= 0:
            assert result("fpsqrt", None, (left,), (width, width)) == pattern(math.sqrt(a), width)


@pytest.mark.parametrize("width", FIELDS)
def test_a_root_lies_between_the_middles_around_it(width: int) -> None:
    for given in patterns(width, 200, 5):
        given &= (1 << width - 1) - 1
        value = real(given, width).value
        if not value:
            continue
        root = result("fpsqrt", None, (given,), (width, width))
        before, found, after = (real(each, width).value for each in (root - 1, root, nextafter(root, width)))
        if before is None or found is None or after is None:
            continue
        assert ((before + found) / 2) ** 2 <= value <= ((found + after) / 2) ** 2


@pytest.mark.parametrize("width", [32, 64])
def test_a_product_and_sum_in_one_are_rounded_once(width: int) -> None:
    for given in zip(patterns(width, 300, 6), patterns(width, 300, 7), patterns(width, 300, 8), strict=True):
        a, b, c = (real(each, width).value is not None and Fraction(number(each, width)) for each in given)
        if a is False or b is False or c is False or a * b + c == 0:
            continue
        exact = a * b + c
        fused = result("fpfma", None, given, (width, width))
        assert fused == nearest(abs(exact), exact < 0, width)
        if width == 64 and abs(exact) < 2**1023:
            assert number(fused, 64) == float(exact)


@pytest.mark.parametrize("width", FIELDS)
def test_operations_without_a_number_give_the_processors_nan(width: int) -> None:
    infinity, minus, nan = INFINITY[width], INFINITY[width] | 1 << width - 1, NOT_A_NUMBER[width]
    one = nearest(Fraction(1), False, width)
    for op, given in (
        ("fpadd", (infinity, minus)),
        ("fpsub", (infinity, infinity)),
        ("fpmul", (minus, 0)),
        ("fpdiv", (0, 0)),
        ("fpdiv", (minus, infinity)),
        ("fpsqrt", (one | 1 << width - 1,)),
        ("fpfma", (infinity, 0, one)),
        ("fpfma", (infinity, one, minus)),
    ):
        assert result(op, None, given, (width, width)) == nan, op
    assert result("fpdiv", None, (one, 1 << width - 1), (width, width)) == minus
    assert result("fpsqrt", None, (1 << width - 1,), (width, width)) == 1 << width - 1


@pytest.mark.parametrize("width", FIELDS)
def test_a_sum_that_is_zero_is_negative_only_if_both_parts_are(width: int) -> None:
    minus = 1 << width - 1
    one = nearest(Fraction(1), False, width)
    for op, given, zero in (
        ("fpadd", (0, minus), 0),
        ("fpadd", (minus, minus), minus),
        ("fpadd", (one, one | minus), 0),
        ("fpsub", (minus, 0), minus),
        ("fpsub", (minus, minus), 0),
        ("fpfma", (minus, one, minus), minus),
        ("fpfma", (one, one, one | minus), 0),
    ):
        assert result(op, None, given, (width, width)) == zero, op


def test_a_nan_among_the_operands_is_the_result_and_quiet() -> None:
    loud, quiet, one = 0x7F800005, 0x7FC00005, pattern(1.0, 32)
    for given in ((loud, one), (one, loud), (loud, 0xFFC00001)):
        assert result("fpadd", None, given, (32, 32)) == quiet
    assert result("fpneg", None, (loud,), (32, 32)) == loud | 1 << 31
    assert result("fpconvert", None, (loud,), (32, 64)) == 0x7FF80000A0000000
    assert not any(holds(op, quiet, quiet, 32) for op in RELATIONS)


@pytest.mark.parametrize(("width", "wanted"), [(32, 64), (64, 32), (32, 80), (64, 80), (80, 32), (80, 64)])
def test_conversions_keep_the_number_or_take_the_nearest(width: int, wanted: int) -> None:
    for given in patterns(width, 300, 9):
        converted = result("fpconvert", None, (given,), (width, wanted))
        known, found = real(given, width), real(converted, wanted)
        if known.value is None:
            assert (known.nan, known.infinite, known.negative) == (found.nan, found.infinite, found.negative)
        elif wanted > width:
            assert found == known
            assert result("fpconvert", None, (converted,), (wanted, width)) == given
        elif width == 64:
            assert converted == pattern(number(given, 64), 32)
        elif wanted == 64 and known.value < 2**1023:
            assert number(converted, 64) == float(known.signed)


MODES = {
    "RNE": decimal.ROUND_HALF_EVEN,
    "RNA": decimal.ROUND_HALF_UP,
    "RTP": decimal.ROUND_CEILING,
    "RTN": decimal.ROUND_FLOOR,
    "RTZ": decimal.ROUND_DOWN,
}


@pytest.mark.parametrize("width", FIELDS)
@pytest.mark.parametrize("mode", MODES)
def test_whole_numbers_are_those_of_decimal_arithmetic(width: int, mode: str) -> None:
    """A zero keeps the sign of what it was."""
    for quarters in range(-14, 15):
        given = nearest(Fraction(abs(quarters), 4), quarters < 0, width)
        whole = Fraction((decimal.Decimal(quarters) / 4).to_integral_value(MODES[mode]))
        rounded = real(result("fpround", mode, (given,), (width, width)), width)
        assert (rounded.signed, rounded.negative) == (whole, quarters < 0), quarters


def test_integers_are_cut_towards_zero_and_what_does_not_fit_is_the_least() -> None:
    for value, wanted, keep_sign, expected in (
        (-1.9, 8, True, 0xFF),
        (127.9, 8, True, 127),
        (128.0, 8, True, 0x80),
        (-128.5, 8, True, 0x80),
        (255.5, 8, False, 255),
        (-0.5, 8, False, 0),
        (2.0**63, 64, False, 1 << 63),
        (2.0**63, 64, True, 1 << 63),
        (-(2.0**62), 64, True, 3 << 62),
        (math.inf, 32, True, 1 << 31),
        (math.nan, 32, False, 1 << 31),
    ):
        assert integer_result(pattern(value, 64), 64, wanted, keep_sign) == expected, value


@pytest.mark.parametrize("width", FIELDS)
def test_integers_become_the_nearest_number(width: int) -> None:
    rng = Random(10)
    for _ in range(200):
        given = rng.getrandbits(rng.randrange(1, 65))
        signed = given - (given >> 63 << 64)
        for op, value in (("fpfromunsigned", given), ("fpfromsigned", signed)):
            found = result(op, None, (given,), (64, width))
            if width == 64:
                assert number(found, 64) == float(value)
            elif width == 80:
                assert real(found, 80).signed == value
            else:
                assert found == nearest(Fraction(abs(value)), value < 0, 32)


def test_eighty_bits_whose_leading_one_does_not_fit_the_exponent_are_no_number() -> None:
    one = 0x3FFF8 << 60
    assert real(one, 80).value == 1
    for odd in (one ^ 1 << 63, 1 << 63, 0x7FFF << 64):
        assert real(odd, 80).nan
    assert holds("fple", one, one, 80) and not holds("fple", one, one ^ 1 << 63, 80)
    minus = INFINITY[80] | 1 << 79
    assert holds("fplt", minus, one, 80) and holds("fplt", one, INFINITY[80], 80) and holds("fpeq", minus, minus, 80)
    assert holds("fpeq", 0, 1 << 79, 80)
