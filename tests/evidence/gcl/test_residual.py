"""Partial evaluation never changes what a formula says."""

from __future__ import annotations

from itertools import product

import pytest

from pincer.evidence.gcl.interpreter import evaluate
from pincer.evidence.gcl.residual import FALSE, TRUE, Partial, mentioned, residual_formula
from pincer.frontends.gcl import parse_formula, parse_program
from pincer.program.guarded import Comparison, Deadlock, Formula, Not, Number, VariableRef

FORMULAS = [
    "pc = a",
    "pc = a && x > 3",
    "pc = a || x > 3",
    "on => x = k",
    "(pc = b) <=> (x = k)",
    "!(pc = c) <=> on",
    "!(on && (x = 1 || pc = a))",
    "(if on then x else k) <= 0",
    "(if x > 0 then k else -k) + 2*k >= x mod 2",
    "x + k*2 div 2 = 1 - k",
    "!deadlock || x = 1",
    "deadlock => on",
]
PROGRAM = parse_program(
    """
    var x : int; control pc : {a, b, c}; var on : bool; control k : -1..1;
    trans t: pc = a && x > k -> x := x + 1;
    trans u: on && pc = b -> pc := c;
    """
    + "".join(f"safety p{number}: {text};" for number, text in enumerate(FORMULAS)),
    "partial.gcl",
)


@pytest.mark.parametrize("formula", [p.formula for p in PROGRAM.properties], ids=FORMULAS)
def test_what_is_left_under_a_valuation_agrees_with_the_formula(formula: Formula) -> None:
    partial = Partial(formula, PROGRAM)
    for pc, on, k in product(range(3), range(2), range(-1, 2)):
        left = partial.at((pc, on, k))
        assert mentioned(left, PROGRAM) <= {"x"}
        assert left == residual_formula(formula, {"pc": pc, "on": on, "k": k}, PROGRAM)
        for x in range(-3, 4):
            state = {"x": x, "pc": pc, "on": on, "k": k}
            assert evaluate(left, PROGRAM, state) == evaluate(formula, PROGRAM, state)


@pytest.mark.parametrize("formula", [p.formula for p in PROGRAM.properties], ids=FORMULAS)
def test_values_for_all_variables_decide_the_formula(formula: Formula) -> None:
    state = {"x": 1, "pc": 1, "on": 1, "k": -1}
    assert residual_formula(formula, state, PROGRAM) in (TRUE, FALSE)


def test_finite_conditions_fold_away() -> None:
    partial = Partial(parse_formula("pc = a && (on || x <= 3)", PROGRAM), PROGRAM)
    assert partial.at((1, 0, 0)) == FALSE
    assert partial.at((0, 1, 0)) == TRUE
    assert partial.at((0, 0, 0)) == Comparison("<=", VariableRef("x"), Number(3))


def test_equal_readings_are_one_object() -> None:
    partial = Partial(parse_formula("pc = a && x <= 3", PROGRAM), PROGRAM)
    assert partial.at((0, 0, 1)) is partial.at((0, 1, -1))


def test_deadlock_mentions_the_variables_of_all_guards() -> None:
    assert mentioned(Not(Deadlock()), PROGRAM) == {"x", "pc", "k", "on"}
