"""Values of one C type made into another, truth, and floating point as far as it is modelled.

Floating constants are computed and moved about; all other arithmetic on them is not modelled.
"""

from __future__ import annotations

from pincer.frontends.c.lowering.frame import Frame
from pincer.frontends.c.lowering.values import Value, flag, resized
from pincer.frontends.c.semantics.constants import converted_number, float_result
from pincer.frontends.c.semantics.literals import float_bits, float_number
from pincer.frontends.c.semantics.operators import COMPARISONS
from pincer.frontends.c.semantics.tree import Written
from pincer.frontends.c.semantics.types import (
    BOOL,
    DOUBLE,
    FLOAT,
    INT,
    VOID,
    Array,
    CType,
    Floating,
    Integer,
    Pointer,
    Record,
)
from pincer.logic import bitvectors, terms
from pincer.logic.terms import Term
from pincer.program.property import Assumption

NOTHING = Value(VOID, bitvectors.constant(0, 8))


def addresses_are_numbers(bits: int) -> Assumption:
    """What the conversion of addresses to integers rests on, for slots of so many bits."""
    where = f"every object begins at a multiple of 2**{bits}, and no address is used for two objects"
    return Assumption(f"addresses are used as numbers: {where}")


def number(value: int, type: Integer) -> Value:
    """An integer constant."""
    return Value(type, bitvectors.constant(value, type.bits))


def truth_value(condition: Term) -> Value:
    """The int that a comparison yields."""
    return Value(INT, flag(condition, INT.bits))


def truth(value: Value, frame: Frame) -> Term:
    """The condition that a value is not zero."""
    if isinstance(value.type, Floating):
        return _float_truth(value, frame)
    return terms.negate(terms.equal(value.term, bitvectors.constant(0, bitvectors.width(value.term))))


def _float_truth(value: Value, frame: Frame) -> Term:
    """Only the two zeros are false."""
    magnitude = bitvectors.extract(bitvectors.width(value.term) - 2, 0, value.term)
    if _is_unknown_float(value.type):
        frame.unsupported("floating-point arithmetic")
    return terms.negate(terms.equal(magnitude, bitvectors.constant(0, bitvectors.width(magnitude))))


def convert(frame: Frame, value: Value, type: CType) -> Value:
    """The value as the given type; whatever a compiler accepts with a warning is accepted."""
    if value.type == type or isinstance(type, Record | Array):
        return value if value.type == type else Value(type, value.term, value.origin)
    if type == VOID:
        return NOTHING
    if isinstance(type, Floating) or isinstance(value.type, Floating):
        return _convert_float(frame, value, type)
    if type == BOOL:
        return Value(BOOL, flag(truth(value, frame), BOOL.bits))
    if isinstance(value.type, Record):
        raise frame.unit.error("a structure is used where a number or pointer is needed", None)
    if isinstance(value.type, Pointer) and isinstance(type, Integer):
        frame.unit.assume(addresses_are_numbers(frame.unit.layout.slot_bits))
    bits = frame.target.bits(type)
    keep_sign = isinstance(value.type, Integer) and value.type.signed
    origin = value.origin if isinstance(type, Pointer) else None
    return Value(type, resized(value.term, bits, keep_sign), origin)


def _convert_float(frame: Frame, value: Value, type: CType) -> Value:
    """Conversions of constants are computed; a truth value needs no arithmetic; all others are not modelled."""
    known = _constant(value)
    if type == BOOL:
        return Value(BOOL, flag(truth(value, frame), BOOL.bits))
    result = None if known is None else converted_number(frame.target, known, type)
    if result is None:
        frame.unsupported("floating-point conversion")
        return zero(frame, type)
    return _number(frame, result, type)


def _constant(value: Value) -> int | float | None:
    """The number that a constant stands for, None for others."""
    bits, type = bitvectors.constant_value(value.term), value.type
    if bits is None or _is_unknown_float(type) or not isinstance(type, Integer | Floating):
        return None
    if isinstance(type, Floating):
        return float_number(bits, type)
    return bitvectors.signed(bits, type.bits) if type.signed else bits


def _number(frame: Frame, value: int | float, type: CType) -> Value:
    bits = float_bits(value, type) if isinstance(type, Floating) else int(value)
    return Value(type, bitvectors.constant(bits, frame.target.bits(type)))


def _is_unknown_float(type: CType) -> bool:
    return isinstance(type, Floating) and type not in (FLOAT, DOUBLE)


def zero(frame: Frame, type: CType) -> Value:
    """A zero of any type: what stands for a value that cannot be reached."""
    if type == VOID:
        return NOTHING
    bits = frame.target.pointer_bits if isinstance(type, Record | Array) else frame.target.bits(type)
    return Value(type, bitvectors.constant(0, bits))


def float_operation(frame: Frame, op: str, left: Value, right: Value, node: Written) -> Value:
    """left op right on values of one floating type: computed for constants, not modelled otherwise."""
    a, b, type = _constant(left), _constant(right), INT if op in COMPARISONS else left.type
    result = None if a is None or b is None else float_result(frame.target, op, a, b, left.type)
    if result is None:
        frame.unsupported("floating-point arithmetic", node)
        return zero(frame, type)
    return _number(frame, result, type)


def float_negated(frame: Frame, operand: Value, node: Written) -> Value:
    """The sign bit turned over."""
    bits = bitvectors.width(operand.term)
    if operand.type not in (FLOAT, DOUBLE):
        frame.unsupported("floating-point arithmetic", node)
        return operand
    return Value(operand.type, bitvectors.binary("bvxor", bitvectors.constant(1 << bits - 1, bits), operand.term))
