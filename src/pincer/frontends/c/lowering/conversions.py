"""Values of one C type made into another, and truth."""

from __future__ import annotations

from pincer.frontends.c.lowering.floating import convert_floating, is_nonzero, negated, operate_floating, refuse
from pincer.frontends.c.lowering.frame import Frame
from pincer.frontends.c.lowering.values import Value, flag, resized
from pincer.frontends.c.semantics.operators import COMPARISONS
from pincer.frontends.c.semantics.tree import Written
from pincer.frontends.c.semantics.types import (
    BOOL,
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
    where = f"every object begins at a multiple of 2**{bits}, in the order of the model, and no address is used twice"
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
        return is_nonzero(frame, value)
    return terms.negate(terms.equal(value.term, bitvectors.constant(0, bitvectors.width(value.term))))


def convert(frame: Frame, value: Value, type: CType, node: Written | None = None) -> Value:
    """The value as the given type; whatever a compiler accepts with a warning is accepted."""
    if value.type == type or isinstance(type, Record | Array):
        return value if value.type == type else Value(type, value.term, value.origin)
    if type == VOID:
        return NOTHING
    if isinstance(type, Floating) or isinstance(value.type, Floating):
        return _convert_float(frame, value, type, node)
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


def _convert_float(frame: Frame, value: Value, type: CType, node: Written | None) -> Value:
    result = convert_floating(frame, value, type, node)
    if result is None:
        refuse(frame, type if isinstance(type, Floating) else value.type, node)
        return zero(frame, type)
    return result


def zero(frame: Frame, type: CType) -> Value:
    """A zero of any type: what stands for a value that cannot be reached."""
    if type == VOID:
        return NOTHING
    bits = frame.target.pointer_bits if isinstance(type, Record | Array) else frame.target.bits(type)
    return Value(type, bitvectors.constant(0, bits))


def float_operation(frame: Frame, op: str, left: Value, right: Value, node: Written) -> Value:
    """left op right on values of one floating type."""
    result = operate_floating(frame, op, left, right)
    if result is None:
        refuse(frame, left.type, node)
        return zero(frame, INT if op in COMPARISONS else left.type)
    return result


def float_negated(frame: Frame, operand: Value, node: Written) -> Value:
    """The value with the other sign."""
    result = negated(frame, operand)
    if result is None:
        refuse(frame, operand.type, node)
        return operand
    return result
