"""Floating-point operations on known patterns, by their definition: the exact rational result, then rounded once.

This is the checker's own reading of IEEE 754 as x86 has it; engines have another one. Patterns have 32, 64 or 80 bits.
"""

from __future__ import annotations

import operator
import struct
from collections.abc import Callable, Sequence
from fractions import Fraction
from math import ceil, floor, isfinite, isqrt

from msgspec import Struct

FIELDS = {32: (8, 24), 64: (11, 53), 80: (15, 64)}
"""By width: the bits of the exponent, and those of the significand with its leading one (which 80 bits store)."""


class Real(Struct, frozen=True):
    """What a pattern stands for: a rational with a sign (zeros have one too), an infinity, or a NaN."""

    negative: bool
    value: Fraction | None = None
    infinite: bool = False

    @property
    def nan(self) -> bool:
        return self.value is None and not self.infinite

    @property
    def signed(self) -> Fraction:
        assert self.value is not None
        return -self.value if self.negative else self.value


def limits(width: int) -> tuple[int, int, int]:
    """The patterns of positive infinity, of the bit that makes a NaN quiet, and of the NaN that operations make."""
    exponent, precision = FIELDS[width]
    stored = width - exponent - precision
    infinity = ((1 << exponent + stored) - 1) << precision - 1
    quiet = 1 << precision - 2
    return infinity, quiet, 1 << width - 1 | infinity | quiet


def real(pattern: int, width: int) -> Real:
    exponent, precision = FIELDS[width]
    negative = bool(pattern >> width - 1)
    fraction = pattern & (1 << precision - 1) - 1
    biased = pattern >> width - 1 - exponent & (1 << exponent) - 1
    if width == 80 and (pattern >> 63 & 1) != (biased > 0):
        return Real(negative)
    if biased == (1 << exponent) - 1:
        return Real(negative, infinite=fraction == 0)
    scale = max(biased, 1) - (1 << exponent - 1) + 2 - precision
    return Real(negative, (fraction + ((biased > 0) << precision - 1)) * Fraction(2) ** scale)


def nearest(value: Fraction, negative: bool, width: int) -> int:
    """The pattern of the representable number next to a size, the even one of two."""
    exponent, precision = FIELDS[width]
    sign = negative << width - 1
    if value == 0:
        return sign
    least = 3 - (1 << exponent - 1) - precision
    scale = max(_magnitude(value) + 1 - precision, least)
    exact = value / Fraction(2) ** scale
    steps = floor(exact)
    rest = exact - steps
    steps += rest > Fraction(1, 2) or (rest == Fraction(1, 2) and steps % 2 == 1)
    if steps == 1 << precision:
        steps, scale = steps >> 1, scale + 1
    if steps < 1 << precision - 1:
        return sign | steps
    biased = scale - least + 1
    if biased >= (1 << exponent) - 1:
        return sign | limits(width)[0]
    stored = steps if width == 80 else steps - (1 << precision - 1)
    return sign | biased << width - 1 - exponent | stored


def _magnitude(value: Fraction) -> int:
    """The exponent of the greatest power of two that is not above a positive number."""
    guess = value.numerator.bit_length() - value.denominator.bit_length()
    return guess if Fraction(2) ** guess <= value else guess - 1


def result(op: str, index: int | str | None, given: Sequence[int], widths: tuple[int, int]) -> int:
    """What any floating-point operation gives: a pattern, an integer, or a truth value."""
    if op in ("fplt", "fple", "fpeq"):
        return holds(op, given[0], given[1], widths[0])
    if op in ("fptosigned", "fptounsigned"):
        return integer_result(given[0], *widths, op == "fptosigned")
    return number_result(op, index, given, widths)


def number_result(op: str, index: int | str | None, given: Sequence[int], widths: tuple[int, int]) -> int:
    """The pattern of a floating-point result; `widths` are those of the operands and of the result."""
    width, wanted = widths
    if op == "fpneg":
        return given[0] ^ 1 << width - 1
    if op == "fpabs":
        return given[0] & (1 << width - 1) - 1
    if op in ("fpfromsigned", "fpfromunsigned"):
        value = given[0] - (1 << width if op == "fpfromsigned" and given[0] >> width - 1 else 0)
        return nearest(Fraction(abs(value)), value < 0, wanted)
    quick = _quick(op, given, width) if op in _QUICK and width in _CODES else None
    if quick is not None:
        return quick
    operands = [real(pattern, width) for pattern in given]
    if op == "fpconvert":
        return _converted(given[0], operands[0], width, wanted)
    for pattern, operand in zip(given, operands, strict=True):
        if operand.nan:
            return pattern | limits(width)[1]
    if op == "fpround":
        return _integral(str(index), given[0], operands[0], width)
    return _arithmetic(op, given, operands, width)


_CODES = {32: struct.Struct("<f"), 64: struct.Struct("<d")}
_QUICK: dict[str, Callable[[float, float], float]] = {
    "fpadd": operator.add, "fpsub": operator.sub, "fpmul": operator.mul,
}  # fmt: skip


def _quick(op: str, given: Sequence[int], width: int) -> int | None:
    """A sum or a product by Python's own numbers, if it is a finite one; doubles round those of floats correctly."""
    code = _CODES[width]
    left, right = (code.unpack(pattern.to_bytes(width // 8, "little"))[0] for pattern in given)
    number = _QUICK[op](left, right)
    if not isfinite(number):
        return None
    try:
        return int.from_bytes(code.pack(number), "little")
    except OverflowError:
        return None


def _converted(pattern: int, operand: Real, width: int, wanted: int) -> int:
    infinity, quiet, _ = limits(wanted)
    sign = operand.negative << wanted - 1
    if operand.nan:
        more = FIELDS[wanted][1] - FIELDS[width][1]
        payload = pattern & (1 << FIELDS[width][1] - 1) - 1
        return sign | infinity | quiet | (payload << more if more >= 0 else payload >> -more)
    return sign | infinity if operand.value is None else nearest(operand.value, operand.negative, wanted)


def _integral(mode: str, pattern: int, operand: Real, width: int) -> int:
    if operand.value is None:
        return pattern
    value, half = operand.signed, Fraction(1, 2)
    whole = {
        "RTN": floor(value),
        "RTP": ceil(value),
        "RTZ": int(value),
        "RNE": round(value),
        "RNA": -floor(half - value) if value < 0 else floor(value + half),
    }[mode]
    return nearest(Fraction(abs(whole)), operand.negative, width)


def _arithmetic(op: str, given: Sequence[int], operands: Sequence[Real], width: int) -> int:
    infinity, _, nan = limits(width)
    sign = 1 << width - 1
    first = operands[0]
    match op:
        case "fpadd":
            return _sum(operands, width)
        case "fpsub":
            return _sum((first, real(given[1] ^ sign, width)), width)
        case "fpsqrt":
            if first.value == 0 or (first.infinite and not first.negative):
                return given[0]
            return nan if first.negative else _root(first.signed, width)
        case "fpmul":
            product = _product(*operands)
            if product.nan:
                return nan
            shown = product.negative * sign
            return shown | infinity if product.value is None else nearest(product.value, product.negative, width)
        case "fpfma":
            return _sum((_product(*operands[:2]), operands[2]), width)
    return _quotient(operands, width)


def _product(left: Real, right: Real) -> Real:
    negative = left.negative != right.negative
    if left.infinite or right.infinite:
        return Real(negative, infinite=left.value != 0 and right.value != 0)
    assert left.value is not None and right.value is not None
    return Real(negative, left.value * right.value)


def _sum(operands: Sequence[Real], width: int) -> int:
    infinity, _, nan = limits(width)
    left, right = operands
    if left.nan or right.nan or (left.infinite and right.infinite and left.negative != right.negative):
        return nan
    for side in (left, right):
        if side.infinite:
            return side.negative << width - 1 | infinity
    total = left.signed + right.signed
    negative = total < 0 if total else left.negative and right.negative
    return nearest(abs(total), negative, width)


def _quotient(operands: Sequence[Real], width: int) -> int:
    infinity, _, nan = limits(width)
    left, right = operands
    negative = left.negative != right.negative
    sign = negative << width - 1
    if (left.infinite and right.infinite) or left.value == right.value == 0:
        return nan
    if left.value is None or right.value == 0:
        return sign | infinity
    return sign if right.value is None else nearest(left.value / right.value, negative, width)


def _root(value: Fraction, width: int) -> int:
    """The root, from an integer root with bits to spare; a last bit stands for what is cut off."""
    spare = 2 * FIELDS[width][1] + 8 + 2 * max(0, -_magnitude(value))
    scaled = value * (1 << 2 * spare)
    root = isqrt(floor(scaled))
    inexact = root * root != scaled
    return nearest(Fraction(2 * root + inexact, 1 << spare + 1), False, width)


def integer_result(pattern: int, width: int, wanted: int, keep_sign: bool) -> int:
    """The integer towards zero; the least signed one where it does not fit."""
    operand = real(pattern, width)
    if operand.value is not None:
        whole = int(operand.signed)
        least = -(1 << wanted - 1) if keep_sign else 0
        if least <= whole < least + (1 << wanted):
            return whole % (1 << wanted)
    return 1 << wanted - 1


def holds(op: str, left: int, right: int, width: int) -> bool:
    """`fplt`, `fple` or `fpeq`."""
    if width in _CODES:
        a, b = (_CODES[width].unpack(pattern.to_bytes(width // 8, "little"))[0] for pattern in (left, right))
        return bool(a < b if op == "fplt" else a <= b if op == "fple" else a == b)
    sides = [real(pattern, width) for pattern in (left, right)]
    if any(side.nan for side in sides):
        return False
    ranks = [
        (side.infinite * (-1 if side.negative else 1), Fraction(0) if side.infinite else side.signed) for side in sides
    ]
    return ranks[0] < ranks[1] if op == "fplt" else ranks[0] <= ranks[1] if op == "fple" else ranks[0] == ranks[1]
