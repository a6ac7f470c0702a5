"""Values: terms of the right sort, none where they say nothing, and none that grow without end."""

from __future__ import annotations

import pytest

from pincer.execution.msvl.values import (
    NIL,
    NULL_POINTER,
    Concrete,
    PointerValue,
    Value,
    condition_term,
    integer_term,
    is_true,
    stored,
    symbolic_value,
    too_large,
)
from pincer.logic import terms
from pincer.logic.evaluation import evaluate
from pincer.logic.terms import Term

X = terms.variable("x")
POSITIVE = terms.negate(terms.at_most(X, terms.integer(0)))


@pytest.mark.parametrize("number", [-2, 0, 1, 5])
def test_conditions_and_numbers_become_each_other(number: int) -> None:
    values = {X: number}
    assert evaluate(integer_term(Value(0, POSITIVE)), values) == int(number > 0)
    assert bool(evaluate(condition_term(Value(0, X)), values)) == (number != 0)
    assert bool(evaluate(condition_term(Value(0, POSITIVE)), values)) == (number > 0)


def test_cells_hold_numbers_only() -> None:
    kept = stored(Value(1, POSITIVE))
    assert kept.concrete == 1 and kept.symbolic is not None and kept.symbolic.sort is terms.INT
    assert stored(Value(1, X)) == Value(1, X) and stored(Value("text")) == Value("text")


def test_a_term_that_is_constant_is_dropped() -> None:
    for constant in (terms.integer(7), terms.TRUE, terms.FALSE):
        assert symbolic_value(7, constant) == Value(7)
    assert symbolic_value(7, X) == Value(7, X)


@pytest.mark.parametrize(
    ("concrete", "truth"),
    [(0, False), (-1, True), (0.0, False), (NULL_POINTER, False), (PointerValue(4, 0, None, 0, 1, 0), True)],
)
def test_what_counts_as_true(concrete: Concrete, truth: bool) -> None:
    assert is_true(concrete) == truth
    assert repr(NIL) == "NIL"


def _nested(depth: int) -> Term:
    """A sum of conditionals, with twice as many cases for each level."""
    total = terms.integer(0)
    for n in range(depth):
        chosen = terms.conditional(terms.at_most(X, terms.integer(n)), terms.variable(f"y{n}"), terms.variable(f"z{n}"))
        total = terms.add(total, chosen)
    return total


def test_terms_with_many_cases_or_symbols_are_too_large() -> None:
    assert not too_large(X) and not too_large(_nested(4))
    assert too_large(_nested(5))
    names = [terms.variable(f"v{n}") for n in range(500)]
    assert not too_large(terms.add(*names[:100])) and too_large(terms.add(*names))
