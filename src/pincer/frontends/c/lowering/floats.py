"""Floating point as far as it is modelled: constants, moving values about, the sign bit."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping

from pincer.frontends.c.lowering.conversions import number, zero
from pincer.frontends.c.lowering.frame import Frame
from pincer.frontends.c.lowering.values import Value
from pincer.frontends.c.semantics.literals import float_bits, float_number
from pincer.frontends.c.semantics.tree import Written
from pincer.frontends.c.semantics.types import DOUBLE, FLOAT, INT, Floating
from pincer.logic import bitvectors

_ARITHMETIC: Mapping[str, Callable[[float, float], float]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
}
_COMPARISONS: Mapping[str, Callable[[float, float], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def float_operation(frame: Frame, op: str, left: Value, right: Value, node: Written) -> Value:
    """left op right on values of one floating type: computed for constants, not modelled otherwise.

    A single operation on floats rounds correctly when it is done in double and rounded again. On 32-bit x86 results
    carry more precision than their type, so nothing is computed there.
    """
    a, b = bitvectors.constant_value(left.term), bitvectors.constant_value(right.term)
    type = left.type
    assert isinstance(type, Floating)
    if a is not None and b is not None and type in (FLOAT, DOUBLE) and frame.target.data_model == "LP64":
        x, y = float_number(a, type), float_number(b, type)
        if op in _COMPARISONS:
            return number(int(_COMPARISONS[op](x, y)), INT)
        if op in _ARITHMETIC and not (op == "/" and y == 0):
            result = _ARITHMETIC[op](x, y)
            if math.isfinite(result):
                return Value(type, bitvectors.constant(float_bits(result, type), 8 * type.size))
    frame.unsupported("floating-point arithmetic", node)
    return zero(frame, INT if op in _COMPARISONS else type)


def float_negated(frame: Frame, operand: Value, node: Written) -> Value:
    """The sign bit turned over."""
    bits = bitvectors.width(operand.term)
    if operand.type not in (FLOAT, DOUBLE):
        frame.unsupported("floating-point arithmetic", node)
        return operand
    return Value(operand.type, bitvectors.binary("bvxor", bitvectors.constant(1 << bits - 1, bits), operand.term))
