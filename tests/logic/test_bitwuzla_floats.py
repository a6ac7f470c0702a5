"""Bitwuzla computes what the processor computes, down to the bits of NaN."""

from __future__ import annotations

from random import Random

import pytest

from pincer.logic import bitvectors as bv
from pincer.logic import floating_point as fp
from pincer.logic import terms
from pincer.logic.bitwuzla_solver import BitwuzlaSolver
from pincer.logic.evaluation import evaluate
from pincer.logic.machine_floats import from_integer
from pincer.logic.solver import SolverUnknown, Status
from tests.logic.random_numbers import NumberMaker


@pytest.mark.parametrize("block", range(2))
def test_results_are_those_of_concrete_evaluation(block: int) -> None:
    rng = Random(block)
    maker, solver = NumberMaker(rng), BitwuzlaSolver()
    for _ in range(25):
        bits = rng.choice((32, 64))
        term = maker.number(bits, rng.randint(1, 2))
        values = maker.values(term)
        result = terms.equal(term, bv.constant(evaluate(term, values), bits))
        solver.push()
        for variable, value in values.items():
            solver.add(terms.equal(variable, bv.constant(value, bv.width(variable))))
        assert solver.check([terms.negate(result)]) is Status.UNSAT, term
        assert solver.check([result]) is Status.SAT
        solver.pop()


def test_models_are_patterns() -> None:
    solver, x = BitwuzlaSolver(), bv.variable("x", 64)
    solver.add(fp.compare("fplt", bv.constant(from_integer(7, 64), 64), fp.arithmetic("fpadd", x, x)))
    assert solver.check() is Status.SAT
    assert evaluate(fp.compare("fplt", bv.constant(from_integer(3, 64), 64), x), solver.model([x]))


def test_long_double_is_not_answered() -> None:
    solver, x = BitwuzlaSolver(), bv.variable("x", 80)
    solver.add(fp.compare("fplt", x, fp.arithmetic("fpadd", x, x)))
    with pytest.raises(SolverUnknown):
        solver.check()
