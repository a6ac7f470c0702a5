"""Decisions: branching on conditions, the logical operators and the conditional expression.

A condition that takes no steps to evaluate stays one term, however many operators it has; dereferences and divisions in
it only add checks. One that calls or assigns becomes control flow, as C's order of evaluation demands.
"""

from __future__ import annotations

from dataclasses import replace

from pycparser import c_ast

from pincer.errors import Position
from pincer.frontends.c.lowering.builder import NotQuiet
from pincer.frontends.c.lowering.conversions import NOTHING, common_type, convert, truth, truth_value
from pincer.frontends.c.lowering.expressions import checked_value, quiet_value, type_of, value, values
from pincer.frontends.c.lowering.frame import Frame
from pincer.frontends.c.lowering.memory import spill
from pincer.frontends.c.lowering.operators import binary_operation, discard
from pincer.frontends.c.lowering.values import Value
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
from pincer.logic import bitvectors, terms
from pincer.logic.terms import Term
from pincer.program.control_flow import Assign

Sides = tuple[bool | None, bool | None]
"""What the two ways out of a decision say about the condition that the programmer wrote there; None: nothing."""

WRITTEN: Sides = (True, False)
UNWRITTEN: Sides = (None, None)


def decide(
    frame: Frame, condition: Term, yes: int, no: int, position: Position, sides: Sides = WRITTEN
) -> None:  # fmt: skip
    """Leave for `yes` or `no`."""
    frame.builder.branch(condition, yes, position, sides[0])
    frame.builder.branch(terms.negate(condition), no, position, sides[1])
    frame.builder.at(frame.builder.location())


def branch(
    frame: Frame, node: c_ast.Node, yes: int, no: int, position: Position, sides: Sides = WRITTEN
) -> None:  # fmt: skip
    """Evaluate a condition and go on at `yes` or `no`. A part of it that leaves the rest open says nothing of it."""
    quiet = quiet_value(frame, node)
    if quiet is not None:
        decide(frame, truth(quiet, frame), yes, no, position, sides)
    elif isinstance(node, c_ast.UnaryOp) and node.op == "!":
        branch(frame, node.expr, no, yes, position, (sides[1], sides[0]))
    elif isinstance(node, c_ast.BinaryOp) and node.op in ("&&", "||"):
        known = checked_value(frame, node)
        if known is not None:
            for check, place in known[1]:
                frame.builder.emit(check, place)
            decide(frame, truth(known[0], frame), yes, no, position, sides)
            return
        middle = frame.builder.location()
        if node.op == "&&":
            branch(frame, node.left, middle, no, position, (None, sides[1]))
        else:
            branch(frame, node.left, yes, middle, position, (sides[0], None))
        frame.builder.at(middle)
        branch(frame, node.right, yes, no, position, sides)
    elif isinstance(node, c_ast.TernaryOp):
        starts = frame.builder.location(), frame.builder.location()
        branch(frame, node.cond, *starts, position, UNWRITTEN)
        for start, part in zip(starts, (node.iftrue, node.iffalse), strict=True):
            frame.builder.at(start)
            branch(frame, part, yes, no, position, sides)
    else:
        decide(frame, truth(value(frame, node), frame), yes, no, position, sides)


@values(c_ast.BinaryOp)
def _operation(frame: Frame, node: c_ast.BinaryOp) -> Value:
    if node.op not in ("&&", "||"):
        return binary_operation(frame, node)
    left = quiet_value(frame, node.left)
    right = None if left is None else quiet_value(frame, node.right)
    if left is not None and right is not None:
        join = terms.conjunction if node.op == "&&" else terms.disjunction
        return truth_value(join(truth(left, frame), truth(right, frame)))
    if left is not None and truth(left, frame) is (terms.FALSE if node.op == "&&" else terms.TRUE):
        return truth_value(truth(left, frame))
    if frame.builder.held is not None:
        return _with_guarded_checks(frame, node)
    return _by_control_flow(frame, node)


def _with_guarded_checks(frame: Frame, node: c_ast.BinaryOp) -> Value:
    """`a && b` or `a || b` as one term: what must be checked for b matters only where b is evaluated."""
    held = frame.builder.held
    assert held is not None
    left = truth(value(frame, node.left), frame)
    known = checked_value(frame, node.right)
    if known is None:
        raise NotQuiet
    skipped = terms.negate(left) if node.op == "&&" else left
    held += [(replace(check, condition=terms.disjunction(skipped, check.condition)), at) for check, at in known[1]]
    join = terms.conjunction if node.op == "&&" else terms.disjunction
    return truth_value(join(left, truth(known[0], frame)))


def _by_control_flow(frame: Frame, node: c_ast.BinaryOp) -> Value:
    frame.builder.need_steps()
    known = checked_value(frame, node)
    if known is not None:
        for check, place in known[1]:
            frame.builder.emit(check, place)
        return known[0]
    frame.noisy.add(id(node))
    yes, no, join = (frame.builder.location() for _ in range(3))
    result = frame.temporary(INT.bits)
    branch(frame, node, yes, no, frame.unit.position(node))
    for start, outcome in ((yes, 1), (no, 0)):
        frame.builder.at(start)
        frame.emit(Assign(result, bitvectors.constant(outcome, INT.bits)), node)
        frame.builder.jump(join, frame.position)
    frame.builder.at(join)
    return Value(INT, result)


@values(c_ast.TernaryOp)
def _conditional(frame: Frame, node: c_ast.TernaryOp) -> Value:
    type = _result_type(frame, node.iftrue, node.iffalse, node)
    decision = quiet_value(frame, node.cond)
    if decision is not None:
        known = truth(decision, frame)
        if known in (terms.TRUE, terms.FALSE):
            chosen = node.iftrue if known is terms.TRUE else node.iffalse
            return convert(frame, value(frame, chosen), type)
        both = [quiet_value(frame, part) for part in (node.iftrue, node.iffalse)]
        if both[0] is not None and both[1] is not None:
            return _chosen(frame, known, both[0], both[1], type)
    frame.builder.need_steps()
    yes, no, join = (frame.builder.location() for _ in range(3))
    branch(frame, node.cond, yes, no, frame.unit.position(node))
    result = None if type == VOID else frame.temporary(_term_bits(frame, type))
    for start, part in ((yes, node.iftrue), (no, node.iffalse)):
        frame.builder.at(start)
        _deliver(frame, part, type, result)
        frame.builder.jump(join, frame.position)
    frame.builder.at(join)
    return NOTHING if result is None else Value(type, result)


def _term_bits(frame: Frame, type: CType) -> int:
    return frame.target.pointer_bits if isinstance(type, Record) else frame.target.bits(type)


def _deliver(frame: Frame, node: c_ast.Node, type: CType, result: Term | None) -> None:
    if result is None:
        discard(frame, node)
    else:
        frame.emit(Assign(result, convert(frame, value(frame, node), type).term), node)


def _chosen(frame: Frame, condition: Term, left: Value, right: Value, type: CType) -> Value:
    a, b = convert(frame, left, type), convert(frame, right, type)
    if type == VOID:
        return NOTHING
    return Value(type, terms.conditional(condition, a.term, b.term))


def _result_type(frame: Frame, left: c_ast.Node, right: c_ast.Node, node: c_ast.Node) -> CType:
    a, b = _operand_type(frame, left), _operand_type(frame, right)
    if isinstance(a, Integer | Floating) and isinstance(b, Integer | Floating):
        return common_type(a, b, frame.target)
    if isinstance(a, Void) or isinstance(b, Void):
        return VOID
    if isinstance(a, Record) or isinstance(b, Record):
        if a is not b:
            raise frame.unit.error("the two sides of `?:` have different types", node)
        return a
    return _pointer_result(a, b, left, right)


def _operand_type(frame: Frame, node: c_ast.Node) -> CType:
    """The type of a side as a value: a bit-field's is not that of its declaration."""
    type = _decayed(type_of(frame, node))
    return value(frame.aside(), node).type if isinstance(type, Integer) else type


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
    return isinstance(node, c_ast.Constant) and node.value == "0"


def _decayed(type: CType) -> CType:
    if isinstance(type, Array):
        return Pointer(type.element)
    return Pointer(type) if isinstance(type, Function) else type


@values(nodes.OrElse)
def _or_else(frame: Frame, node: nodes.OrElse) -> Value:
    """`a ?: b`: a is evaluated once."""
    type = _result_type(frame, node.value, node.otherwise, node)
    first = spill(frame, value(frame, node.value))
    decision = truth(first, frame)
    other = quiet_value(frame, node.otherwise)
    if other is not None:
        return _chosen(frame, decision, first, other, type)
    yes, no, join = (frame.builder.location() for _ in range(3))
    result = frame.temporary(_term_bits(frame, type))
    decide(frame, decision, yes, no, frame.unit.position(node))
    frame.builder.at(yes)
    frame.emit(Assign(result, convert(frame, first, type).term), node)
    frame.builder.jump(join, frame.position)
    frame.builder.at(no)
    _deliver(frame, node.otherwise, type, result)
    frame.builder.jump(join, frame.position)
    frame.builder.at(join)
    return Value(type, result)
