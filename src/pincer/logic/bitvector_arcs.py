"""Elimination of a bit-vector that is only bounded, equated and told apart: the exact cases of one circle of values.

A literal like `v + e <= f`, signed or unsigned, an equation or a disequation holds on one arc of the circle of values.
Going up from a value that is no solution to one that is, some literal becomes true: so v has a solution if and
only if one of the first points of the arcs is one, and the quantifier becomes a disjunction over these points.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from pincer.logic import bitvectors, terms
from pincer.logic.bitvector_sums import combination, constant, linear_parts, width
from pincer.logic.limits import LIMITS
from pincer.logic.terms import FALSE, TRUE, Term

RELATIONS = ("same", "bvule", "bvsle")


def linear_in(term: Term, v: Term) -> tuple[int, Term] | None:
    """The term as `c*v + e` without v in e."""
    coefficients, offset = linear_parts(term)
    c = 0
    others = []
    for factor, weight in coefficients:
        if factor is v:
            c = weight
        elif v in factor.variables:
            return None
        else:
            others.append((factor, weight))
    return c, combination(others, offset, width(term))


def _solution(atom: Term, v: Term) -> Term | None:
    """The value of v that an equation between words determines."""
    if atom.op != "same" or atom.args[0].sort is not v.sort:
        return None
    found = linear_in(bitvectors.binary("bvsub", *atom.args), v)
    if found is None or not found[0] & 1:
        return None
    bits = width(v)
    return combination(((found[1], -pow(found[0], -1, 1 << bits)),), 0, bits)


def _literal(part: Term) -> tuple[Term, bool]:
    return (part.args[0], False) if part.op == "not" else (part, True)


class _Bound(Struct, frozen=True):
    """`limit <= v` for a lower bound, `v <= limit` for an upper one; `strict` without equality."""

    limit: Term
    strict: bool
    lower: bool
    order: str


def _bound(part: Term, v: Term) -> _Bound | None:
    """A literal that bounds the plain variable."""
    atom, positive = _literal(part)
    if atom.op in ("bvule", "bvsle"):
        left, right = atom.args
        if left is v and v not in right.variables:
            return _Bound(right, not positive, not positive, atom.op)
        if right is v and v not in left.variables:
            return _Bound(left, not positive, positive, atom.op)
    return None


def by_bounds(touched: Sequence[Term], v: Term) -> Term | None:
    """Bounds of one signedness: each lower one must leave room below each upper one."""
    bounds = [_bound(part, v) for part in touched]
    known = [bound for bound in bounds if bound is not None]
    if len(known) < len(bounds) or len({bound.order for bound in known}) > 1:
        return None
    lower = [bound for bound in known if bound.lower]
    upper = [bound for bound in known if not bound.lower]
    if lower and upper:
        return terms.conjunction(*(_room_between(low, high) for low in lower for high in upper))
    bits = width(v)
    least = 0 if known[0].order == "bvule" else 1 << bits >> 1
    extreme = constant(least - 1 if lower else least, bits)
    return terms.conjunction(*(terms.negate(terms.equal(b.limit, extreme)) for b in known if b.strict))


def _room_between(low: _Bound, high: _Bound) -> Term:
    if not low.strict and not high.strict:
        return bitvectors.compare(low.order, low.limit, high.limit)
    less = terms.negate(bitvectors.compare(low.order, high.limit, low.limit))
    if low.strict and high.strict:
        next_above = combination(((low.limit, 1),), 1, width(low.limit))
        if low.limit.op == "bvconst" and less is not FALSE:
            above = terms.negate(bitvectors.compare(low.order, high.limit, next_above))
            return above if bitvectors.compare(low.order, low.limit, next_above) is TRUE else FALSE
        return terms.conjunction(less, terms.negate(terms.equal(next_above, high.limit)))
    return less


def by_points(touched: Sequence[Term], v: Term) -> Term | None:
    """Try the first point of every arc on which a literal holds.

    With a lower bound among the conjuncts, the least value of all need not be tried: a solution there is that bound.
    """
    formula = terms.conjunction(*touched)
    bounded = {bound.order for part in touched if (bound := _bound(part, v)) is not None and bound.lower}
    points: dict[Term, None] = {}
    signed_atoms = list(literals(formula, v))
    for part in signed_atoms:
        begin = _beginning(*part, v)
        if begin is None:
            return None
        bound = _bound(terms.literal(*part), v)
        if bound is None or bound.lower or bound.order not in bounded:
            points[begin] = None
    if len(points) * len(signed_atoms) > LIMITS.elimination_atoms:
        return None
    return either([terms.substitute(formula, {v: point}) for point in points])


def literals(formula: Term, v: Term) -> Iterator[tuple[Term, bool]]:
    """The atoms about v with the sign under which they occur; under an equivalence, with both."""
    pending = [(formula, True)]
    seen = set()
    while pending:
        term, positive = current = pending.pop()
        if current in seen or v not in term.variables:
            continue
        seen.add(current)
        if term.op in ("and", "or"):
            pending += [(part, positive) for part in reversed(term.args)]
        elif term.op == "not":
            pending.append((term.args[0], not positive))
        elif term.op == "iff":
            pending += [(part, sign) for part in term.args for sign in (True, False)]
        else:
            yield current


def _beginning(atom: Term, positive: bool, v: Term) -> Term | None:
    """The one value of v at which the literal becomes true when v grows by one; None if it is not of that kind."""
    if atom.op not in RELATIONS or atom.args[0].sort is not v.sort:
        return None
    bits = width(v)
    if atom.op == "same":
        value = _solution(atom, v)
        return value if value is None or positive else combination(((value, 1),), 1, bits)
    left, right = (linear_in(side, v) for side in atom.args)
    if left is None or right is None or (left[0] and right[0]):
        return None
    least = constant(0 if atom.op == "bvule" else 1 << bits >> 1, bits)
    # the side with v must lie between `first` and `last`, going up around the circle
    if left[0]:
        (c, shift), bound = left, right[1]
        first, last = (least, bound) if positive else (plus(bound, 1), plus(least, -1))
    else:
        (c, shift), bound = right, left[1]
        first, last = (bound, plus(least, -1)) if positive else (least, plus(bound, -1))
    if c == 1:
        return bitvectors.binary("bvsub", first, shift)
    return bitvectors.binary("bvsub", shift, last) if c == (1 << bits) - 1 else None


def plus(term: Term, offset: int) -> Term:
    return combination(((term, 1),), offset, width(term))


def either(cases: Sequence[Term]) -> Term:
    """A disjunction without disjuncts that another one covers."""
    refuted = {terms.negate(case) for case in cases if case.op not in ("and", "or")}
    all_parts = (frozenset(terms.conjuncts(case)) for case in cases if case is not FALSE)
    parts = dict.fromkeys(part if len(part) == 1 else part - refuted for part in all_parts)
    kept = [part for part in parts if not any(other < part for other in parts)]
    return terms.disjunction(*(terms.conjunction(*part) for part in kept))
