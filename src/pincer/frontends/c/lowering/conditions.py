"""Decisions: branching on conditions, the logical operators and the conditional expression.

A condition that takes no steps to evaluate stays one term, however many operators it has; dereferences and divisions in
it only add checks. One that calls or assigns becomes control flow, as C's order of evaluation demands.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from msgspec import Struct
from msgspec.structs import replace

from pincer.errors import Position
from pincer.frontends.c.lowering.builder import Held, NotQuiet
from pincer.frontends.c.lowering.conversions import NOTHING, convert, truth, truth_value
from pincer.frontends.c.lowering.expressions import checked_value, quiet_value, value
from pincer.frontends.c.lowering.frame import Frame
from pincer.frontends.c.lowering.memory import spill
from pincer.frontends.c.lowering.operators import discard
from pincer.frontends.c.lowering.values import Value
from pincer.frontends.c.semantics import tree
from pincer.frontends.c.semantics.tree import Expression, Written, bare
from pincer.frontends.c.semantics.types import INT, VOID, CType, Record
from pincer.logic import bitvectors, terms
from pincer.logic.terms import Term
from pincer.program.control_flow import Assign, Check


class Ways(Struct, frozen=True):
    """The two ways out of a decision, and what they say about the condition as it is written; None: nothing."""

    yes: int
    no: int
    position: Position
    says_yes: bool | None = True
    says_no: bool | None = False


def unwritten(yes: int, no: int, position: Position) -> Ways:
    """A decision that the programmer did not write as one."""
    return Ways(yes, no, position, None, None)


def decide(frame: Frame, condition: Term, ways: Ways) -> None:
    """Leave for one of the ways."""
    frame.builder.branch(condition, ways.yes, ways.position, ways.says_yes)
    frame.builder.branch(terms.negate(condition), ways.no, ways.position, ways.says_no)
    frame.builder.at(frame.builder.location())


@contextmanager
def only_if(frame: Frame, condition: Term, node: Written | None, after: int | None = None) -> Iterator[None]:
    """Steps on a side way, which ends where the main way goes on, or at `after`."""
    aside, main, position = frame.builder.location(), frame.builder.location(), frame.position
    if node is not None:
        position = frame.unit.position(node)
    decide(frame, condition, unwritten(aside, main, position))
    frame.builder.at(aside)
    yield
    frame.builder.jump(main if after is None else after, position)
    frame.builder.at(main)


def branch(frame: Frame, node: Expression, ways: Ways) -> None:
    """Evaluate a condition and go on where it leads. A part of it that leaves the rest open says nothing of it."""
    quiet = quiet_value(frame, node)
    if quiet is not None:
        decide(frame, truth(quiet, frame), ways)
    elif isinstance(node, tree.Unary) and node.op == "!":
        branch(frame, node.operand, Ways(ways.no, ways.yes, ways.position, ways.says_no, ways.says_yes))
    elif isinstance(node, tree.Logical):
        known = checked_value(frame, node)
        if known is not None:
            for check in known[1]:
                frame.builder.put(check)
            decide(frame, truth(known[0], frame), ways)
            return
        middle = frame.builder.location()
        if node.op == "&&":
            branch(frame, node.left, replace(ways, yes=middle, says_yes=None))
        else:
            branch(frame, node.left, replace(ways, no=middle, says_no=None))
        frame.builder.at(middle)
        branch(frame, node.right, ways)
    elif isinstance(node, tree.Conditional):
        starts = frame.builder.location(), frame.builder.location()
        branch(frame, node.condition, unwritten(*starts, ways.position))
        for start, part in zip(starts, (bare(node.yes), bare(node.no)), strict=True):
            frame.builder.at(start)
            branch(frame, part, ways)
    else:
        frame.only_signs.add(node)
        decide(frame, truth(value(frame, node), frame), ways)


def logical(frame: Frame, node: tree.Logical) -> Value:
    """`&&` and `||`: one term where that takes no steps."""
    frame.parts.update(map(_positive, (node.left, node.right)))
    left = quiet_value(frame, node.left)
    right = None if left is None else _quiet_right(frame, node, truth(left, frame))
    if left is not None and right is not None:
        return _joined(frame, node, truth(left, frame), truth(right, frame))
    if left is not None and truth(left, frame) is (terms.FALSE if node.op == "&&" else terms.TRUE):
        return truth_value(truth(left, frame))
    if frame.builder.held is not None:
        return _with_guarded_checks(frame, node)
    return _by_control_flow(frame, node)


def _quiet_right(frame: Frame, node: tree.Logical, left: Term) -> Value | None:
    """The second operand if it takes no step; it is evaluated only where the first leaves the result open."""
    with frame.builder.unless(terms.negate(left) if node.op == "&&" else left):
        return quiet_value(frame, node.right)


def _with_guarded_checks(frame: Frame, node: tree.Logical) -> Value:
    """`a && b` or `a || b` as one term: what must be checked for b matters only where b is evaluated."""
    held = frame.builder.held
    assert held is not None
    left = truth(value(frame, node.left), frame)
    known = checked_value(frame, node.right)
    if known is None:
        raise NotQuiet
    skipped = terms.negate(left) if node.op == "&&" else left
    held += [_unless(skipped, item) for item in known[1]]
    return _joined(frame, node, left, truth(known[0], frame))


def _joined(frame: Frame, node: tree.Logical, left: Term, right: Term) -> Value:
    """The value of `left && right` or `left || right`; operators that belong together choose once."""
    outcome = (terms.conjunction if node.op == "&&" else terms.disjunction)(left, right)
    if node not in frame.parts and outcome not in (left, right):
        _note_choice(frame, outcome, node.written)
    return truth_value(outcome)


def _positive(node: Expression) -> Expression:
    """A condition without the `!` before it."""
    while isinstance(node, tree.Unary) and node.op == "!":
        node = node.operand
    return node


def _note_choice(frame: Frame, condition: Term, node: Written) -> None:
    """Say that a condition inside of a term is decided by, unlike a comparison that is only a number."""
    if condition not in (terms.TRUE, terms.FALSE):
        frame.builder.note(Check("choice", condition, "which value is taken"), frame.place_of(node))


def _unless(skipped: Term, item: Held) -> Held:
    """A check that matters only where a condition does not hold."""
    return replace(item, check=replace(item.check, condition=terms.disjunction(skipped, item.check.condition)))


def _by_control_flow(frame: Frame, node: tree.Logical) -> Value:
    frame.builder.need_steps()
    known = checked_value(frame, node)
    if known is not None:
        for check in known[1]:
            frame.builder.put(check)
        return known[0]
    frame.noisy.add(node)
    yes, no, join = (frame.builder.location() for _ in range(3))
    result = frame.temporary(INT.bits)
    branch(frame, node, Ways(yes, no, frame.unit.position(node.written)))
    for start, outcome in ((yes, 1), (no, 0)):
        frame.builder.at(start)
        frame.emit(Assign(result, bitvectors.constant(outcome, INT.bits)), node.written)
        frame.builder.jump(join, frame.position)
    frame.builder.at(join)
    return Value(INT, result)


def conditional(frame: Frame, node: tree.Conditional) -> Value:
    type = node.type
    decision = quiet_value(frame, node.condition)
    if decision is not None:
        known = truth(decision, frame)
        if known in (terms.TRUE, terms.FALSE):
            chosen = node.yes if known is terms.TRUE else node.no
            return value(frame, chosen)
        _note_choice(frame, known, node.written)
        with frame.builder.unless(terms.negate(known)):
            yes = quiet_value(frame, node.yes)
        with frame.builder.unless(known):
            no = quiet_value(frame, node.no)
        if yes is not None and no is not None:
            return _chosen(known, yes, no, type)
    frame.builder.need_steps()
    then, otherwise, join = (frame.builder.location() for _ in range(3))
    branch(frame, node.condition, Ways(then, otherwise, frame.unit.position(node.written)))
    result = None if type == VOID else frame.temporary(_term_bits(frame, type))
    for start, part in ((then, node.yes), (otherwise, node.no)):
        frame.builder.at(start)
        _deliver(frame, part, result)
        frame.builder.jump(join, frame.position)
    frame.builder.at(join)
    return NOTHING if result is None else Value(type, result)


def _term_bits(frame: Frame, type: CType) -> int:
    return frame.target.pointer_bits if isinstance(type, Record) else frame.target.bits(type)


def _deliver(frame: Frame, node: Expression, result: Term | None) -> None:
    if result is None:
        discard(frame, node)
    else:
        frame.emit(Assign(result, value(frame, node).term), bare(node).written)


def _chosen(condition: Term, a: Value, b: Value, type: CType) -> Value:
    if type == VOID:
        return NOTHING
    return Value(type, terms.conditional(condition, a.term, b.term))


def or_else(frame: Frame, node: tree.OrElse) -> Value:
    """`a ?: b`: a is evaluated once."""
    type = node.type
    first = spill(frame, value(frame, bare(node.first)))
    decision = truth(first, frame)
    with frame.builder.unless(decision):
        other = quiet_value(frame, node.otherwise)
    if other is not None:
        _note_choice(frame, decision, node.written)
        return _chosen(decision, convert(frame, first, type), other, type)
    yes, no, join = (frame.builder.location() for _ in range(3))
    result = frame.temporary(_term_bits(frame, type))
    decide(frame, decision, Ways(yes, no, frame.unit.position(node.written)))
    frame.builder.at(yes)
    frame.emit(Assign(result, convert(frame, first, type).term), node.written)
    frame.builder.jump(join, frame.position)
    frame.builder.at(no)
    _deliver(frame, node.otherwise, result)
    frame.builder.jump(join, frame.position)
    frame.builder.at(join)
    return Value(type, result)
