"""Formulas that do not count steps, and a comparison with words whose letters are repeated."""

from __future__ import annotations

from random import Random

import pytest

from pincer.evidence.pptl.reading import read_formula
from pincer.evidence.pptl.stuttering import is_stutter_invariant
from pincer.evidence.pptl.truth import TruthJudge


@pytest.mark.parametrize(
    "text",
    ["[](p -> <>q)", "ltl: G(p -> F q)", "p U q", "ltl: p W q", "<>empty", "fin(p)", "p ; q", "ltl: F(p & !X true)"],
)
def test_formulas_that_do_not_count_steps(text: str) -> None:
    formula, judge, random = read_formula(text), TruthJudge(), Random(text)
    assert is_stutter_invariant(formula)
    for _ in range(200):
        word = [frozenset(name for name in "pq" if random.random() < 0.5) for _ in range(random.randint(1, 5))]
        longer = [letter for letter in word for _ in range(random.randint(1, 3))]
        assert judge.on_finite(formula, word) == judge.on_finite(formula, longer)


@pytest.mark.parametrize("text", ["()p", "len(3)", "more", "empty", "<>(p and more)", "keep(p)", "p+", "ltl: X p"])
def test_formulas_that_may_count_steps(text: str) -> None:
    assert not is_stutter_invariant(read_formula(text))
