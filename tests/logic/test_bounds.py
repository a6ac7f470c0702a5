"""Intervals per linear form: equivalent to what was assumed, never wrong, complete on one form."""

from __future__ import annotations

from random import Random

import pytest

from pincer.logic import terms
from pincer.logic.bounds import FormBounds
from pincer.logic.evaluation import evaluate
from pincer.logic.terms import Term
from tests.logic.random_literals import all_hold, box, linear_form, relation

X, Y = terms.variable("x"), terms.variable("y")
BOX = list(box((X, Y), 7))


def random_literals(rng: Random, count: int) -> list[Term]:
    forms = [linear_form(rng, (X, Y), 2, divisions=True) for _ in range(rng.randint(1, 3))]
    return [relation(rng, rng.choice(forms), 5) for _ in range(count)]


@pytest.mark.parametrize("block", range(6))
def test_the_literals_are_equivalent_to_what_was_assumed(block: int) -> None:
    rng = Random(block)
    for _ in range(60):
        formulas = random_literals(rng, rng.randint(1, 7))
        if rng.random() < 0.2:
            formulas.append(terms.disjunction(*random_literals(rng, 2)))
        literals = FormBounds(formulas).literals()
        for model in BOX:
            assert all_hold(formulas, model) == all_hold(literals, model), (formulas, literals, model)


@pytest.mark.parametrize("block", range(6))
def test_what_is_decided_is_so_at_every_point(block: int) -> None:
    rng = Random(50 + block)
    for _ in range(50):
        formulas = random_literals(rng, rng.randint(1, 6))
        bounds = FormBounds(formulas)
        models = [model for model in BOX if all_hold(formulas, model)]
        assert not (bounds.contradictory and models)
        for question in random_literals(rng, 6) + formulas:
            truth = bounds.decide(question)
            if truth is not None and not bounds.contradictory:
                assert all(bool(evaluate(question, model)) == truth for model in models), (formulas, question)


@pytest.mark.parametrize("block", range(4))
def test_one_form_is_decided_completely(block: int) -> None:
    rng = Random(100 + block)
    for _ in range(150):
        formulas = [relation(rng, X, 5) for _ in range(rng.randint(1, 6))]
        bounds = FormBounds(formulas)
        points = [x for x in range(-20, 21) if all_hold(formulas, {X: x})]
        assert bounds.contradictory == (not points)
        if not points:
            assert bounds.literals() == [terms.FALSE]
            continue
        for question in [relation(rng, X, 6) for _ in range(8)]:
            truths = {bool(evaluate(question, {X: x})) for x in points}
            assert bounds.decide(question) == (truths.pop() if len(truths) == 1 else None), (formulas, question)


def test_assumptions_may_come_in_any_order() -> None:
    rng = Random(7)
    for _ in range(60):
        formulas = random_literals(rng, 5)
        shuffled = rng.sample(formulas, len(formulas))
        assert set(FormBounds(formulas).literals()) == set(FormBounds(shuffled).literals())


def test_excluded_values_eat_up_an_interval() -> None:
    formulas = [terms.negate(terms.equal(X, terms.integer(v))) for v in (2, 0, 1)]
    formulas += [terms.at_most(terms.integer(0), X), terms.at_most(X, terms.integer(3))]
    bounds = FormBounds(formulas)
    assert bounds.literals() == [terms.equal(X, terms.integer(3))]
    bounds.assume(terms.negate(terms.equal(X, terms.integer(3))))
    assert bounds.contradictory


def test_constants() -> None:
    assert FormBounds([terms.TRUE]).literals() == []
    assert FormBounds([terms.FALSE]).contradictory
    assert FormBounds().decide(terms.TRUE) is None
