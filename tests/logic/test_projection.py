"""Projection is exact: a point satisfies it if and only if some hidden values exist there."""

from __future__ import annotations

from random import Random

import pytest

from pincer.logic import terms
from pincer.logic.evaluation import evaluate
from pincer.logic.projection import eliminate_simply, project
from pincer.logic.queries import Queries
from pincer.logic.terms import Term
from pincer.logic.z3_solver import Z3Solver
from tests.logic.random_literals import all_hold, box, linear_form, relation, within

X, Y = terms.variable("x"), terms.variable("y")
E, F = terms.variable("e"), terms.variable("f")
POINTS = list(box((X, Y), 4))
HIDDEN = list(box((E, F), 3))


def random_constraints(rng: Random) -> list[Term]:
    size, divisions = rng.choice((1, 3)), rng.random() < 0.5
    forms = [linear_form(rng, (X, Y, E, F), size, divisions) for _ in range(rng.randint(1, 3))]
    forms += [linear_form(rng, (E, rng.choice((X, F))), size, divisions=False)]
    constraints = [relation(rng, rng.choice(forms), 4) for _ in range(rng.randint(2, 4))]
    if rng.random() < 0.2:
        constraints.append(terms.disjunction(*(relation(rng, form, 3) for form in forms[:2])))
    return constraints


@pytest.mark.parametrize("block", range(8))
def test_projecting_bounded_symbols_is_what_enumeration_finds(block: int) -> None:
    rng = Random(block)
    for _ in range(30):
        constraints = random_constraints(rng) + within((E, F), 3)
        result = project(constraints, [E, F])
        assert result.variables <= {X, Y}
        for point in POINTS:
            exists = any(all_hold(constraints, point | hidden) for hidden in HIDDEN)
            assert evaluate(result, point) == exists, (constraints, result, point)


@pytest.mark.parametrize("block", range(8))
def test_projecting_unbounded_symbols_is_what_the_solver_finds_point_by_point(block: int) -> None:
    rng = Random(100 + block)
    queries = Queries(Z3Solver())
    for _ in range(40):
        constraints = random_constraints(rng)
        result = project(constraints, rng.sample([E, F], 2))
        assert result.variables <= {X, Y}
        for point in rng.sample(POINTS, 12):
            placed = {v: terms.integer(value) for v, value in point.items()}
            exists = queries.satisfiable([terms.substitute(c, placed) for c in constraints], "oracle")
            assert evaluate(result, point) == exists, (constraints, result, point)


@pytest.mark.parametrize("block", range(4))
def test_simple_elimination_is_exact_or_declined(block: int) -> None:
    rng = Random(200 + block)
    queries = Queries(Z3Solver())
    done = 0
    for _ in range(40):
        constraints = [c for c in random_constraints(rng) if c.op != "or"]
        simpler = eliminate_simply(constraints, E)
        if simpler is None:
            continue
        done += 1
        for point in rng.sample(POINTS, 8):
            values = point | {F: rng.randint(-3, 3)}
            placed = {v: terms.integer(value) for v, value in values.items()}
            exists = queries.satisfiable([terms.substitute(c, placed) for c in constraints], "oracle")
            assert all_hold(simpler, values) == exists, (constraints, simpler, values)
    assert done > 5


@pytest.mark.parametrize(
    ("constraints", "holds"),
    [
        ([terms.equal(X, terms.scale(2, E))], lambda x: x % 2 == 0),
        ([terms.equal(X, terms.scale(2, E)), terms.equal(X, terms.scale(3, F))], lambda x: x % 6 == 0),
        (
            [terms.at_most(terms.scale(3, E), X), terms.at_most(X, terms.add(terms.scale(3, E), terms.integer(1)))],
            lambda x: x % 3 in (0, 1),
        ),
        ([terms.equal(terms.divide(E, 3), X), terms.equal(terms.modulo(E, 3), terms.integer(2))], lambda x: True),
        ([terms.equal(terms.modulo(E, 4), X)], lambda x: 0 <= x < 4),
        ([terms.negate(terms.equal(E, X)), terms.negate(terms.equal(E, terms.integer(0)))], lambda x: True),
        (
            [
                terms.negate(terms.equal(E, X)),
                terms.at_most(terms.integer(0), E),
                terms.at_most(E, terms.integer(1)),
                terms.negate(terms.equal(E, terms.integer(1))),
            ],
            lambda x: x != 0,
        ),
        ([terms.FALSE], lambda x: False),
        ([], lambda x: True),
    ],
)
def test_projections_by_hand(constraints: list[Term], holds: object) -> None:
    assert callable(holds)
    result = project(constraints, [E, F])
    for x in range(-13, 14):
        assert evaluate(result, {X: x}) == bool(holds(x)), (result, x)


def test_disequalities_can_use_up_all_room_between_bounds() -> None:
    different = [terms.negate(terms.equal(E, other)) for other in (X, Y)]
    two_values = project([*different, *within_interval(E, terms.integer(0), terms.integer(1))], [E])
    not_two = terms.negate(terms.equal(E, terms.integer(2)))
    between = project([not_two, *within_interval(E, X, Y)], [E])
    for point in POINTS:
        x, y = point[X], point[Y]
        assert evaluate(two_values, point) == ({x, y} != {0, 1}), (two_values, point)
        assert evaluate(between, point) == any(e != 2 for e in range(x, y + 1)), (between, point)


def test_a_remainder_among_the_excluded_values() -> None:
    remainder = terms.modulo(terms.add(X, Y), 4)
    different = [terms.negate(terms.equal(E, other)) for other in (terms.integer(1), remainder)]
    result = project([*different, *within_interval(E, terms.integer(0), terms.integer(2))], [E])
    assert all(evaluate(result, point) for point in POINTS)


@pytest.mark.parametrize("block", range(4))
def test_remainders_and_quotients_between_bounds(block: int) -> None:
    rng = Random(300 + block)
    for _ in range(60):
        low, modulus = rng.randint(-1, 1), rng.randint(2, 4)
        constraints = within_interval(E, terms.integer(low), terms.integer(low + rng.randint(0, 3)))
        for _ in range(rng.randint(1, 3)):
            form = linear_form(rng, (X, Y), 2, divisions=False)
            other = rng.choice(
                [terms.modulo(form, modulus), terms.divide(terms.add(form, E), modulus), terms.add(X, E)]
            )
            equation = terms.equal(E, other)
            constraints.append(rng.choice([terms.negate(equation), equation, terms.at_most(terms.scale(2, E), other)]))
        result = project(constraints, [E])
        for point in rng.sample(POINTS, 20):
            exists = any(all_hold(constraints, point | {E: e}) for e in range(-1, 5))
            assert evaluate(result, point) == exists, (constraints, result, point)


def within_interval(symbol: Term, low: Term, high: Term) -> list[Term]:
    return [terms.at_most(low, symbol), terms.at_most(symbol, high)]


@pytest.mark.parametrize(
    "big",
    [
        10**9,
        2**63 - 1,
        pytest.param(
            10**30,
        ),
    ],
)
def test_huge_coefficients_stay_exact(big: int) -> None:
    result = project([terms.equal(X, terms.combination([(E, big), (F, 0)], 7))], [E])
    for k in (-2, 0, 3):
        assert evaluate(result, {X: k * big + 7}) == 1
        assert evaluate(result, {X: k * big + 8}) == 0


def test_nothing_to_eliminate_keeps_the_constraints() -> None:
    constraint = terms.at_most(X, Y)
    assert project([constraint, constraint], []) is constraint
    assert project([constraint], [E]) is constraint
