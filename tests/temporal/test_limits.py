"""Questions that cost too much are cut with a reason, and can be cancelled."""

from __future__ import annotations

import sys
from itertools import count

import pytest

from pincer.runtime.reasons import Reason
from pincer.runtime.run import Run, Stopped
from pincer.temporal.derivative import satisfies
from pincer.temporal.limits import TemporalLimits
from pincer.temporal.normal_form import normal_form
from pincer.temporal.parser import parse_formula
from pincer.temporal.satisfiability import satisfiable_finite, satisfiable_infinite
from pincer.temporal.text import formula_text
from pincer.temporal.walk import Walk

HOPELESS = "!(!(!(!(<>(p && len(7));q);[]r);(p;skip)+);!(q && len(5)))" + "".join(
    f" && <>[]<>(a{i};b)" for i in range(9)
)


def test_a_node_limit_ends_the_search_with_a_reason() -> None:
    answer = satisfiable_finite(parse_formula("len(500)").formula, TemporalLimits(nodes=100))
    assert answer.verdict == "unknown"
    assert "more than 100 nodes" in answer.reason
    assert satisfiable_infinite(parse_formula("len(500);[]p").formula, TemporalLimits(nodes=100)).verdict == "unknown"


def test_a_diagram_limit_ends_the_search_with_a_reason() -> None:
    answer = satisfiable_infinite(parse_formula("[]<>" * 60 + "p").formula, TemporalLimits(diagram_nodes=500))
    assert answer.verdict == "unknown"
    assert "more than 500 diagram nodes" in answer.reason


def test_a_run_can_be_stopped_at_any_time() -> None:
    run, formula, polls = Run(), parse_formula(HOPELESS).formula, count()

    def poll() -> None:
        if next(polls) == 100:
            run.stop(Reason("enough"))
        run.poll()

    with pytest.raises(Stopped, match="enough"):
        satisfiable_infinite(formula, TemporalLimits(nodes=10**9, diagram_nodes=10**9, poll=poll))


@pytest.mark.parametrize(
    "text", ["()" * 240 + "p", "p;" * 240 + "q", "[]<>" * 60 + "p", "!(" * 240 + "p;q" + ")" * 240]
)
def test_deep_formulas_can_be_printed_and_followed(text: str) -> None:
    formula = parse_formula(text).formula
    assert parse_formula(formula_text(formula)).formula is formula
    assert normal_form(formula).steps
    walk = Walk(formula)
    for _ in range(5):
        assert walk.cases
        walk = walk.step(frozenset("pq"))


def test_wide_formulas_can_be_followed() -> None:
    formula = parse_formula(" && ".join(f"<>a{i}" for i in range(300))).formula
    everything = frozenset(f"a{i}" for i in range(300))
    assert satisfies(formula, [frozenset(), everything])
    assert not satisfies(formula, [frozenset(), everything - {"a7"}])
    assert satisfiable_finite(formula).verdict == "sat"


def test_the_recursion_limit_is_restored() -> None:
    before = sys.getrecursionlimit()
    satisfiable_finite(parse_formula("()" * 200 + "p").formula)
    assert sys.getrecursionlimit() == before
