"""Expressions: their values, the places they name, and what assignments write."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from pincer.errors import UnsupportedError
from pincer.execution.msvl.arithmetic import INTEGER_OPERATIONS, binary, converted, moved, unary
from pincer.execution.msvl.machine import Machine
from pincer.execution.msvl.records import ExecutionError, NullPointer, OutOfBounds, UndefinedValue, WrongType
from pincer.execution.msvl.values import (
    FALSE_VALUE,
    NIL_VALUE,
    NULL_POINTER,
    TRUE_VALUE,
    Aggregate,
    Concrete,
    FunctionValue,
    PointerValue,
    Value,
    condition_term,
    is_true,
    symbolic_value,
)
from pincer.frontends.msvl import syntax
from pincer.frontends.msvl.checks import NULL
from pincer.frontends.msvl.syntax import Expression
from pincer.frontends.msvl.text import expression_text
from pincer.frontends.msvl.types import (
    INT,
    ArrayOf,
    Basic,
    PointerTo,
    StructType,
    Type,
    named_type,
)
from pincer.logic import terms


class Place(NamedTuple):
    """Where a value lives: a slot, its type, and the array it may be left to by a pointer."""

    object: int
    offset: int
    type: Type | None
    low: int
    high: int


def evaluate(m: Machine, expression: Expression) -> Value:
    """The value of an expression at the current state."""
    return _EVALUATORS[type(expression)](m, expression)


def holds(m: Machine, condition: Expression) -> bool:
    """Evaluate a condition that controls the program: it becomes part of the path."""
    m.testing = True
    value = evaluate(m, condition)
    m.testing = False
    return m.decide(value, condition.at)


def _name(m: Machine, name: syntax.Name) -> Value:
    found = m.store.lookup(m.scope, name.text)
    if found is None:
        return _unbound(m, name)
    value = m.store.contents.get(found)
    if type(value) is Value:
        if m.testing and m.rejecting:
            m.books.tested[found, 0] = value
        return value
    info = m.store.objects[found]
    return fetch(m, Place(found, 0, info.type, 0, info.slots), name)


def _unbound(m: Machine, name: syntax.Name) -> Value:
    if name.text == NULL:
        return Value(NULL_POINTER)
    if name.text in m.program.functions:
        return Value(FunctionValue(name.text))
    raise m.error(UndefinedValue, name.at, f"`{name.text}` is read before it is declared")


def fetch(m: Machine, place: Place, expression: Expression) -> Value:
    """The value at a place: arrays become pointers to their first element, structs are copied."""
    match place.type:
        case ArrayOf(element, _):
            end = place.offset + m.program.layouts.slots(place.type)
            generation = m.store.generations[place.object]
            return Value(PointerValue(place.object, place.offset, element, place.offset, end, generation))
        case StructType(tag):
            count = m.program.layouts.slots(place.type)
            return Value(Aggregate(tag, tuple(m.load((place.object, place.offset + i)) for i in range(count))))
        case None:
            raise m.error(WrongType, expression.at, "memory from malloc needs a type before it is read")
    value = m.load((place.object, place.offset))
    if value is NIL_VALUE:
        raise m.error(
            UndefinedValue, expression.at, f"`{expression_text(expression)}` has no value yet; assign it first"
        )
    return value


def _fetch_place(m: Machine, expression: Expression) -> Value:
    return fetch(m, place_of(m, expression), expression)


def place_of(m: Machine, expression: Expression) -> Place:
    """The place that an expression names."""
    match expression:
        case syntax.Name(text):
            found = m.store.lookup(m.scope, text)
            if found is None:
                raise m.error(UndefinedValue, expression.at, f"`{text}` is used before it is declared")
            info = m.store.objects[found]
            return Place(found, 0, info.type, 0, info.slots)
        case syntax.Index(base, indices):
            place = _element(m, _indexed(m, base), indices[0], expression.at)
            for index in indices[1:]:
                place = _element_of(m, place, index, expression.at)
            return place
        case syntax.MemberAccess(base, name, arrow):
            return _member_place(m, base, name, arrow, expression.at)
        case syntax.Unary("*", operand):
            return _target(m, evaluate(m, operand).concrete, expression.at)
    raise m.error(WrongType, expression.at, "this expression does not name a variable")


def _member_place(m: Machine, base: Expression, name: str, arrow: bool, at: int) -> Place:
    owner = _target(m, evaluate(m, base).concrete, at) if arrow else place_of(m, base)
    if not isinstance(owner.type, StructType):
        raise m.error(WrongType, at, f"only structs have fields; this has no `{name}`")
    field = m.program.layouts.struct(owner.type.tag).get(name)
    if field is None:
        raise m.error(WrongType, at, f"`{owner.type.tag}` has no field `{name}`")
    offset = owner.offset + field.offset
    return Place(owner.object, offset, field.type, offset, offset + m.program.layouts.slots(field.type))


def _indexed(m: Machine, base: Expression) -> Place | Concrete:
    """What an index is about: an array in its place, or the value of anything else; evaluated once."""
    if not isinstance(base, _PLACES):
        return evaluate(m, base).concrete
    place = place_of(m, base)
    return place if isinstance(place.type, ArrayOf) else fetch(m, place, base).concrete


def _element(m: Machine, base: Place | Concrete, index: Expression, at: int) -> Place:
    if isinstance(base, Place):
        return _element_of(m, base, index, at)
    if not isinstance(base, PointerValue):
        raise m.error(WrongType, at, "only arrays and pointers have elements")
    return _target(m, moved(m, base, _index_value(m, index), at), at)


def _element_of(m: Machine, place: Place, index: Expression, at: int) -> Place:
    if not isinstance(place.type, ArrayOf):
        raise m.error(WrongType, at, "this array has fewer dimensions")
    number = _index_value(m, index)
    if not 0 <= number < place.type.length:
        message = f"index {number} of an array with {place.type.length} elements; indices begin at 0"
        raise m.error(OutOfBounds, at, message)
    width = m.program.layouts.slots(place.type.element)
    offset = place.offset + number * width
    return Place(place.object, offset, place.type.element, place.offset, place.offset + width * place.type.length)


def _index_value(m: Machine, index: Expression) -> int:
    value = evaluate(m, index)
    if not isinstance(value.concrete, int):
        raise m.error(WrongType, index.at, "an index is an integer")
    if value.symbolic is not None:
        m.concretise(index.at, "a symbolic index")
    return value.concrete


def _target(m: Machine, pointer: Concrete, at: int) -> Place:
    """The place a pointer points to."""
    if not isinstance(pointer, PointerValue):
        if pointer == 0:
            raise m.error(NullPointer, at, "the pointer is NULL")
        raise m.error(WrongType, at, "only pointers can be followed")
    if pointer.object == 0:
        raise m.error(NullPointer, at, "the pointer is NULL")
    if not m.exists(pointer.object, pointer.generation):
        raise m.error(NullPointer, at, "the pointer points to a variable that no longer exists")
    if pointer.target is None:
        raise m.error(WrongType, at, "memory from malloc needs a type: cast it or assign it to a typed pointer first")
    if not pointer.low <= pointer.offset <= pointer.high - m.program.layouts.slots(pointer.target):
        raise m.error(OutOfBounds, at, "the pointer is beyond the end of its array")
    return Place(pointer.object, pointer.offset, pointer.target, pointer.low, pointer.high)


def _index(m: Machine, expression: syntax.Index) -> Value:
    if len(expression.indices) > 1:
        return _fetch_place(m, expression)
    base, index = _indexed(m, expression.base), expression.indices[0]
    if isinstance(base, str):
        return _character(m, base, _index_value(m, index), expression.at)
    return fetch(m, _element(m, base, index, expression.at), expression)


def _character(m: Machine, text: str, index: int, at: int) -> Value:
    if not 0 <= index <= len(text):
        raise m.error(OutOfBounds, at, f"index {index} of a text with {len(text)} characters")
    return Value(ord(text[index]) if index < len(text) else 0)


def _unary(m: Machine, expression: syntax.Unary) -> Value:
    if expression.operator == "&":
        place = place_of(m, expression.operand)
        low, high, type_ = place.low, place.high, place.type
        generation = m.store.generations[place.object]
        return Value(PointerValue(place.object, place.offset, type_, low, high, generation))
    if expression.operator == "*":
        pointer = evaluate(m, expression.operand)
        if isinstance(pointer.concrete, str):
            return _character(m, pointer.concrete, 0, expression.at)
        return fetch(m, _target(m, pointer.concrete, expression.at), expression)
    return unary(m, expression.operator, evaluate(m, expression.operand), expression.at)


def _binary(m: Machine, expression: syntax.Binary) -> Value:
    sign = expression.operator
    if sign == "AND" or sign == "OR":
        return _connective(m, expression, sign == "OR")
    left = evaluate(m, expression.left)
    right = evaluate(m, expression.right)
    if left.symbolic is None and right.symbolic is None and type(left.concrete) is int and type(right.concrete) is int:
        operation = INTEGER_OPERATIONS.get(sign)
        if operation is not None and not m.options.int32:
            return Value(operation(left.concrete, right.concrete))
    return binary(m, sign, left, right, expression.at)


def _connective(m: Machine, expression: syntax.Binary, absorbing: bool) -> Value:
    """`AND` and `OR` stop at the first operand that decides, yet stand for one condition on the inputs.

    When the left operand decides, the right one is evaluated aside for its term only. Where the right operand could
    fail for some inputs (an index, a division), the left one becomes a constraint of its own instead.
    """
    left = evaluate(m, expression.left)
    decided = is_true(left.concrete) == absorbing
    if left.symbolic is None:
        return Value(int(absorbing)) if decided else _as_truth(evaluate(m, expression.right))
    left_term = condition_term(left)
    if _guarded(expression.right):
        m.constrain(left_term, is_true(left.concrete), expression.left.at)
        return Value(int(absorbing)) if decided else _as_truth(evaluate(m, expression.right))
    join = terms.disjunction if absorbing else terms.conjunction
    if decided:
        right = _aside(m, expression.right)
        return symbolic_value(int(absorbing), left_term if right is None else join(left_term, _truth_term(right)))
    try:
        right = evaluate(m, expression.right)
    except ExecutionError:
        m.constrain(left_term, not absorbing, expression.at)
        raise
    return symbolic_value(int(is_true(right.concrete)), join(left_term, _truth_term(right)))


def _as_truth(value: Value) -> Value:
    if value.symbolic is None:
        return TRUE_VALUE if is_true(value.concrete) else FALSE_VALUE
    return symbolic_value(int(is_true(value.concrete)), condition_term(value))


def _truth_term(value: Value) -> terms.Term:
    return terms.boolean(is_true(value.concrete)) if value.symbolic is None else condition_term(value)


def _aside(m: Machine, expression: Expression) -> Value | None:
    """What the expression would be; None when it has no value. Nothing of it is recorded as read."""
    testing, m.testing = m.testing, False
    try:
        return evaluate(m, expression)
    except ExecutionError:
        return None
    finally:
        m.testing = testing


_GUARDED = (syntax.Index, syntax.Call, syntax.Choice)


def _guarded(expression: Expression) -> bool:
    """Whether evaluating the expression can fail, act or branch depending on inputs."""
    for node in syntax.descendants(expression):
        match node:
            case syntax.Unary("*") | syntax.MemberAccess(arrow=True) | syntax.Binary("/" | "%" | "<<" | ">>"):
                return True
            case _ if isinstance(node, _GUARDED):
                return True
    return False


def _choice(m: Machine, expression: syntax.Choice) -> Value:
    condition = evaluate(m, expression.condition)
    chosen = m.decide(condition, expression.condition.at)
    return evaluate(m, expression.then if chosen else expression.otherwise)


def _cast(m: Machine, expression: syntax.Cast) -> Value:
    value = evaluate(m, expression.operand)
    target = named_type(expression.type, 0, m.program.structs)
    pointer = value.concrete
    if isinstance(pointer, PointerValue) and isinstance(target, PointerTo):
        if pointer.target is None or pointer.object == 0:
            return converted(m, value, target, expression.at)
        if target.target != pointer.target and target.target != Basic("void"):
            message = "a pointer cast to another type would read memory differently; this is not modelled"
            raise UnsupportedError(message, m.program.source.position(expression.at))
        return value
    return converted(m, value, target, expression.at)


def _size_of(m: Machine, expression: syntax.SizeOf) -> Value:
    type_ = place_of(m, expression.operand).type if isinstance(expression.operand, _PLACES) else INT
    return Value(m.program.layouts.size(type_ or INT))


_PLACES = (syntax.Name, syntax.Index, syntax.MemberAccess)


def _external(m: Machine, call: syntax.Call) -> Value:
    from pincer.execution.msvl.calls import external_call

    value = external_call(m, call)
    if value is None:
        raise m.error(WrongType, call.at, f"`{call.function}` has no result")
    return value


def _list(m: Machine, expression: syntax.ListValue) -> Value:
    raise m.error(WrongType, expression.at, "a list of values is assigned to an array or a struct, nothing else")


_EVALUATORS: dict[type, Callable[[Machine, Any], Value]] = {
    syntax.Name: _name,
    syntax.Number: lambda m, e: Value(e.value),
    syntax.Binary: _binary,
    syntax.Unary: _unary,
    syntax.Truth: lambda m, e: TRUE_VALUE if e.value else FALSE_VALUE,
    syntax.Text: lambda m, e: Value(e.value),
    syntax.Character: lambda m, e: Value(e.value),
    syntax.Choice: _choice,
    syntax.Index: _index,
    syntax.MemberAccess: _fetch_place,
    syntax.Call: _external,
    syntax.Cast: _cast,
    syntax.SizeOfType: lambda m, e: Value(m.program.layouts.size(named_type(e.type, 0, m.program.structs))),
    syntax.SizeOf: _size_of,
    syntax.ListValue: _list,
}
