"""Z3 behind the protocol: exact numbers, cores, limits and interrupts."""

from __future__ import annotations

import subprocess
import sys
import threading
from random import Random

import pytest

from pincer.logic import bitvectors as bv
from pincer.logic import terms
from pincer.logic.evaluation import evaluate
from pincer.logic.queries import Queries
from pincer.logic.solver import SolverUnknown, Status
from pincer.logic.terms import Term
from pincer.logic.z3_solver import Z3Solver
from pincer.runtime.run import Run, Stopped
from tests.logic.random_terms import VARIABLES, Maker, as_model, environment
from tests.logic.word_definitions import ALL, COMPARISONS, build, meaning, pairs

X, Y, Z, _ = VARIABLES


def factoring() -> list[Term]:
    """Find the factors of a product of two primes of 31 bits: hopeless within the patience of a test."""
    p, q = bv.variable("p", 64), bv.variable("q", 64)
    one, limit = bv.constant(1, 64), bv.constant(2**32, 64)
    product = bv.constant(2147483647 * 2147483629, 64)
    return [
        terms.equal(bv.binary("bvmul", p, q), product),
        bv.compare("bvult", one, p),
        bv.compare("bvult", one, q),
        bv.compare("bvult", p, limit),
        bv.compare("bvult", q, limit),
    ]


def number(value: int) -> Term:
    return terms.integer(value)


@pytest.mark.parametrize("value", [0, -1, 2**62 - 1, 2**62, 2**63, -(2**63) - 1, 10**60, -(10**60)])
def test_numbers_of_any_size_are_exact(value: int) -> None:
    solver = Z3Solver()
    solver.add(terms.equal(X, number(value)))
    solver.add(terms.equal(terms.combination([(Y, 1), (X, -(2**70))]), number(value)))
    assert solver.check() is Status.SAT
    assert solver.model([X, Y]) == {X: value, Y: value * 2**70 + value}
    solver.add(terms.less(X, number(value)))
    assert solver.check() is Status.UNSAT


@pytest.mark.parametrize("block", range(6))
def test_answers_agree_with_evaluation(block: int) -> None:
    rng = Random(block)
    for _ in range(12):
        formula = Maker(rng).formula(3).term
        solver = Z3Solver()
        values = as_model(environment(rng))
        placed = [terms.equal(v, number(value)) for v, value in values.items()]
        solver.add(formula)
        assert (solver.check(placed) is Status.SAT) == bool(evaluate(formula, values)), (formula, values)
        if solver.check() is Status.SAT:
            assert evaluate(formula, solver.model(VARIABLES)) == 1, formula


def test_pushed_formulas_are_gone_after_a_pop() -> None:
    solver = Z3Solver()
    solver.add(terms.at_most(X, number(3)))
    solver.push()
    solver.add(terms.at_most(number(4), X))
    assert solver.check() is Status.UNSAT
    solver.pop()
    assert solver.check() is Status.SAT
    assert solver.model([X])[X] <= 3


def test_the_core_is_a_contradictory_part_of_the_assumptions() -> None:
    solver = Z3Solver()
    solver.add(terms.less(X, Y))
    harmless = [terms.at_most(Z, number(i)) for i in range(5)]
    guilty = [terms.less(Y, Z), terms.less(Z, X)]
    assert solver.check([*harmless, *guilty]) is Status.UNSAT
    assert set(solver.core()) == set(guilty)
    assert solver.check(solver.core()) is Status.UNSAT
    assert solver.check(harmless) is Status.SAT


def test_booleans_and_bit_vectors_are_read_from_models() -> None:
    solver = Z3Solver(logic=None)
    flag, word = terms.variable("flag", terms.BOOL), bv.variable("word", 8)
    solver.add(terms.conjunction(flag, terms.equal(word, bv.constant(-2, 8))))
    solver.add(terms.negate(terms.variable("other", terms.BOOL)))
    assert solver.check() is Status.SAT
    found = solver.model([flag, word, terms.variable("other", terms.BOOL)])
    assert list(found.values()) == [1, 254, 0]


def test_a_time_limit_gives_unknown_and_the_session_goes_on() -> None:
    solver = Z3Solver(logic=None, work=200_000)
    solver.push()
    for part in factoring():
        solver.add(part)
    assert solver.check() is Status.UNKNOWN
    solver.pop()
    solver.set_timeout(10_000)
    solver.add(terms.at_most(X, number(3)))
    assert solver.check() is Status.SAT


def test_an_interrupt_from_another_thread_gives_unknown_and_the_session_goes_on() -> None:
    solver = Z3Solver(logic=None)
    solver.push()
    for part in factoring():
        solver.add(part)
    timer = threading.Timer(0.3, solver.interrupt)
    timer.start()
    assert solver.check() is Status.UNKNOWN
    timer.join()
    solver.pop()
    solver.add(terms.at_most(X, number(3)))
    assert solver.check() is Status.SAT


def test_an_interrupt_while_nothing_runs_does_no_harm() -> None:
    solver = Z3Solver()
    solver.interrupt()
    solver.add(terms.at_most(X, number(3)))
    assert solver.check() in (Status.SAT, Status.UNKNOWN)
    assert solver.check() is Status.SAT
    solver.push()
    solver.interrupt()
    solver.pop()
    assert solver.check() in (Status.SAT, Status.UNKNOWN)


def test_a_run_stopped_during_a_check_is_reported_as_stopped_not_as_an_answer() -> None:
    run = Run()
    queries = Queries(Z3Solver(logic=None), run)
    timer = threading.Timer(0.3, run.stop, ["out of patience"])
    timer.start()
    with pytest.raises(Stopped, match="out of patience"):
        queries.satisfiable(factoring(), "factoring")
    timer.join()


def test_a_solver_that_gives_up_makes_the_question_unknown() -> None:
    queries = Queries(Z3Solver(logic=None, work=100_000))
    with pytest.raises(SolverUnknown, match="z3 gave no answer to a question about factoring"):
        queries.satisfiable(factoring(), "factoring")


HAMMER = """
import threading, time
from pincer.logic import terms
from pincer.logic.solver import SolverUnknown, Status
from pincer.logic.z3_solver import Z3Solver

x, y, z = map(terms.variable, "xyz")
solver, done = Z3Solver(), threading.Event()

def hammer():
    while not done.wait(0.0005):
        solver.interrupt()

threading.Thread(target=hammer, daemon=True).start()
end = time.monotonic() + 1
answers = set()
while time.monotonic() < end:
    try:
        solver.push()
        solver.add(terms.at_most(terms.add(x, y), z))
        solver.add(terms.less(z, terms.scale(2, x)))
        answers.add(solver.check())
        solver.pop()
    except SolverUnknown:
        solver = Z3Solver()
done.set()
assert answers <= {Status.SAT, Status.UNKNOWN}
"""


def test_interrupts_at_any_moment_never_end_the_process() -> None:
    done = subprocess.run([sys.executable, "-c", HAMMER], capture_output=True)
    assert done.returncode == 0, done.stderr


IDLE = """
from pincer.logic import terms
from pincer.logic.solver import SolverUnknown
from pincer.logic.z3_solver import Z3Solver

x, y = map(terms.variable, "xy")
for _ in range(100):
    solver = Z3Solver()
    for _ in range(3):
        solver.push()
        solver.add(terms.at_most(x, y))
        solver.check()
        solver.interrupt()
        for call in (solver.pop, solver.push, solver.pop):
            try:
                call()
            except SolverUnknown:
                pass
"""


def test_interrupts_between_checks_never_end_the_process() -> None:
    """What a time limit does: the run notices it between two questions, on the only thread there is."""
    done = subprocess.run([sys.executable, "-c", IDLE], capture_output=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("op", ALL)
def test_the_translation_to_z3_means_the_same(op: str) -> None:
    rng = Random(op + "translate")
    for bits in (1, 4, 7):
        solver = Z3Solver(logic=None)
        x, y = bv.variable("x", bits), bv.variable("y", bits)
        for a, b in rng.sample(pairs(bits, rng, 10), k=min(8, 4**bits)):
            given = [terms.equal(x, bv.constant(a, bits)), terms.equal(y, bv.constant(b, bits))]
            result = build(op, x, y)
            if op in COMPARISONS:
                claim = terms.literal(result, bool(meaning(op, a, b, bits)))
            else:
                claim = terms.equal(result, bv.constant(meaning(op, a, b, bits), bits))
            assert solver.check([*given, claim]) is Status.SAT, (bits, a, b)
            assert solver.check([*given, terms.negate(claim)]) is Status.UNSAT, (bits, a, b)


def test_parts_mean_the_same_in_z3() -> None:
    solver = Z3Solver(logic=None)
    x, y = bv.variable("x", 6), bv.variable("y", 3)
    cases = [bv.concat(x, y), bv.extract(4, 1, x), bv.extend(x, 3, True), bv.extend(x, 3, False), bv.invert(x)]
    for a, b in [(0, 0), (63, 7), (32, 4), (21, 5)]:
        given = [terms.equal(x, bv.constant(a, 6)), terms.equal(y, bv.constant(b, 3))]
        for case in cases:
            claim = terms.equal(case, bv.constant(evaluate(case, {x: a, y: b}), bv.width(case)))
            assert solver.check([*given, terms.negate(claim)]) is Status.UNSAT
