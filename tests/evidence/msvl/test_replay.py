"""Counterexamples as data, and their replay: false claims are refused."""

from __future__ import annotations

import pytest

from pincer.evidence.msvl.counterexample import (
    Counterexample,
    Interpretation,
    Kind,
    State,
)
from pincer.evidence.msvl.replay import judge
from pincer.evidence.msvl.states import FreshWord


def states(*values: int) -> tuple[State, ...]:
    """States of one variable x, at which p says that it is not zero."""
    return tuple(State({"x": str(value)}, ("p",) if value else ()) for value in values)


def claim(kind: Kind, formula: str, *values: int, start: int | None = None) -> Counterexample:
    how = Interpretation("overwrite", "implicit", False, 100)
    meaning = {"p": "x != 0"}
    return Counterexample("t.m", formula, meaning, how, {"s_x": 3}, kind, states(*values), None, start)


TRUE_CLAIMS = [
    (claim("terminated", "alw(p)", 1, 0, 1), FreshWord(states(1, 0, 1), True)),
    (claim("terminated", "len(2);alw(true)", 1, 1), FreshWord(states(1, 1), True)),
    (claim("prefix", "alw(p)", 1, 0), FreshWord(states(1, 0, 1, 1), False)),
    (claim("prefix", "alw(p)", 1, 0), FreshWord(states(1, 0), False, 1)),
    (claim("lasso", "som(alw(p))", 1, 0, 1, start=1), FreshWord(states(1, 0, 1), False, 1)),
    (claim("lasso", "som(alw(p))", 1, 0, 1, start=1), FreshWord(states(1, 0, 1, 0, 1), False, 3)),
]
FALSE_CLAIMS = [
    (claim("terminated", "alw(p)", 1, 1), FreshWord(states(1, 1), True), "satisfy the property"),
    (claim("terminated", "alw(p)", 1, 0), FreshWord(states(1, 1), True), "state 1 is different"),
    (claim("terminated", "alw(p)", 1, 0), FreshWord(states(1, 0, 0), True), "does not end"),
    (claim("terminated", "alw(p)", 1, 0), FreshWord(states(1, 0), False), "does not end"),
    (claim("terminated", "alw(p)", 1, 0), FreshWord(states(1), True), "ends before state 1"),
    (claim("prefix", "som(p)", 0, 0), FreshWord(states(0, 0, 1), False), "could not be confirmed"),
    (claim("lasso", "alw(som(p))", 0, 1, start=0), FreshWord(states(0, 1), False, 0), "satisfy the property"),
    (claim("lasso", "som(alw(p))", 0, 1, start=0), FreshWord(states(0, 1), False, 1), "does not go back"),
    (claim("lasso", "som(alw(p))", 0, 1, start=0), FreshWord(states(0, 1), True), "does not go back"),
]


@pytest.mark.parametrize(("claimed", "fresh"), TRUE_CLAIMS)
def test_true_claims_are_confirmed(claimed: Counterexample, fresh: FreshWord) -> None:
    assert judge(claimed, fresh).confirmed


@pytest.mark.parametrize(("claimed", "fresh", "reason"), FALSE_CLAIMS)
def test_false_claims_are_refused_with_the_reason(claimed: Counterexample, fresh: FreshWord, reason: str) -> None:
    judgement = judge(claimed, fresh)
    assert not judgement.confirmed
    assert reason in judgement.reason
