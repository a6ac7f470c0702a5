"""What the bit-vector operations mean on numbers: unsigned integers below 2**bits, signed ones in two's complement.

Division by zero follows SMT-LIB: the quotient is all ones (unsigned) and the remainder is the dividend.
"""

from __future__ import annotations

from collections.abc import Callable


def signed(value: int, bits: int) -> int:
    """An unsigned value read in two's complement."""
    return value - (1 << bits) if value >> (bits - 1) else value


def divide_signed(a: int, b: int, bits: int) -> int:
    """The quotient rounded towards zero, not yet reduced to the width."""
    x, y = signed(a, bits), signed(b, bits)
    if y == 0:
        return -1 if x >= 0 else 1
    quotient = abs(x) // abs(y)
    return quotient if (x < 0) == (y < 0) else -quotient


def remainder_signed(a: int, b: int, bits: int) -> int:
    """The remainder with the sign of the dividend, not yet reduced to the width."""
    x, y = signed(a, bits), signed(b, bits)
    if y == 0:
        return x
    remainder = abs(x) % abs(y)
    return -remainder if x < 0 else remainder


BINARY: dict[str, Callable[[int, int, int], int]] = {
    "bvadd": lambda a, b, bits: a + b,
    "bvsub": lambda a, b, bits: a - b,
    "bvmul": lambda a, b, bits: a * b,
    "bvand": lambda a, b, bits: a & b,
    "bvor": lambda a, b, bits: a | b,
    "bvxor": lambda a, b, bits: a ^ b,
    "bvshl": lambda a, b, bits: a << b if b < bits else 0,
    "bvlshr": lambda a, b, bits: a >> b if b < bits else 0,
    "bvashr": lambda a, b, bits: signed(a, bits) >> min(b, bits),
    "bvudiv": lambda a, b, bits: a // b if b else -1,
    "bvurem": lambda a, b, bits: a % b if b else a,
    "bvsdiv": divide_signed,
    "bvsrem": remainder_signed,
}
"""Results are still to be reduced modulo 2**bits."""

COMPARISON: dict[str, Callable[[int, int, int], bool]] = {
    "bvult": lambda a, b, bits: a < b,
    "bvule": lambda a, b, bits: a <= b,
    "bvslt": lambda a, b, bits: signed(a, bits) < signed(b, bits),
    "bvsle": lambda a, b, bits: signed(a, bits) <= signed(b, bits),
}


def binary_value(op: str, a: int, b: int, bits: int) -> int:
    return BINARY[op](a, b, bits) & ((1 << bits) - 1)
