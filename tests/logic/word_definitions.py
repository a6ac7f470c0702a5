"""Words to build terms from, and operations on them by definition."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import trunc
from random import Random

from pincer.logic import bitvectors as bv
from pincer.logic import terms
from pincer.logic.terms import Term

X, Y, P, Q = (bv.variable(name, 32) for name in ("x", "y", "p", "q"))
C = bv.variable("c", 8)
LESS = bv.compare("bvslt", X, Y)


def number(value: int, bits: int = 32) -> Term:
    return bv.constant(value, bits)


def plus(left: Term, right: Term | int) -> Term:
    return bv.binary("bvadd", left, number(right, bv.width(left)) if isinstance(right, int) else right)


def differs(left: Term, right: Term) -> Term:
    return terms.negate(terms.equal(left, right))


def truth(condition: Term, bits: int = 32) -> Term:
    """A C condition used as a number."""
    return terms.conditional(condition, number(1, bits), number(0, bits))


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


WIDE, NARROW = bv.variable("wide", 35), bv.variable("narrow", 32)
