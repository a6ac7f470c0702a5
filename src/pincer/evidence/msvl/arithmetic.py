"""Operators on concrete values, and what becomes of a value in a variable of a type."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from pincer.evidence.msvl.forms import BeyondForms, LinearForm, added, computed, negated
from pincer.evidence.msvl.machine import ReplayMachine
from pincer.evidence.msvl.memory import NULL, CellAddress, Datum, NamedFunction, NoState, StructValue, is_true
from pincer.frontends.msvl.types import ArrayOf, Basic, FunctionPointer, PointerTo, StructType, Type

_COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
_RING: dict[str, Callable[[Any, Any], Any]] = {"+": operator.add, "-": operator.sub, "*": operator.mul}
_BITWISE: dict[str, Callable[[int, int], int]] = {
    "&": operator.and_, "|": operator.or_, "^": operator.xor, "<<": operator.lshift, ">>": operator.rshift,
}  # fmt: skip
_LARGEST_SHIFT = 4_096
_BITS = {"char": 8, "short": 16, "int": 32}


def wrapped(value: int, bits: int = 32) -> int:
    """A signed machine integer."""
    half = 1 << (bits - 1)
    return (value + half) % (2 * half) - half


def unary(m: ReplayMachine, sign: str, value: Datum) -> Datum:
    """`!`, `-`, `+` and `~`."""
    if sign == "!":
        return int(not is_true(value))
    if isinstance(value, LinearForm):
        return _of_form(sign, value)
    if not isinstance(value, int | float):
        raise NoState(f"`{sign}` applies to numbers only")
    if sign == "+":
        return value
    if isinstance(value, float):
        if sign == "-":
            return -value
        raise NoState("`~` applies to integers only")
    if sign == "~":
        return ~value
    return wrapped(-value) if m.how.int32 else -value


def binary(m: ReplayMachine, sign: str, a: Datum, b: Datum) -> Datum:
    """Any operator but `AND` and `OR`."""
    if isinstance(a, LinearForm) or isinstance(b, LinearForm):
        if isinstance(a, int | LinearForm) and isinstance(b, int | LinearForm):
            if sign in ("/", "%") and isinstance(b, int) and b == 0:
                raise NoState("division by zero")
            return computed(sign, a, b)
        raise BeyondForms(f"`{sign}` between numbers and other values")
    if isinstance(a, CellAddress) or isinstance(b, CellAddress):
        return _addresses(m, sign, a, b)
    if isinstance(a, str):
        return _texts(sign, a, b)
    if not isinstance(a, int | float) or not isinstance(b, int | float):
        raise NoState(f"`{sign}` does not apply to these values")
    if sign in ("/", "%") and b == 0:
        raise NoState("division by zero")
    if isinstance(a, int) and isinstance(b, int):
        result = _integers(sign, a, b)
        return wrapped(result) if m.how.int32 else result
    try:
        return _floats(sign, float(a), float(b))
    except OverflowError:
        raise NoState("too large for a floating-point number") from None


def _of_form(sign: str, value: LinearForm) -> Datum:
    if sign == "+":
        return value
    return negated(value) if sign == "-" else added(-1, value, -1)


def _floats(sign: str, a: float, b: float) -> int | float:
    if sign in _COMPARISONS:
        return int(_COMPARISONS[sign](a, b))
    if sign == "/":
        return a / b
    if sign in _RING:
        return float(_RING[sign](a, b))
    raise NoState(f"`{sign}` applies to integers only")


def _integers(sign: str, a: int, b: int) -> int:
    if sign in _RING or sign in _COMPARISONS:
        return int((_RING.get(sign) or _COMPARISONS[sign])(a, b))
    if sign in ("/", "%"):
        quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
        return quotient if sign == "/" else a - b * quotient
    if sign in ("<<", ">>") and not 0 <= b <= _LARGEST_SHIFT:
        raise NoState(f"a shift by {b} bits")
    return _BITWISE[sign](a, b)


def _texts(sign: str, a: str, b: Datum) -> Datum:
    if isinstance(b, str):
        if sign in _COMPARISONS:
            return int(_COMPARISONS[sign](a, b))
        if sign == "+":
            return a + b
    elif isinstance(b, int):
        if sign == "+":
            if not 0 <= b <= len(a):
                raise NoState("beyond the end of a text")
            return a[b:]
        if b == 0 and sign in ("=", "!="):
            return int(sign == "!=")
    raise NoState(f"`{sign}` does not apply to a text and this value")


def _addresses(m: ReplayMachine, sign: str, a: Datum, b: Datum) -> Datum:
    if sign in ("=", "!="):
        return int((_spot(a) == _spot(b)) == (sign == "="))
    if isinstance(a, CellAddress) and isinstance(b, CellAddress):
        if a.variable is not b.variable:
            raise NoState("addresses in different variables")
        if sign in _COMPARISONS:
            return int(_COMPARISONS[sign](a.offset, b.offset))
        if sign == "-" and a.target is not None:
            return (a.offset - b.offset) // m.size(a.target)
    elif isinstance(a, CellAddress) and isinstance(b, int) and sign in ("+", "-"):
        return moved(m, a, b if sign == "+" else -b)
    elif isinstance(b, CellAddress) and isinstance(a, int) and sign == "+":
        return moved(m, b, a)
    raise NoState(f"`{sign}` does not apply to these addresses")


def _spot(value: Datum) -> object:
    """Where an address leads; zero is NULL."""
    if isinstance(value, CellAddress):
        return value.variable, value.offset
    return (None, 0) if value == 0 else value


def moved(m: ReplayMachine, address: CellAddress, steps: int) -> CellAddress:
    """The address that many elements further on; one past the end is the last that exists."""
    if address.variable is None or address.target is None:
        raise NoState("arithmetic on NULL or on memory without a type")
    offset = address.offset + steps * m.size(address.target)
    if not address.low <= offset <= address.high:
        raise NoState("the address leaves its array")
    return CellAddress(address.variable, offset, address.target, address.low, address.high)


def converted(m: ReplayMachine, value: Datum, type_: Type | None) -> Datum:
    """The value as a variable of the type holds it."""
    if isinstance(value, LinearForm):
        if isinstance(type_, Basic) and type_.name not in ("float", "double", "string", "void") and not m.how.int32:
            return value
        raise BeyondForms("an integer becomes another value")
    match type_, value:
        case Basic("float" | "double"), int() | float():
            return float(value)
        case Basic("string"), str():
            return value
        case Basic("float" | "double" | "string"), _:
            pass
        case Basic(), float():
            try:
                return int(value)
            except (OverflowError, ValueError):
                raise NoState("too large for an integer") from None
        case Basic(name), int():
            return wrapped(value, _BITS[name]) if m.how.int32 and name in _BITS else value
        case PointerTo(target), _:
            return _address(m, value, target)
        case FunctionPointer(), NamedFunction() | 0:
            return value
        case StructType(tag), StructValue(made) if made == tag:
            return value
    raise NoState("the value does not fit the type of the variable")


def _address(m: ReplayMachine, value: Datum, target: Type) -> Datum:
    if isinstance(value, str):
        return value
    if isinstance(value, int) and value == 0:
        return NULL
    if not isinstance(value, CellAddress):
        raise NoState("the value is no address")
    if value.variable is None or target == Basic("void") or value.target == target:
        return value
    if value.target is None:
        return _typed(m, value, target)
    if isinstance(value.target, ArrayOf) and value.target.element == target:
        return CellAddress(value.variable, value.offset, target, value.offset, value.offset + m.size(value.target))
    raise NoState("the address is that of a value of another type")


def _typed(m: ReplayMachine, address: CellAddress, target: Type) -> CellAddress:
    """Memory from `malloc` becomes an array of as many elements as its bytes hold."""
    variable = address.variable
    if variable is None or not variable.there:
        raise NoState("the memory has been freed")
    if variable.type is None:
        variable.type = ArrayOf(target, variable.size // m.program.layouts.size(target))
        variable.size = m.size(variable.type)
    elif not isinstance(variable.type, ArrayOf) or variable.type.element != target:
        raise NoState("the memory already holds values of another type")
    return CellAddress(variable, 0, target, 0, variable.size)
