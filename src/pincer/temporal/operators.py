"""The operators of PPTL, with the simplifications that are sound on finite and on infinite intervals alike."""

from __future__ import annotations

from collections.abc import Sequence

from pincer.temporal.cubes import disjuncts
from pincer.temporal.formula import (
    EMPTY,
    EMPTY_ATOM,
    FALSE,
    MORE,
    TRUE,
    Formula,
    and_,
    at_end,
    disjunction,
    iff,
    implies,
    is_state_formula,
    literal,
    make_atom,
    not_,
    or_,
    single_atom,
)
from pincer.temporal.limits import DEFAULT_LIMITS


def prop(name: str) -> Formula:
    return literal(make_atom("prop", name=name))


def length(steps: int) -> Formula:
    """The interval has `steps` steps, that is one state more."""
    return EMPTY if steps == 0 else literal(make_atom("len", length=steps))


def next_(formula: Formula) -> Formula:
    """There is a next state, and the formula holds from there (strong next).

    `()A` and `()!A` share one atom, by `!()A = empty || ()!A`.
    """
    if formula is TRUE:
        return MORE
    if formula is FALSE:
        return FALSE
    if formula is EMPTY:
        return length(1)
    atom = single_atom(formula)
    if atom is not None and atom.kind == "len":
        return length(atom.length + 1)
    if _holds_when_all_is_false(formula):
        return and_(MORE, not_(next_(not_(formula))))
    return literal(make_atom("next", parts=(formula,)))


def _holds_when_all_is_false(formula: Formula) -> bool:
    while formula.atom is not None:
        formula = formula.low
    return formula is TRUE


def chop(left: Formula, right: Formula) -> Formula:
    """The left formula on a finite prefix, the right one from its last state on.

    `P;empty` is not `P` (only finite intervals satisfy it), and a left chop stays where it is: re-associating
    `(P;P+);R` would hide that the iteration must end.
    """
    if left is FALSE or right is FALSE:
        return FALSE
    if left is TRUE and right is TRUE:
        return TRUE
    if left.atom is EMPTY_ATOM and left.high is not FALSE:
        longer = left.low if implies(at_end(left.low), left.high) is TRUE else and_(MORE, left.low)
        return or_(and_(left.high, right), chop(longer, right))
    return disjunction(_chop_atom(first, second) for first in _disjuncts(left) for second in _disjuncts(right))


def _disjuncts(formula: Formula) -> tuple[Formula, ...]:
    """Chop distributes over disjunctions, of state formulas not (they stay readable as they are)."""
    if formula.atom is None or is_state_formula(formula):
        return (formula,)
    parts = disjuncts(formula)
    return parts if len(parts) <= DEFAULT_LIMITS.disjuncts else (formula,)


def _chop_atom(left: Formula, right: Formula) -> Formula:
    if left is EMPTY:
        return right
    if left is TRUE:
        inner = single_atom(right)
        if inner is not None and inner.kind == "chop" and inner.parts[0] is TRUE:
            return right
        if right is TRUE:
            return TRUE
    return literal(make_atom("chop", parts=(left, right)))


def plus(formula: Formula) -> Formula:
    """One or more pieces, or infinitely many finite ones, each satisfying the formula."""
    if formula in (FALSE, EMPTY, TRUE):
        return formula
    atom = single_atom(formula)
    if atom is not None and atom.kind == "plus":
        return formula
    return literal(make_atom("plus", parts=(formula,)))


def until(left: Formula, right: Formula) -> Formula:
    """The right formula holds from some state on, and the left one from every state before."""
    if left is TRUE:
        return chop(TRUE, right)
    if left is FALSE or right in (TRUE, FALSE):
        return right
    return literal(make_atom("until", parts=(left, right)))


def projection(parts: Sequence[Formula], projected: Formula) -> Formula:
    """`(P1,..,Pm) prj Q`: the parts one after another, Q on the interval of the states where they meet.

    An empty part can be left out unless it is the last of several: there it says that the part before it ends.
    """
    if not parts:
        return projected
    *others, last = parts
    kept = (*(part for part in others if part is not EMPTY), last)
    if kept == (EMPTY,):
        return projected
    if projected is FALSE or FALSE in kept:
        return FALSE
    if projected is EMPTY:
        return chop_chain(kept)
    return literal(make_atom("prj", parts=(*kept, projected)))


def chop_chain(formulas: tuple[Formula, ...]) -> Formula:
    result = formulas[-1]
    for formula in reversed(formulas[:-1]):
        result = chop(formula, result)
    return result


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
