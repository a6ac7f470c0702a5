"""What assignments write: single slots, lists of values, whole structs and texts."""

from __future__ import annotations

from collections.abc import Iterator

from pincer.execution.msvl.conversion import converted
from pincer.execution.msvl.errors import OutOfBounds, WrongType
from pincer.execution.msvl.evaluation import Place, evaluate
from pincer.execution.msvl.machine import Machine, Slot
from pincer.execution.msvl.values import FALSE_VALUE, Aggregate, Value
from pincer.frontends.msvl import syntax
from pincer.frontends.msvl.syntax import Expression
from pincer.frontends.msvl.types import INT, ArrayOf, Basic, StructType


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
