"""What writes: assignments of slots, lists, structs and texts; declarations; `input`. And `output`."""

from __future__ import annotations

from collections.abc import Iterator

from pincer.errors import UnsupportedError
from pincer.execution.msvl.arithmetic import converted
from pincer.execution.msvl.evaluation import Place, evaluate, place_of
from pincer.execution.msvl.machine import Machine, Slot
from pincer.execution.msvl.records import OutOfBounds, OutputText, WrongType
from pincer.execution.msvl.store import ObjectInfo
from pincer.execution.msvl.values import FALSE_VALUE, Aggregate, Concrete, Value
from pincer.frontends.msvl import syntax
from pincer.frontends.msvl.syntax import Expression
from pincer.frontends.msvl.text import expression_text
from pincer.frontends.msvl.types import (
    INT,
    ArrayOf,
    Basic,
    FunctionPointer,
    StructType,
    Type,
    integer_range,
    named_type,
)


def writes_of(m: Machine, place: Place, value: Expression) -> Iterator[tuple[Slot, Value]]:
    """The slots that an assignment of the expression to the place writes, with their values."""
    if isinstance(value, syntax.ListValue):
        yield from _list_writes(m, place, value)
        return
    if isinstance(place.type, ArrayOf):
        yield from _array_writes(m, place, place.type, evaluate(m, value), value.at)
        return
    yield from value_writes(m, place, evaluate(m, value), value.at)


def value_writes(m: Machine, place: Place, value: Value, at: int) -> Iterator[tuple[Slot, Value]]:
    if type(value.concrete) is int and value.symbolic is None and place.type is INT and not m.options.int32:
        yield (place.object, place.offset), value
        return
    fitting = converted(m, value, place.type, at)
    if isinstance(fitting.concrete, Aggregate):
        for i, slot in enumerate(fitting.concrete.slots):
            yield (place.object, place.offset + i), slot
    else:
        yield (place.object, place.offset), fitting


def _list_writes(m: Machine, place: Place, value: syntax.ListValue) -> Iterator[tuple[Slot, Value]]:
    """Elements in order; those that the list leaves out are zero, as in C."""
    parts = list(_parts(m, place))
    if not parts:
        raise m.error(WrongType, value.at, "a list of values is assigned to an array or a struct, nothing else")
    if len(value.items) > len(parts):
        raise m.error(OutOfBounds, value.at, f"{len(value.items)} values for {len(parts)} elements")
    for part, item in zip(parts, value.items, strict=False):
        yield from writes_of(m, part, item)
    for part in parts[len(value.items) :]:
        yield from _zeros(m, part)


def _parts(m: Machine, place: Place) -> Iterator[Place]:
    match place.type:
        case ArrayOf(element, length):
            width = m.program.layouts.slots(element)
            for i in range(length):
                offset = place.offset + i * width
                yield Place(place.object, offset, element, place.offset, place.offset + width * length)
        case StructType(tag):
            for field in m.program.layouts.struct(tag).values():
                offset = place.offset + field.offset
                yield Place(place.object, offset, field.type, offset, offset + m.program.layouts.slots(field.type))


def _zeros(m: Machine, place: Place) -> Iterator[tuple[Slot, Value]]:
    parts = list(_parts(m, place))
    for part in parts:
        yield from _zeros(m, part)
    if not parts:
        text = isinstance(place.type, Basic) and place.type.name == "string"
        zero = Value("") if text else converted(m, FALSE_VALUE, place.type, 0)
        yield (place.object, place.offset), zero


def _array_writes(m: Machine, place: Place, type_: ArrayOf, value: Value, at: int) -> Iterator[tuple[Slot, Value]]:
    """A text fills an array of characters and is closed by a zero."""
    text = value.concrete
    if not isinstance(text, str) or not isinstance(type_.element, Basic) or type_.element.name != "char":
        raise m.error(WrongType, at, "assign an array element by element, or from a list of values")
    if len(text) >= type_.length:
        raise m.error(OutOfBounds, at, f"{len(text)} characters and a closing zero for {type_.length} elements")
    for i in range(type_.length):
        yield (place.object, place.offset + i), Value(ord(text[i]) if i < len(text) else 0)


def declare(m: Machine, type_name: syntax.TypeName, declarator: syntax.Declarator) -> Place:
    """The place of the name; executing a declaration again finds the cell of the first time."""
    type_ = declared_type(m, type_name, declarator)
    slots = m.program.layouts.slots(type_)
    number = m.store.scopes[m.scope].names.get(declarator.name)
    if number is not None:
        info = m.store.objects[number]
        if info.declared and info.type != type_:
            raise m.error(WrongType, declarator.at, f"`{declarator.name}` is declared again with another type")
        if info.declared:
            return Place(number, 0, type_, 0, slots)
        m.store.release(number)
    number = m.store.allocate(ObjectInfo(declarator.name, type_, slots, False, True), m.scope)
    return Place(number, 0, type_, 0, slots)


def declared_type(m: Machine, type_name: syntax.TypeName, declarator: syntax.Declarator) -> Type:
    if declarator.signature is not None:
        return FunctionPointer()
    type_ = named_type(type_name, declarator.stars, m.program.structs)
    if m.options.int32 and isinstance(type_, Basic) and (type_.unsigned or type_.name == "long"):
        message = "with 32-bit integers, `unsigned` and `long` are not modelled; use `int` or mathematical integers"
        raise UnsupportedError(message, m.program.source.position(type_name.at))
    if type_ == Basic("void"):
        raise m.error(
            WrongType, declarator.at, f"`{declarator.name}` cannot be void; declare `void *{declarator.name}`"
        )
    dimensions = list(declarator.dimensions)
    lengths = [_length(m, dimension, declarator, i) for i, dimension in enumerate(dimensions)]
    for length in reversed(lengths):
        type_ = ArrayOf(type_, length)
    return type_


def _length(m: Machine, dimension: syntax.Expression | None, declarator: syntax.Declarator, position: int) -> int:
    if dimension is None:
        length = _initial_length(declarator.initial) if position == 0 else None
        if length is None:
            raise m.error(WrongType, declarator.at, f"the array `{declarator.name}` needs a length or a list of values")
        return length
    value = evaluate(m, dimension)
    if not isinstance(value.concrete, int):
        raise m.error(WrongType, dimension.at, "the length of an array is an integer")
    if value.symbolic is not None:
        m.concretise(dimension.at, "the length of an array")
    if value.concrete <= 0:
        raise m.error(OutOfBounds, dimension.at, f"an array of {value.concrete} elements; the length must be positive")
    return value.concrete


def _initial_length(initial: syntax.Expression | None) -> int | None:
    match initial:
        case syntax.ListValue(items):
            return len(items)
        case syntax.Text(value):
            return len(value) + 1
    return None


def read_inputs(m: Machine, node: syntax.InputStatement) -> None:
    """Each target gets a fresh input of its type; floating-point ones stay concrete."""
    for target in node.targets:
        place = place_of(m, target)
        if not isinstance(place.type, Basic) or place.type.name in ("string", "void"):
            message = "only numbers can be read; declare the variable as int, char, bool or float"
            raise UnsupportedError(message, m.program.source.position(target.at))
        value = m.obtain(expression_text(target), integer_range(place.type, m.options.int32), target.at)
        for slot, fitting in list(value_writes(m, place, value, target.at)):
            m.write(slot, fitting, target.at)


def write_output(m: Machine, node: syntax.OutputStatement) -> None:
    shown = "".join(output_text(evaluate(m, value).concrete) for value in node.values)
    m.outputs.append(OutputText(shown, m.state))


def output_text(concrete: Concrete) -> str:
    return concrete if isinstance(concrete, str) else str(concrete)
