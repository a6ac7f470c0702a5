"""The types that values get: promotions, the usual arithmetic conversions, arrays and functions as pointers."""

from __future__ import annotations

from pincer.frontends.c.semantics.types import (
    BOOL,
    DOUBLE,
    FLOAT,
    INT,
    UNSIGNED_INT,
    Array,
    CType,
    Floating,
    Function,
    Integer,
    Pointer,
    Target,
)


def promoted_type(type: CType) -> CType:
    """The integer promotions."""
    if not isinstance(type, Integer):
        return type
    if type.rank < INT.rank:
        return INT
    if type.rank == INT.rank:
        return INT if type.signed else UNSIGNED_INT
    return type


def common_type(left: CType, right: CType, target: Target) -> CType:
    """The usual arithmetic conversions, after promotion; floating types beyond double come first."""
    for type in (left, right):
        if isinstance(type, Floating) and type not in (DOUBLE, FLOAT):
            return type
    for floating in (DOUBLE, FLOAT):
        if left == floating or right == floating:
            return floating
    left, right = promoted_type(left), promoted_type(right)
    assert isinstance(left, Integer) and isinstance(right, Integer)
    if left.signed == right.signed:
        return left if left.rank >= right.rank else right
    unsigned, signed = (right, left) if left.signed else (left, right)
    if unsigned.rank >= signed.rank:
        return unsigned
    if signed.bits > unsigned.bits:
        return signed
    return _unsigned(signed, target)


def _unsigned(type: Integer, target: Target) -> Integer:
    if type.rank == target.unsigned_long.rank:
        return target.unsigned_long
    return Integer(f"unsigned {type.name}", type.bits, False, type.rank)


def decayed(type: CType) -> CType:
    """Arrays and functions become pointers where their value is used."""
    if isinstance(type, Array):
        return Pointer(type.element)
    return Pointer(type) if isinstance(type, Function) else type


def bit_type(type: CType, width: int) -> CType:
    """The type a bit-field has in expressions: its value's promotion, or an integer of its own width."""
    assert isinstance(type, Integer)
    if type == BOOL or width < INT.bits or (width == INT.bits and type.signed):
        return INT
    if width == INT.bits:
        return UNSIGNED_INT
    return type if width == type.bits else Integer(f"{type.name}:{width}", width, type.signed, width)
