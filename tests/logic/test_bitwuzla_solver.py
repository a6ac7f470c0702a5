"""Bitwuzla behind the protocol: the meaning of terms, models, cores, limits, interrupts, many questions in a row."""

from __future__ import annotations

import threading
from random import Random

import pytest

from pincer.logic import bitvectors as bv
from pincer.logic import bitwuzla_solver, terms
from pincer.logic.bitwuzla_solver import BitwuzlaSolver
from pincer.logic.evaluation import evaluate
from pincer.logic.limits import FormulaLimits
from pincer.logic.queries import Queries
from pincer.logic.solver import Solver, SolverUnknown, Status
from pincer.logic.terms import Term
from pincer.logic.z3_solver import Z3Solver
from pincer.runtime.run import Run, Stopped
from tests.logic.random_words import WordMaker, draw_values

X, Y, Z = (bv.variable(name, 32) for name in "xyz")


def number(value: int, bits: int = 32) -> Term:
    return bv.constant(value, bits)


def less(left: Term, right: Term) -> Term:
    return bv.compare("bvult", left, right)


def factoring() -> list[Term]:
    """Two factors of a 62-bit semiprime: beyond the patience of any test."""
    p, q = bv.variable("factor1", 64), bv.variable("factor2", 64)
    product = terms.equal(bv.binary("bvmul", p, q), bv.constant(2147483647 * 2147483629, 64))
    ranges = [bv.compare("bvult", bv.constant(1, 64), factor) for factor in (p, q)]
    ranges += [bv.compare("bvult", factor, bv.constant(2**32, 64)) for factor in (p, q)]
    return [product, *ranges]


@pytest.mark.parametrize("make", [BitwuzlaSolver, lambda: Z3Solver(logic="QF_BV")])
@pytest.mark.parametrize("block", range(3))
def test_terms_mean_the_same_to_the_solvers_as_to_us(make: type[BitwuzlaSolver], block: int) -> None:
    rng = Random(block)
    solver: Solver = make()
    for _ in range(60):
        maker = WordMaker(rng)
        sample = maker.any(rng.choice([1, 5, 8, 13, 32, 64]), 3)
        values = draw_values(rng, list(maker.variables))
        expected = sample.meaning(values)
        if sample.term.sort is terms.BOOL:
            claim = terms.literal(sample.term, bool(expected))
        else:
            claim = terms.equal(sample.term, bv.constant(expected, bv.width(sample.term)))
        solver.push()
        for v, value in values.items():
            solver.add(terms.equal(v, bv.constant(value, bv.width(v))))
        assert solver.check([claim]) is Status.SAT
        assert solver.check([terms.negate(claim)]) is Status.UNSAT
        solver.pop()


def test_models_satisfy_what_was_asked() -> None:
    rng = Random(5)
    solver = BitwuzlaSolver()
    answers = set()
    for _ in range(80):
        maker = WordMaker(rng, variable_widths=(8, 64))
        formulas = [maker.formula(8, 2).term for _ in range(3)]
        solver.push()
        for formula in formulas:
            solver.add(formula)
        status = solver.check()
        answers.add(status)
        if status is Status.SAT:
            model = solver.model(list(maker.variables))
            assert all(evaluate(formula, model) for formula in formulas)
        solver.pop()
    assert answers == {Status.SAT, Status.UNSAT}


def test_levels_and_formulas_outside_all_levels() -> None:
    solver = BitwuzlaSolver()
    solver.add(less(X, number(10)))
    solver.push()
    solver.add(less(number(8), X))
    assert solver.check() is Status.SAT
    assert solver.model([X]) == {X: 9}
    solver.push()
    solver.add(terms.negate(terms.equal(X, number(9))))
    assert solver.check() is Status.UNSAT
    solver.pop()
    assert solver.check() is Status.SAT
    solver.pop()
    solver.push()
    solver.add(less(number(10), X))
    assert solver.check() is Status.UNSAT
    solver.pop()
    assert solver.check([terms.equal(X, number(3))]) is Status.SAT


def test_levels_that_were_never_checked_leave_nothing_behind() -> None:
    solver = BitwuzlaSolver()
    solver.push()
    solver.push()
    solver.add(terms.FALSE)
    solver.pop()
    assert solver.check() is Status.SAT
    solver.pop()
    assert solver.check([terms.FALSE]) is Status.UNSAT


def test_a_core_suffices_and_leaves_out_what_does_not_matter() -> None:
    solver = BitwuzlaSolver()
    solver.add(less(X, Y))
    irrelevant = less(Z, number(5))
    contradiction = [less(Y, number(3)), less(number(7), X)]
    assert solver.check([irrelevant, *contradiction]) is Status.UNSAT
    core = solver.core()
    assert set(core) <= {irrelevant, *contradiction}
    assert irrelevant not in core
    assert solver.check(core) is Status.UNSAT


@pytest.mark.parametrize("limits", [(0, 200_000), (10**9, 200_000), (100, 20)])
def test_answers_do_not_depend_on_when_instances_are_replaced(
    limits: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    forgotten, handles = limits
    changed = FormulaLimits(forgotten_formulas=forgotten, handles_per_manager=handles)
    monkeypatch.setattr(bitwuzla_solver, "LIMITS", changed)
    rng = Random(11)
    solver = BitwuzlaSolver()
    solver.add(less(X, number(100)))
    for _ in range(120):
        low, high = rng.randrange(120), rng.randrange(120)
        solver.push()
        solver.add(less(number(low), X))
        solver.add(less(X, number(high)))
        expected = low + 1 < min(high, 100)
        assert solver.check() is (Status.SAT if expected else Status.UNSAT)
        if expected:
            assert low < solver.model([X])[X] < min(high, 100)
        solver.pop()


def test_the_time_limit_holds_and_the_session_goes_on() -> None:
    solver = BitwuzlaSolver(timeout_ms=300)
    solver.push()
    for part in factoring():
        solver.add(part)
    assert solver.check() is Status.UNKNOWN
    solver.pop()
    solver.add(less(X, number(3)))
    assert solver.check() is Status.SAT


def test_an_interrupt_from_another_thread_gives_unknown_and_the_session_goes_on() -> None:
    solver = BitwuzlaSolver()
    solver.push()
    for part in factoring():
        solver.add(part)
    timer = threading.Timer(0.3, solver.interrupt)
    timer.start()
    assert solver.check() is Status.UNKNOWN
    timer.join()
    solver.pop()
    assert solver.check() is Status.SAT


def test_an_interrupt_just_before_a_check_is_not_lost() -> None:
    solver = BitwuzlaSolver()
    for part in factoring():
        solver.add(part)
    solver.interrupt()
    assert solver.check() is Status.UNKNOWN


def test_a_run_stopped_during_a_check_is_reported_as_stopped_not_as_an_answer() -> None:
    run = Run()
    queries = Queries(BitwuzlaSolver(), run)
    timer = threading.Timer(0.3, run.stop, ["out of patience"])
    timer.start()
    with pytest.raises(Stopped, match="out of patience"):
        queries.satisfiable(factoring(), "factoring")
    timer.join()


def test_a_solver_that_gives_up_makes_the_question_unknown() -> None:
    queries = Queries(BitwuzlaSolver(timeout_ms=100))
    with pytest.raises(SolverUnknown, match="bitwuzla gave no answer to a question about factoring"):
        queries.satisfiable(factoring(), "factoring")


@pytest.mark.parametrize("solver", [BitwuzlaSolver(), Z3Solver(logic="QF_BV")], ids=["bitwuzla", "z3"])
def test_reads_of_the_state_never_reach_a_solver(solver: Solver) -> None:
    with pytest.raises(AssertionError, match="resolved before"):
        solver.check([terms.equal(bv.load(X, 4), Y)])


@pytest.mark.parametrize("make", [BitwuzlaSolver, lambda: Z3Solver(logic=None)])
def test_long_chains_are_translated_without_recursion(make: type[BitwuzlaSolver]) -> None:
    solver: Solver = make()
    term, value = X, 3
    for i in range(3000):
        term = bv.binary("bvxor", bv.binary("bvand", term, Y), number(i))
        value = value & 0x55 ^ i
    given = [terms.equal(X, number(3)), terms.equal(Y, number(0x55))]
    assert solver.check([*given, terms.equal(term, number(value))]) is Status.SAT


def test_questions_about_bit_vectors_are_sliced_cached_and_answered_by_recent_models() -> None:
    queries = Queries(BitwuzlaSolver())
    small, other = less(X, number(10)), less(number(3), Y)
    model = queries.model([small, other], "test")
    assert model is not None
    assert evaluate(small, model)
    assert evaluate(other, model)
    assert queries.solver_calls == 2
    assert queries.model([other, small], "test") == model
    assert queries.satisfiable([small, terms.negate(terms.equal(X, number(11)))], "test")
    assert queries.solver_calls == 2
    assert not queries.satisfiable([small, less(number(20), X)], "test")
    assert queries.valid(terms.implies(small, less(X, number(11))), "test")


def test_a_variable_that_a_recent_model_does_not_know_is_tried_as_zero() -> None:
    queries = Queries(BitwuzlaSolver())
    assert queries.satisfiable([less(X, number(10))], "test")
    assert queries.solver_calls == 1
    model = queries.model([less(X, number(10)), bv.compare("bvule", bv.binary("bvmul", X, Z), number(50))], "test")
    assert model is not None
    assert model[Z] == 0
    assert queries.solver_calls == 1


def test_all_patterns_of_predicates_are_found() -> None:
    queries = Queries(BitwuzlaSolver())
    predicates = [less(X, number(5)), less(number(2), X), terms.equal(X, Y)]
    found = queries.patterns([less(X, number(8)), less(Y, number(4))], predicates, "test")
    expected = {
        sum(evaluate(p, {X: x, Y: y}) << i for i, p in enumerate(predicates)) for x in range(8) for y in range(4)
    }
    assert set(found) == expected
