"""Expressions get their types: the dispatch by kind of syntax, names, constants, places.

`value` gives an expression as a value, `place` as an object. The kinds of syntax and the functions that know them stand
in one table (see `analysis`).
"""

from __future__ import annotations

from pycparser import c_ast

from pincer.frontends.c.semantics import literals, tree
from pincer.frontends.c.semantics.constants import NoValue, evaluate
from pincer.frontends.c.semantics.context import Context
from pincer.frontends.c.semantics.conversions import bit_type, decayed
from pincer.frontends.c.semantics.symbols import Enumerator, FunctionName, TypeName, Variable
from pincer.frontends.c.semantics.tree import PLACES, Convert, Expression, Number, Read
from pincer.frontends.c.semantics.types import (
    BOOL,
    INT,
    VOID,
    Array,
    CType,
    Floating,
    Integer,
    Length,
    Pointer,
    Record,
    Void,
    is_scalar,
    plain,
    text,
)

_FUNCTION_NAMES = frozenset(("__func__", "__FUNCTION__", "__PRETTY_FUNCTION__"))


def expression(context: Context, node: c_ast.Node) -> Expression:
    """An expression, as a place if it denotes one."""
    handler = context.program.handlers.get(type(node))
    if handler is None:
        raise context.error(f"`{type(node).__name__}` cannot be used as an expression here", node)
    return handler(context, node)


def value(context: Context, node: c_ast.Node) -> Expression:
    """An expression as a value."""
    return read(expression(context, node))


def read(found: Expression) -> Expression:
    """The value of what may be a place."""
    return Read(_value_type(found), found.written, found) if isinstance(found, PLACES) else found


def _value_type(place: Expression) -> CType:
    if isinstance(place, tree.MemberPlace) and place.member.bits is not None:
        return bit_type(place.type, place.member.bits.width)
    return plain(decayed(place.type))


def place(context: Context, node: c_ast.Node) -> Expression:
    """An expression as the object it denotes; a record that is no object stays where it was computed."""
    found = expression(context, node)
    if isinstance(found, (*PLACES, tree.Unmodelled)) or isinstance(found.type, Record):
        return found
    raise context.error("this expression denotes no object; name a variable or an element", node)


def type_of(context: Context, node: c_ast.Node) -> CType:
    """The type of an expression that is not evaluated; arrays and functions keep their own type."""
    return expression(context, node).type


def condition(context: Context, node: c_ast.Node) -> Expression:
    """An expression whose truth counts."""
    found = value(context, node)
    if isinstance(found.type, Record):
        raise context.error("a structure is no condition; compare its members", node)
    return found


def converted(context: Context, found: Expression, type: CType, explicit: bool = False) -> Expression:
    """A value as another type; whatever a compiler accepts with a warning is accepted."""
    if found.type == type and not explicit:
        return found
    if isinstance(found.type, Void) and is_scalar(type):
        raise context.error("a value is needed here, and this expression has none", found.written)
    if isinstance(found.type, Record) and isinstance(type, Integer | Pointer):
        raise context.error("a structure is used where a number or pointer is needed", found.written)
    return Convert(type, found.written, found, explicit)


def assigned(context: Context, found: Expression, type: CType) -> Expression:
    """A value as that of an object of a type; a record must be of the same type."""
    if isinstance(type, Record) and found.type is not type:
        raise context.error(f"a value of type `{text(found.type)}` cannot become a `{text(type)}`", found.written)
    return converted(context, found, plain(type))


def known_value(context: Context, found: Expression) -> int | None:
    """The value of an expression if it is an integer constant; refuses those without a value."""
    try:
        known = evaluate(context.program, found)
    except NoValue as problem:
        raise context.error(f"this constant expression has no value: {problem}", found.written) from None
    return known if isinstance(known, int) else None


def constant(context: Context, node: c_ast.Node) -> int:
    """The value of an integer constant expression."""
    found = known_value(context, value(context, node))
    if found is None:
        raise context.error("this must be a constant expression", node)
    return found


def check_size(context: Context, type: CType, node: c_ast.Node) -> None:
    """Refuse to use the size of a type that has none yet."""
    while isinstance(type, Array) and type.length is not None:
        type = type.element
    if context.target.size(type) is None:
        raise context.error("the size of this type is not known here; define it first", node)


def has_computed_length(type: CType) -> bool:
    while isinstance(type, Array):
        if isinstance(type.length, Length):
            return True
        type = type.element
    return False


def literal(context: Context, node: c_ast.Constant) -> Expression:
    """A constant, or the place of a string literal."""
    target = context.target
    if "string" in node.type:
        contents, unit = literals.string(node.value, context.file.encoding)
        return tree.Text(Array(unit, len(contents) * 8 // unit.bits), node, contents)
    if "char" in node.type:
        code, character = literals.character(node.value)
        return Number(character, node, code)
    if "int" in node.type:
        number, integer = literals.integer(node.value, target)
        return Number(integer, node, number)
    try:
        bits, floating = literals.floating(node.value, target)
    except ValueError:
        return tree.Unmodelled(INT, node, f"the constant {node.value}")
    return Number(floating, node, bits)


def name(context: Context, node: c_ast.ID) -> Expression:
    symbol = context.scope.find(node.name)
    match symbol:
        case Enumerator(number, type):
            return Number(type, node, number)
        case Variable():
            return tree.Object(symbol.type, node, symbol.object)
        case FunctionName():
            return tree.Routine(symbol.type, node, symbol)
        case TypeName():
            raise context.error(f"`{node.name}` is no variable", node)
    if node.name in ("true", "false"):
        return Number(BOOL, node, int(node.name == "true"))
    if node.name == "nullptr":
        return Convert(Pointer(VOID), node, Number(INT, node, 0), True)
    if node.name in _FUNCTION_NAMES:
        spelling = context.program.spellings.get(context.function, context.function)
        return literal(context, c_ast.Constant("string", f'"{spelling}"', node.coord))
    raise context.error(f"`{node.name}` is not declared", node)


def member(context: Context, node: c_ast.StructRef) -> Expression:
    """`whole.member` and `pointer->member`."""
    whole: Expression
    if node.type == "->":
        pointer = value(context, node.name)
        if not isinstance(pointer.type, Pointer):
            raise context.error("`->` needs a pointer to a structure on its left", node)
        whole = tree.Dereference(pointer.type.target, node, pointer)
    else:
        whole = expression(context, node.name)
        if not isinstance(whole.type, Record):
            raise context.error("`.` needs a structure on its left", node)
    return part(context, whole, node.field.name, node)


def part(context: Context, whole: Expression, name: str, node: c_ast.Node) -> Expression:
    """The member of a record."""
    if not isinstance(whole.type, Record):
        raise context.error(f"`.{name}` needs a structure or union", node)
    found = whole.type.index.get(name)
    if found is None:
        problem = "is incomplete" if whole.type.size is None else f"has no member `{name}`"
        raise context.error(f"`{text(whole.type)}` {problem}", node)
    return tree.MemberPlace(found.type, node, whole, found)


def element(context: Context, node: c_ast.ArrayRef) -> Expression:
    """`pointer[index]`, in either order."""
    left, right = value(context, node.name), value(context, node.subscript)
    for side in (left, right):
        if isinstance(side.type, Floating) and side.type.name == "vector":
            return tree.Unmodelled(INT, node, "an element of a vector")
    pointer, index = (left, right) if isinstance(left.type, Pointer) else (right, left)
    if not isinstance(pointer.type, Pointer):
        raise context.error("a subscript needs an array or a pointer", node)
    place = pointer.place if isinstance(pointer, tree.Read) and isinstance(pointer.place.type, Array) else None
    indexed = pointer if place is None else tree.Read(pointer.type, pointer.written, place, indexed=True)
    return tree.Element(
        pointer.type.target, node, indexed, distance(context, pointer.type, index, node), pointer is not left
    )


def distance(context: Context, pointer: Pointer, index: Expression, node: c_ast.Node) -> Expression:
    """The number of elements by which a pointer moves."""
    if not isinstance(index.type, Integer):
        raise context.error("a pointer moves by an integer", node)
    check_size(context, pointer.target, node)
    return converted(
        context, index, context.target.difference_type if index.type.signed else context.target.size_type
    )  # fmt: skip


def dereference(context: Context, node: c_ast.UnaryOp) -> Expression:
    """`*pointer`."""
    pointer = value(context, node.expr)
    if not isinstance(pointer.type, Pointer):
        raise context.error("`*` needs a pointer", node)
    return tree.Dereference(pointer.type.target, node, pointer)


def address(context: Context, node: c_ast.UnaryOp) -> Expression:
    """`&place`."""
    found = place(context, node.expr)
    if isinstance(found, tree.MemberPlace) and found.member.bits is not None:
        raise context.error("this has no address; name a variable or an element", node)
    if isinstance(found, tree.Object) and "register" in (getattr(found.variable.node, "storage", None) or ()):
        raise context.error(f"`{found.variable.name}` is declared register and has no address", node)
    return tree.Address(Pointer(found.type), node, found)
