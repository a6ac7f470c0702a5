"""Equality and order of bit-vectors, each fact under one name.

- An equality is between two sums without common terms, with positive coefficients and the constant on the right; where
  a coefficient is odd it is divided out. So `p + 8 = q + 8` is `p = q`, and `x + 3 = 10` is `x = 7`.
- An order is `bvule` or `bvsle`; strict ones are negations, and a constant stands on the right.
- Extensions are stripped on both sides; conditionals between constants become formulas over their conditions.
"""

from __future__ import annotations

from collections.abc import Callable

from pincer.logic import terms
from pincer.logic.bitvector_sums import (
    choice_size,
    choose,
    constant,
    from_linear,
    gathered,
    in_leaves,
    is_inversion,
    same_width,
    width,
)
from pincer.logic.bitvector_words import extend
from pincer.logic.limits import LIMITS
from pincer.logic.machine_arithmetic import COMPARISON, signed
from pincer.logic.terms import BOOL, FALSE, TRUE, Term


def equal(left: Term, right: Term) -> Term:
    """`left = right`."""
    if left is right:
        return TRUE
    bits = same_width(left, right)
    if not any(side.op == "bvlin" or is_inversion(side) for side in (left, right)):
        return _same(right, left) if left.op == "bvconst" else _same(left, right)
    entries, offset = gathered(((left, 1), (right, -1)), 0, bits)
    if not entries:
        return terms.boolean(offset == 0)
    divisor = min(c & -c for _, c in entries)
    if offset % divisor:
        return FALSE
    factor = _normal_factor([c for _, c in entries], bits)
    mask = (1 << bits) - 1
    half = 1 << bits >> 1
    scaled = [(term, c * factor & mask) for term, c in entries]
    positive = [(term, c) for term, c in scaled if c <= half]
    negative = [(term, -c & mask) for term, c in scaled if c > half]
    return _same(from_linear(positive, 0, bits), from_linear(negative, -offset * factor & mask, bits))


def _normal_factor(coefficients: list[int], bits: int) -> int:
    """What to multiply an equation with: makes one coefficient 1 if any is odd, the first one positive otherwise."""
    modulus = 1 << bits
    odd = [c for c in coefficients if c & 1]
    if odd:
        unit = next((c for c in odd if c in (1, modulus - 1)), odd[0])
        return pow(unit, -1, modulus)
    return 1 if next((c < modulus - c for c in coefficients if 2 * c != modulus), True) else -1


def _same(left: Term, right: Term) -> Term:
    """Equality of two different terms whose sum is already distributed; a constant is on the right."""
    if right.op == "bvconst":
        return FALSE if left.op == "bvconst" else _through_conditionals(left, right.args[0], _is_value)
    for one, other in ((left, right), (right, left)):
        if one.op == "ite" and other in one.args[1:]:
            condition, then, otherwise = one.args
            return choose(condition, equal(then, other), equal(otherwise, other))
    if 0 < choice_size(left) * choice_size(right) <= LIMITS.choice_product:
        bits = width(left)
        return in_leaves(left, lambda value: equal(right, constant(value, bits)))
    if left.op == right.op and left.op in ("zero_extend", "sign_extend"):
        return equal(*_narrowed(left, right))
    if left.op == right.op == "extract" and left.args[:2] == right.args[:2]:
        high, low, term = left.args
        apart = _whole_steps_apart(high, low, term, right.args[2])
        if apart is not None:
            return terms.boolean(apart == 0)
    if left.op == right.op == "concat" and left.args[0].sort is right.args[0].sort:
        return terms.conjunction(equal(left.args[0], right.args[0]), equal(left.args[1], right.args[1]))
    if left.op != "bvlin" and right.op != "bvlin" and left.id > right.id:
        left, right = right, left
    return terms.intern("same", (left, right), BOOL)


def _whole_steps_apart(high: int, low: int, left: Term, right: Term) -> int | None:
    """By how much the same bits of two terms differ, known when the terms differ by a constant multiple of 2**low."""
    if left.sort is not right.sort:
        return None
    entries, offset = gathered(((left, 1), (right, -1)), 0, width(left))
    if entries or offset & ((1 << low) - 1):
        return None
    return offset >> low & ((1 << (high - low + 1)) - 1)


def _narrowed(left: Term, right: Term) -> tuple[Term, Term]:
    """Two extensions of a kind without the bits that both add."""
    by = min(left.args[0], right.args[0])
    keep_sign = left.op == "sign_extend"
    return (
        extend(left.args[1], left.args[0] - by, keep_sign),
        extend(right.args[1], right.args[0] - by, keep_sign),
    )


def _through_conditionals(term: Term, value: int, relation: Callable[[Term, int], Term]) -> Term:
    """A relation to a constant, carried into conditionals as long as one of their branches is constant."""
    if choice_size(term):
        bits = width(term)
        return in_leaves(term, lambda leaf: relation(constant(leaf, bits), value))
    passed: list[tuple[Term, Term, bool]] = []
    while term.op == "ite" and (term.args[1].op == "bvconst" or term.args[2].op == "bvconst"):
        condition, then, otherwise = term.args
        if then.op == "bvconst":
            passed.append((condition, relation(then, value), True))
            term = otherwise
        else:
            passed.append((condition, relation(otherwise, value), False))
            term = then
    result = relation(term, value)
    for condition, decided, first in reversed(passed):
        result = choose(condition, decided, result) if first else choose(condition, result, decided)
    return result


def _is_value(term: Term, value: int) -> Term:
    """`term = value` below all conditionals."""
    bits = width(term)
    match term.op:
        case "bvconst":
            return terms.boolean(term.args[0] == value)
        case "zero_extend" | "sign_extend":
            inner = term.args[1]
            narrow = constant(value, width(inner))
            fits = extend(narrow, term.args[0], term.op == "sign_extend").args[0] == value
            return equal(inner, narrow) if fits else FALSE
        case "concat":
            high, low = term.args
            split = width(low)
            upper = equal(high, constant(value >> split, width(high)))
            return terms.conjunction(upper, equal(low, constant(value, split)))
        case "bvxor" if term.args[0].op == "bvconst":
            return equal(term.args[1], constant(term.args[0].args[0] ^ value, bits))
        case "bvand" if term.args[0].op == "bvconst" and value & ~term.args[0].args[0]:
            return FALSE
        case "bvor" if term.args[0].op == "bvconst" and term.args[0].args[0] & ~value:
            return FALSE
        case "extract" if bits == 1 and term.args[0] == width(term.args[2]) - 1:
            negative = compare("bvsle", term.args[2], constant(-1, width(term.args[2])))
            return terms.literal(negative, value == 1)
    if bits == 1 and value == 0:
        return terms.negate(terms.intern("same", (term, constant(1, 1)), BOOL))
    return terms.intern("same", (term, constant(value, bits)), BOOL)


def compare(op: str, left: Term, right: Term) -> Term:
    """`bvult`, `bvule`, `bvslt` or `bvsle`; strict ones are kept as negated non-strict ones."""
    if op in ("bvult", "bvslt"):
        return terms.negate(compare("bvule" if op == "bvult" else "bvsle", right, left))
    if left is right:
        return TRUE
    bits = same_width(left, right)
    if 0 < choice_size(left) * choice_size(right) <= LIMITS.choice_product:
        holds = COMPARISON[op]
        return in_leaves(left, lambda a: in_leaves(right, lambda b: terms.boolean(holds(a, b, bits))))
    if right.op == "bvconst":
        return _through_conditionals(left, right.args[0], _unsigned_limit if op == "bvule" else _signed_limit)
    if left.op == "bvconst":
        least = 0 if op == "bvule" else 1 << bits >> 1
        if left.args[0] == least:
            return TRUE
        return terms.negate(compare(op, right, constant(left.args[0] - 1, bits)))
    if left.op == right.op and left.op in ("zero_extend", "sign_extend"):
        if left.op == "zero_extend":
            op = "bvule"
        return compare(op, *_narrowed(left, right))
    shift = _distance(left, right, bits)
    return terms.intern(op, (left, right), BOOL) if shift is None else _beside(op, left, shift, bits)


def _distance(left: Term, right: Term, bits: int) -> int | None:
    """`right - left`, if that is a constant."""
    if not any(side.op == "bvlin" or is_inversion(side) for side in (left, right)):
        return None
    entries, offset = gathered(((right, 1), (left, -1)), 0, bits)
    return None if entries else offset


def _beside(op: str, term: Term, shift: int, bits: int) -> Term:
    """`term <= term + shift` for a shift that is not zero: it depends on whether the addition wraps around."""
    if op == "bvule":
        return compare(op, term, constant(-1 - shift, bits))
    least = 1 << bits >> 1
    if shift < least:
        return compare(op, term, constant(least - 1 - shift, bits))
    return compare("bvslt", term, constant(least - shift, bits))


def _unsigned_limit(term: Term, limit: int) -> Term:
    """`term <= limit`, unsigned, below all conditionals."""
    bits = width(term)
    largest = (1 << bits) - 1
    if term.op == "bvconst":
        return terms.boolean(term.args[0] <= limit)
    if limit == largest:
        return TRUE
    if limit == 0:
        return equal(term, constant(0, bits))
    if limit == largest - 1:
        return terms.negate(equal(term, constant(largest, bits)))
    if limit == largest >> 1:
        return terms.negate(_signed_limit(term, largest))
    if term.op in ("zero_extend", "sign_extend"):
        inner = term.args[1]
        narrow = 1 << width(inner)
        if term.op == "zero_extend":
            return TRUE if limit >= narrow - 1 else _unsigned_limit(inner, limit)
        if narrow >> 1 <= limit < (1 << bits) - (narrow >> 1):
            return terms.negate(_signed_limit(inner, narrow - 1))
        return _unsigned_limit(inner, limit % narrow)
    return terms.intern("bvule", (term, constant(limit, bits)), BOOL)


def _signed_limit(term: Term, limit: int) -> Term:
    """`term <= limit`, signed, below all conditionals; the limit is given as its unsigned pattern."""
    bits = width(term)
    least = 1 << bits >> 1
    if term.op == "bvconst":
        return terms.boolean(signed(term.args[0], bits) <= signed(limit, bits))
    if limit == least - 1:
        return TRUE
    if limit == least:
        return equal(term, constant(least, bits))
    if limit == least - 2:
        return terms.negate(equal(term, constant(least - 1, bits)))
    if term.op == "zero_extend":
        return FALSE if limit >= least else _unsigned_limit(term, limit)
    if term.op == "sign_extend":
        inner = term.args[1]
        narrow = width(inner)
        wanted = signed(limit, bits)
        if wanted >= (1 << narrow >> 1) - 1:
            return TRUE
        return FALSE if wanted < -(1 << narrow >> 1) else _signed_limit(inner, wanted & ((1 << narrow) - 1))
    return terms.intern("bvsle", (term, constant(limit, bits)), BOOL)
