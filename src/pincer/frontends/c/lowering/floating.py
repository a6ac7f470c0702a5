"""Floating point: conversions, arithmetic and comparisons on patterns.

Every operation is carried out in the format of its type and rounded to nearest, as SSE does (`FLT_EVAL_METHOD` is 0). A
long double is the pattern of x87, with padding above it.
"""

from __future__ import annotations

from pincer.frontends.c.lowering.frame import Frame
from pincer.frontends.c.lowering.values import Value, flag
from pincer.frontends.c.semantics.operators import COMPARISONS
from pincer.frontends.c.semantics.tree import Written
from pincer.frontends.c.semantics.types import BOOL, INT, CType, Floating, Integer
from pincer.frontends.c.syntax.wording import source_text
from pincer.logic import bitvectors, floating_point, terms
from pincer.logic.terms import Term
from pincer.program.control_flow import Check

_OPERATIONS = {"+": "fpadd", "-": "fpsub", "*": "fpmul", "/": "fpdiv"}


def pattern(value: Value) -> Term | None:
    """The pattern of a floating value, None if there is no arithmetic on its type."""
    bits = value.type.pattern_bits if isinstance(value.type, Floating) else None
    return None if bits is None else bitvectors.extract(bits - 1, 0, value.term)


def from_pattern(frame: Frame, term: Term, type: CType) -> Value:
    """A floating value of a type with the given pattern."""
    return Value(type, bitvectors.extend(term, frame.target.bits(type) - bitvectors.width(term), False))


def is_nonzero(frame: Frame, value: Value) -> Term:
    """The condition that a floating value is not zero: NaN is not."""
    found = pattern(value)
    if found is None:
        refuse(frame, value.type)
        return terms.FALSE
    zero = bitvectors.constant(0, bitvectors.width(found))
    return terms.negate(floating_point.compare("fpeq", found, zero))


def convert_floating(frame: Frame, value: Value, type: CType, node: Written | None = None) -> Value | None:
    """A conversion to or from a floating type; None where that is not modelled.

    A number that does not fit an integer type has no defined result."""
    if isinstance(type, Floating):
        bits = type.pattern_bits
        if bits is None:
            return None
        if isinstance(value.type, Integer):
            return from_pattern(frame, floating_point.from_integer(value.term, bits, value.type.signed), type)
        found = pattern(value)
        return None if found is None else from_pattern(frame, floating_point.convert(found, bits), type)
    found = pattern(value)
    if found is None or not isinstance(type, Integer):
        return None
    if type.boolean:
        return Value(BOOL, flag(is_nonzero(frame, value), BOOL.bits))
    fits = floating_point.in_range(found, type.bits, type.signed)
    if fits is not terms.TRUE:
        what = "a number" if node is None else source_text(node)
        frame.emit(Check("conversion", fits, f"{what} does not fit the type {type.name}"), node)
    return Value(type, floating_point.to_integer(found, type.bits, type.signed))


def operate_floating(frame: Frame, op: str, left: Value, right: Value) -> Value | None:
    """left op right on values of one floating type; None where that is not modelled."""
    a, b = pattern(left), pattern(right)
    if a is None or b is None:
        return None
    if op in _OPERATIONS:
        return from_pattern(frame, floating_point.arithmetic(_OPERATIONS[op], a, b), left.type)
    if op not in COMPARISONS:
        return None
    if op in ("==", "!="):
        equal = floating_point.compare("fpeq", a, b)
        return Value(INT, flag(equal if op == "==" else terms.negate(equal), INT.bits))
    first, second = (b, a) if op in (">", ">=") else (a, b)
    less = floating_point.compare("fplt" if op in ("<", ">") else "fple", first, second)
    return Value(INT, flag(less, INT.bits))


def negated(frame: Frame, operand: Value) -> Value | None:
    """The value with the other sign; None where that is not modelled."""
    found = pattern(operand)
    return None if found is None else from_pattern(frame, floating_point.arithmetic("fpneg", found), operand.type)


def refuse(frame: Frame, type: CType, node: Written | None = None) -> None:
    """Say that there is no arithmetic on a type."""
    name = type.name if isinstance(type, Floating) else "floating-point arithmetic"
    frame.unsupported(f"arithmetic on the type {name}" if isinstance(type, Floating) else name, node)
