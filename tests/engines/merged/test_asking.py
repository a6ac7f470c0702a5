"""Guards are answered from what is known before the solver is asked."""

from __future__ import annotations

import pytest

from pincer.engines.merged.asking import Asking
from pincer.engines.merged.conditions import Conditions
from pincer.engines.merged.limits import LIMITS
from pincer.logic import bitvectors, terms
from pincer.logic.bitvectors import compare, constant, variable
from pincer.logic.decision_diagrams import FALSE, TRUE
from pincer.runtime.run import Run

X, Y = variable("x", 32), variable("y", 32)


@pytest.fixture
def asking() -> Asking:
    return Asking(Run(), Conditions())


def test_conditions_on_bits_need_no_solver(asking: Asking) -> None:
    guard = asking.conditions.function(terms.equal(X, constant(77, 32)))
    model = asking.model((guard,))
    assert model is not None
    assert model.symbols[X] == 77
    assert asking.model((FALSE,)) is None
    assert asking.is_possible(TRUE, 1)
    assert asking.questions.solved == 0


def test_relations_are_asked_once(asking: Asking) -> None:
    function = asking.conditions.function
    less = function(terms.negate(compare("bvule", Y, X)))
    more = function(terms.negate(compare("bvule", X, Y)))
    neither = asking.conditions.diagrams.both(less, more)
    assert not asking.is_possible(neither, 1)
    assert not asking.is_possible(neither, 1)
    assert asking.questions.solved == 1
    model = asking.model((less,))
    assert model is not None and model.symbols.get(X, 0) < model.symbols.get(Y, 0)
    assert asking.model((less,)) is model


def test_the_model_of_several_guards_satisfies_one_of_them(asking: Asking) -> None:
    function = asking.conditions.function
    product = bitvectors.binary("bvmul", X, Y)
    guards = [function(terms.equal(product, constant(number, 32))) for number in (35, 36)]
    never = asking.conditions.diagrams.both(*guards)
    model = asking.model((never, *guards))
    assert model is not None
    assert any(map(model.satisfies, guards))
    assert not model.satisfies(never)


def test_after_long_work_in_vain_only_later_rounds_are_asked_about(asking: Asking) -> None:
    factors = variable("p", 32), variable("q", 32)
    wide = [bitvectors.extend(factor, 32, False) for factor in factors]
    hard = terms.conjunction(
        terms.equal(bitvectors.binary("bvmul", *wide), constant(4_292_870_399 * 4_294_049_777, 64)),
        *(compare("bvule", constant(2, 32), factor) for factor in factors),
    )
    assert asking.is_possible(asking.conditions.function(hard), 1)
    asked = asking.questions.solved
    assert asking.questions.effort > LIMITS.effort_per_round
    other = asking.conditions.function(terms.equal(*factors))
    assert asking.is_possible(other, 1)
    assert asking.questions.solved == asked
    assert asking.is_possible(other, asking.questions.effort)
    assert asking.questions.solved == asked + 1
