"""Expressions at a state: their values, the places they name, and the cells that an assignment writes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from pincer.errors import UnsupportedError
from pincer.evidence.msvl.arithmetic import binary, converted, moved, unary
from pincer.evidence.msvl.forms import BeyondForms, LinearForm
from pincer.evidence.msvl.library import library_call
from pincer.evidence.msvl.machine import ReplayMachine
from pincer.evidence.msvl.memory import (
    NIL,
    NULL,
    CellAddress,
    CellVariable,
    Datum,
    NamedFunction,
    NoState,
    StructValue,
    is_true,
)
from pincer.frontends.msvl import syntax
from pincer.frontends.msvl.syntax import Expression
from pincer.frontends.msvl.text import expression_text
from pincer.frontends.msvl.types import INT, ArrayOf, Basic, PointerTo, StructType, Type, named_type


class Place(NamedTuple):
    """Where a value lives: a cell, its type, and the array it may be left to by an address."""

    variable: CellVariable
    offset: int
    type: Type | None
    low: int
    high: int

    @property
    def address(self) -> CellAddress:
        return CellAddress(self.variable, self.offset, self.type, self.low, self.high)


Writes = list[tuple[CellVariable, int, Datum]]


def holds(m: ReplayMachine, condition: Expression) -> bool:
    """The truth of a condition that controls the program."""
    m.testing = True
    try:
        return is_true(evaluate(m, condition))
    finally:
        m.testing = False


def evaluate(m: ReplayMachine, expression: Expression) -> Datum:
    """The value of an expression at the current state."""
    match expression:
        case syntax.Number(value) | syntax.Text(value) | syntax.Character(value):
            return value
        case syntax.Truth(value):
            return int(value)
        case syntax.Name(text) if m.scope.find(text) is None:
            return _unbound(m, text)
        case syntax.Unary("&", operand):
            return place_of(m, operand).address
        case syntax.Unary("*", operand):
            pointer = evaluate(m, operand)
            return _character(pointer, 0) if isinstance(pointer, str) else _fetched(m, _target(m, pointer), expression)
        case syntax.Unary(sign, operand):
            return unary(m, sign, evaluate(m, operand))
        case syntax.Binary("AND" | "OR" as sign, left, right):
            first = is_true(evaluate(m, left))
            return int(first if first == (sign == "OR") else is_true(evaluate(m, right)))
        case syntax.Binary(sign, left, right):
            return binary(m, sign, evaluate(m, left), evaluate(m, right))
        case syntax.Choice(condition, then, otherwise):
            return evaluate(m, then if is_true(evaluate(m, condition)) else otherwise)
        case syntax.Index(base, (index,)):
            base_value = _indexed(m, base)
            if isinstance(base_value, str):
                return _character(base_value, _number(m, index))
            return _fetched(m, _element(m, base_value, _number(m, index)), expression)
        case syntax.Name() | syntax.Index() | syntax.MemberAccess():
            return _fetched(m, place_of(m, expression), expression)
        case syntax.Cast(type_, operand):
            return _cast(m, evaluate(m, operand), named_type(type_, 0, m.program.structs), expression)
        case syntax.SizeOfType(type_):
            return m.program.layouts.size(named_type(type_, 0, m.program.structs))
        case syntax.SizeOf(operand):
            measured = place_of(m, operand).type if isinstance(operand, _PLACES) else INT
            return m.program.layouts.size(measured or INT)
        case syntax.Call():
            return _result(m, expression)
    raise NoState("a list of values is assigned to an array or a struct, nothing else")


_PLACES = (syntax.Name, syntax.Index, syntax.MemberAccess)


def external_call(m: ReplayMachine, call: syntax.Call) -> Datum | None:
    """The result of a call that takes no state of the caller, None when it has none."""
    arguments = [evaluate(m, argument) for argument in call.arguments]
    function = m.program.functions.get(call.function)
    return library_call(m, call.function, arguments) if function is None else m.private_run(function, arguments)


def _result(m: ReplayMachine, call: syntax.Call) -> Datum:
    value = external_call(m, call)
    if value is None:
        raise NoState(f"`{call.function}` has no result")
    return value


def _unbound(m: ReplayMachine, name: str) -> Datum:
    if name == "NULL":
        return NULL
    if name in m.program.functions:
        return NamedFunction(name)
    raise NoState(f"`{name}` is read before it is declared")


def _fetched(m: ReplayMachine, place: Place, expression: Expression) -> Datum:
    """The value at a place: arrays become addresses of their first element, structs are copied."""
    match place.type:
        case ArrayOf(element):
            end = place.offset + m.size(place.type)
            return CellAddress(place.variable, place.offset, element, place.offset, end)
        case StructType(tag):
            offsets = range(place.offset, place.offset + m.size(place.type))
            return StructValue(tag, tuple(m.read(place.variable, offset) for offset in offsets))
        case None:
            raise NoState("memory from malloc needs a type before it is read")
    value = m.read(place.variable, place.offset)
    if value is NIL:
        raise NoState(f"`{expression_text(expression)}` has no value yet")
    return value


def place_of(m: ReplayMachine, expression: Expression) -> Place:
    """The place that an expression names."""
    match expression:
        case syntax.Name(text):
            found = m.scope.find(text)
            if found is None:
                raise NoState(f"`{text}` is used before it is declared")
            return whole(found)
        case syntax.Index(base, (first, *others)):
            place = _element(m, _indexed(m, base), _number(m, first))
            for index in others:
                place = _element_of(m, place, _number(m, index))
            return place
        case syntax.MemberAccess(base, name, arrow):
            owner = _target(m, evaluate(m, base)) if arrow else place_of(m, base)
            return _member(m, owner, name)
        case syntax.Unary("*", operand):
            return _target(m, evaluate(m, operand))
    raise NoState("this expression does not name a variable")


def whole(variable: CellVariable) -> Place:
    return Place(variable, 0, variable.type, 0, variable.size)


def _member(m: ReplayMachine, owner: Place, name: str) -> Place:
    fields = m.program.layouts.struct(owner.type.tag) if isinstance(owner.type, StructType) else {}
    if name not in fields:
        raise NoState(f"there is no field `{name}`")
    offset = owner.offset + fields[name].offset
    return Place(owner.variable, offset, fields[name].type, offset, offset + m.size(fields[name].type))


def _indexed(m: ReplayMachine, base: Expression) -> Place | Datum:
    """What an index is about: an array in its place, or the value of anything else."""
    if not isinstance(base, _PLACES):
        return evaluate(m, base)
    place = place_of(m, base)
    return place if isinstance(place.type, ArrayOf) else _fetched(m, place, base)


def _element(m: ReplayMachine, base: Place | Datum, index: int) -> Place:
    if isinstance(base, Place):
        return _element_of(m, base, index)
    if not isinstance(base, CellAddress):
        raise NoState("only arrays and addresses have elements")
    return _target(m, moved(m, base, index))


def _element_of(m: ReplayMachine, place: Place, index: int) -> Place:
    if not isinstance(place.type, ArrayOf) or not 0 <= index < place.type.length:
        raise NoState(f"the array has no element {index}")
    width = m.size(place.type.element)
    end = place.offset + width * place.type.length
    return Place(place.variable, place.offset + index * width, place.type.element, place.offset, end)


def _number(m: ReplayMachine, index: Expression) -> int:
    value = evaluate(m, index)
    if isinstance(value, LinearForm):
        raise BeyondForms("which element is meant depends on a variable")
    if not isinstance(value, int):
        raise NoState("an index is an integer")
    return value


def _target(m: ReplayMachine, pointer: Datum) -> Place:
    """The place an address leads to."""
    if not isinstance(pointer, CellAddress) or pointer.variable is None:
        raise NoState("what is followed is NULL or no address")
    if not m.exists(pointer.variable):
        raise NoState("the address leads to a variable that no longer exists")
    if pointer.target is None:
        raise NoState("memory from malloc needs a type before it is used")
    if not pointer.low <= pointer.offset <= pointer.high - m.size(pointer.target):
        raise NoState("the address is beyond the end of its array")
    return Place(pointer.variable, pointer.offset, pointer.target, pointer.low, pointer.high)


def _character(text: str, index: int) -> int:
    if not 0 <= index <= len(text):
        raise NoState(f"the text has no character {index}")
    return ord(text[index]) if index < len(text) else 0


def _cast(m: ReplayMachine, value: Datum, type_: Type, expression: Expression) -> Datum:
    if isinstance(value, CellAddress) and isinstance(type_, PointerTo) and value.variable is not None:
        if value.target is None:
            return converted(m, value, type_)
        if type_.target not in (value.target, Basic("void")):
            position = m.program.source.position(expression.at)
            raise UnsupportedError("an address cast to another type would read memory differently", position)
        return value
    return converted(m, value, type_)


def assigned(m: ReplayMachine, place: Place, value: Expression) -> Writes:
    """The cells that an assignment of the expression to the place writes, with their values."""
    if isinstance(value, syntax.ListValue):
        return _list_writes(m, place, value)
    if isinstance(place.type, ArrayOf):
        return _text_writes(place, place.type, evaluate(m, value))
    return value_writes(m, place, evaluate(m, value))


def value_writes(m: ReplayMachine, place: Place, value: Datum) -> Writes:
    fitting = converted(m, value, place.type)
    cells = fitting.cells if isinstance(fitting, StructValue) else (fitting,)
    return [(place.variable, place.offset + i, cell) for i, cell in enumerate(cells)]


def _list_writes(m: ReplayMachine, place: Place, value: syntax.ListValue) -> Writes:
    """Elements in order; those that the list leaves out are zero, as in C."""
    parts = list(_parts(m, place))
    if not parts or len(value.items) > len(parts):
        raise NoState(f"{len(value.items)} values for {len(parts)} elements")
    writes = [write for part, item in zip(parts, value.items, strict=False) for write in assigned(m, part, item)]
    return writes + [write for part in parts[len(value.items) :] for write in _zeros(m, part)]


def _parts(m: ReplayMachine, place: Place) -> Iterator[Place]:
    match place.type:
        case ArrayOf(_, length):
            yield from (_element_of(m, place, index) for index in range(length))
        case StructType(tag):
            yield from (_member(m, place, name) for name in m.program.layouts.struct(tag))


def _zeros(m: ReplayMachine, place: Place) -> Writes:
    if isinstance(place.type, ArrayOf | StructType):
        return [write for part in _parts(m, place) for write in _zeros(m, part)]
    zero = "" if place.type == Basic("string") else converted(m, 0, place.type)
    return [(place.variable, place.offset, zero)]


def _text_writes(place: Place, type_: ArrayOf, text: Datum) -> Writes:
    """A text fills an array of characters and is closed by a zero."""
    element = type_.element
    if not isinstance(text, str) or not isinstance(element, Basic) or element.name != "char":
        raise NoState("an array is assigned element by element, or from a list of values")
    if len(text) >= type_.length:
        raise NoState(f"{len(text)} characters and a closing zero for {type_.length} elements")
    codes = [*map(ord, text), *(0 for _ in range(type_.length - len(text)))]
    return [(place.variable, place.offset + i, code) for i, code in enumerate(codes)]
