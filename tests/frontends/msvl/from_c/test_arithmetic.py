"""Operators on all integer types, for both kinds of integers, against arithmetic on bits written down here."""

from __future__ import annotations

from random import Random

import pytest

from pincer.frontends.c.semantics.types import (
    BOOL,
    INT,
    SHORT,
    SIGNED_CHAR,
    UNSIGNED_CHAR,
    UNSIGNED_INT,
    UNSIGNED_SHORT,
    CType,
    Integer,
    Target,
)
from pincer.frontends.msvl import syntax
from pincer.frontends.msvl.from_c.arithmetic import IntegerArithmetic, Operand, WiderIntegers, limits
from pincer.frontends.msvl.syntax import Expression

TARGET = Target("LP64")
SMALL = (BOOL, SIGNED_CHAR, UNSIGNED_CHAR, SHORT, UNSIGNED_SHORT, INT)
ALL = (*SMALL, UNSIGNED_INT, TARGET.long, TARGET.unsigned_long)
OPERATORS = ("+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "<", "<=", "==", "!=")


def wrapped(value: int, bits: int, signed: bool) -> int:
    value &= (1 << bits) - 1
    return value - (1 << bits) if signed and value >> bits - 1 else value


def computed(op: str, a: int, b: int) -> int:
    match op:
        case "/":
            return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
        case "%":
            return a - b * computed("/", a, b)
    table = {
        "+": a + b, "-": a - b, "*": a * b, "&": a & b, "|": a | b, "^": a ^ b,
        "<": a < b, "<=": a <= b, "==": a == b, "=": a == b, "!=": a != b, ">=": a >= b, ">": a > b,
    }  # fmt: skip
    return int(table[op]) if op in table else a << b if op == "<<" else a >> b


def evaluated(expression: Expression, values: dict[str, int], int32: bool) -> int:
    """What the interpreter makes of an expression."""
    match expression:
        case syntax.Number(int() as value):
            return value
        case syntax.Name(text):
            return values[text]
        case syntax.Binary(op, left, right):
            result = computed(op, evaluated(left, values, int32), evaluated(right, values, int32))
            return wrapped(result, 32, True) if int32 else result
        case syntax.Unary(op, operand):
            inner = evaluated(operand, values, int32)
            result = {"-": -inner, "~": ~inner, "!": int(inner == 0)}[op]
            return wrapped(result, 32, True) if int32 else result
    raise TypeError(expression)


def promoted(bits: int, signed: bool) -> tuple[int, bool]:
    return (32, True) if bits < 32 else (bits, signed)


def expected(op: str, a: int, left: Integer, b: int, right: Integer) -> tuple[int, int]:
    """The value and the number of bits of `a op b` in C."""
    x, y = promoted(left.bits, left.signed), promoted(right.bits, right.signed)
    if op in ("<<", ">>"):
        return wrapped(computed(op, a, b), *x), x[0]
    bits = max(x[0], y[0])
    signed = all(sign for width, sign in (x, y) if width == bits)
    a, b = wrapped(a, bits, signed), wrapped(b, bits, signed)
    if op in ("<", "<=", "==", "!="):
        return computed(op, a, b), 32
    return wrapped(computed(op, a, b), bits, signed), bits


def some_value(rng: Random, type: Integer) -> int:
    low, high = limits(type)
    return rng.choice((low, high, 0, 1, min(7, high), max(-1, low), rng.randint(low, high)))


def operand(name: str, type: CType) -> Operand:
    assert isinstance(type, Integer)
    return Operand(syntax.Name(name), type, *limits(type))


@pytest.mark.parametrize("int32", [True, False])
@pytest.mark.parametrize("op", OPERATORS)
def test_results_are_those_of_the_machine(op: str, int32: bool) -> None:
    rng = Random(op)
    arithmetic = IntegerArithmetic(TARGET, int32)
    for _ in range(600):
        left, right = (rng.choice(SMALL if int32 else ALL) for _ in range(2))
        a, b = some_value(rng, left), some_value(rng, right)
        if op in ("/", "%") and (b == 0 or a < -128):
            b, right = 3, INT
        if op in ("<<", ">>"):
            b, right = rng.randrange(32), INT
        operate = arithmetic.compared if op in ("<", "<=", "==", "!=") else arithmetic.binary
        found = operate(op, operand("a", left), operand("b", right))
        value, bits = expected(op, a, left, b, right)
        assert isinstance(found.type, Integer)
        assert found.type.bits == bits
        assert evaluated(found.expression, {"a": a, "b": b}, int32) == value, (op, a, left.name, b, right.name)
        assert found.low <= value <= found.high


@pytest.mark.parametrize("int32", [True, False])
def test_conversions_keep_the_low_bits(int32: bool) -> None:
    rng = Random(1)
    arithmetic = IntegerArithmetic(TARGET, int32)
    for _ in range(3000):
        source, goal = (rng.choice(SMALL if int32 else ALL) for _ in range(2))
        a = some_value(rng, source)
        found = arithmetic.converted(operand("a", source), goal)
        value = int(a != 0) if goal == BOOL else wrapped(a, goal.bits, goal.signed)
        assert evaluated(found.expression, {"a": a}, int32) == value, (a, source.name, goal.name)
        assert found.low <= value <= found.high


@pytest.mark.parametrize("int32", [True, False])
@pytest.mark.parametrize("op", ["-", "~"])
def test_unary_results_are_those_of_the_machine(op: str, int32: bool) -> None:
    rng = Random(op)
    arithmetic = IntegerArithmetic(TARGET, int32)
    for _ in range(1000):
        type = rng.choice(SMALL if int32 else ALL)
        a = some_value(rng, type)
        found = arithmetic.unary(op, operand("a", type))
        value = wrapped(-a if op == "-" else ~a, *promoted(type.bits, type.signed))
        assert evaluated(found.expression, {"a": a}, int32) == value, (op, a, type.name)


@pytest.mark.parametrize("type", [UNSIGNED_INT, TARGET.long])
def test_wider_types_do_not_fit_into_32_bits(type: Integer) -> None:
    with pytest.raises(WiderIntegers):
        IntegerArithmetic(TARGET, int32=True).binary("+", operand("a", INT), operand("b", type))
