"""What environments say follows from what they were told."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from pincer.analysis.environments import Environment, largest
from pincer.logic.bitvectors import binary, combination, compare, constant, extend, load, variable
from pincer.logic.evaluation import evaluate
from pincer.logic.terms import TRUE, Term, conjunction, disjunction, equal, negate
from tests.program.named_registers import register

X, Y, Z = (register(name, 4) for name in ("x", "y", "f::z"))
NOTHING = Environment(frozenset())


def number(value: int) -> Term:
    return constant(value, 4)


def where(*conditions: Term) -> Environment:
    known = NOTHING.where(conjunction(*conditions))
    assert known is not None
    return known


def holds(condition: Term, values: dict[Term, int]) -> bool:
    return condition is TRUE or bool(evaluate(condition, values))


def test_a_constant_is_put_into_later_terms() -> None:
    known = NOTHING.assigned(X, number(3)).assigned(Y, combination([(X, 2)], 1, 4))
    assert known.value(Y) is number(7)


def test_a_copy_of_an_unknown_value_is_remembered_with_what_is_known_of_the_original() -> None:
    known = where(negate(equal(X, number(0)))).assigned(Y, X)
    assert known.where(negate(equal(X, Y))) is None
    assert known.where(equal(Y, number(0))) is None


def test_a_copy_outlives_the_original() -> None:
    known = where(negate(equal(X, number(0)))).assigned(Y, X).without([X])
    assert known.where(equal(Y, number(0))) is None
    assert known.where(equal(X, number(0))) is not None


def test_an_assignment_that_reads_the_register_it_changes_keeps_no_old_fact() -> None:
    known = where(compare("bvule", X, number(3))).assigned(X, combination([(X, 1)], 1, 4))
    assert known.where(equal(X, number(4))) is not None


def test_a_decided_condition_stays_decided() -> None:
    condition = compare("bvsle", X, Y)
    assert where(condition).where(negate(condition)) is None
    assert where(negate(condition)).where(condition) is None


def test_a_value_that_is_learnt_later_decides_earlier_conditions() -> None:
    assert where(compare("bvule", X, Y)).where(conjunction(equal(X, number(3)), equal(Y, number(2)))) is None


def test_the_last_way_out_of_a_choice_is_taken() -> None:
    either = disjunction(equal(X, number(1)), equal(Y, number(2)))
    known = where(negate(equal(X, number(1)))).where(either)
    assert known is not None and known.value(Y) is number(2)


def test_conditions_on_memory_are_not_remembered() -> None:
    zero = equal(load(variable("p", 64), 4), constant(0, 32))
    assert where(zero).literals == frozenset()


@pytest.mark.parametrize("limit", [15, 16, 200])
def test_a_widened_value_is_bounded_by_its_width(limit: int) -> None:
    wide = variable("wide", 8)
    known = NOTHING.assigned(wide, extend(variable("narrow", 4), 4, False))
    assert known.where(negate(compare("bvule", wide, constant(limit, 8)))) is None


@pytest.mark.parametrize("seed", range(60))
def test_bounds_and_environments_hold_for_every_value(seed: int) -> None:
    rng = Random(seed)
    conditions = [_condition(rng) for _ in range(rng.randint(1, 4))]
    value = _value(rng, 2)
    known = NOTHING.where(conjunction(*conditions))
    for x, y, z in product(range(16), repeat=3):
        values = {X: x, Y: y, Z: z}
        if all(holds(condition, values) for condition in conditions):
            assert known is not None
            assert holds(known.formula, values)
            assert evaluate(value, values) <= largest(value, known.literals)
            after = known.assigned(X, value)
            assert holds(after.formula, {**values, X: evaluate(value, values)})


def _condition(rng: Random) -> Term:
    left, right = _value(rng, 1), _value(rng, 1)
    atom = equal(left, right) if rng.random() < 0.5 else compare(rng.choice(("bvule", "bvsle")), left, right)
    if rng.random() < 0.2:
        atom = disjunction(atom, _condition(rng))
    return atom if rng.random() < 0.5 else negate(atom)


def _value(rng: Random, depth: int) -> Term:
    if not depth or rng.random() < 0.4:
        return rng.choice((X, Y, Z, number(rng.randrange(16))))
    left, right = _value(rng, depth - 1), _value(rng, depth - 1)
    operation = rng.choice(("bvadd", "bvsub", "bvand", "bvurem", "bvsrem"))
    return binary(operation, left, right if operation != "bvurem" else number(rng.randrange(1, 16)))
