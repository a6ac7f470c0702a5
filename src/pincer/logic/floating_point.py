"""Floating-point operations on bit-vectors: a number is its IEEE pattern of 32, 64 or 80 bits.

What they mean on patterns is said by `machine_floats`. What holds for words is never carried through them.
"""

from __future__ import annotations

from collections.abc import Callable

from pincer.logic import machine_floats, terms
from pincer.logic.bitvector_sums import choice_size, constant, in_leaves, sort, width
from pincer.logic.bitvector_words import extend
from pincer.logic.limits import LIMITS
from pincer.logic.machine_arithmetic import signed
from pincer.logic.machine_floats import FORMATS, Rounding
from pincer.logic.terms import BOOL, FALSE, Term

ARITHMETIC = frozenset(("fpneg", "fpabs", "fpadd", "fpsub", "fpmul", "fpdiv", "fpsqrt", "fpfma"))
"""Numbers of one format to a number of that format."""

RELATIONS = frozenset(("fplt", "fple", "fpeq"))

NUMBERS = ARITHMETIC | {"fpround", "fpconvert", "fpfromsigned", "fpfromunsigned"}
"""The operations whose result is a floating-point number."""


def arithmetic(op: str, *operands: Term) -> Term:
    """One of ARITHMETIC."""
    bits = width(operands[0])
    if any(operand.sort is not operands[0].sort for operand in operands) or bits not in FORMATS:
        raise ValueError(f"{op} of values of {', '.join(str(operand.sort) for operand in operands)}")
    if all(operand.op == "bvconst" for operand in operands):
        return constant(machine_floats.arithmetic(op, [operand.args[0] for operand in operands], bits), bits)
    if op in ("fpneg", "fpabs") and operands[0].op in ("fpneg", "fpabs"):
        inner: Term = operands[0].args[0]
        if op == "fpabs":
            return arithmetic("fpabs", inner)
        if operands[0].op == "fpneg":
            return inner
    return terms.intern(op, operands, operands[0].sort)


def to_integral(mode: Rounding, operand: Term) -> Term:
    """The number rounded to an integer, in its own format."""
    bits = width(operand)
    if operand.op == "bvconst":
        return constant(machine_floats.to_integral(mode, operand.args[0], bits), bits)
    return terms.intern("fpround", (mode.value, operand), operand.sort)


def compare(op: str, left: Term, right: Term) -> Term:
    """`fplt`, `fple` or `fpeq`; the negation of one is none of the others, because of NaN."""
    bits = width(left)
    if left.sort is not right.sort or bits not in FORMATS:
        raise ValueError(f"{op} of values of {left.sort} and {right.sort}")
    if 0 < choice_size(left) * choice_size(right) <= LIMITS.choice_product:
        return in_leaves(
            left,
            lambda a: in_leaves(right, lambda b: terms.boolean(machine_floats.compared(op, a, b, bits))),
        )
    if left is right:
        if op == "fplt":
            return FALSE
        op = "fpeq"
    narrow = _narrowed(left, right)
    if narrow is not None:
        return compare(op, *narrow)
    if op == "fpeq" and left.id > right.id:
        left, right = right, left
    return terms.intern(op, (left, right), BOOL)


def _narrowed(left: Term, right: Term) -> tuple[Term, Term] | None:
    """What two numbers were before both were widened, if that can be seen: then they compare alike."""
    for side in (left, right):
        if side.op == "fpconvert" and width(side.args[1]) < width(side):
            bits = width(side.args[1])
            sides = (_before_widening(left, bits), _before_widening(right, bits))
            return None if sides[0] is None or sides[1] is None else (sides[0], sides[1])
    return None


def _before_widening(term: Term, bits: int) -> Term | None:
    if term.op == "fpconvert" and width(term.args[1]) == bits:
        inner: Term = term.args[1]
        return inner
    if term.op == "bvconst":
        value, wide = term.args[0], width(term)
        narrow = machine_floats.converted(value, wide, bits)
        if machine_floats.converted(narrow, bits, wide) == value:
            return constant(narrow, bits)
    return None


def convert(operand: Term, bits: int) -> Term:
    """The number in the format of so many bits."""
    before = width(operand)
    if before == bits:
        return operand
    return _converted("fpconvert", operand, bits, lambda value: machine_floats.converted(value, before, bits))


def from_integer(operand: Term, bits: int, keep_sign: bool) -> Term:
    """The nearest number to an integer."""
    before = width(operand)
    if operand.op == "zero_extend" or (keep_sign and operand.op == "sign_extend"):
        return from_integer(operand.args[1], bits, operand.op == "sign_extend")
    op = "fpfromsigned" if keep_sign else "fpfromunsigned"
    return _converted(
        op, operand, bits,
        lambda value: machine_floats.from_integer(signed(value, before) if keep_sign else value, bits),
    )  # fmt: skip


def to_integer(operand: Term, bits: int, keep_sign: bool) -> Term:
    """The integer towards zero; the least signed one where it does not fit."""
    before = width(operand)
    if operand.op in ("fpfromsigned", "fpfromunsigned"):
        inner: Term = operand.args[1]
        known = width(inner)
        signs = operand.op == "fpfromsigned"
        if known <= FORMATS[before].precision and known + (keep_sign and not signs) <= bits and keep_sign >= signs:
            return extend(inner, bits - known, signs)
    op = "fptosigned" if keep_sign else "fptounsigned"
    return _converted(op, operand, bits, lambda value: machine_floats.to_integer(value, before, bits, keep_sign))


def _converted(op: str, operand: Term, bits: int, value: Callable[[int], int]) -> Term:
    if choice_size(operand):
        return in_leaves(operand, lambda leaf: constant(value(leaf), bits))
    return terms.intern(op, (bits, operand), sort(bits))


def in_range(operand: Term, bits: int, keep_sign: bool) -> Term:
    """Whether the integer towards zero fits so many bits."""
    before = width(operand)
    least = -(1 << bits - 1) if keep_sign else 0
    below = machine_floats.from_integer(least - 1, before)
    exact = machine_floats.to_integer(below, before, bits + 2, True) == (least - 1) % (1 << bits + 2)
    lower = (
        compare("fplt", constant(below, before), operand)
        if exact
        else compare("fple", constant(machine_floats.from_integer(least, before), before), operand)
    )
    above = constant(machine_floats.from_integer(least + (1 << bits), before), before)
    return terms.conjunction(lower, compare("fplt", operand, above))


def rebuild(term: Term, visit: Callable[[Term], Term]) -> Term:
    """The same operation on visited arguments, normalised again."""
    op, args = term.op, term.args
    if op in ARITHMETIC:
        return arithmetic(op, *map(visit, args))
    if op in RELATIONS:
        return compare(op, *map(visit, args))
    if op == "fpround":
        return to_integral(Rounding(args[0]), visit(args[1]))
    if op == "fpconvert":
        return convert(visit(args[1]), args[0])
    if op in ("fpfromsigned", "fpfromunsigned"):
        return from_integer(visit(args[1]), args[0], op == "fpfromsigned")
    return to_integer(visit(args[1]), args[0], op == "fptosigned")
