"""Elimination on the circle of values, against trying all values of a few bits."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from pincer.logic import bitvectors as bv
from pincer.logic import terms
from pincer.logic.bitvector_arcs import by_bounds, by_points, either, linear_in, literals
from pincer.logic.evaluation import evaluate
from pincer.logic.terms import FALSE, Term

BITS = 3
V, A, B = (bv.variable(f"{name}{BITS}", BITS) for name in "vab")
SIZE = 1 << BITS


def bound(rng: Random, order: str) -> Term:
    """A literal that bounds the plain variable from one side, strictly or not."""
    limit = rng.choice([A, B, bv.constant(rng.randrange(SIZE), BITS), bv.binary("bvadd", A, B)])
    sides = (V, limit) if rng.random() < 0.5 else (limit, V)
    return terms.literal(bv.compare(order, *sides), rng.random() < 0.5)


def arc(rng: Random) -> Term:
    """A literal that holds on one arc: a bound on `v + e` or on `e - v`, an equation or a disequation."""
    shift = rng.choice([A, B, bv.constant(rng.randrange(SIZE), BITS)])
    side = rng.choice([V, bv.binary("bvadd", V, shift), bv.binary("bvsub", shift, V)])
    limit = rng.choice([A, B, bv.constant(rng.randrange(SIZE), BITS)])
    op = rng.choice(["same", "bvule", "bvsle"])
    sides = (side, limit) if rng.random() < 0.5 else (limit, side)
    atom = terms.equal(*sides) if op == "same" else bv.compare(op, *sides)
    return terms.literal(atom, rng.random() < 0.5)


def assert_eliminated(touched: Sequence[Term], found: Term) -> None:
    formula = terms.conjunction(*touched)
    assert V not in found.variables
    for a in range(SIZE):
        for b in range(SIZE):
            values = {A: a, B: b}
            expected = any(evaluate(formula, {**values, V: v}) for v in range(SIZE))
            assert evaluate(found, values) == expected, (touched, found, values)


@pytest.mark.parametrize("order", ["bvule", "bvsle"])
def test_bounds_of_one_signedness_leave_room_between_them(order: str) -> None:
    rng = Random(order)
    decided = 0
    for _ in range(150):
        touched = [part for part in (bound(rng, order) for _ in range(rng.randint(1, 4))) if V in part.variables]
        found = by_bounds(touched, V) if touched else None
        if found is not None:
            decided += 1
            assert_eliminated(touched, found)
    # A constant limit at an end or in the middle of an order has another name: an equation, or the other order.
    assert decided > 75


def test_bounds_of_both_signednesses_are_left_to_others() -> None:
    assert by_bounds([bv.compare("bvule", V, A), bv.compare("bvsle", B, V)], V) is None
    assert by_bounds([terms.equal(V, A)], V) is None


def test_the_first_points_of_the_arcs_decide() -> None:
    rng = Random(2)
    for _ in range(250):
        parts = [arc(rng) for _ in range(rng.randint(1, 4))]
        if rng.random() < 0.3:
            parts.append(terms.disjunction(arc(rng), arc(rng)))
        touched = [part for part in terms.conjuncts(terms.conjunction(*parts)) if V in part.variables]
        if touched:
            found = by_points(touched, V)
            assert found is not None, touched
            assert_eliminated(touched, found)


def test_points_are_not_tried_where_the_variable_is_multiplied() -> None:
    doubled = bv.binary("bvmul", bv.constant(2, BITS), V)
    assert by_points([bv.compare("bvule", doubled, A)], V) is None
    assert by_points([bv.compare("bvule", bv.binary("bvmul", V, A), B)], V) is None


def test_a_sum_is_split_into_the_variable_and_the_rest() -> None:
    total = bv.binary("bvadd", bv.binary("bvmul", bv.constant(3, BITS), V), bv.binary("bvadd", A, bv.constant(1, BITS)))
    assert linear_in(total, V) == (3, bv.binary("bvadd", A, bv.constant(1, BITS)))
    assert linear_in(A, V) == (0, A)
    assert linear_in(bv.binary("bvmul", V, V), V) is None


def test_literals_come_with_the_signs_under_which_they_occur() -> None:
    first, second, third = bv.compare("bvule", V, A), bv.compare("bvsle", V, B), terms.equal(V, A)
    formula = terms.conjunction(terms.negate(first), terms.disjunction(second, bv.compare("bvule", A, B)))
    assert set(literals(formula, V)) == {(first, False), (second, True)}
    assert set(literals(terms.iff(second, third), V)) == {
        (atom, sign) for atom in (second, third) for sign in (True, False)
    }


def test_covered_disjuncts_are_left_out() -> None:
    p, q, r = (terms.variable(name, terms.BOOL) for name in "pqr")
    assert either([p, terms.conjunction(p, q)]) is p
    assert either([p, terms.conjunction(terms.negate(p), q)]) is terms.disjunction(p, q)
    assert either([FALSE, terms.conjunction(q, r)]) is terms.conjunction(q, r)
    assert either([]) is FALSE
