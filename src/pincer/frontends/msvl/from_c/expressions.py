"""Expressions: values without effects, and the steps that their effects need before them.

Operands are evaluated from left to right: what was read before a step that may change it is kept in a temporary.
"""

from __future__ import annotations

from math import isfinite

from pincer.frontends.c.semantics import tree
from pincer.frontends.c.semantics.conversions import promoted_type
from pincer.frontends.c.semantics.literals import float_number
from pincer.frontends.c.semantics.tree import bare
from pincer.frontends.c.semantics.types import INT, VOID, Array, CType, Floating, Integer, Pointer, Record, Void
from pincer.frontends.msvl import syntax
from pincer.frontends.msvl.from_c.arithmetic import COMPARISONS, NotExact, Operand, literal, truth_value
from pincer.frontends.msvl.from_c.context import TranslatedBody
from pincer.frontends.msvl.from_c.steps import exits_of, joined
from pincer.frontends.msvl.syntax import Expression

NOTHING = Operand(syntax.Number(0), VOID)
_EXCHANGEABLE = frozenset(("+", "*", "&", "|", "^", *COMPARISONS))


def value(body: TranslatedBody, node: tree.Expression) -> Operand:
    """The value of an expression; arrays have become pointers to their first elements."""
    handler = body.whole.means.values.get(type(node))
    if handler is None:
        what = node.what if isinstance(node, tree.Unmodelled) else f"the expression `{type(node).__name__}`"
        body.whole.refuse(what, node.written)
    with body.whole.exactly(node.written):
        found: Operand = handler(body, node)
        return found


def condition(body: TranslatedBody, node: tree.Expression) -> Expression:
    """The expression as a condition; MSVL takes any number or pointer for one, as C does."""
    return _condition(body, value(body, node), node)


def _condition(body: TranslatedBody, found: Operand, node: tree.Expression) -> Expression:
    if isinstance(found.type, Record | Void):
        body.whole.refuse("a condition that is neither a number nor a pointer", node.written)
    return found.expression


def converted(body: TranslatedBody, node: tree.Expression, type: CType) -> Operand:
    """The value of an expression, without the conversions that C makes by itself, as another type."""
    found = value(body, bare(node))
    with body.whole.exactly(node.written):
        return body.arithmetic.converted(found, type)


def kept(body: TranslatedBody, first: Operand, mark: int) -> Operand:
    """An operand whose steps ended at `mark`, when later operands may have added more since."""
    return body.saved(first, mark) if len(body.steps) > mark else first


def place(body: TranslatedBody, node: tree.Expression) -> Operand:
    """The object that an expression names, with its own type."""
    handler = body.whole.means.places.get(type(node))
    if handler is None:
        if isinstance(node, tree.PLACES):
            body.whole.refuse(f"the expression `{type(node).__name__}`", node.written)
        return body.saved(value(body, node))
    with body.whole.exactly(node.written):
        found: Operand = handler(body, node)
        return found


def stable(body: TranslatedBody, target: Operand, mark: int) -> Operand:
    """The same place, found without reading anything that steps after `mark` might change."""
    if len(body.steps) == mark or fixed(target.expression):
        return target
    address = Operand(syntax.Unary("&", target.expression), Pointer(target.type))
    pointer = body.saved(address, mark)
    return Operand(syntax.Unary("*", pointer.expression), target.type, target.low, target.high)


def fixed(expression: Expression) -> bool:
    """Whether a place is the same whatever the variables hold."""
    while isinstance(expression, syntax.MemberAccess) and not expression.arrow:
        expression = expression.base
    return isinstance(expression, syntax.Name)


def constant(body: TranslatedBody, node: tree.Number) -> Operand:
    body.arithmetic.require(node.type)
    if not isinstance(node.type, Floating):
        return literal(node.number, node.type)
    number = float_number(node.number, node.type)
    if not isfinite(number):
        body.whole.refuse("a number that is too large", node.written)
    return Operand(syntax.Number(number), node.type)


def read(body: TranslatedBody, node: tree.Read) -> Operand:
    """The value of a place."""
    found = place(body, node.place)
    return Operand(found.expression, node.type) if isinstance(found.type, Array) else found


def text(body: TranslatedBody, node: tree.Text) -> Operand:
    """A string literal is a global array of its own; equal ones share it."""
    assert isinstance(node.type, Array) and isinstance(node.type.element, Integer)
    if node.type.element.bits != 8:
        body.whole.refuse("a string of wide characters", node.written)
    name = body.whole.texts.setdefault(node.contents, f"text${len(body.whole.texts) + 1}")
    return Operand(syntax.Name(name), node.type)


def variable(body: TranslatedBody, node: tree.Object) -> Operand:
    found, kind = body.whole.variables.get(node.variable), node.variable.type
    if found is None:
        body.whole.refuse(f"`{node.variable.name}`, which this file does not define", node.written)
    if isinstance(kind, Array):
        body.whole.types.shape(kind)
    return _object(body, syntax.Name(found), kind)


def routine(body: TranslatedBody, node: tree.Routine) -> Operand:
    body.whole.refuse("a function used as a value", node.written)


def member(body: TranslatedBody, node: tree.MemberPlace) -> Operand:
    whole, arrow = node.whole, isinstance(node.whole, tree.Dereference) and node.whole.written is node.written
    base = value(body, whole.pointer) if arrow and isinstance(whole, tree.Dereference) else place(body, whole)
    assert isinstance(whole.type, Record) and node.member.name is not None
    body.whole.types.tag(whole.type)
    expression = syntax.MemberAccess(base.expression, body.whole.types.field(node.member.name), arrow)
    return _object(body, expression, node.type)


def _object(body: TranslatedBody, expression: Expression, kind: CType) -> Operand:
    return Operand(expression, kind) if isinstance(kind, Array) else body.arithmetic.any_of(expression, kind)


def element(body: TranslatedBody, node: tree.Element) -> Operand:
    sides = [node.pointer, bare(node.index)]
    first, second = reversed(sides) if node.reversed else sides
    left = value(body, first)
    mark = len(body.steps)
    right = value(body, second)
    if not _is_variable(first, Array):
        left = kept(body, left, mark)
    base, index = (right, left) if node.reversed else (left, right)
    if isinstance(node.type, Void):
        body.whole.refuse("an element of `void`", node.written)
    return _object(body, syntax.Index(base.expression, (index.expression,)), node.type)


def _is_variable(node: tree.Expression, kind: type = object) -> bool:
    """Whether an expression is a variable, of some kind of type; an array is always in the same place."""
    return isinstance(node, tree.Read) and isinstance(node.place, tree.Object) and isinstance(node.place.type, kind)


def dereference(body: TranslatedBody, node: tree.Dereference) -> Operand:
    pointer = value(body, node.pointer)
    if isinstance(node.type, Void):
        body.whole.refuse("an object of type `void`", node.written)
    return _object(body, syntax.Unary("*", pointer.expression), node.type)


def address(body: TranslatedBody, node: tree.Address) -> Operand:
    if isinstance(node.place, tree.Dereference):
        return value(body, node.place.pointer)
    target = place(body, node.place)
    if isinstance(target.type, Array):
        body.whole.refuse("a pointer to an array", node.written)
    return Operand(syntax.Unary("&", target.expression), Pointer(target.type))


def conversion(body: TranslatedBody, node: tree.Convert) -> Operand:
    if node.explicit:
        body.whole.types.shape(node.type)
    return body.arithmetic.converted(value(body, node.operand), node.type)


def unary(body: TranslatedBody, node: tree.Unary) -> Operand:
    found = value(body, bare(node.operand))
    if node.op != "!":
        return body.arithmetic.unary(node.op, found)
    if found.number is not None:
        return literal(int(found.number == 0), INT)
    return truth_value(syntax.Unary("!", _condition(body, found, node)))


def binary(body: TranslatedBody, node: tree.Binary) -> Operand:
    first = bare(node.left)
    left = value(body, first)
    mark = len(body.steps)
    right = value(body, bare(node.right))
    if not (node.op in _EXCHANGEABLE and _is_variable(first) and left.type == promoted_type(left.type)):
        left = kept(body, left, mark)
    return operated(body, node.op, left, right, (node.left.type, node.right.type))


def operated(body: TranslatedBody, op: str, left: Operand, right: Operand, types: tuple[CType, CType]) -> Operand:
    """All binary operators but the logical ones; numbers are computed with in the types given."""
    if isinstance(left.type, Pointer) or isinstance(right.type, Pointer):
        return body.arithmetic.compared(op, left, right) if op in COMPARISONS else _moved(body, op, left, right)
    left, right = body.arithmetic.converted(left, types[0]), body.arithmetic.converted(right, types[1])
    return body.arithmetic.compared(op, left, right) if op in COMPARISONS else body.arithmetic.binary(op, left, right)


def _moved(body: TranslatedBody, op: str, left: Operand, right: Operand) -> Operand:
    expression = syntax.Binary(op, left.expression, right.expression)
    if op == "-" and isinstance(left.type, Pointer) and isinstance(right.type, Pointer):
        return body.arithmetic.any_of(expression, body.whole.program.target.difference_type)
    pointer = left.type if isinstance(left.type, Pointer) else right.type
    assert isinstance(pointer, Pointer)
    if isinstance(pointer.target, Void):
        raise NotExact("arithmetic on a pointer to `void`")
    return Operand(expression, pointer)


def logical(body: TranslatedBody, node: tree.Logical) -> Operand:
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


def choice(body: TranslatedBody, node: tree.Conditional) -> Operand:
    test, kind = condition(body, node.condition), node.type
    with body.collecting() as yes_steps:
        yes = value(body, bare(node.yes))
    with body.collecting() as no_steps:
        no = value(body, bare(node.no))
    if kind == VOID:
        branches = joined(yes_steps), joined(no_steps)
        body.emit(syntax.If(test, branches[0].statement, branches[1].statement), exits_of(branches))
        return NOTHING
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
