"""The values of constant expressions of the typed tree (C17 6.6, with what gcc accepts besides)."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import TypeAlias

from pincer.frontends.c.semantics import tree
from pincer.frontends.c.semantics.context import TypedProgram
from pincer.frontends.c.semantics.literals import FloatingNumber
from pincer.frontends.c.semantics.types import (
    Array,
    CType,
    Floating,
    Function,
    Integer,
    Pointer,
    Target,
)
from pincer.frontends.c.syntax.wording import source_text
from pincer.logic import machine_floats
from pincer.logic.machine_floats import FORMATS

Constant: TypeAlias = int | FloatingNumber

_COMPARISONS: Mapping[str, Callable[[int, int], bool]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
_ARITHMETIC: Mapping[str, Callable[[int, int], int]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "&": operator.and_, "|": operator.or_, "^": operator.xor,
}  # fmt: skip
_FLOATING = {"+": "fpadd", "-": "fpsub", "*": "fpmul", "/": "fpdiv"}
_SPECIAL = {"inf": True, "huge_val": True, "nan": False}
"""Builtins that give an infinity, or a NaN."""


class NoValue(Exception):
    """A constant expression that C gives no value."""


def wrapped(number: int, type: CType, bits: int) -> int:
    """The number as a value of a type of so many bits."""
    number &= (1 << bits) - 1
    signed = isinstance(type, Integer) and type.signed
    return number - (1 << bits) if signed and number >> (bits - 1) else number


def evaluate(program: TypedProgram, node: tree.Expression) -> Constant | None:
    """The value of an expression, None where it is no constant; addresses count from null.

    Raises `NoValue` for a division by zero and the like in what is evaluated.
    """
    match node:
        case tree.Number(type=Floating() as kind, number=bits):
            return None if kind.pattern_bits is None else FloatingNumber(bits, kind.pattern_bits)
        case tree.Number(type=type, number=number):
            return wrapped(number, type, program.target.bits(type))
        case tree.Read(place=place):
            return _read(program, place)
        case tree.Address(place=place):
            return _address(program, place)
        case tree.Convert(type=type, operand=operand):
            return _converted(program, evaluate(program, operand), type)
        case tree.Unary():
            return _unary(program, node)
        case tree.Binary():
            return _binary(program, node)
        case tree.Logical(op=op, left=left, right=right):
            return _logical(program, op, left, right)
        case tree.Conditional(condition=condition, yes=yes, no=no):
            known = evaluate(program, condition)
            return None if known is None else evaluate(program, yes if known else no)
        case tree.OrElse(first=first, otherwise=otherwise, type=type):
            known = evaluate(program, first)
            return (
                known if known is None else _converted(program, known, type) if known else evaluate(program, otherwise)
            )
        case tree.Call():
            return _call(program, node)
    return None


def _read(program: TypedProgram, place: tree.Expression) -> int | None:
    if isinstance(place, tree.Object):
        return program.constants.get(place.variable)
    return _address(program, place) if isinstance(place.type, Array | Function) else None


def _address(program: TypedProgram, place: tree.Expression) -> int | None:
    """Where a place lies that begins at a constant pointer."""
    base: Constant | None
    match place:
        case tree.Dereference(pointer=pointer):
            base = evaluate(program, pointer)
            return base if isinstance(base, int) else None
        case tree.MemberPlace(whole=whole, member=member):
            base = _address(program, whole)
            return None if base is None else base + member.offset
        case tree.Element(pointer=pointer, index=index, type=type):
            base, steps, size = evaluate(program, pointer), evaluate(program, index), program.target.size(type)
            if isinstance(base, int) and isinstance(steps, int) and size is not None:
                return wrapped(base + steps * size, pointer.type, program.target.pointer_bits)
    return None


def converted_number(target: Target, value: Constant, type: CType) -> Constant | None:
    """A number as another type; None where the result is undefined, or not modelled."""
    match type:
        case Integer() if type.boolean:
            return int(bool(value))
        case Integer() | Pointer():
            if isinstance(value, int):
                return wrapped(value, type, target.bits(type))
            return _truncated(value, type) if isinstance(type, Integer) else None
        case Floating(pattern_bits=int(bits)):
            if isinstance(value, int):
                return FloatingNumber(machine_floats.from_integer(value, bits), bits)
            return FloatingNumber(machine_floats.converted(value.pattern, value.bits, bits), bits)
    return None


def _truncated(value: FloatingNumber, type: Integer) -> int | None:
    pattern, bits = value.pattern, value.bits
    if machine_floats.is_nan(pattern, bits) or machine_floats.is_infinite(pattern, bits):
        return None
    size, power = machine_floats.exact(pattern, bits)
    whole = size << power if power >= 0 else _quotient(size, 1 << -power)
    least = -(1 << type.bits - 1) if type.signed else 0
    return whole if least <= whole < least + (1 << type.bits) else None


def _converted(program: TypedProgram, value: Constant | None, type: CType) -> Constant | None:
    return None if value is None else converted_number(program.target, value, type)


def _unary(program: TypedProgram, node: tree.Unary) -> Constant | None:
    value = evaluate(program, node.operand)
    if value is None:
        return None
    if node.op == "!":
        return int(not value)
    if isinstance(value, FloatingNumber):
        return FloatingNumber(value.pattern ^ 1 << value.bits - 1, value.bits)
    return wrapped(-value if node.op == "-" else ~value, node.type, program.target.bits(node.type))


def _binary(program: TypedProgram, node: tree.Binary) -> Constant | None:
    left, right = evaluate(program, node.left), evaluate(program, node.right)
    if left is None or right is None:
        return None
    if isinstance(left, FloatingNumber) or isinstance(right, FloatingNumber):
        if isinstance(left, FloatingNumber) and isinstance(right, FloatingNumber) and left.bits == right.bits:
            return float_result(node.op, left, right)
        return None
    if isinstance(node.left.type, Pointer) and node.op == "-" and isinstance(node.right.type, Pointer):
        size = program.target.size(node.left.type.target)
        distance = wrapped(left - right, node.type, program.target.pointer_bits)
        return distance if not size else _quotient(distance, size)
    for side, (pointer, steps) in ((node.left, (left, right)), (node.right, (right, left))):
        if isinstance(side.type, Pointer) and node.op in "+-":
            steps *= program.target.size(side.type.target) or 0
            return wrapped(
                pointer + steps if node.op == "+" else pointer - steps, node.type, program.target.pointer_bits
            )
    if node.op in _COMPARISONS:
        return int(_COMPARISONS[node.op](left, right))
    return _integer(node, left, right)


def _integer(node: tree.Binary, left: int, right: int) -> int | None:
    type = node.type
    assert isinstance(type, Integer)
    if node.op in _ARITHMETIC:
        return wrapped(_ARITHMETIC[node.op](left, right), type, type.bits)
    if node.op in ("<<", ">>"):
        if not 0 <= right < type.bits:
            raise NoValue(f"negative or too large shift in {source_text(node.written)}")
        return wrapped(left << right if node.op == "<<" else left >> right, type, type.bits)
    if right == 0 or (type.signed and right == -1 and left == -(1 << type.bits - 1)):
        raise NoValue(f"division by zero or overflow in {source_text(node.written)}")
    quotient = _quotient(left, right)
    return quotient if node.op == "/" else left - quotient * right


def _quotient(left: int, right: int) -> int:
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient


def float_result(op: str, left: FloatingNumber, right: FloatingNumber) -> Constant | None:
    """left op right on numbers of one format."""
    bits = left.bits
    if op in _FLOATING:
        return FloatingNumber(machine_floats.arithmetic(_FLOATING[op], (left.pattern, right.pattern), bits), bits)
    first, second = (right, left) if op in (">", ">=") else (left, right)
    if op in ("==", "!="):
        return int(machine_floats.compared("fpeq", left.pattern, right.pattern, bits) == (op == "=="))
    name = "fplt" if op in ("<", ">") else "fple"
    return int(machine_floats.compared(name, first.pattern, second.pattern, bits)) if op in _COMPARISONS else None


SPECIAL_NUMBERS = frozenset(f"__builtin_{name}{suffix}" for name in _SPECIAL for suffix in ("", "f", "l"))


def special_number(name: str, type: CType) -> FloatingNumber | None:
    """What `__builtin_inf`, `__builtin_nan("")` and their like give."""
    infinite = next((kind for stem, kind in _SPECIAL.items() if name.startswith(f"__builtin_{stem}")), None)
    if infinite is None or not isinstance(type, Floating) or type.pattern_bits is None:
        return None
    form = FORMATS[type.pattern_bits]
    return FloatingNumber(form.infinity if infinite else form.infinity | form.quiet, type.pattern_bits)


def _logical(program: TypedProgram, op: str, left: tree.Expression, right: tree.Expression) -> int | None:
    first = evaluate(program, left)
    if first is None:
        return None
    if bool(first) != (op == "&&"):
        return int(bool(first))
    second = evaluate(program, right)
    return None if second is None else int(bool(second))


def _call(program: TypedProgram, node: tree.Call) -> Constant | None:
    """The builtins of the compiler that are constant where their arguments are."""
    name = getattr(node.callee, "name", "")
    values = [evaluate(program, argument) for argument in node.arguments]
    if name == "__builtin_constant_p":
        return int(values[0] is not None)
    if name in SPECIAL_NUMBERS:
        return special_number(name, node.type)
    if name.startswith("__builtin_") and values and isinstance(values[0], int):
        if name in ("__builtin_expect", "__builtin_expect_with_probability"):
            return values[0]
        if name.startswith("__builtin_bswap") and isinstance(node.type, Integer):
            size = node.type.bits // 8
            return int.from_bytes((values[0] & (1 << node.type.bits) - 1).to_bytes(size, "little"), "big")
    return None
