"""Propositions at states: formulas over the inputs that agree with what single runs show."""

from __future__ import annotations

import pytest

from pincer.engines.dse.propositions import Propositions, check_conditions, meanings
from pincer.execution.msvl import Options, execute
from pincer.frontends.msvl import StaticError, parse_program
from pincer.logic import terms
from pincer.logic.evaluation import evaluate
from pincer.temporal.property import parse_properties

PROGRAM = parse_program("frame(x,y) and (int x,y and input(x) and skip; y:=x+2)", "test.m")
[PROPERTY] = parse_properties(
    "</ define p: y>5; define q: x=3; define r: x/y>0; define unused: x=0; alw(p or q or r) />", "test.m"
)


def propositions() -> Propositions:
    return Propositions(PROGRAM, meanings(PROPERTY), Options())


def test_only_what_the_formula_uses_has_a_meaning() -> None:
    assert set(meanings(PROPERTY)) == {"p", "q", "r"}


def test_a_formula_is_true_for_exactly_the_inputs_whose_own_run_shows_it() -> None:
    here = propositions()
    last = execute(PROGRAM, {"s_x": 0}, Options()).states[-1]
    formulas = {name: here.formula(name, last) for name in ("p", "q")}
    for x in range(-2, 9):
        shown = here.letter(execute(PROGRAM, {"s_x": x}, Options()).states[-1])
        for name, formula in formulas.items():
            assert bool(evaluate(formula, {terms.variable("s_x"): x})) == (name in shown)


def test_a_proposition_without_a_value_is_false_with_a_warning() -> None:
    here = propositions()
    first = execute(PROGRAM, {"s_x": 7}, Options()).states[0]
    assert not here.warnings
    assert here.formula("p", first) is terms.FALSE
    [warning] = here.warnings
    assert "`p` has no value" in warning


def test_a_value_that_some_inputs_lack_is_noted_as_inexact() -> None:
    here = propositions()
    here.formula("r", execute(PROGRAM, {"s_x": -2}, Options()).states[-1])
    assert any("`r`" in reason for reason in here.inexact)


def test_conditions_are_about_names_of_the_program() -> None:
    text = "function f(int a,int RValue) { int b<==a and skip; RValue:=b }; frame(x) and (int x and x:=f(1,RValue))"
    program = parse_program(text, "test.m")
    [known] = parse_properties("</ define p: x=1 AND a=1 AND b=2 AND RValue!=0; alw(p) />", "test.m")
    check_conditions(program, known)
    [unknown] = parse_properties("</ define p: x=1 AND c=1; alw(p) />", "test.p")
    with pytest.raises(StaticError, match="`c` is not declared in the program") as found:
        check_conditions(program, unknown)
    assert found.value.position is not None
    assert (found.value.position.file, found.value.position.column) == ("test.p", 22)
