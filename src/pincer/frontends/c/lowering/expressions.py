"""Expressions: the dispatch by kind of node, names, constants, places and their addresses.

`value` and `place` emit the steps that an expression needs and give its result as a term over the state after them.
Other modules add the kinds of nodes they know with `values` and `places`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from pycparser import c_ast

from pincer.errors import Position
from pincer.frontends.c.lowering.builder import NotQuiet
from pincer.frontends.c.lowering.conversions import convert, number, truth
from pincer.frontends.c.lowering.frame import Frame
from pincer.frontends.c.lowering.memory import bit_range, named_origin, read, shifted, spill
from pincer.frontends.c.lowering.storage import locate, object_size
from pincer.frontends.c.lowering.values import MemoryPlace, Origin, Place, RegisterPlace, Value
from pincer.frontends.c.semantics import literals
from pincer.frontends.c.semantics.effects import effects
from pincer.frontends.c.semantics.evaluation_order import note_order
from pincer.frontends.c.semantics.symbols import Enumerator, FunctionName, TypeName, Variable
from pincer.frontends.c.semantics.types import INT, Array, CType, Integer, Pointer, Record, text
from pincer.logic import bitvectors, terms
from pincer.logic.terms import Term
from pincer.program.control_flow import Check

ValueHandler: TypeAlias = Callable[[Frame, Any], Value]
PlaceHandler: TypeAlias = Callable[[Frame, Any], Place]
_VALUES: dict[type, ValueHandler] = {}
_PLACES: dict[type, PlaceHandler] = {}
_FUNCTION_NAMES = frozenset(("__func__", "__FUNCTION__", "__PRETTY_FUNCTION__"))


def values(*kinds: type) -> Callable[[ValueHandler], ValueHandler]:
    """Register the function that gives the value of these nodes."""

    def register(handler: ValueHandler) -> ValueHandler:
        _VALUES.update(dict.fromkeys(kinds, handler))
        return handler

    return register


def places(*kinds: type) -> Callable[[PlaceHandler], PlaceHandler]:
    """Register the function that gives the place these nodes denote."""

    def register(handler: PlaceHandler) -> PlaceHandler:
        _PLACES.update(dict.fromkeys(kinds, handler))
        return handler

    return register


def value(frame: Frame, node: c_ast.Node) -> Value:
    """Evaluate an expression."""
    handler = _VALUES.get(type(node))
    if handler is not None:
        return handler(frame, node)
    if type(node) in _PLACES:
        return read(frame, place(frame, node))
    raise frame.unit.error(f"`{type(node).__name__}` cannot be used as an expression here", node)


def place(frame: Frame, node: c_ast.Node) -> Place:
    """Evaluate an expression to the object it denotes; a record that is no object stays where it was computed."""
    handler = _PLACES.get(type(node))
    if handler is not None:
        return handler(frame, node)
    result = value(frame, node)
    if isinstance(result.type, Record):
        return MemoryPlace(result.type, result.term, node, result.origin)
    raise frame.unit.error("this expression denotes no object; name a variable or an element", node)


def quiet_value(frame: Frame, node: c_ast.Node) -> Value | None:
    """The value when evaluating takes no step, None (and no step) otherwise."""
    if id(node) in frame.noisy:
        return None
    temporaries, objects, outer = frame.temporaries, len(frame.objects), frame.builder.held
    frame.builder.held = None
    frame.builder.quiet += 1
    try:
        return value(frame, node)
    except NotQuiet:
        frame.noisy.add(id(node))
        frame.temporaries = temporaries
        del frame.objects[objects:]
        return None
    finally:
        frame.builder.quiet -= 1
        frame.builder.held = outer


def checked_value(frame: Frame, node: c_ast.Node) -> tuple[Value, list[tuple[Check, Position]]] | None:
    """The value when evaluating takes no steps but checks, with those checks; None (and no step) otherwise."""
    builder = frame.builder
    temporaries, objects, outer = frame.temporaries, len(frame.objects), builder.held
    builder.held = []
    builder.quiet += 1
    try:
        return value(frame, node), builder.held
    except NotQuiet:
        frame.temporaries = temporaries
        del frame.objects[objects:]
        return None
    finally:
        builder.quiet -= 1
        builder.held = outer


def condition(frame: Frame, node: c_ast.Node) -> Term:
    """Evaluate an expression as a condition."""
    return truth(value(frame, node), frame)


def type_of(frame: Frame, node: c_ast.Node) -> CType:
    """The type of an expression that is not evaluated; arrays and functions keep their own type."""
    known = frame.types.get(id(node))
    if known is None:
        aside = frame.aside()
        known = place(aside, node).type if _denotes(aside, node) else value(aside, node).type
        frame.types[id(node)] = known
    return known


def _denotes(frame: Frame, node: c_ast.Node) -> bool:
    if isinstance(node, c_ast.UnaryOp):
        return bool(node.op == "*")
    if isinstance(node, c_ast.Constant):
        return "string" in node.type
    if isinstance(node, c_ast.ID) and isinstance(frame.scope.find(node.name), Enumerator):
        return False
    return type(node) in _PLACES


def constant(frame: Frame, node: c_ast.Node) -> int:
    """The value of an integer constant expression."""
    aside = frame.aside()
    result = value(aside, node)
    found = bitvectors.constant_value(result.term)
    check_defined(aside, node)
    if found is None or isinstance(result.type, Record):
        raise frame.unit.error("this must be a constant expression", node)
    if isinstance(result.type, Integer) and result.type.signed:
        return bitvectors.signed(found, result.type.bits)
    return found


def check_defined(aside: Frame, node: c_ast.Node) -> None:
    """Refuse a constant expression, evaluated aside, that has no value."""
    for edge in aside.builder.edges:
        if isinstance(edge.label, Check) and edge.label.condition is terms.FALSE:
            raise aside.unit.error(f"this constant expression has no value: {edge.label.message}", node)


def pair(frame: Frame, left: c_ast.Node, right: c_ast.Node) -> tuple[Value, Value]:
    """Two operands, left before right; the left one is kept if the right one might disturb it."""
    first = value(frame, left)
    change = effects(right)
    if not change.none and _disturbed(frame, first, right):
        first = spill(frame, first)
    return first, value(frame, right)


def _disturbed(frame: Frame, kept: Value, right: c_ast.Node) -> bool:
    change = effects(right)
    return change.disturb(kept.term) or (kept.origin is not None and change.disturb(kept.origin.base))


@values(c_ast.Constant)
def _constant(frame: Frame, node: c_ast.Constant) -> Value:
    if "string" in node.type:
        return read(frame, place(frame, node))
    if "char" in node.type:
        code, type = literals.character(node.value, frame.target)
        return number(code, type)
    if "int" in node.type:
        literal, type = literals.integer(node.value, frame.target)
        return number(literal, type)
    try:
        bits, floating = literals.floating(node.value, frame.target)
    except ValueError:
        frame.unsupported(f"the constant {node.value}", node)
        return number(0, INT)
    if floating == frame.target.long_double:
        frame.unsupported("long double", node)
    return Value(floating, bitvectors.constant(bits, frame.target.bits(floating)))


@places(c_ast.Constant)
def _literal(frame: Frame, node: c_ast.Constant) -> Place:
    if "string" not in node.type:
        raise frame.unit.error("a constant is no object; name a variable", node)
    contents, unit = literals.string(node.value, frame.target, frame.unit.encoding)
    address = frame.unit.string_address(contents)
    type = Array(unit, len(contents) * 8 // unit.bits)
    return MemoryPlace(type, address, node, named_origin(frame, address, len(contents)))


@values(c_ast.ID)
def _name(frame: Frame, node: c_ast.ID) -> Value:
    symbol = frame.scope.find(node.name)
    if isinstance(symbol, Enumerator):
        return number(symbol.value, symbol.type)
    if isinstance(symbol, Variable):
        if symbol.constant is None and symbol.const and symbol.owner is None:
            locate(frame.unit, symbol)
        if symbol.constant is not None:
            return Value(symbol.type, symbol.constant)
    return read(frame, place(frame, node))


@places(c_ast.ID)
def _named_object(frame: Frame, node: c_ast.ID) -> Place:
    symbol = frame.scope.find(node.name)
    if symbol is None and node.name in _FUNCTION_NAMES:
        return _literal(frame, c_ast.Constant("string", f'"{frame.name}"', node.coord))
    if isinstance(symbol, Variable):
        if not symbol.defined and frame.unit.may_be_missing(symbol.name):
            frame.unsupported(f"the weak variable {symbol.name}, which need not exist", node)
        locate(frame.unit, symbol)
        if symbol.register is not None:
            return RegisterPlace(symbol.type, symbol.register)
        assert symbol.address is not None
        if isinstance(symbol.type, Array) and symbol.type.length is None:
            frame.unsupported(f"the array {node.name} of another file, whose length is not known", node)
        size = object_size(frame.unit, symbol)
        origin = None if size is None else named_origin(frame, symbol.address, size)
        return MemoryPlace(symbol.type, symbol.address, node, origin)
    if isinstance(symbol, FunctionName):
        if frame.unit.may_be_missing(symbol.name):
            frame.unsupported(f"the weak function {symbol.name}, which need not exist", node)
        return MemoryPlace(symbol.type, frame.unit.function_address(symbol.name), node)
    if isinstance(symbol, TypeName | Enumerator):
        raise frame.unit.error(f"`{node.name}` is no variable", node)
    raise frame.unit.error(f"`{node.name}` is not declared", node)


@places(c_ast.StructRef)
def _member(frame: Frame, node: c_ast.StructRef) -> Place:
    if node.type == "->":
        pointer = value(frame, node.name)
        if not isinstance(pointer.type, Pointer):
            raise frame.unit.error("`->` needs a pointer to a structure on its left", node)
        whole = MemoryPlace(pointer.type.target, pointer.term, node, pointer.origin)
    else:
        found = place(frame, node.name)
        if not isinstance(found, MemoryPlace):
            raise frame.unit.error("`.` needs a structure on its left", node)
        whole = found
    return member_place(frame, whole, node.field.name, node)


def member_place(frame: Frame, whole: MemoryPlace, name: str, node: c_ast.Node) -> MemoryPlace:
    """The member of a record in memory."""
    if not isinstance(whole.type, Record):
        raise frame.unit.error(f"`.{name}` needs a structure or union", node)
    member = whole.type.index.get(name)
    if member is None:
        problem = "is incomplete" if whole.type.size is None else f"has no member `{name}`"
        raise frame.unit.error(f"`{text(whole.type)}` {problem}", node)
    offset, bits = (member.offset, None) if member.bits is None else bit_range(member.bits.first, member.bits.width)
    delta = frame.address(offset)
    address = bitvectors.binary("bvadd", whole.address, delta)
    return MemoryPlace(member.type, address, node, shifted(whole.origin, delta), bits)


@places(c_ast.ArrayRef)
def _element(frame: Frame, node: c_ast.ArrayRef) -> Place:
    note_order(frame, (node.name, node.subscript), node)
    base, index = pair(frame, node.name, node.subscript)
    if not isinstance(base.type, Pointer):
        base, index = index, base
    if not isinstance(base.type, Pointer):
        raise frame.unit.error("a subscript needs an array or a pointer", node)
    moved = advance(frame, base, index, node)
    return MemoryPlace(base.type.target, moved.term, node, moved.origin)


def advance(frame: Frame, pointer: Value, index: Value, node: c_ast.Node, backwards: bool = False) -> Value:
    """pointer + index (or - index), in elements of the type pointed to."""
    assert isinstance(pointer.type, Pointer)
    if not isinstance(index.type, Integer):
        raise frame.unit.error("a pointer moves by an integer", node)
    signed = frame.target.difference_type
    steps = convert(frame, index, signed if index.type.signed else frame.target.size_type)
    delta = bitvectors.binary("bvmul", size_term(frame, pointer.type.target, node), steps.term)
    if backwards:
        delta = bitvectors.negative(delta)
    term = bitvectors.binary("bvadd", delta, pointer.term)
    origin = pointer.origin
    if origin is not None:
        origin = Origin(origin.base, origin.size, bitvectors.binary("bvadd", delta, origin.delta))
    elif delta.op != "bvconst":
        origin = Origin(pointer.term, None, delta)
    return Value(pointer.type, term, origin)


def size_term(frame: Frame, type: CType, node: c_ast.Node) -> Term:
    """The size of a type in bytes as a term; arrays of variable length have a computed one."""
    if isinstance(type, Array) and isinstance(type.length, Term):
        return bitvectors.binary("bvmul", size_term(frame, type.element, node), type.length)
    if isinstance(type, Array) and isinstance(type.length, int) and frame.target.size(type) is None:
        return bitvectors.binary("bvmul", frame.address(type.length), size_term(frame, type.element, node))
    size = frame.target.size(type)
    if size is None:
        raise frame.unit.error("the size of this type is not known here; define it first", node)
    return frame.address(size)


@places(c_ast.UnaryOp)
def _dereferenced(frame: Frame, node: c_ast.UnaryOp) -> Place:
    if node.op != "*":
        raise frame.unit.error("this expression denotes no object; name a variable or an element", node)
    pointer = value(frame, node.expr)
    if not isinstance(pointer.type, Pointer):
        raise frame.unit.error("`*` needs a pointer", node)
    return MemoryPlace(pointer.type.target, pointer.term, node, pointer.origin)
