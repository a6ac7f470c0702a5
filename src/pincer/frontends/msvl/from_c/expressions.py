"""Expressions: values without effects, and the steps that their effects need before them.

Operands are evaluated from left to right: what was read before a step that may change it is kept in a temporary.
"""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite
from typing import Any, TypeAlias

from pycparser import c_ast

from pincer.frontends.c.semantics import literals
from pincer.frontends.c.semantics.conversions import common_type, promoted_type
from pincer.frontends.c.semantics.expressions import constant
from pincer.frontends.c.semantics.symbols import Enumerator, FunctionName, Variable
from pincer.frontends.c.semantics.types import DOUBLE, INT, VOID, Array, CType, Integer, Pointer, Record, Void
from pincer.frontends.msvl import syntax
from pincer.frontends.msvl.from_c.arithmetic import COMPARISONS, NotExact, Operand, literal, truth_value
from pincer.frontends.msvl.from_c.context import Body
from pincer.frontends.msvl.from_c.steps import exits_of, joined
from pincer.frontends.msvl.syntax import Expression

_EXCHANGEABLE = frozenset(("+", "*", "&", "|", "^", *COMPARISONS))
_PLACE_KINDS = (c_ast.ID, c_ast.StructRef, c_ast.ArrayRef)
Handler: TypeAlias = Callable[[Body, Any], Operand]
_HANDLERS: dict[type, Handler] = {}


def handles(*kinds: type) -> Callable[[Handler], Handler]:
    """Register the function that gives the operand of these nodes."""

    def register(handler: Handler) -> Handler:
        _HANDLERS.update(dict.fromkeys(kinds, handler))
        return handler

    return register


def value(body: Body, node: c_ast.Node) -> Operand:
    """The value of an expression; arrays have become pointers to their first elements."""
    handler = _HANDLERS.get(type(node))
    if handler is None:
        body.whole.refuse(f"the expression `{type(node).__name__}`", node)
    with body.whole.exactly(node):
        found = handler(body, node)
        if isinstance(found.type, Array):
            return Operand(found.expression, Pointer(found.type.element))
        return found


def condition(body: Body, node: c_ast.Node) -> Expression:
    """The expression as a condition; MSVL takes any number or pointer for one, as C does."""
    return _condition(body, value(body, node), node)


def _condition(body: Body, found: Operand, node: c_ast.Node) -> Expression:
    if isinstance(found.type, Record | Void):
        body.whole.refuse("a condition that is neither a number nor a pointer", node)
    return found.expression


def converted(body: Body, node: c_ast.Node, type: CType) -> Operand:
    """The value of an expression as another type."""
    found = value(body, node)
    with body.whole.exactly(node):
        return body.arithmetic.converted(found, type)


def kept(body: Body, first: Operand, mark: int) -> Operand:
    """An operand whose steps ended at `mark`, when later operands may have added more since."""
    return body.saved(first, mark) if len(body.steps) > mark else first


def place(body: Body, node: c_ast.Node) -> Operand:
    """The object that an expression names, with its own type."""
    if not isinstance(node, _PLACE_KINDS) and not (isinstance(node, c_ast.UnaryOp) and node.op == "*"):
        found = value(body, node)
        if isinstance(found.type, Record):
            return body.saved(found)
        body.whole.refuse("an expression that names no variable", node)
    with body.whole.exactly(node):
        return _HANDLERS[type(node)](body, node)


def stable(body: Body, target: Operand, mark: int) -> Operand:
    """The same place, found without reading anything that steps after `mark` might change."""
    if len(body.steps) == mark or fixed(target.expression):
        return target
    address = Operand(syntax.Unary("&", target.expression), Pointer(target.type))
    pointer = body.saved(address, mark)
    return Operand(syntax.Unary("*", pointer.expression), target.type, target.low, target.high)


def fixed(expression: Expression) -> bool:
    """Whether a place is the same whatever the variables hold."""
    while isinstance(expression, syntax.Member) and not expression.arrow:
        expression = expression.base
    return isinstance(expression, syntax.Name)


@handles(c_ast.Constant)
def _constant(body: Body, node: c_ast.Constant) -> Operand:
    target = body.context.target
    if "string" in node.type:
        return _text(body, node)
    if "char" in node.type:
        code, kind = literals.character(node.value)
        return literal(code, kind)
    if "int" in node.type:
        number, kind = literals.integer(node.value, target)
        body.arithmetic.require(kind)
        return literal(number, kind)
    bits, floating = literals.floating(node.value, target)
    body.arithmetic.require(floating)
    number_ = literals.float_number(bits, floating)
    if not isfinite(number_):
        body.whole.refuse("a number that is too large", node)
    return Operand(syntax.Number(number_), DOUBLE)


def _text(body: Body, node: c_ast.Constant) -> Operand:
    """A string literal is a global array of its own; equal ones share it."""
    contents, unit = literals.string(node.value, body.whole.program.encoding)
    if unit.bits != 8:
        body.whole.refuse("a string of wide characters", node)
    name = body.whole.texts.setdefault(contents, f"text${len(body.whole.texts) + 1}")
    return Operand(syntax.Name(name), Array(unit, len(contents)))


@handles(c_ast.ID)
def _name(body: Body, node: c_ast.ID) -> Operand:
    symbol = body.context.scope.find(node.name)
    match symbol:
        case Enumerator(number, kind):
            return literal(number, kind)
        case Variable():
            name = body.whole.variables.get(symbol)
            if name is None:
                body.whole.refuse(f"`{node.name}`, which this file does not define", node)
            if isinstance(symbol.type, Array):
                body.whole.types.shape(symbol.type)
                return Operand(syntax.Name(name), symbol.type)
            return body.arithmetic.any_of(syntax.Name(name), symbol.type)
        case FunctionName():
            body.whole.refuse("a function used as a value", node)
    raise body.whole.program.error(f"`{node.name}` is not declared", node)


@handles(c_ast.StructRef)
def _member(body: Body, node: c_ast.StructRef) -> Operand:
    if node.type == "->":
        pointer = value(body, node.name)
        record = pointer.type.target if isinstance(pointer.type, Pointer) else VOID
        base = pointer.expression
    else:
        whole = place(body, node.name)
        record, base = whole.type, whole.expression
    if not isinstance(record, Record) or node.field.name not in record.index:
        raise body.whole.program.error(f"there is no member `{node.field.name}` here", node)
    body.whole.types.tag(record)
    member = record.index[node.field.name]
    expression = syntax.Member(base, body.whole.types.field(node.field.name), node.type == "->")
    return _object(body, expression, member.type)


def _object(body: Body, expression: Expression, kind: CType) -> Operand:
    return Operand(expression, kind) if isinstance(kind, Array) else body.arithmetic.any_of(expression, kind)


def _is_array(body: Body, node: c_ast.Node) -> bool:
    """Whether the node names an array, which is always in the same place."""
    symbol = body.context.scope.find(node.name) if isinstance(node, c_ast.ID) else None
    return isinstance(symbol, Variable) and isinstance(symbol.type, Array)


@handles(c_ast.ArrayRef)
def _element(body: Body, node: c_ast.ArrayRef) -> Operand:
    base = value(body, node.name)
    mark = len(body.steps)
    index = value(body, node.subscript)
    if not _is_array(body, node.name):
        base = kept(body, base, mark)
    if not isinstance(base.type, Pointer):
        base, index = index, base
    if not isinstance(base.type, Pointer) or not isinstance(index.type, Integer):
        raise body.whole.program.error("a subscript needs an array or a pointer, and an integer", node)
    if isinstance(base.type.target, Void):
        body.whole.refuse("an element of `void`", node)
    return _object(body, syntax.Index(base.expression, (index.expression,)), base.type.target)


def unary(body: Body, node: c_ast.UnaryOp) -> Operand:
    match node.op:
        case "sizeof" | "_Alignof" | "__alignof__":
            size = body.context.target.size_type
            return body.arithmetic.fitted(syntax.Number(constant(body.context, node)), 0, 0, size)
        case "&":
            return _address(body, node)
        case "*":
            return _target(body, node)
        case "!":
            found = value(body, node.expr)
            if found.number is not None:
                return literal(int(found.number == 0), INT)
            return truth_value(syntax.Unary("!", _condition(body, found, node)))
    if node.op not in ("+", "-", "~"):
        body.whole.refuse(f"the operator `{node.op}`", node)
    return body.arithmetic.unary(node.op, value(body, node.expr))


def _address(body: Body, node: c_ast.UnaryOp) -> Operand:
    if isinstance(node.expr, c_ast.UnaryOp) and node.expr.op == "*":
        return value(body, node.expr.expr)
    target = place(body, node.expr)
    if isinstance(target.type, Array):
        body.whole.refuse("a pointer to an array", node)
    return Operand(syntax.Unary("&", target.expression), Pointer(target.type))


def _target(body: Body, node: c_ast.UnaryOp) -> Operand:
    pointer = value(body, node.expr)
    if not isinstance(pointer.type, Pointer) or isinstance(pointer.type.target, Void):
        raise body.whole.program.error("`*` needs a pointer to an object", node)
    return _object(body, syntax.Unary("*", pointer.expression), pointer.type.target)


@handles(c_ast.BinaryOp)
def _binary(body: Body, node: c_ast.BinaryOp) -> Operand:
    if node.op in ("&&", "||"):
        return _logical(body, node)
    left = value(body, node.left)
    mark = len(body.steps)
    right = value(body, node.right)
    last = node.op in _EXCHANGEABLE and isinstance(node.left, c_ast.ID) and left.type == promoted_type(left.type)
    if not last:
        left = kept(body, left, mark)
    return operated(body, node.op, left, right)


def operated(body: Body, op: str, left: Operand, right: Operand) -> Operand:
    """All binary operators but the logical ones."""
    if op in COMPARISONS:
        return body.arithmetic.compared(op, left, right)
    if isinstance(left.type, Pointer) or isinstance(right.type, Pointer):
        return _moved(body, op, left, right)
    return body.arithmetic.binary(op, left, right)


def _moved(body: Body, op: str, left: Operand, right: Operand) -> Operand:
    expression = syntax.Binary(op, left.expression, right.expression)
    if op == "-" and isinstance(left.type, Pointer) and isinstance(right.type, Pointer):
        return body.arithmetic.any_of(expression, body.context.target.difference_type)
    pointer = left.type if isinstance(left.type, Pointer) else right.type
    assert isinstance(pointer, Pointer)
    if isinstance(pointer.target, Void):
        raise NotExact("arithmetic on a pointer to `void`")
    return Operand(expression, pointer)


def _logical(body: Body, node: c_ast.BinaryOp) -> Operand:
    """Where the right operand has effects, they happen only if the left one does not decide."""
    left = value(body, node.left)
    with body.collecting() as steps:
        right = value(body, node.right)
    sign = "AND" if node.op == "&&" else "OR"
    if not steps:
        sides = _condition(body, left, node.left), _condition(body, right, node.right)
        return truth_value(syntax.Binary(sign, *sides))
    result = body.stored(body.arithmetic.truth(left))
    result = Operand(result.expression, INT, 0, 1)
    with body.collecting() as further:
        body.steps.extend(steps)
        body.assign(result, body.arithmetic.truth(right))
    otherwise = syntax.Skip()
    decide = joined(further)
    if sign == "AND":
        body.emit(syntax.If(result.expression, decide.statement, otherwise), decide.exits)
    else:
        body.emit(syntax.If(result.expression, otherwise, decide.statement), decide.exits)
    return result


@handles(c_ast.TernaryOp)
def _choice(body: Body, node: c_ast.TernaryOp) -> Operand:
    test = condition(body, node.cond)
    with body.collecting() as yes_steps:
        yes = value(body, node.iftrue)
    with body.collecting() as no_steps:
        no = value(body, node.iffalse)
    kind = _choice_type(body, yes, no)
    if kind == VOID:
        branches = joined(yes_steps), joined(no_steps)
        body.emit(syntax.If(test, branches[0].statement, branches[1].statement), exits_of(branches))
        return Operand(syntax.Number(0), VOID)
    yes, no = body.arithmetic.converted(yes, kind), body.arithmetic.converted(no, kind)
    if not yes_steps and not no_steps:
        expression = syntax.Choice(test, yes.expression, no.expression)
        return Operand(expression, kind, min(yes.low, no.low), max(yes.high, no.high))
    result = body.unset(kind)
    sides = []
    for steps, side in ((yes_steps, yes), (no_steps, no)):
        with body.collecting() as further:
            body.steps.extend(steps)
            body.assign(result, side)
        sides.append(joined(further))
    body.emit(syntax.If(test, sides[0].statement, sides[1].statement), exits_of(sides))
    return result


def _choice_type(body: Body, yes: Operand, no: Operand) -> CType:
    if isinstance(yes.type, Void) or isinstance(no.type, Void):
        return VOID
    if isinstance(yes.type, Pointer) and isinstance(no.type, Pointer):
        return no.type if isinstance(yes.type.target, Void) else yes.type
    for side in (yes.type, no.type):
        if isinstance(side, Pointer | Record):
            return side
    return common_type(yes.type, no.type, body.context.target)
