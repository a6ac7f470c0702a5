"""Values as variables of a type hold them."""

from __future__ import annotations

from pincer.execution.msvl.arithmetic import bounded, wrapped
from pincer.execution.msvl.errors import NullPointer, OutOfBounds, WrongType
from pincer.execution.msvl.machine import Machine
from pincer.execution.msvl.store import ObjectInfo
from pincer.execution.msvl.values import NULL_POINTER, Aggregate, FunctionName, Pointer, Value, stored
from pincer.frontends.msvl.types import ArrayOf, Basic, FunctionPointer, PointerTo, StructType, Type


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
            if isinstance(concrete, FunctionName) or concrete == 0:
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
    if not isinstance(concrete, Pointer):
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


def _typed(m: Machine, pointer: Pointer, target: Type, at: int) -> Pointer:
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
    return Pointer(pointer.object, 0, target, 0, info.slots, pointer.generation)
