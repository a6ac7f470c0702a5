"""Only `unsat` counts."""

from __future__ import annotations

import pytest

from pincer.errors import PincerError
from pincer.evidence.live.prover import Prover
from pincer.runtime.run import Run


@pytest.mark.parametrize("name", ["cvc5", "z3"])
def test_refuted_means_unsatisfiable(name: str) -> None:
    prover = Prover(name, Run())
    prover.define("(declare-const x Int)")
    assert prover.name == name
    assert prover.refuted("(and (< x 0) (> x 0))")
    assert not prover.refuted("(< x 0)")
    assert prover.calls == 2


def test_later_definitions_are_known_too() -> None:
    prover = Prover("cvc5", Run())
    prover.define("(declare-const x Int)")
    assert not prover.refuted("(< x 0)")
    prover.define("(define-fun twice ((y Int)) Int (+ y y))")
    assert prover.refuted("(= (twice x) 3)")


def test_what_a_solver_does_not_understand_is_a_mistake() -> None:
    with pytest.raises(PincerError, match="failed"):
        Prover("z3", Run()).refuted("(no such thing)")


def test_formulas_are_refuted_together() -> None:
    prover = Prover("cvc5", Run())
    prover.define("(declare-const x Int)")
    assert prover.all_refuted([])
    assert prover.all_refuted(["(< x x)", "(and (< x 0) (> x 0))"])
    assert not prover.all_refuted(["(< x x)", "(< x 0)", "(> x x)"])
