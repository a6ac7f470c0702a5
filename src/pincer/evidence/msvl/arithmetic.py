"""Operators on concrete values, and what becomes of a value in a variable of a type."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from pincer.evidence.msvl.machine import Machine
from pincer.evidence.msvl.memory import NULL, Address, Datum, Failure, NamedFunction, Record, is_true
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


def unary(m: Machine, sign: str, value: Datum) -> Datum:
    """`!`, `-`, `+` and `~`."""
    if sign == "!":
        return int(not is_true(value))
    if not isinstance(value, int | float):
        raise Failure(f"`{sign}` applies to numbers only")
    if sign == "+":
        return value
    if isinstance(value, float):
        if sign == "-":
            return -value
        raise Failure("`~` applies to integers only")
    if sign == "~":
        return ~value
    return wrapped(-value) if m.how.int32 else -value


def binary(m: Machine, sign: str, a: Datum, b: Datum) -> Datum:
    """Any operator but `AND` and `OR`."""
    if isinstance(a, Address) or isinstance(b, Address):
        return _addresses(m, sign, a, b)
    if isinstance(a, str):
        return _texts(sign, a, b)
    if not isinstance(a, int | float) or not isinstance(b, int | float):
        raise Failure(f"`{sign}` does not apply to these values")
    if sign in ("/", "%") and b == 0:
        raise Failure("division by zero")
    if isinstance(a, int) and isinstance(b, int):
        result = _integers(sign, a, b)
        return wrapped(result) if m.how.int32 else result
    try:
        return _floats(sign, float(a), float(b))
    except OverflowError:
        raise Failure("too large for a floating-point number") from None


def _floats(sign: str, a: float, b: float) -> int | float:
    if sign in _COMPARISONS:
        return int(_COMPARISONS[sign](a, b))
    if sign == "/":
        return a / b
    if sign in _RING:
        return float(_RING[sign](a, b))
    raise Failure(f"`{sign}` applies to integers only")


def _integers(sign: str, a: int, b: int) -> int:
    if sign in _RING or sign in _COMPARISONS:
        return int((_RING.get(sign) or _COMPARISONS[sign])(a, b))
    if sign in ("/", "%"):
        quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
        return quotient if sign == "/" else a - b * quotient
    if sign in ("<<", ">>") and not 0 <= b <= _LARGEST_SHIFT:
        raise Failure(f"a shift by {b} bits")
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
                raise Failure("beyond the end of a text")
            return a[b:]
        if b == 0 and sign in ("=", "!="):
            return int(sign == "!=")
    raise Failure(f"`{sign}` does not apply to a text and this value")


def _addresses(m: Machine, sign: str, a: Datum, b: Datum) -> Datum:
    if sign in ("=", "!="):
        return int((_spot(a) == _spot(b)) == (sign == "="))
    if isinstance(a, Address) and isinstance(b, Address):
        if a.variable is not b.variable:
            raise Failure("addresses in different variables")
        if sign in _COMPARISONS:
            return int(_COMPARISONS[sign](a.offset, b.offset))
        if sign == "-" and a.target is not None:
            return (a.offset - b.offset) // m.size(a.target)
    elif isinstance(a, Address) and isinstance(b, int) and sign in ("+", "-"):
        return moved(m, a, b if sign == "+" else -b)
    elif isinstance(b, Address) and isinstance(a, int) and sign == "+":
        return moved(m, b, a)
    raise Failure(f"`{sign}` does not apply to these addresses")


def _spot(value: Datum) -> object:
    """Where an address leads; zero is NULL."""
    if isinstance(value, Address):
        return value.variable, value.offset
    return (None, 0) if value == 0 else value


def moved(m: Machine, address: Address, steps: int) -> Address:
    """The address that many elements further on; one past the end is the last that exists."""
    if address.variable is None or address.target is None:
        raise Failure("arithmetic on NULL or on memory without a type")
    offset = address.offset + steps * m.size(address.target)
    if not address.low <= offset <= address.high:
        raise Failure("the address leaves its array")
    return Address(address.variable, offset, address.target, address.low, address.high)


def converted(m: Machine, value: Datum, type_: Type | None) -> Datum:
    """The value as a variable of the type holds it."""
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
                raise Failure("too large for an integer") from None
        case Basic(name), int():
            return wrapped(value, _BITS[name]) if m.how.int32 and name in _BITS else value
        case PointerTo(target), _:
            return _address(m, value, target)
        case FunctionPointer(), NamedFunction() | 0:
            return value
        case StructType(tag), Record(made) if made == tag:
            return value
    raise Failure("the value does not fit the type of the variable")


def _address(m: Machine, value: Datum, target: Type) -> Datum:
    if isinstance(value, str):
        return value
    if isinstance(value, int) and value == 0:
        return NULL
    if not isinstance(value, Address):
        raise Failure("the value is no address")
    if value.variable is None or target == Basic("void") or value.target == target:
        return value
    if value.target is None:
        return _typed(m, value, target)
    if isinstance(value.target, ArrayOf) and value.target.element == target:
        return Address(value.variable, value.offset, target, value.offset, value.offset + m.size(value.target))
    raise Failure("the address is that of a value of another type")


def _typed(m: Machine, address: Address, target: Type) -> Address:
    """Memory from `malloc` becomes an array of as many elements as its bytes hold."""
    variable = address.variable
    if variable is None or not variable.there:
        raise Failure("the memory has been freed")
    if variable.type is None:
        variable.type = ArrayOf(target, variable.size // m.program.layouts.size(target))
        variable.size = m.size(variable.type)
    elif not isinstance(variable.type, ArrayOf) or variable.type.element != target:
        raise Failure("the memory already holds values of another type")
    return Address(variable, 0, target, 0, variable.size)
