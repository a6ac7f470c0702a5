"""Operators defined by the basic ones."""

from __future__ import annotations

from pincer.temporal.formula import EMPTY, MORE, TRUE, Formula, and_, iff, implies, not_, or_
from pincer.temporal.operators import chop, next_, plus, until


def sometimes(formula: Formula) -> Formula:
    return chop(TRUE, formula)


def always(formula: Formula) -> Formula:
    return not_(chop(TRUE, not_(formula)))


def weak_next(formula: Formula) -> Formula:
    """The interval ends here, or the formula holds from the next state."""
    return or_(EMPTY, next_(formula))


def star(formula: Formula) -> Formula:
    return or_(EMPTY, plus(formula))


def fin(formula: Formula) -> Formula:
    """The formula holds in the last state, if there is one."""
    return always(implies(EMPTY, formula))


def keep(formula: Formula) -> Formula:
    """The formula holds from every state but the last."""
    return always(implies(MORE, formula))


def halt(formula: Formula) -> Formula:
    """The interval ends exactly where the formula first holds."""
    return always(iff(EMPTY, formula))


def parallel(left: Formula, right: Formula) -> Formula:
    """Both from here; the shorter one ends first. Two that never end go on together."""
    left_ends_first = and_(chop(left, TRUE), right)
    right_ends_first = and_(left, chop(right, TRUE))
    neither_ends = and_(and_(left, right), always(MORE))
    return or_(or_(left_ends_first, right_ends_first), neither_ends)


def release(left: Formula, right: Formula) -> Formula:
    """The right formula holds up to and including the state where the left one does, or for ever."""
    return not_(until(not_(left), not_(right)))


def weak_until(left: Formula, right: Formula) -> Formula:
    return or_(until(left, right), always(left))


FINITE = sometimes(EMPTY)
INFINITE = always(MORE)
