"""Expressions that change something: assignments, `++` and `--`, casts to void and commas."""

from __future__ import annotations

from pycparser import c_ast

from pincer.frontends.c.semantics.declarations import type_name
from pincer.frontends.c.semantics.types import INT, VOID, Array, Pointer
from pincer.frontends.msvl import syntax
from pincer.frontends.msvl.from_c import calls
from pincer.frontends.msvl.from_c.arithmetic import Operand, literal
from pincer.frontends.msvl.from_c.context import Body
from pincer.frontends.msvl.from_c.expressions import converted, handles, kept, operated, place, stable, unary, value
from pincer.frontends.msvl.from_c.steps import at_once, exits_of, joined
from pincer.frontends.msvl.syntax import Statement

_STEPS = ("++", "--", "p++", "p--")
_NOTHING = Operand(syntax.Number(0), VOID)


def discard(body: Body, node: c_ast.Node) -> None:
    """Evaluate an expression for its effects only."""
    with body.whole.exactly(node):
        match node:
            case c_ast.Assignment():
                if not _at_the_same_time(body, [node]):
                    assigned(body, node, wanted=False)
            case c_ast.UnaryOp(op=op) if op in _STEPS:
                stepped(body, node, wanted=False)
            case c_ast.FuncCall():
                calls.called(body, node, wanted=False)
            case c_ast.ExprList():
                if not _at_the_same_time(body, node.exprs):
                    for part in node.exprs:
                        discard(body, part)
            case c_ast.Cast():
                discard(body, node.expr)
            case c_ast.TernaryOp():
                _either(body, node)
            case _:
                value(body, node)


def _either(body: Body, node: c_ast.TernaryOp) -> None:
    test = value(body, node.cond)
    sides = []
    for side in (node.iftrue, node.iffalse):
        with body.collecting() as steps:
            discard(body, side)
        sides.append(joined(steps))
    body.emit(syntax.If(test.expression, sides[0].statement, sides[1].statement), exits_of(sides))


def _at_the_same_time(body: Body, nodes: list[c_ast.Node]) -> bool:
    """`a = b = 0` and `i = 0, j = 1`: constants given to different variables share one state, as C2M has it."""
    chains = [_chain(body, node) for node in nodes]
    targets = [target.expression for targets, _ in chains for target in targets]
    if len(targets) < 2 or len(set(targets)) < len(targets) or any(known is None for _, known in chains):
        return False
    statements: list[Statement] = []
    for places, constant in chains:
        assert constant is not None
        for target in reversed(places):
            constant = body.arithmetic.converted(constant, target.type)
            statements.append(syntax.Immediate(target.expression, constant.expression))
    body.emit(at_once(*statements))
    return True


def _chain(body: Body, node: c_ast.Node) -> tuple[list[Operand], Operand | None]:
    """The variables of a chain of assignments and the constant at its end, None for anything else."""
    targets: list[Operand] = []
    while isinstance(node, c_ast.Assignment) and node.op == "=" and isinstance(node.lvalue, c_ast.ID):
        targets.append(place(body, node.lvalue))
        node = node.rvalue
    constant = value(body, node) if targets and isinstance(node, c_ast.Constant) else None
    fits = constant is not None and not isinstance(constant.type, Array | Pointer)
    return targets, constant if fits else None


@handles(c_ast.Assignment)
def _assignment(body: Body, node: c_ast.Assignment) -> Operand:
    return assigned(body, node, wanted=True)


def assigned(body: Body, node: c_ast.Assignment, wanted: bool) -> Operand:
    """`=` and the compound assignments; a compound one takes its operand first, as gcc does."""
    if node.op == "=":
        return _simple(body, node, wanted)
    operand = value(body, node.rvalue)
    mark = len(body.steps)
    target = place(body, node.lvalue)
    operand = kept(body, operand, mark)
    result = operated(body, node.op[:-1], target, operand)
    body.assign(target, body.arithmetic.converted(result, target.type))
    return _read_back(body, target, wanted)


def _simple(body: Body, node: c_ast.Assignment, wanted: bool) -> Operand:
    target = place(body, node.lvalue)
    if isinstance(target.type, Array):
        raise body.whole.program.error("an array cannot be assigned; assign its elements", node)
    mark = len(body.steps)
    if calls.assigned_call(body, node.rvalue, target):
        return _read_back(body, target, wanted)
    result = converted(body, node.rvalue, target.type)
    target = stable(body, target, mark)
    body.assign(target, result)
    return _read_back(body, target, wanted)


def _read_back(body: Body, target: Operand, wanted: bool) -> Operand:
    """The value of an assignment. The place may have been named by what has just been written, so it is kept."""
    if not wanted:
        return _NOTHING
    if not isinstance(target.expression, syntax.Name):
        last = body.steps.pop()
        assert isinstance(last.statement, syntax.Unit)
        result = body.saved(Operand(last.statement.value, target.type, target.low, target.high))
        body.assign(target, result)
        return result
    return target


def stepped(body: Body, node: c_ast.UnaryOp, wanted: bool) -> Operand:
    """`++` and `--`: the old value in postfix form, the new one in prefix form."""
    target = place(body, node.expr)
    old = target
    if wanted and node.op.startswith("p"):
        old = body.saved(target)
    result = operated(body, node.op[-1], target, literal(1, INT))
    body.assign(target, body.arithmetic.converted(result, target.type))
    if not wanted:
        return _NOTHING
    return old if node.op.startswith("p") else _read_back(body, target, wanted)


@handles(c_ast.UnaryOp)
def _unary(body: Body, node: c_ast.UnaryOp) -> Operand:
    return stepped(body, node, wanted=True) if node.op in _STEPS else unary(body, node)


@handles(c_ast.Cast)
def _cast(body: Body, node: c_ast.Cast) -> Operand:
    kind = type_name(body.context, node.to_type)
    if kind == VOID:
        discard(body, node.expr)
        return _NOTHING
    body.whole.types.shape(kind)
    return body.arithmetic.converted(value(body, node.expr), kind)


@handles(c_ast.ExprList)
def _comma(body: Body, node: c_ast.ExprList) -> Operand:
    for part in node.exprs[:-1]:
        discard(body, part)
    return value(body, node.exprs[-1])
