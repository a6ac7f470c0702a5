"""The operators of C: which types they take, what they convert, what they give."""

from __future__ import annotations

from msgspec import Struct
from pycparser import c_ast

from pincer.frontends.c.semantics import tree
from pincer.frontends.c.semantics.context import Context
from pincer.frontends.c.semantics.conversions import common_type, promoted_type
from pincer.frontends.c.semantics.expressions import (
    address,
    assigned,
    check_size,
    condition,
    converted,
    dereference,
    place,
    read,
    value,
)
from pincer.frontends.c.semantics.mistakes import check_assignable
from pincer.frontends.c.semantics.tree import Expression, Number
from pincer.frontends.c.semantics.types import (
    INT,
    VOID,
    Array,
    CType,
    Floating,
    Function,
    Integer,
    Pointer,
    Record,
    Void,
)
from pincer.frontends.c.syntax import nodes
from pincer.frontends.c.syntax.wording import source_text

_ON_INTEGERS = frozenset(("%", "&", "|", "^", "<<", ">>"))
COMPARISONS = frozenset(("==", "!=", "<", "<=", ">", ">="))


class TypedOperation(Struct, frozen=True):
    """The types that an operator converts its operands to, and the type of its result."""

    left: CType
    right: CType
    result: CType


def operation(context: Context, op: str, left: CType, right: CType, node: c_ast.Node) -> TypedOperation:
    """left op right, for all operators but the logical ones."""
    target = context.target
    if isinstance(left, Record | Void) or isinstance(right, Record | Void):
        raise context.error(f"`{op}` needs numbers or pointers", node)
    pointers = isinstance(left, Pointer) or isinstance(right, Pointer)
    if op in _ON_INTEGERS and any(_is_number(side) for side in (left, right)):
        raise context.error(f"`{op}` needs integers", node)
    if op in COMPARISONS:
        common: CType = Pointer(VOID) if pointers else common_type(left, right, target)
        return TypedOperation(common, common, INT)
    if pointers:
        return _pointer_operation(context, op, left, right, node)
    if op in ("<<", ">>") and not isinstance(left, Floating) and not isinstance(right, Floating):
        return TypedOperation(promoted_type(left), promoted_type(right), promoted_type(left))
    common = common_type(left, right, target)
    return TypedOperation(common, common, common)


def _is_number(type: CType) -> bool:
    """Whether a type is a floating one; vectors, whose elements may be integers, are none."""
    return isinstance(type, Floating) and type.name not in ("vector", "_Complex")


def _pointer_operation(context: Context, op: str, left: CType, right: CType, node: c_ast.Node) -> TypedOperation:
    pointer, other = (right, left) if op == "+" and isinstance(right, Pointer) else (left, right)
    if op in ("+", "-") and isinstance(pointer, Pointer) and isinstance(other, Integer):
        check_size(context, pointer.target, node)
        steps = context.target.difference_type if other.signed else context.target.size_type
        return TypedOperation(pointer, steps, pointer) if pointer is left else TypedOperation(steps, pointer, pointer)
    if op == "-" and isinstance(left, Pointer) and isinstance(right, Pointer):
        check_size(context, left.target, node)
        return TypedOperation(left, right, context.target.difference_type)
    raise context.error(f"`{op}` cannot combine these pointers", node)


def binary(context: Context, node: c_ast.BinaryOp) -> Expression:
    if node.op in ("&&", "||"):
        return tree.Logical(INT, node, node.op, condition(context, node.left), condition(context, node.right))
    left, right = value(context, node.left), value(context, node.right)
    return combined(context, node.op, left, right, node)


def combined(context: Context, op: str, left: Expression, right: Expression, node: c_ast.Node) -> Expression:
    """left op right, with the operands converted."""
    types = operation(context, op, left.type, right.type, node)
    return tree.Binary(
        types.result, node, op, converted(context, left, types.left), converted(context, right, types.right)
    )  # fmt: skip


def unary(context: Context, node: c_ast.UnaryOp) -> Expression:
    match node.op:
        case "&":
            return address(context, node)
        case "*":
            return dereference(context, node)
        case "!":
            return tree.Unary(INT, node, "!", condition(context, node.expr))
        case "++" | "--" | "p++" | "p--":
            return _step(context, node)
        case "+" | "-" | "~":
            return _signed(context, node)
    return tree.Unmodelled(value(context, node.expr).type, node, f"the operator {node.op}")


def _signed(context: Context, node: c_ast.UnaryOp) -> Expression:
    operand = value(context, node.expr)
    if node.op == "~" and isinstance(operand.type, Floating) and operand.type.name not in ("_Complex", "vector"):
        raise context.error("`~` needs an integer", node)
    if not isinstance(operand.type, Floating):
        if not isinstance(operand.type, Integer):
            raise context.error(f"`{node.op}` needs a number", node)
        operand = converted(context, operand, promoted_type(operand.type), node.op == "+")
    return operand if node.op == "+" else tree.Unary(operand.type, node, node.op, operand)


def _changeable(context: Context, node: c_ast.Node) -> Expression:
    check_assignable(context, node)
    target = place(context, node)
    if isinstance(target.type, Array | Function | Record):
        raise context.error(f"`{source_text(node)}` is no number or pointer that could be changed", node)
    return target


def _step(context: Context, node: c_ast.UnaryOp) -> Expression:
    """`++` and `--`: the old value in postfix form, the new one in prefix form."""
    target = _changeable(context, node.expr)
    old = read(target).type
    one = Number(context.target.difference_type if isinstance(old, Pointer) else INT, node, 1)
    op = node.op[-1]
    types = operation(context, op, old, one.type, node)
    return tree.Step(
        old, node, op, target, node.op.startswith("p"), converted(context, one, types.right), types.left
    )  # fmt: skip


def assignment(context: Context, node: c_ast.Assignment) -> Expression:
    """`=` and the compound assignments."""
    if node.op == "=":
        check_assignable(context, node.lvalue)
        target = place(context, node.lvalue)
        if isinstance(target.type, Array | Function):
            raise context.error(f"`{source_text(node.lvalue)}` cannot be assigned as a whole", node)
        given = assigned(context, value(context, node.rvalue), target.type)
        return tree.Assignment(read(target).type, node, target, given)
    operand = value(context, node.rvalue)
    target = _changeable(context, node.lvalue)
    old = read(target).type
    types = operation(context, node.op[:-1], old, operand.type, node)
    return tree.CompoundAssignment(
        old, node, node.op[:-1], target, converted(context, operand, types.right), types.left
    )


def sequence(context: Context, node: c_ast.ExprList) -> Expression:
    parts = tuple(value(context, part) for part in node.exprs)
    return tree.Sequence(parts[-1].type, node, parts)


def conditional(context: Context, node: c_ast.TernaryOp) -> Expression:
    decision = condition(context, node.cond)
    yes, no = value(context, node.iftrue), value(context, node.iffalse)
    type = _result_type(context, yes, no, node)
    return tree.Conditional(type, node, decision, converted(context, yes, type), converted(context, no, type))


def or_else(context: Context, node: nodes.OrElse) -> Expression:
    """`a ?: b`: a is evaluated once."""
    first, otherwise = condition(context, node.value), value(context, node.otherwise)
    type = _result_type(context, first, otherwise, node)
    return tree.OrElse(type, node, converted(context, first, type), converted(context, otherwise, type))


def _result_type(context: Context, left: Expression, right: Expression, node: c_ast.Node) -> CType:
    a, b = left.type, right.type
    if isinstance(a, Integer | Floating) and isinstance(b, Integer | Floating):
        return common_type(a, b, context.target)
    if isinstance(a, Void) or isinstance(b, Void):
        return VOID
    if isinstance(a, Record) or isinstance(b, Record):
        if a is not b:
            raise context.error("the two sides of `?:` have different types", node)
        return a
    return _pointer_result(a, b, left.written, right.written)


def _pointer_result(a: CType, b: CType, left: c_ast.Node, right: c_ast.Node) -> CType:
    """A null pointer constant takes the other side's type; beside `void *` the result is `void *`."""
    if not isinstance(b, Pointer) or _is_null(right):
        return a if isinstance(a, Pointer) else b
    if not isinstance(a, Pointer) or _is_null(left):
        return b
    return b if isinstance(b.target, Void) else a


def _is_null(node: c_ast.Node) -> bool:
    while isinstance(node, c_ast.Cast):
        node = node.expr
    if isinstance(node, c_ast.ID):
        return bool(node.name == "nullptr")
    return isinstance(node, c_ast.Constant) and node.value == "0"
