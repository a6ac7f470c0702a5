"""Terms written for a solver mean what they meant when they are read again."""

from __future__ import annotations

from random import Random

import pytest

from pincer.logic import terms
from pincer.logic.evaluation import evaluate
from pincer.logic.s_expressions import NotReadable, formula, integer, numeral, parsed, written
from pincer.logic.terms import Term

X, Y = terms.variable("x"), terms.variable("y")
ARGUMENTS = (X, Y)
NAMES = {X: "(:var 0)", Y: "(:var 1)"}


def random_number(rng: Random, depth: int) -> Term:
    if depth == 0:
        return rng.choice([X, Y, terms.integer(rng.randint(-5, 5))])
    left, right = random_number(rng, depth - 1), random_number(rng, depth - 1)
    return rng.choice(
        [
            terms.add(left, right),
            terms.subtract(left, right),
            terms.scale(rng.randint(-3, 3), left),
            terms.divide(left, rng.randint(1, 4)),
            terms.modulo(left, rng.randint(1, 4)),
            terms.conditional(random_formula(rng, depth - 1), left, right),
        ]
    )


def random_formula(rng: Random, depth: int) -> Term:
    if depth == 0:
        left, right = random_number(rng, 0), random_number(rng, 0)
        return rng.choice([terms.at_most, terms.less, terms.equal])(left, right)
    left, right = random_formula(rng, depth - 1), random_formula(rng, depth - 1)
    return rng.choice(
        [terms.conjunction(left, right), terms.disjunction(left, right), terms.negate(left), terms.iff(left, right)]
    )


def test_a_formula_that_was_written_is_read_as_one_with_the_same_values() -> None:
    rng = Random(5)
    for _ in range(300):
        term = terms.at_most(random_number(rng, 2), random_number(rng, 2))
        (tree,) = parsed(written(term, NAMES))
        again = formula(tree, ARGUMENTS)
        for _ in range(10):
            point = {X: rng.randint(-9, 9), Y: rng.randint(-9, 9)}
            assert evaluate(again, point) == evaluate(term, point)


def test_comparisons_and_minus_as_z3_writes_them() -> None:
    (tree,) = parsed("(and (not (>= (:var 0) (- 3))) (< (- (:var 1) (:var 0) 1) 2) (=> (> (:var 0) 1) false))")
    expected = terms.conjunction(
        terms.less(X, terms.integer(-3)),
        terms.less(terms.combination(((Y, 1), (X, -1)), -1), terms.integer(2)),
        terms.at_most(X, terms.integer(1)),
    )
    assert formula(tree, ARGUMENTS) is expected


def test_numerals_have_no_sign() -> None:
    assert [numeral(n) for n in (0, 7, -7)] == ["0", "7", "(- 7)"]


@pytest.mark.parametrize("text", ["(* (:var 0) (:var 1))", "(mod (:var 0) 0)", "(f 1)", "word"])
def test_what_is_not_linear_is_not_read(text: str) -> None:
    with pytest.raises(NotReadable):
        integer(parsed(text)[0], ARGUMENTS)


def test_what_is_no_formula_is_not_read() -> None:
    with pytest.raises(NotReadable):
        formula(parsed("(exists ((x Int)) true)")[0], ARGUMENTS)
