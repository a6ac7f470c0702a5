"""Formulas in both spellings."""

from __future__ import annotations

import pytest

from pincer.errors import PincerError
from pincer.evidence.pptl.reading import read_formula

SPELLINGS = [
    ("alw(p and q -> som(r))", "[]((p && q) -> <>r)"),
    ("a;b;c", "(a;(b;c))"),
    ("a -> b -> c", "(a -> b) -> c"),
    ("not p or next q", "(!p) || (()q)"),
    ("(a, b) prj c ; d", "((a, b) prj (c ; d))"),
    ("p#", "p*"),
    ("LEN 2", "len(2)"),
    ("p U q U r // comment", "p U (q U r)"),
    ("EMPTY or eps", "empty"),
    ("wnext p", "(.)p"),
    ("keep p", "[](more -> p)"),
    ("halt p", "[](empty <-> p)"),
]


@pytest.mark.parametrize(("one", "other"), SPELLINGS)
def test_both_spellings_are_read_with_the_precedences_of_the_language(one: str, other: str) -> None:
    assert read_formula(one) is read_formula(other)


@pytest.mark.parametrize("broken", ["", "p q", "(p", "p &&", "(p, q)", "len(x)", "p @ q", "par(p)", "U", "prj"])
def test_what_is_no_formula_is_a_mistake_of_the_user(broken: str) -> None:
    with pytest.raises(PincerError):
        read_formula(broken)


@pytest.mark.parametrize(
    ("ltl", "pptl"),
    [
        ("G(p -> F q)", "[](p -> <>q)"),
        ("X p & WX q", "()p && (.)q"),
        ("p R q", "!(!p U !q)"),
        ("p W q", "(p U q) || []p"),
        ("p -> q -> p", "p -> (q -> p)"),
        ("!p | true <-> F p", "(!p || true) <-> <>p"),
    ],
)
def test_ltl_after_its_prefix(ltl: str, pptl: str) -> None:
    assert read_formula(f"ltl: {ltl}") is read_formula(pptl)


@pytest.mark.parametrize("text", ["p ; q", "empty +", "len(2)", "F", "(p", "p U", "X"])
def test_what_is_no_ltl_is_refused(text: str) -> None:
    with pytest.raises(PincerError):
        read_formula(f"ltl: {text}")
