"""Values of one C type made into another: promotions, the usual arithmetic conversions, truth."""

from __future__ import annotations

from pincer.frontends.c.lowering.frame import Frame
from pincer.frontends.c.lowering.terms import flag, resized
from pincer.frontends.c.lowering.values import Value
from pincer.frontends.c.semantics.literals import float_bits, float_number
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
    constant = bitvectors.constant_value(value.term)
    if type == BOOL:
        return Value(BOOL, flag(truth(value, frame), BOOL.bits))
    if constant is not None and not any(_is_unknown_float(side) for side in (type, value.type)):
        result = _constant_float(value.type, constant, type)
        if result is not None:
            return Value(type, bitvectors.constant(result, frame.target.bits(type)))
    frame.unsupported("floating-point conversion")
    return zero(frame, type)


def _is_unknown_float(type: CType) -> bool:
    return isinstance(type, Floating) and type not in (FLOAT, DOUBLE)


def _constant_float(source: CType, bits: int, type: CType) -> int | None:
    """The bits of a converted constant; None where the result is undefined or no number."""
    if isinstance(source, Floating):
        exact: float | int = float_number(bits, source)
    elif isinstance(source, Integer):
        exact = bitvectors.signed(bits, source.bits) if source.signed else bits
    else:
        return None
    if isinstance(type, Floating):
        if isinstance(exact, int) and type == FLOAT and abs(exact) >= 1 << 24:
            return None
        return float_bits(float(exact), type)
    if exact != exact or exact in (float("inf"), float("-inf")) or not isinstance(type, Integer):
        return None
    whole = int(exact)
    low = -(1 << type.bits - 1) if type.signed else 0
    return whole if low <= whole < 1 << (type.bits - type.signed) else None


def zero(frame: Frame, type: CType) -> Value:
    """A zero of any type: what stands for a value that cannot be reached."""
    if type == VOID:
        return NOTHING
    bits = frame.target.pointer_bits if isinstance(type, Record | Array) else frame.target.bits(type)
    return Value(type, bitvectors.constant(0, bits))
