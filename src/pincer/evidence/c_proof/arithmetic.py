"""What the operations of bit-vectors do with constants, by their SMT-LIB names: operands, then the width."""

from __future__ import annotations

from collections.abc import Callable


def signed(value: int, width: int) -> int:
    return value - (1 << width) if value >> (width - 1) else value


def _quotient(left: int, right: int) -> int:
    """Division that rounds towards zero."""
    return abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)


def _signed_quotient(left: int, right: int, width: int) -> int:
    a, b = signed(left, width), signed(right, width)
    return _quotient(a, b) if b else (1 if a < 0 else -1)


def _signed_remainder(left: int, right: int, width: int) -> int:
    a, b = signed(left, width), signed(right, width)
    return a - b * _quotient(a, b) if b else a


VALUES: dict[str, Callable[[int, int, int], int]] = {
    "bvsub": lambda a, b, w: a - b,
    "bvmul": lambda a, b, w: a * b,
    "bvand": lambda a, b, w: a & b,
    "bvor": lambda a, b, w: a | b,
    "bvxor": lambda a, b, w: a ^ b,
    "bvudiv": lambda a, b, w: a // b if b else -1,
    "bvurem": lambda a, b, w: a % b if b else a,
    "bvsdiv": _signed_quotient,
    "bvsrem": _signed_remainder,
    "bvshl": lambda a, b, w: a << b if b < w else 0,
    "bvlshr": lambda a, b, w: a >> b,
    "bvashr": lambda a, b, w: signed(a, w) >> b,
}
ORDERS: dict[str, Callable[[int, int, int], bool]] = {
    "bvult": lambda a, b, w: a < b,
    "bvule": lambda a, b, w: a <= b,
    "bvslt": lambda a, b, w: signed(a, w) < signed(b, w),
    "bvsle": lambda a, b, w: signed(a, w) <= signed(b, w),
}
