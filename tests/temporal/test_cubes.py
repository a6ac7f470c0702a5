"""Covers of formulas by conjunctions of literals."""

from __future__ import annotations

from itertools import combinations

import pytest

from pincer.temporal.cubes import cube_formula, cubes, disjuncts
from pincer.temporal.formula import FALSE, TRUE, Formula, or_
from pincer.temporal.parser import parse_formula


def _formula(text: str) -> Formula:
    return parse_formula(text).formula


@pytest.mark.parametrize(
    ("text", "count"),
    [("true", 1), ("false", 0), ("p && q", 1), ("p || q", 2), ("p <-> q", 2), ("(p && q) || (!p && r) || (q && r)", 2)],
)
def test_a_cover_is_short(text: str, count: int) -> None:
    assert len(cubes(_formula(text))) == count


@pytest.mark.parametrize(
    "text", ["p <-> (q <-> r)", "(p;q) || [](r && p) || !skip", "(p || q) && (r || ()p) && !(p && r)"]
)
def test_a_cover_is_the_formula_and_none_of_it_is_needless(text: str) -> None:
    formula = _formula(text)
    parts = disjuncts(formula)
    assert _any(parts) is formula
    for fewer in combinations(parts, len(parts) - 1):
        assert _any(fewer) is not formula


def test_the_empty_cube_is_true() -> None:
    assert cube_formula(frozenset()) is TRUE


def _any(parts: tuple[Formula, ...]) -> Formula:
    total = FALSE
    for part in parts:
        total = or_(total, part)
    return total
