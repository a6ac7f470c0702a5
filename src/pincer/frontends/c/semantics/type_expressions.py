"""Expressions that name types: casts, sizes, alignments, offsets, selections, compound literals."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace
from pycparser import c_ast

from pincer.frontends.c.semantics import tree
from pincer.frontends.c.semantics.context import Context
from pincer.frontends.c.semantics.conversions import decayed
from pincer.frontends.c.semantics.declarations import given_alignment, named_alignment, type_name
from pincer.frontends.c.semantics.expressions import (
    check_size,
    converted,
    expression,
    has_computed_length,
    type_of,
    value,
)
from pincer.frontends.c.semantics.initialisers import initialiser
from pincer.frontends.c.semantics.operators import combined, unary
from pincer.frontends.c.semantics.symbols import Variable
from pincer.frontends.c.semantics.tree import Expression, Number
from pincer.frontends.c.semantics.types import (
    INT,
    VOID,
    Array,
    CType,
    Function,
    Integer,
    Length,
    Pointer,
    Record,
    plain,
    text,
)
from pincer.frontends.c.syntax import nodes


def _measured(lengths: list[Length], found: Expression) -> Expression:
    return tree.Measured(found.type, found.written, tuple(lengths), found) if lengths else found


def cast(context: Context, node: c_ast.Cast) -> Expression:
    with context.measuring() as lengths:
        type = type_name(context, node.to_type)
    operand = value(context, node.expr)
    if isinstance(type, Record):
        return _cast_to_record(context, node, operand, type)
    return _measured(lengths, tree.Convert(type, node, converted_operand(context, operand, type), True))


def converted_operand(context: Context, operand: Expression, type: CType) -> Expression:
    """The operand of a cast, which must not be a structure unless it is thrown away."""
    converted(context, operand, type)
    return operand


def _cast_to_record(context: Context, node: c_ast.Cast, operand: Expression, type: Record) -> Expression:
    """To its own type, or (a GNU extension) to a union that has a member of the operand's type."""
    if operand.type is type:
        return operand
    fitting = [member for member in type.members if member.type == operand.type and member.bits is None]
    if type.kind != "union" or not fitting or context.static:
        raise context.error(f"a value of type `{text(operand.type)}` cannot become a `{text(type)}`", node)
    return tree.ToUnion(type, node, operand)


def unary_operation(context: Context, node: c_ast.UnaryOp) -> Expression:
    """The unary operators, of which some take types."""
    if node.op == "sizeof":
        return _size(context, node)
    if node.op in ("_Alignof", "__alignof__"):
        return Number(context.target.size_type, node, _alignment(context, node))
    return unary(context, node)


def _size(context: Context, node: c_ast.UnaryOp) -> Expression:
    with context.measuring() as lengths:
        named = isinstance(node.expr, c_ast.Typename)
        type = type_name(context, node.expr) if named else type_of(context, node.expr)
    check_size(context, type, node)
    if has_computed_length(type):
        return _measured(lengths, tree.Size(context.target.size_type, node, type))
    return Number(context.target.size_type, node, context.target.size(type) or 0)


def _alignment(context: Context, node: c_ast.UnaryOp) -> int:
    """Of an expression both spellings give that of the object it denotes; of a type `__alignof__` prefers more."""
    operand = node.expr
    if not isinstance(operand, c_ast.Typename):
        return _object_alignment(context, operand)
    type = type_name(context, operand)
    own = context.target.alignment(type) if node.op == "_Alignof" else context.target.preferred_alignment(type)
    return given_alignment(context, operand) or named_alignment(context, operand) or own


def _object_alignment(context: Context, node: c_ast.Node) -> int:
    found = expression(context, node)
    if isinstance(found, tree.MemberPlace):
        return found.member.alignment
    natural = context.target.preferred_alignment(found.type)
    symbol = context.scope.find(node.name) if isinstance(node, c_ast.ID) else None
    if not isinstance(symbol, Variable):
        return natural
    return max(given_alignment(context, symbol.node), named_alignment(context, symbol.node) or natural)


def offset(context: Context, node: nodes.OffsetOf) -> Expression:
    found, _ = _member_offset(context, type_name(context, node.type), node.member)
    return found


def _member_offset(context: Context, type: CType, node: c_ast.Node) -> tuple[Expression, CType]:
    size_type = context.target.size_type
    if isinstance(node, c_ast.ArrayRef):
        base, array = _member_offset(context, type, node.name)
        if not isinstance(array, Array):
            raise context.error("a subscript needs an array", node)
        check_size(context, array.element, node)
        size = Number(size_type, node, context.target.size(array.element) or 0)
        index = converted(context, value(context, node.subscript), size_type)
        return combined(context, "+", base, combined(context, "*", size, index, node), node), array.element
    base = Number(size_type, node, 0)
    name = node.name if isinstance(node, c_ast.ID) else node.field.name
    if isinstance(node, c_ast.StructRef):
        base, type = _member_offset(context, type, node.name)
    member = type.index.get(name) if isinstance(type, Record) else None
    if member is None:
        raise context.error(f"`{text(type)}` has no member `{name}`", node)
    return combined(context, "+", base, Number(size_type, node, member.offset), node), member.type


def types_compatible(context: Context, node: nodes.TypesCompatible) -> Expression:
    same = _agree(type_name(context, node.left), type_name(context, node.right))
    return Number(INT, node, int(same and _points_to_constant(node.left) == _points_to_constant(node.right)))


def _agree(left: CType, right: CType) -> bool:
    """Whether types are the same but for lengths of arrays that one leaves open; an enumeration is an integer, too."""
    match left, right:
        case Array(), Array():
            same_length = left.length == right.length or None in (left.length, right.length)
            return same_length and _agree(left.element, right.element)
        case Pointer(), Pointer():
            return _agree(left.target, right.target)
        case Integer(), Integer() if left.is_enumeration != right.is_enumeration:
            return "char" not in (left.name, right.name) and replace(left, name=right.name) == right
    return left == right


def _points_to_constant(node: Any) -> bool | None:
    """Whether what a declarator points to is declared constant; None where that is not seen from it."""
    if not isinstance(node, c_ast.Typename | c_ast.Decl) or not isinstance(node.type, c_ast.PtrDecl | c_ast.ArrayDecl):
        return False
    inner = _element(node.type.type)
    if isinstance(inner, c_ast.TypeDecl) and isinstance(inner.type, c_ast.TypeOf):
        return None
    return "const" in (getattr(inner, "quals", None) or ())


def _element(declared: Any) -> Any:
    while isinstance(declared, c_ast.ArrayDecl):
        declared = declared.type
    return declared


def _value_points_to_constant(context: Context, node: c_ast.Node) -> bool | None:
    """The same for the value of an expression."""
    match node:
        case c_ast.Constant():
            return False
        case c_ast.Cast(to_type=target):
            return _points_to_constant(target)
        case c_ast.ID(name=name):
            symbol = context.scope.find(name)
            return _points_to_constant(symbol.node) if isinstance(symbol, Variable) else None
        case c_ast.UnaryOp(op="&", expr=c_ast.ID(name=name)):
            symbol = context.scope.find(name)
            return symbol.const if isinstance(symbol, Variable) else None
        case c_ast.StructRef(name=whole, type=kind, field=field):
            record = type_of(context, whole)
            record = record.target if kind == "->" and isinstance(record, Pointer) else record
            members = getattr(context.program.record_nodes.get(id(record)), "decls", None) or ()
            return next((_points_to_constant(one) for one in members if getattr(one, "name", "") == field.name), None)
    return None


def selection(context: Context, node: c_ast.GenericSelection) -> Expression:
    """`_Generic`: the expression whose type fits."""
    subject = decayed(plain(type_of(context, node.expr)))
    fitting = [one for one in node.associations if one.type is not None and _fits(context, one.type, subject)]
    others = [one for one in node.associations if one.type is None]
    if len(others) > 1 or (len(fitting) > 1 and not isinstance(subject, Pointer)):
        raise context.error("two associations of this `_Generic` fit", node)
    if isinstance(subject, Pointer) and not isinstance(subject.target, Function) and fitting:
        constant = _value_points_to_constant(context, node.expr)
        sides = [_points_to_constant(one.type) for one in fitting]
        if constant is None and len(fitting) + len(others) > 1:
            what = "a selection between types that differ in `const` only"
            return tree.Unmodelled(expression(context, fitting[0].expr).type, node, what)
        fitting = [
            one for one, side in zip(fitting, sides, strict=True) if constant is None or side in (constant, None)
        ]
    if not fitting and not others:
        raise context.error("no association of this `_Generic` fits", node)
    return expression(context, (fitting or others)[0].expr)


def _fits(context: Context, node: c_ast.Typename, subject: CType) -> bool:
    """Whether values have the type of an association; none has a qualified one."""
    qualified = isinstance(node.type, c_ast.TypeDecl | c_ast.PtrDecl) and {"const", "volatile"} & set(
        node.type.quals or ()
    )
    return not qualified and _agree(type_name(context, node), subject)


def label_address(context: Context, node: nodes.LabelAddress) -> Expression:
    """The address of a label of the function around it, also in the initialisers of its static variables."""
    if not context.jumps.function:
        raise context.error("there are no labels outside of functions", node)
    name = context.scope.label(node.name)
    context.jumps.gotos.setdefault(name, node)
    context.jumps.addressed[name] = None
    return tree.LabelAddress(Pointer(VOID), node, context.jumps.function, name)


def compound_literal(context: Context, node: c_ast.CompoundLiteral) -> Expression:
    """An object without a name: static at file level, otherwise one per procedure and literal."""
    type, found = initialiser(context, type_name(context, node.type), node.init)
    if context.target.size(type) is None:
        raise context.error("the size of this literal is not known", node)
    if not context.static and found.extent is not None and found.extent > (context.target.size(type) or 0):
        raise context.error("a flexible array member of an automatic object cannot be initialised", node)
    return tree.CompoundLiteral(type, node, found, context.static, _is_constant(node.type))


def _is_constant(node: c_ast.Typename) -> bool:
    inner = _element(node.type)
    return "const" in (getattr(inner, "quals", None) or ())
