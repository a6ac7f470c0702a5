"""When an operation on signed integers has no defined result: the marks from which the property `overflow` is made.

A mark is a check that stands beside the program, not in it (`Procedure.marks`): arithmetic goes on as the processor
does it, in two's complement, unless the property asks. Operations that cannot overflow, because their operands come
from narrower types or are constants, get none. A conversion that C leaves undefined is marked in the same way.
"""

from __future__ import annotations

from math import isqrt

from msgspec import Struct

from pincer.frontends.c.lowering.frame import Frame
from pincer.frontends.c.semantics.tree import Written
from pincer.frontends.c.semantics.types import Integer
from pincer.frontends.c.syntax.wording import source_text
from pincer.logic import bitvectors, terms
from pincer.logic.terms import Term
from pincer.program.control_flow import Check, CheckKind

_DEEPEST = 12
"""How far operands are looked into for the values that they can have."""


class _Range(Struct, frozen=True):
    """Values that a term can have, read as two's complement."""

    least: int
    most: int


def mark(frame: Frame, kind: CheckKind, defined: Term, message: str, node: Written) -> None:
    """Say under which condition an operation has a defined result.

    What our own headers and library do, whose files are shown in angle brackets, is not asked.
    """
    position = frame.place_of(node)
    if not position.file.startswith("<"):
        frame.builder.note(Check(kind, defined, message), position)


def mark_operation(frame: Frame, op: str, left: Term, right: Term, node: Written) -> None:
    """`+`, `-` and `*` of signed integers: the result must be a value of their type."""
    if _cannot_overflow(op, left, right):
        return
    defined = {"+": _sum_fits, "-": _difference_fits, "*": _product_fits}[op](left, right)
    mark(frame, "overflow", defined, f"signed overflow in {source_text(node)}", node)


def mark_negation(frame: Frame, operand: Term, node: Written) -> None:
    """The least value has no negative."""
    bits = bitvectors.width(operand)
    if _range(operand).least > _full(bits).least:
        return
    mark(frame, "overflow", _is_not_least(operand), f"signed overflow in {source_text(node)}", node)


def mark_left_shift(frame: Frame, shifted: Term, amount: Term, node: Written) -> None:
    """C11: neither a negative number is shifted, nor a bit that is set into the sign or beyond.

    The amount, as wide as what is shifted, is less than the width: a check in the program has seen to that.
    """
    bits = bitvectors.width(shifted)
    not_negative = terms.negate(_less(shifted, _number(0, bits)))
    mark(frame, "shift", not_negative, f"left shift of a negative value in {source_text(node)}", node)
    kept = bitvectors.binary("bvsub", _number(bits - 1, bits), amount)
    lost = bitvectors.binary("bvlshr", shifted, kept)
    fits = terms.disjunction(terms.negate(not_negative), terms.equal(lost, _number(0, bits)))
    mark(frame, "overflow", fits, f"signed overflow in {source_text(node)}", node)


def quotient_fits(type: Integer, dividend: Term, divisor: Term) -> Term:
    """The one quotient of signed integers that is too large is that of the least value and -1."""
    if not type.signed or _range(dividend).least > _full(type.bits).least or _range(divisor).least > -1:
        return terms.TRUE
    other = terms.negate(terms.equal(divisor, _number(-1, type.bits)))
    return terms.disjunction(_is_not_least(dividend), other)


def _is_not_least(term: Term) -> Term:
    bits = bitvectors.width(term)
    return terms.negate(terms.equal(term, _number(_full(bits).least, bits)))


def _sum_fits(left: Term, right: Term) -> Term:
    if left.op == "bvconst":
        left, right = right, left
    whole, zero, negative = _bounds(right)
    below = _at_most(left, bitvectors.binary("bvsub", whole[1], right))
    above = _at_most(bitvectors.binary("bvsub", whole[0], right), left)
    return _by_sign(right, zero, negative, below, above)


def _difference_fits(left: Term, right: Term) -> Term:
    whole, zero, negative = _bounds(right)
    below = _at_most(left, bitvectors.binary("bvadd", whole[1], right))
    above = _at_most(bitvectors.binary("bvadd", whole[0], right), left)
    return _by_sign(right, zero, negative, above, below)


def _by_sign(right: Term, zero: Term, negative: Term, unless_negative: Term, if_negative: Term) -> Term:
    """What must hold where the second operand is not negative, and where it is."""
    reach = _range(right)
    if reach.least >= 0:
        return unless_negative
    if reach.most < 0:
        return if_negative
    return terms.conjunction(
        terms.disjunction(negative, unless_negative), terms.disjunction(_at_most(zero, right), if_negative)
    )


def _bounds(term: Term) -> tuple[tuple[Term, Term], Term, Term]:
    """The least and the greatest value of a term's width, zero, and whether the term is negative."""
    bits = bitvectors.width(term)
    full, zero = _full(bits), _number(0, bits)
    return (_number(full.least, bits), _number(full.most, bits)), zero, _less(term, zero)


def _product_fits(left: Term, right: Term) -> Term:
    if left.op == "bvconst":
        left, right = right, left
    bits = bitvectors.width(left)
    if left is right:
        most = isqrt(_full(bits).most)
        return terms.conjunction(_at_most(_number(-most, bits), left), _at_most(left, _number(most, bits)))
    factor = bitvectors.constant_value(right)
    if factor is not None:
        return _multiple_fits(left, bitvectors.signed(factor, bits))
    product = bitvectors.binary("bvmul", bitvectors.extend(left, bits, True), bitvectors.extend(right, bits, True))
    return terms.equal(product, bitvectors.extend(bitvectors.extract(bits - 1, 0, product), bits, True))


def _multiple_fits(term: Term, factor: int) -> Term:
    bits = bitvectors.width(term)
    full = _full(bits)
    if factor == 0:
        return terms.TRUE
    if factor == -1:
        return _is_not_least(term)
    ends = (full.least, full.most) if factor > 0 else (full.most, full.least)
    least, most = -(-ends[0] // factor), ends[1] // factor
    return terms.conjunction(_at_most(_number(least, bits), term), _at_most(term, _number(most, bits)))


def _cannot_overflow(op: str, left: Term, right: Term) -> bool:
    full = _full(bitvectors.width(left))
    a, b = _range(left), _range(right)
    found = _combined(op, a, b)
    return full.least <= found.least and found.most <= full.most


def _combined(op: str, a: _Range, b: _Range) -> _Range:
    if op == "+":
        return _Range(a.least + b.least, a.most + b.most)
    if op == "-":
        return _Range(a.least - b.most, a.most - b.least)
    ends = [x * y for x in (a.least, a.most) for y in (b.least, b.most)]
    return _Range(min(ends), max(ends))


def _range(term: Term, depth: int = 0) -> _Range:
    """The values that a term can have, as far as its form shows it."""
    bits = bitvectors.width(term)
    full = _full(bits)
    known = bitvectors.constant_value(term)
    if known is not None:
        value = bitvectors.signed(known, bits)
        return _Range(value, value)
    if depth > _DEEPEST:
        return full
    match term.op:
        case "zero_extend":
            return _Range(0, (1 << bitvectors.width(term.args[1])) - 1)
        case "sign_extend":
            return _range(term.args[1], depth + 1)
        case "ite":
            first, second = _range(term.args[1], depth + 1), _range(term.args[2], depth + 1)
            return _Range(min(first.least, second.least), max(first.most, second.most))
        case "bvlin":
            return _range_of_sum(term, depth, full)
        case "bvand" | "bvurem" | "bvsrem":
            return _range_of_part(term, full)
    return full


def _range_of_sum(term: Term, depth: int, full: _Range) -> _Range:
    """A sum of multiples, if it cannot leave the range of its width."""
    bits = bitvectors.width(term)
    constant = bitvectors.signed(term.args[1], bits)
    found = _Range(constant, constant)
    for factor, coefficient in term.args[0]:
        times = bitvectors.signed(coefficient, bits)
        found = _combined("+", found, _combined("*", _range(factor, depth + 1), _Range(times, times)))
    return found if full.least <= found.least and found.most <= full.most else full


def _range_of_part(term: Term, full: _Range) -> _Range:
    """A number masked, or the remainder of a division, by a positive constant."""
    bits = bitvectors.width(term)
    for operand in term.args if term.op == "bvand" else term.args[1:]:
        known = bitvectors.constant_value(operand)
        limit = 0 if known is None else bitvectors.signed(known, bits)
        if limit > 0:
            most = limit if term.op == "bvand" else limit - 1
            return _Range(-most if term.op == "bvsrem" else 0, most)
    return full


def _full(bits: int) -> _Range:
    return _Range(-(1 << bits - 1), (1 << bits - 1) - 1)


def _number(value: int, bits: int) -> Term:
    return bitvectors.constant(value, bits)


def _less(a: Term, b: Term) -> Term:
    return bitvectors.compare("bvslt", a, b)


def _at_most(a: Term, b: Term) -> Term:
    return bitvectors.compare("bvsle", a, b)
