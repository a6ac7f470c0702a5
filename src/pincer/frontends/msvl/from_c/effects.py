"""Expressions that change something: assignments, `++` and `--`, casts to void and commas."""

from __future__ import annotations

from collections.abc import Sequence

from pycparser import c_ast

from pincer.frontends.c.semantics import tree
from pincer.frontends.c.semantics.tree import bare
from pincer.frontends.c.semantics.types import INT, VOID, Pointer
from pincer.frontends.msvl import syntax
from pincer.frontends.msvl.from_c import calls
from pincer.frontends.msvl.from_c.arithmetic import Operand, literal
from pincer.frontends.msvl.from_c.context import TranslatedBody
from pincer.frontends.msvl.from_c.expressions import (
    NOTHING,
    conversion,
    converted,
    kept,
    operated,
    place,
    stable,
    value,
)
from pincer.frontends.msvl.from_c.steps import at_once, exits_of, joined
from pincer.frontends.msvl.syntax import Statement


def discard(body: TranslatedBody, node: tree.Expression) -> None:
    """Evaluate an expression for its effects only."""
    with body.whole.exactly(node.written):
        match node:
            case tree.Assignment():
                if not _at_the_same_time(body, [node]):
                    assigned(body, node, wanted=False)
            case tree.CompoundAssignment():
                updated(body, node, wanted=False)
            case tree.Step():
                stepped(body, node, wanted=False)
            case tree.Call():
                calls.called(body, node, wanted=False)
            case tree.Sequence(parts=parts):
                if not _at_the_same_time(body, parts):
                    for part in parts:
                        discard(body, part)
            case tree.Convert(operand=operand):
                discard(body, operand)
            case tree.Conditional():
                _either(body, node)
            case _:
                value(body, node)


def _either(body: TranslatedBody, node: tree.Conditional) -> None:
    test = value(body, node.condition)
    sides = []
    for side in (node.yes, node.no):
        with body.collecting() as steps:
            discard(body, side)
        sides.append(joined(steps))
    body.emit(syntax.If(test.expression, sides[0].statement, sides[1].statement), exits_of(sides))


def _at_the_same_time(body: TranslatedBody, nodes: Sequence[tree.Expression]) -> bool:
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


def _chain(body: TranslatedBody, node: tree.Expression) -> tuple[list[Operand], Operand | None]:
    """The variables of a chain of assignments and the constant at its end, None for anything else."""
    targets: list[Operand] = []
    while isinstance(node, tree.Assignment) and isinstance(node.target, tree.Object):
        targets.append(place(body, node.target))
        node = bare(node.value)
    written = isinstance(node, tree.Number) and isinstance(node.written, c_ast.Constant)
    return targets, value(body, node) if targets and written else None


def assigned(body: TranslatedBody, node: tree.Assignment, wanted: bool = True) -> Operand:
    """`=`, without a temporary for the result of a call where there need be none."""
    target = place(body, node.target)
    mark = len(body.steps)
    if calls.assigned_call(body, bare(node.value), target):
        return _read_back(body, target, wanted)
    result = converted(body, node.value, target.type)
    target = stable(body, target, mark)
    body.assign(target, result)
    return _read_back(body, target, wanted)


def updated(body: TranslatedBody, node: tree.CompoundAssignment, wanted: bool = True) -> Operand:
    """A compound assignment takes its operand first, as gcc does."""
    operand = value(body, bare(node.operand))
    mark = len(body.steps)
    target = place(body, node.target)
    operand = kept(body, operand, mark)
    result = operated(body, node.op, target, operand, (node.computed, node.operand.type))
    body.assign(target, body.arithmetic.converted(result, target.type))
    return _read_back(body, target, wanted)


def _read_back(body: TranslatedBody, target: Operand, wanted: bool) -> Operand:
    """The value of an assignment. The place may have been named by what has just been written, so it is kept."""
    if not wanted:
        return NOTHING
    if not isinstance(target.expression, syntax.Name):
        last = body.steps.pop()
        assert isinstance(last.statement, syntax.Unit)
        result = body.saved(Operand(last.statement.value, target.type, target.low, target.high))
        body.assign(target, result)
        return result
    return target


def stepped(body: TranslatedBody, node: tree.Step, wanted: bool = True) -> Operand:
    """`++` and `--`: the old value in postfix form, the new one in prefix form."""
    target = place(body, node.target)
    old = target
    if wanted and node.postfix:
        old = body.saved(target)
    one = INT if isinstance(node.computed, Pointer) else node.one.type
    result = operated(body, node.op, target, literal(1, INT), (node.computed, one))
    body.assign(target, body.arithmetic.converted(result, target.type))
    if not wanted:
        return NOTHING
    return old if node.postfix else _read_back(body, target, wanted)


def cast(body: TranslatedBody, node: tree.Convert) -> Operand:
    if node.type == VOID:
        discard(body, node.operand)
        return NOTHING
    return conversion(body, node)


def comma(body: TranslatedBody, node: tree.Sequence) -> Operand:
    for part in node.parts[:-1]:
        discard(body, part)
    return value(body, node.parts[-1])
