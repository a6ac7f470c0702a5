"""Declarations: a name gets a cell in the current scope, or keeps the one it has."""

from __future__ import annotations

from pincer.errors import UnsupportedError
from pincer.execution.msvl.errors import OutOfBounds, WrongType
from pincer.execution.msvl.evaluation import Place, evaluate
from pincer.execution.msvl.machine import Machine
from pincer.execution.msvl.store import ObjectInfo
from pincer.frontends.msvl import syntax
from pincer.frontends.msvl.types import ArrayOf, Basic, FunctionPointer, Type, named_type


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
