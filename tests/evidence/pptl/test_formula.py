"""Formulas for judging words: equal ones are one object, and they stay small."""

from __future__ import annotations

import pytest

from pincer.evidence.pptl import formula as f
from pincer.evidence.pptl.formula import EMPTY, FALSE, TRUE, TooManyCases

P, Q, R = map(f.proposition, "pqr")


def test_equal_formulas_are_one_object() -> None:
    assert f.or_((P, Q)) is f.or_((Q, P, P)) and f.and_((P, f.and_((Q, R)))) is f.and_((R, Q, P))
    assert f.not_(f.not_(P)) is P and f.not_(TRUE) is FALSE
    assert f.implies(P, Q) is f.or_((f.not_(P), Q)) and f.iff(P, P) is TRUE


def test_cases_that_others_cover_or_that_contradict_themselves_vanish() -> None:
    assert f.or_((P, f.and_((P, Q)))) is P
    assert f.and_((P, f.not_(P))) is FALSE and f.or_((P, f.not_(P))) is TRUE
    assert f.and_((f.or_((P, Q)), f.or_((P, R)))) is f.or_((P, f.and_((Q, R))))


def test_operators_know_their_units() -> None:
    assert f.chop(EMPTY, P) is P and f.chop(FALSE, P) is FALSE and f.chop(TRUE, TRUE) is TRUE
    assert f.length(0) is EMPTY and f.next_(FALSE) is FALSE
    assert f.plus(f.plus(P)) is f.plus(P) and f.until(P, TRUE) is TRUE
    assert f.project((), P) is P and f.project((P, Q), EMPTY) is f.chop(P, Q) and f.project((P, FALSE), Q) is FALSE
    assert f.always(P) is f.not_(f.sometimes(f.not_(P)))


def test_a_formula_with_too_many_cases_is_given_up() -> None:
    pairs = [f.or_((f.proposition(f"a{i}"), f.proposition(f"b{i}"))) for i in range(12)]
    with pytest.raises(TooManyCases):
        f.and_(pairs)
