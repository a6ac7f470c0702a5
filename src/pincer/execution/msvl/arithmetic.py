"""Operators on values, and values as variables of a type hold them.

Concrete results always, exact terms where linear arithmetic has them.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from pincer.execution.msvl.machine import Machine
from pincer.execution.msvl.records import DivisionByZero, NullPointer, OutOfBounds, WrongType
from pincer.execution.msvl.store import ObjectInfo
from pincer.execution.msvl.values import (
    NULL_POINTER,
    Aggregate,
    Concrete,
    FunctionValue,
    PointerValue,
    Value,
    integer_term,
    is_true,
    stored,
    symbolic_value,
    too_large,
)
from pincer.frontends.msvl.types import ArrayOf, Basic, FunctionPointer, PointerTo, StructType, Type
from pincer.logic import terms
from pincer.logic.terms import Term

_COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_LARGEST_SHIFT = 4096


def _truncated(left: int, right: int) -> int:
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient


INTEGER_OPERATIONS: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "=": lambda a, b: int(a == b),
    "!=": lambda a, b: int(a != b),
    "<": lambda a, b: int(a < b),
    "<=": lambda a, b: int(a <= b),
    ">": lambda a, b: int(a > b),
    ">=": lambda a, b: int(a >= b),
}
"""The operations on integers that cannot fail."""

_BITWISE: dict[str, Callable[[int, int], int]] = {
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "<<": operator.lshift,
    ">>": operator.rshift,
}


def wrapped(value: Value, bits: int = 32) -> Value:
    """The value as a signed machine integer of that many bits."""
    assert isinstance(value.concrete, int)
    half = 1 << (bits - 1)
    concrete = (value.concrete + half) % (2 * half) - half
    if value.symbolic is None:
        return Value(concrete)
    shifted = terms.add(integer_term(value), terms.integer(half))
    return symbolic_value(concrete, terms.subtract(terms.modulo(shifted, 2 * half), terms.integer(half)))


def bounded(m: Machine, value: Value, at: int) -> Value:
    """The value without its term when that has grown too large to be of use."""
    if value.symbolic is None or not too_large(value.symbolic):
        return value
    m.concretise(at, "a term that has grown too large")
    return Value(value.concrete)


def binary(m: Machine, sign: str, left: Value, right: Value, at: int) -> Value:
    """Any operator but `AND` and `OR`."""
    a, b = left.concrete, right.concrete
    if type(a) is int and type(b) is int:
        result = _integers(m, sign, left, right, at)
        return bounded(m, wrapped(result) if m.options.int32 and sign not in _COMPARISONS else result, at)
    if isinstance(a, PointerValue) or isinstance(b, PointerValue):
        return _pointers(m, sign, left, right, at)
    if left.symbolic is not None or right.symbolic is not None:
        m.concretise(at, "arithmetic beyond the integers")
    if isinstance(a, str) or isinstance(b, str):
        return _texts(m, sign, a, b, at)
    if isinstance(a, int | float) and isinstance(b, int | float):
        return _floats(m, sign, float(a), float(b), at)
    raise m.error(WrongType, at, f"`{sign}` does not apply to these values")


def _integers(m: Machine, sign: str, left: Value, right: Value, at: int) -> Value:
    a, b = left.concrete, right.concrete
    assert isinstance(a, int) and isinstance(b, int)
    if sign in ("/", "%"):
        return _division(m, sign, left, right, at)
    simple = INTEGER_OPERATIONS.get(sign)
    if simple is None:
        return _bits(m, sign, left, right, at)
    if left.symbolic is None and right.symbolic is None:
        return Value(simple(a, b))
    return symbolic_value(simple(a, b), _term(m, sign, left, right, at))


def _term(m: Machine, sign: str, left: Value, right: Value, at: int) -> Term:
    x, y = integer_term(left), integer_term(right)
    match sign:
        case "+":
            return terms.add(x, y)
        case "-":
            return terms.subtract(x, y)
        case "*":
            return _product(m, left, right, at)
        case "=":
            return terms.equal(x, y)
        case "!=":
            return terms.negate(terms.equal(x, y))
        case "<":
            return terms.less(x, y)
        case "<=":
            return terms.at_most(x, y)
        case ">":
            return terms.less(y, x)
    return terms.at_most(y, x)


def _product(m: Machine, left: Value, right: Value, at: int) -> Term:
    if left.symbolic is None:
        left, right = right, left
    if right.symbolic is not None:
        m.concretise(at, "a product of two symbolic values")
    assert isinstance(right.concrete, int)
    return terms.scale(right.concrete, integer_term(left))


def _division(m: Machine, sign: str, left: Value, right: Value, at: int) -> Value:
    """Rounding toward zero, as in C. A symbolic divisor is first known not to be zero, then concrete."""
    a, b = left.concrete, right.concrete
    assert isinstance(a, int) and isinstance(b, int)
    if right.symbolic is not None:
        m.constrain(terms.is_zero(integer_term(right)), b == 0, at)
    if b == 0:
        raise m.error(DivisionByZero, at, "division by zero; test the divisor first")
    if right.symbolic is not None:
        m.concretise(at, "a symbolic divisor")
    quotient = _truncated(a, b)
    concrete = quotient if sign == "/" else a - b * quotient
    if left.symbolic is None:
        return Value(concrete)
    term = integer_term(left)
    divided = truncated_term(term, b)
    return symbolic_value(concrete, divided if sign == "/" else terms.subtract(term, terms.scale(b, divided)))


def truncated_term(term: Term, divisor: int) -> Term:
    """`term / divisor` rounded toward zero, from divisions of absolute values."""
    positive = terms.divide(term, abs(divisor))
    negative = terms.scale(-1, terms.divide(terms.scale(-1, term), abs(divisor)))
    quotient = terms.conditional(terms.at_most(terms.integer(0), term), positive, negative)
    return quotient if divisor > 0 else terms.scale(-1, quotient)


def _bits(m: Machine, sign: str, left: Value, right: Value, at: int) -> Value:
    a, b = left.concrete, right.concrete
    assert isinstance(a, int) and isinstance(b, int)
    if sign in ("<<", ">>") and not 0 <= b <= _LARGEST_SHIFT:
        raise m.error(OutOfBounds, at, f"a shift by {b} bits; shift by a small number that is not negative")
    if left.symbolic is not None or right.symbolic is not None:
        m.concretise(at, "an operation on bits")
    return Value(_BITWISE[sign](a, b))


def _floats(m: Machine, sign: str, a: float, b: float, at: int) -> Value:
    if sign in _COMPARISONS:
        return Value(int(_COMPARISONS[sign](a, b)))
    if sign == "/" and b == 0:
        raise m.error(DivisionByZero, at, "division by zero; test the divisor first")
    try:
        match sign:
            case "+":
                return Value(a + b)
            case "-":
                return Value(a - b)
            case "*":
                return Value(a * b)
            case "/":
                return Value(a / b)
    except OverflowError:
        raise m.error(OutOfBounds, at, "this result is too large for a floating-point number") from None
    raise m.error(WrongType, at, f"`{sign}` applies to integers only")


def _texts(m: Machine, sign: str, a: Concrete, b: Concrete, at: int) -> Value:
    if isinstance(a, str) and isinstance(b, str):
        if sign in _COMPARISONS:
            return Value(int(_COMPARISONS[sign](a, b)))
        if sign == "+":
            return Value(a + b)
    if isinstance(a, str) and type(b) is int:
        if sign == "+":
            if not 0 <= b <= len(a):
                raise m.error(OutOfBounds, at, f"the text has {len(a)} characters; {b} is beyond it")
            return Value(a[b:])
        if b == 0 and sign in ("=", "!="):
            return Value(int(sign == "!="))
    raise m.error(WrongType, at, f"`{sign}` does not apply to these values")


def _pointers(m: Machine, sign: str, left: Value, right: Value, at: int) -> Value:
    a, b = left.concrete, right.concrete
    if sign in ("=", "!="):
        return Value(int((_identity(a) == _identity(b)) == (sign == "=")))
    if isinstance(a, PointerValue) and isinstance(b, PointerValue):
        return _pointer_pair(m, sign, a, b, at)
    if sign == "+" and isinstance(b, PointerValue):
        a, left, b, right = b, right, a, left
    if isinstance(a, PointerValue) and type(b) is int and sign in ("+", "-"):
        if right.symbolic is not None:
            m.concretise(at, "a symbolic offset of a pointer")
        return Value(moved(m, a, b if sign == "+" else -b, at))
    raise m.error(WrongType, at, f"`{sign}` does not apply to a pointer and this value")


def _identity(concrete: Concrete) -> object:
    if isinstance(concrete, PointerValue):
        return concrete[:2] + concrete[5:]
    return (0, 0, 0) if concrete == 0 else concrete


def _pointer_pair(m: Machine, sign: str, a: PointerValue, b: PointerValue, at: int) -> Value:
    if a.object != b.object:
        raise m.error(OutOfBounds, at, "these pointers point into different variables")
    if sign in _COMPARISONS:
        return Value(int(_COMPARISONS[sign](a.offset, b.offset)))
    if sign == "-" and a.target is not None:
        return Value((a.offset - b.offset) // m.program.layouts.slots(a.target))
    raise m.error(WrongType, at, f"`{sign}` does not apply to two pointers")


def moved(m: Machine, pointer: PointerValue, steps: int, at: int) -> PointerValue:
    """The pointer that many elements further on; one past the end is the last that exists."""
    if pointer.object == 0:
        raise m.error(NullPointer, at, "arithmetic on NULL")
    if pointer.target is None:
        raise m.error(WrongType, at, "memory from malloc needs a type: cast it or assign it to a typed pointer first")
    offset = pointer.offset + steps * m.program.layouts.slots(pointer.target)
    if not pointer.low <= offset <= pointer.high:
        raise m.error(OutOfBounds, at, "the pointer leaves its array")
    return pointer._replace(offset=offset)


def unary(m: Machine, sign: str, value: Value, at: int) -> Value:
    """`!`, `-`, `+` and `~`."""
    concrete, term = value
    if sign == "!":
        if term is None:
            return Value(int(not is_true(concrete)))
        holds = term if term.sort is terms.BOOL else terms.negate(terms.is_zero(term))
        return symbolic_value(int(not is_true(concrete)), terms.negate(holds))
    if not isinstance(concrete, int | float):
        raise m.error(WrongType, at, f"`{sign}` applies to numbers only")
    if sign == "+":
        return value
    if sign == "-":
        negative = Value(-concrete) if term is None else Value(-concrete, terms.scale(-1, integer_term(value)))
        return bounded(m, wrapped(negative), at) if m.options.int32 and isinstance(concrete, int) else negative
    if isinstance(concrete, float):
        raise m.error(WrongType, at, "`~` applies to integers only")
    if term is not None:
        return Value(~concrete, terms.subtract(terms.integer(-1), integer_term(value)))
    return Value(~concrete)


def converted(m: Machine, value: Value, type_: Type | None, at: int) -> Value:
    """The value as a variable of that type holds it."""
    concrete = value.concrete
    match type_:
        case Basic("float" | "double"):
            if isinstance(concrete, int):
                if value.symbolic is not None:
                    m.concretise(at, "floating-point numbers")
                return Value(float(concrete))
            if isinstance(concrete, float):
                return value
        case Basic("string"):
            if isinstance(concrete, str):
                return value
        case Basic():
            return _converted_integer(m, value, type_, at)
        case PointerTo(target):
            return _converted_pointer(m, value, target, at)
        case FunctionPointer():
            if isinstance(concrete, FunctionValue) or concrete == 0:
                return value
        case StructType(tag):
            if isinstance(concrete, Aggregate) and concrete.tag == tag:
                return value
    raise m.error(WrongType, at, "the value does not fit the type of the variable")


_BITS = {"char": 8, "short": 16, "int": 32}


def _converted_integer(m: Machine, value: Value, type_: Basic, at: int) -> Value:
    concrete = value.concrete
    if isinstance(concrete, float):
        try:
            return Value(int(concrete))
        except (OverflowError, ValueError):
            raise m.error(OutOfBounds, at, "this number is too large for an integer") from None
    if not isinstance(concrete, int):
        raise m.error(WrongType, at, "the value is no number")
    if m.options.int32 and type_.name in _BITS and (value.symbolic is not None or not -128 <= concrete < 128):
        return bounded(m, wrapped(stored(value), _BITS[type_.name]), at)
    return stored(value)


def _converted_pointer(m: Machine, value: Value, target: Type, at: int) -> Value:
    concrete = value.concrete
    if isinstance(concrete, int) and concrete == 0:
        return Value(NULL_POINTER)
    if isinstance(concrete, str):
        return value
    if not isinstance(concrete, PointerValue):
        raise m.error(WrongType, at, "the value is no pointer")
    if concrete.object == 0 or target == Basic("void"):
        return value
    if concrete.target is None:
        return Value(_typed(m, concrete, target, at))
    if concrete.target != target:
        if isinstance(concrete.target, ArrayOf) and concrete.target.element == target:
            high = concrete.offset + m.program.layouts.slots(concrete.target)
            return Value(concrete._replace(target=target, low=concrete.offset, high=high))
        raise m.error(WrongType, at, "the pointer points to a value of another type")
    return value


def _typed(m: Machine, pointer: PointerValue, target: Type, at: int) -> PointerValue:
    """Give memory from malloc its type: as many elements as its bytes hold."""
    info = m.store.objects.get(pointer.object)
    if info is None or m.store.generations[pointer.object] != pointer.generation:
        raise m.error(NullPointer, at, "the pointer points to memory that has been freed")
    if info.type is None:
        count = info.slots // m.program.layouts.size(target)
        type_ = ArrayOf(target, count)
        m.store.retype(pointer.object, ObjectInfo(info.name, type_, m.program.layouts.slots(type_), True, True))
    elif not isinstance(info.type, ArrayOf) or info.type.element != target:
        raise m.error(WrongType, at, "this memory already holds values of another type")
    info = m.store.objects[pointer.object]
    return PointerValue(pointer.object, 0, target, 0, info.slots, pointer.generation)
