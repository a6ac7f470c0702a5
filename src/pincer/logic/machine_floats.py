"""What floating-point operations mean on bit patterns, as SSE and x87 carry them out: rounded to nearest, ties to even.

A number is its IEEE pattern, an unsigned integer of 32, 64 or 80 bits. An operation that has a NaN among its operands
gives the first one, quiet; one without that has no number as its result gives the processor's default NaN. Patterns of
80 bits whose integer bit does not fit their exponent are taken for NaN.
"""

from __future__ import annotations

import enum
import math
import operator
import struct
from collections.abc import Callable, Sequence
from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction

from msgspec import Struct


class FloatFormat(Struct, frozen=True):
    """A format: bits of the exponent, bits of the significand with its leading one, whether that one is stored."""

    exponent: int
    precision: int
    stored_one: bool = False

    @property
    def bias(self) -> int:
        return (1 << self.exponent - 1) - 1

    @property
    def width(self) -> int:
        return self.exponent + self.precision + self.stored_one

    @property
    def field(self) -> int:
        """The bits below the exponent."""
        return self.precision - 1 + self.stored_one

    @property
    def infinity(self) -> int:
        return ((1 << self.exponent) - 1) << self.field | self.stored_one << self.precision - 1

    @property
    def quiet(self) -> int:
        """The bit that makes a NaN quiet."""
        return 1 << self.precision - 2

    @property
    def default_nan(self) -> int:
        return 1 << self.width - 1 | self.infinity | self.quiet


FORMATS = {32: FloatFormat(8, 24), 64: FloatFormat(11, 53), 80: FloatFormat(15, 64, stored_one=True)}
"""By the number of bits: float, double, and the long double of x87."""


class Rounding(enum.Enum):
    """Where a number goes that is not representable; the values are the names in SMT-LIB."""

    TO_EVEN = "RNE"
    AWAY_FROM_ZERO = "RNA"
    UP = "RTP"
    DOWN = "RTN"
    TO_ZERO = "RTZ"


def is_nan(pattern: int, bits: int) -> bool:
    form = FORMATS[bits]
    if form.stored_one and (pattern >> 63 & 1) != bool(pattern >> 64 & 0x7FFF):
        return True
    return pattern & ((1 << bits - 1) - 1) > form.infinity


def is_infinite(pattern: int, bits: int) -> bool:
    return pattern & ((1 << bits - 1) - 1) == FORMATS[bits].infinity


def exact(pattern: int, bits: int) -> tuple[int, int]:
    """A finite number as `m` and `e` with the value `m * 2**e`; the sign of a zero is lost."""
    form = FORMATS[bits]
    biased = pattern >> form.field & ((1 << form.exponent) - 1)
    significand = pattern & ((1 << form.precision - 1) - 1)
    if biased:
        significand |= 1 << form.precision - 1
    power = max(biased, 1) - form.bias - form.precision + 1
    return -significand if pattern >> bits - 1 else significand, power


def rounded(negative: bool, size: int, power: int, bits: int) -> int:
    """`size * 2**power` with a sign, in the nearest pattern."""
    form = FORMATS[bits]
    sign = negative << bits - 1
    last = max(power + size.bit_length(), 2 - form.bias) - form.precision if size else 0
    if last > power:
        drop = last - power
        rest, half = size & ((1 << drop) - 1), 1 << drop - 1
        size >>= drop
        size += rest > half or (rest == half and size & 1)
    else:
        size <<= power - last
    if size >> form.precision:
        size, last = size >> 1, last + 1
    if not size >> form.precision - 1:
        return sign | size
    biased = last + form.precision - 1 + form.bias
    if biased >= (1 << form.exponent) - 1:
        return sign | form.infinity
    if not form.stored_one:
        size &= (1 << form.precision - 1) - 1
    return sign | biased << form.field | size


def from_ratio(value: Fraction, bits: int) -> int:
    """The pattern nearest to a rational number; zero is positive."""
    return _quotient(value < 0, abs(value.numerator), value.denominator, bits)


def _quotient(negative: bool, above: int, below: int, bits: int, power: int = 0) -> int:
    """`above / below * 2**power`, rounded; a last bit stands for all that the division leaves."""
    more = max(0, FORMATS[bits].precision + 3 + below.bit_length() - above.bit_length())
    whole, rest = divmod(above << more, below)
    return rounded(negative, whole << 1 | bool(rest), power - more - 1, bits)


_CODES = {32: "<f", 64: "<d"}


def number(pattern: int, bits: int) -> float:
    """A pattern of 32 or 64 bits as Python's number."""
    value: float = struct.unpack(_CODES[bits], pattern.to_bytes(bits // 8, "little"))[0]
    return value


def pattern_of(value: float, bits: int) -> int:
    """The nearest pattern of 32 or 64 bits to a number that is no NaN."""
    try:
        return int.from_bytes(struct.pack(_CODES[bits], value), "little")
    except OverflowError:
        return (value < 0) << bits - 1 | FORMATS[bits].infinity


def _nan(operands: Sequence[int], bits: int) -> int | None:
    """The first NaN among the operands, quiet; None when there is none."""
    for operand in operands:
        if is_nan(operand, bits):
            return operand | FORMATS[bits].quiet
    return None


def arithmetic(op: str, operands: Sequence[int], bits: int) -> int:
    """`fpneg`, `fpabs`, `fpadd`, `fpsub`, `fpmul`, `fpdiv`, `fpsqrt` or `fpfma`; the first two touch the sign only."""
    if op in ("fpneg", "fpabs"):
        sign = 1 << bits - 1
        return operands[0] ^ sign if op == "fpneg" else operands[0] & ~sign
    found = _nan(operands, bits)
    if found is not None:
        return found
    if op == "fpsqrt":
        return _square_root(operands[0], bits)
    if op == "fpfma":
        return _fused(operands[0], operands[1], operands[2], bits)
    if op == "fpdiv":
        return _divided(operands[0], operands[1], bits)
    if bits in _CODES:
        result = _DOUBLES[op](number(operands[0], bits), number(operands[1], bits))
        return FORMATS[bits].default_nan if result != result else pattern_of(result, bits)
    if op == "fpmul":
        return _fused(operands[0], operands[1], (operands[0] ^ operands[1]) & 1 << bits - 1, bits)
    return _sum(operands[0], operands[1] ^ (1 << bits - 1 if op == "fpsub" else 0), bits)


_DOUBLES: dict[str, Callable[[float, float], float]] = {
    "fpadd": operator.add, "fpsub": operator.sub, "fpmul": operator.mul,
}  # fmt: skip
"""Sums and products of floats are rounded correctly by double: it has more than twice their precision."""


def _divided(left: int, right: int, bits: int) -> int:
    form = FORMATS[bits]
    sign = (left ^ right) & 1 << bits - 1
    (above, power), (below, other) = exact(left, bits), exact(right, bits)
    if is_infinite(left, bits):
        return form.default_nan if is_infinite(right, bits) else sign | form.infinity
    if is_infinite(right, bits):
        return sign
    if not below:
        return sign | form.infinity if above else form.default_nan
    return _quotient(bool(sign), abs(above), abs(below), bits, power - other)


def _square_root(operand: int, bits: int) -> int:
    size, power = exact(operand, bits)
    if not size:
        return operand
    if operand >> bits - 1:
        return FORMATS[bits].default_nan
    if is_infinite(operand, bits):
        return operand
    more = 2 * FORMATS[bits].precision + 4
    more += (power - more) & 1
    root = math.isqrt(size << more)
    return rounded(False, root << 1 | (root * root != size << more), (power - more) // 2 - 1, bits)


def _sum(left: int, right: int, bits: int) -> int:
    for one, other in ((left, right), (right, left)):
        if is_infinite(one, bits):
            opposite = is_infinite(other, bits) and one != other
            return FORMATS[bits].default_nan if opposite else one
    return _exact_sum(exact(left, bits), exact(right, bits), bool((left & right) >> bits - 1), bits)


def _exact_sum(left: tuple[int, int], right: tuple[int, int], negative_zero: bool, bits: int) -> int:
    power = min(left[1], right[1])
    total = (left[0] << left[1] - power) + (right[0] << right[1] - power)
    return rounded(total < 0 if total else negative_zero, abs(total), power, bits)


def _fused(left: int, right: int, addend: int, bits: int) -> int:
    """`left * right + addend`, rounded once."""
    form, sign = FORMATS[bits], (left ^ right) & 1 << bits - 1
    (a, p), (b, q) = exact(left, bits), exact(right, bits)
    if is_infinite(left, bits) or is_infinite(right, bits):
        if not a or not b or (is_infinite(addend, bits) and addend != sign | form.infinity):
            return form.default_nan
        return sign | form.infinity
    if is_infinite(addend, bits):
        return addend
    return _exact_sum((a * b, p + q), exact(addend, bits), bool(sign and addend >> bits - 1), bits)


def to_integral(mode: Rounding, operand: int, bits: int) -> int:
    """The integer that the mode rounds to, with the sign of the operand."""
    found = _nan((operand,), bits)
    if found is not None:
        return found
    size, power = exact(operand, bits)
    if is_infinite(operand, bits) or power >= 0:
        return operand
    return rounded(bool(operand >> bits - 1), abs(rounded_ratio(mode, size, -power)), 0, bits)


def rounded_ratio(mode: Rounding, size: int, shift: int) -> int:
    """`size / 2**shift` as an integer."""
    down = size >> shift
    rest = (size & ((1 << shift) - 1)) * 2
    whole = 1 << shift
    match mode:
        case Rounding.DOWN:
            return down
        case Rounding.UP:
            return down + (rest > 0)
        case Rounding.TO_ZERO:
            return down + (rest > 0 and size < 0)
        case Rounding.TO_EVEN:
            return down + (rest > whole or (rest == whole and down & 1))
    return down + (rest > whole or (rest == whole and size >= 0))


def compared(op: str, left: int, right: int, bits: int) -> bool:
    """`fplt`, `fple` or `fpeq`; nothing holds of a NaN."""
    if is_nan(left, bits) or is_nan(right, bits):
        return False
    a, b = _ordered(left, bits), _ordered(right, bits)
    return a < b if op == "fplt" else a <= b if op == "fple" else a == b


def _ordered(pattern: int, bits: int) -> int:
    """A number that is ordered as the pattern's value."""
    size = pattern & ((1 << bits - 1) - 1)
    return -size if pattern >> bits - 1 else size


def converted(operand: int, bits: int, wanted: int) -> int:
    """A number of another format; a NaN keeps its sign and the upper bits of its payload."""
    form, result = FORMATS[bits], FORMATS[wanted]
    sign = operand >> bits - 1 << wanted - 1
    if is_nan(operand, bits):
        shift = result.precision - form.precision
        payload = operand & ((1 << form.precision - 1) - 1)
        return sign | result.infinity | result.quiet | (payload << shift if shift > 0 else payload >> -shift)
    if is_infinite(operand, bits):
        return sign | result.infinity
    size, power = exact(operand, bits)
    return rounded(bool(sign), abs(size), power, wanted)


def from_integer(value: int, wanted: int) -> int:
    """The nearest number to an integer."""
    return rounded(value < 0, abs(value), 0, wanted)


def to_integer(operand: int, bits: int, wanted: int, keep_sign: bool) -> int:
    """The integer towards zero, reduced to its bits; one that does not fit, as from a NaN, is the least signed one."""
    if not is_nan(operand, bits) and not is_infinite(operand, bits):
        size, power = exact(operand, bits)
        value = size << power if power >= 0 else rounded_ratio(Rounding.TO_ZERO, size, -power)
        least = -(1 << wanted - 1) if keep_sign else 0
        if least <= value < least + (1 << wanted):
            return value & ((1 << wanted) - 1)
    return 1 << wanted - 1


def decimal_text(pattern: int, bits: int) -> str:
    """The shortest decimal text that is read back as the same number; `inf`, `-inf`, `nan`."""
    sign = "-" if pattern >> bits - 1 else ""
    if is_nan(pattern, bits):
        return f"{sign}nan"
    if is_infinite(pattern, bits):
        return f"{sign}inf"
    if bits == 64:
        return repr(number(pattern, bits))
    size, power = exact(pattern, bits)
    value = Fraction(abs(size)) * Fraction(2) ** power
    return sign + _shortest(value, pattern & ((1 << bits - 1) - 1), bits)


def _shortest(value: Fraction, pattern: int, bits: int) -> str:
    if not value:
        return "0.0"
    for digits in range(1, 23):
        context = Context(prec=digits, rounding=ROUND_HALF_EVEN, Emax=9999, Emin=-9999)
        shown = context.divide(Decimal(value.numerator), Decimal(value.denominator))
        if from_ratio(Fraction(shown), bits) == pattern:
            break
    text = str(shown.normalize()).replace("E", "e")
    if "e" in text and -5 < shown.adjusted() < 16:
        text = f"{shown.normalize():f}"
    return text if "e" in text or "." in text else text + ".0"
