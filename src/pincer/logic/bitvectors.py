"""Bit-vector terms: machine integers of a fixed width, in the same table as all other terms.

Values are unsigned integers below 2**width; `signed` reads one in two's complement. Division by zero follows SMT-LIB:
the quotient is all ones (unsigned) and the remainder is the dividend.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from pincer.logic import terms
from pincer.logic.terms import BOOL, Sort, Term


@cache
def sort(width: int) -> Sort:
    """The bit-vectors of a width."""
    if width < 1:
        raise ValueError("a bit-vector has at least one bit")
    return Sort("BitVec", width)


def width(term: Term) -> int:
    bits = term.sort.width
    assert bits is not None
    return bits


def constant(value: int, bits: int) -> Term:
    """The value modulo 2**bits."""
    return terms.intern("bvconst", (value & ((1 << bits) - 1),), sort(bits))


def constant_value(term: Term) -> int | None:
    return int(term.args[0]) if term.op == "bvconst" else None


def variable(name: str, bits: int) -> Term:
    return terms.variable(name, sort(bits))


def signed(value: int, bits: int) -> int:
    """An unsigned value read in two's complement."""
    return value - (1 << bits) if value >> (bits - 1) else value


def _divide_signed(a: int, b: int, bits: int) -> int:
    x, y = signed(a, bits), signed(b, bits)
    if y == 0:
        return -1 if x >= 0 else 1
    quotient = abs(x) // abs(y)
    return quotient if (x < 0) == (y < 0) else -quotient


def _remainder_signed(a: int, b: int, bits: int) -> int:
    x, y = signed(a, bits), signed(b, bits)
    if y == 0:
        return x
    remainder = abs(x) % abs(y)
    return -remainder if x < 0 else remainder


_BINARY: dict[str, Callable[[int, int, int], int]] = {
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
    "bvsdiv": _divide_signed,
    "bvsrem": _remainder_signed,
}
_COMPARISON: dict[str, Callable[[int, int, int], bool]] = {
    "bvult": lambda a, b, bits: a < b,
    "bvule": lambda a, b, bits: a <= b,
    "bvslt": lambda a, b, bits: signed(a, bits) < signed(b, bits),
    "bvsle": lambda a, b, bits: signed(a, bits) <= signed(b, bits),
}
_COMMUTATIVE = frozenset(("bvadd", "bvmul", "bvand", "bvor", "bvxor"))
_LEFT_UNIT = {"bvadd": 0, "bvor": 0, "bvxor": 0, "bvmul": 1}
_RIGHT_UNIT = {"bvsub": 0, "bvshl": 0, "bvlshr": 0, "bvashr": 0, "bvudiv": 1, "bvsdiv": 1}


def binary(op: str, left: Term, right: Term) -> Term:
    """An arithmetic, bitwise or shift operation, by its SMT-LIB name."""
    bits = width(left)
    if op in _COMMUTATIVE and right.op == "bvconst" and left.op != "bvconst":
        left, right = right, left
    a, b = constant_value(left), constant_value(right)
    if a is not None and b is not None:
        return constant(_BINARY[op](a, b, bits), bits)
    if a is not None and _LEFT_UNIT.get(op) == a:
        return right
    if b is not None and _RIGHT_UNIT.get(op) == b:
        return left
    if a == 0 and op in ("bvmul", "bvand"):
        return left
    if op in _COMMUTATIVE and left.op != "bvconst" and left.id > right.id:
        left, right = right, left
    return terms.intern(op, (left, right), left.sort)


def compare(op: str, left: Term, right: Term) -> Term:
    """`bvult`, `bvule`, `bvslt` or `bvsle`; strict ones are kept as negated non-strict ones."""
    if op in ("bvult", "bvslt"):
        return terms.negate(compare("bvule" if op == "bvult" else "bvsle", right, left))
    a, b = constant_value(left), constant_value(right)
    if a is not None and b is not None:
        return terms.boolean(_COMPARISON[op](a, b, width(left)))
    return terms.TRUE if left is right else terms.intern(op, (left, right), BOOL)


def invert(term: Term) -> Term:
    bits = width(term)
    return binary("bvxor", constant(-1, bits), term)


def negative(term: Term) -> Term:
    return binary("bvsub", constant(0, width(term)), term)


def concat(high: Term, low: Term) -> Term:
    a, b = constant_value(high), constant_value(low)
    bits = width(high) + width(low)
    if a is not None and b is not None:
        return constant(a << width(low) | b, bits)
    return terms.intern("concat", (high, low), sort(bits))


def extract(high: int, low: int, term: Term) -> Term:
    """Bits high..low, counted from zero at the least significant end."""
    if low == 0 and high == width(term) - 1:
        return term
    value = constant_value(term)
    if value is not None:
        return constant(value >> low, high - low + 1)
    if term.op == "extract":
        return extract(term.args[1] + high, term.args[1] + low, term.args[2])
    return terms.intern("extract", (high, low, term), sort(high - low + 1))


def extend(term: Term, by: int, keep_sign: bool) -> Term:
    """Widen by some bits, with zeros or with copies of the sign bit."""
    if by == 0:
        return term
    bits = width(term)
    value = constant_value(term)
    if value is not None:
        return constant(signed(value, bits) if keep_sign else value, bits + by)
    return terms.intern("sign_extend" if keep_sign else "zero_extend", (by, term), sort(bits + by))


def apply(term: Term, args: Sequence[int]) -> int:
    """The value of a bit-vector operation on argument values."""
    op = term.op
    if op == "bvconst":
        return int(args[0])
    if op in _BINARY:
        return _BINARY[op](args[0], args[1], width(term)) & ((1 << width(term)) - 1)
    if op in _COMPARISON:
        return int(_COMPARISON[op](args[0], args[1], width(term.args[0])))
    if op == "concat":
        return args[0] << width(term.args[1]) | args[1]
    if op == "extract":
        return args[2] >> args[1] & ((1 << width(term)) - 1)
    if op == "zero_extend":
        return args[1]
    if op == "sign_extend":
        return signed(args[1], width(term.args[1])) & ((1 << width(term)) - 1)
    raise ValueError(f"no value for {op}")


def rebuild(term: Term, visit: Callable[[Term], Term]) -> Term:
    """The same operation on visited arguments, normalised again."""
    op = term.op
    if op in _BINARY:
        return binary(op, *map(visit, term.args))
    if op in _COMPARISON:
        return compare(op, *map(visit, term.args))
    if op == "concat":
        return concat(*map(visit, term.args))
    if op == "extract":
        return extract(term.args[0], term.args[1], visit(term.args[2]))
    if op in ("zero_extend", "sign_extend"):
        return extend(visit(term.args[1]), term.args[0], op == "sign_extend")
    return term
