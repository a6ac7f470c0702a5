"""The solver's part: conditions that do not matter are left away, answers name what is impossible."""

from __future__ import annotations

from random import Random

import pytest

from pincer.engines.questions import LIMITS, Feasible, Infeasible, Questions, relevant
from pincer.execution.machine import World
from pincer.execution.testing import extended
from pincer.logic import bitvectors, terms
from pincer.logic.solver import SolverUnknown
from pincer.logic.terms import Term
from pincer.runtime.reasons import Reason
from pincer.runtime.run import Run, Stopped

INPUTS = [bitvectors.variable(f"input{i}", 8) for i in range(6)]


def number(value: int) -> Term:
    return bitvectors.constant(value, 8)


def below(left: Term, right: Term) -> Term:
    return bitvectors.compare("bvult", left, right)


def holds(formula: Term, model: dict[Term, int]) -> bool:
    return bool(World.evaluate_symbols(formula, model))


def test_conditions_are_relevant_through_shared_symbols_only() -> None:
    a, b, c, d, *_ = INPUTS
    path = [below(a, b), below(c, d), below(b, number(9)), below(d, number(4))]
    assert set(relevant(extended(None, path), [below(number(3), a)])) == {path[0], path[2]}
    assert relevant(extended(None, path), [terms.TRUE]) == []
    assert relevant(None, [below(a, b)]) == []


def test_a_model_satisfies_the_path_and_the_goals() -> None:
    a, b, *_ = INPUTS
    path, goals = [below(a, b), below(number(200), b)], [below(number(100), a)]
    answer = Questions(Run()).extend(extended(None, path), goals)
    assert isinstance(answer, Feasible)
    assert all(holds(formula, answer.model) for formula in (*path, *goals))


def test_the_core_of_an_answer_names_goals_that_are_impossible_together() -> None:
    a, b, *_ = INPUTS
    goals = [below(number(7), b), below(a, number(3)), below(number(1), b)]
    answer = Questions(Run()).extend(extended(None, [below(number(5), a)]), goals)
    assert answer == Infeasible((1,))


def test_constant_goals_need_no_solver() -> None:
    questions = Questions(Run())
    path = extended(None, [below(INPUTS[0], number(3))])
    assert questions.extend(path, [terms.TRUE, terms.FALSE]) == Infeasible((1,))
    assert questions.extend(path, [terms.TRUE]) == Feasible({})
    assert (questions.asked, questions.solved) == (2, 0)


def test_the_same_question_is_solved_once_and_counted_twice() -> None:
    questions = Questions(Run())
    path, goals = extended(None, [below(INPUTS[0], number(3))]), [below(number(1), INPUTS[0])]
    assert questions.extend(path, goals) is questions.extend(path, goals)
    unrelated = extended(path, [below(INPUTS[4], INPUTS[5])])
    questions.extend(unrelated, goals)
    assert (questions.asked, questions.solved) == (3, 1)


@pytest.mark.parametrize("seed", range(25))
def test_slicing_does_not_change_the_answer(seed: int) -> None:
    rng = Random(seed)

    def condition() -> Term:
        left, right = rng.sample(INPUTS, 2)
        return below(bitvectors.binary("bvadd", left, number(rng.randrange(4))), rng.choice((right, number(4))))

    planned = {symbol: rng.randrange(256) for symbol in INPUTS}
    path = [each for each in (condition() for _ in range(12)) if holds(each, planned)]
    goals = [condition() for _ in range(3)]
    questions = Questions(Run())
    answer = questions.extend(extended(None, path), goals)
    whole = questions.satisfiable([*path, *goals])
    assert isinstance(answer, Feasible) == (whole is not None)
    if isinstance(answer, Feasible):
        model = planned | answer.model
        assert all(holds(formula, model) for formula in (*path, *goals))
    else:
        assert questions.satisfiable([*path, *(goals[i] for i in answer.core)]) is None


def test_assumptions_that_contradict_formulas_with_reads_are_found() -> None:
    address = bitvectors.variable("p", 64)
    read = bitvectors.load(address, 1)
    questions = Questions(Run())
    assumed = [below(INPUTS[0], number(9)), terms.equal(read, number(3))]
    assert questions.core([below(number(5), read)], assumed) == (1,)
    assert questions.core([below(number(1), read)], assumed) is None


def test_a_stopped_run_asks_nothing_more() -> None:
    run = Run()
    questions = Questions(run)
    run.stop(Reason("enough"))
    with pytest.raises(Stopped):
        questions.extend(None, [below(INPUTS[0], number(3))])


def factors(bits: int, product: int) -> list[Term]:
    """Two numbers of half the bits whose product is given."""
    x, y = (bitvectors.variable(name, bits) for name in "xy")
    most, one = bitvectors.constant((1 << bits // 2) - 1, bits), bitvectors.constant(1, bits)
    found = [terms.equal(bitvectors.binary("bvmul", x, y), bitvectors.constant(product, bits))]
    for each in (x, y):
        found += [bitvectors.compare("bvule", each, most), terms.negate(bitvectors.compare("bvule", each, one))]
    return found


def test_a_hard_question_ends_after_the_same_work_on_any_machine_and_counts_as_many_calls() -> None:
    efforts = set()
    for _ in range(2):
        questions = Questions(Run(), ticks=200)
        with pytest.raises(SolverUnknown):
            questions.satisfiable(factors(48, (1 << 47) - 19))
        efforts.add(questions.effort)
        assert questions.solved == 1
    assert efforts == {1 + 201 // LIMITS.ticks_per_call}


def test_a_question_ends_when_the_run_is_over() -> None:
    run = Run(timeout=0.2)
    with pytest.raises(Stopped):
        Questions(run, ticks=10_000_000).satisfiable(factors(48, (1 << 47) - 19))
