"""Which formulas are the same object, and which must not be."""

from __future__ import annotations

import pytest

from pincer.temporal.formula import Formula
from pincer.temporal.parser import parse_formula
from pincer.temporal.text import formula_text


def formula(text: str) -> Formula:
    return parse_formula(text).formula


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("p && (q && r)", "(r && p) && q"),
        ("p || p", "p"),
        ("p && true", "p"),
        ("p && false", "false"),
        ("p && !p", "false"),
        ("<>p || !<>p", "true"),
        ("<>p || (<>p && q)", "<>p"),
        ("!!(p;q)", "p;q"),
        ("!(p && <>q)", "!p || []!q"),
        ("!()p", "empty || ()!p"),
        ("()false", "false"),
        ("()true", "more"),
        ("()()empty", "len(2)"),
        ("empty && ()p", "false"),
        ("empty && <>p", "empty && p"),
        ("false;q", "false"),
        ("p;false", "false"),
        ("empty;q", "q"),
        ("(p && empty);q", "p && q"),
        ("true;true", "true"),
        ("(<>p || []q);r", "(<>p;r) || ([]q;r)"),
        ("p;(<>q || []r)", "(p;<>q) || (p;[]r)"),
        ("<><>q", "<>q"),
        ("false+", "false"),
        ("empty+", "empty"),
        ("true+", "true"),
        ("(p+)+", "p+"),
        ("(empty,p) prj q", "(p) prj q"),
        ("(empty) prj q", "q"),
        ("(p,false) prj q", "false"),
        ("(p,q,r) prj empty", "p;(q;r)"),
        ("true U q", "<>q"),
        ("som p and alw q", "<>p && []q"),
        ("P#", "P*"),
    ],
)
def test_equal_formulas_are_one_object(left: str, right: str) -> None:
    assert formula(left) is formula(right)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("p;empty", "p"),
        ("<>p;empty", "<>p"),
        ("(p;p+);r", "p;(p+;r)"),
        ("(p;q);r", "p;(q;r)"),
        ("(p,empty) prj empty", "p"),
        ("(p,empty) prj q", "(p) prj q"),
        ("[]<>p", "<>[]p"),
    ],
)
def test_formulas_that_differ_on_infinite_intervals_stay_apart(left: str, right: str) -> None:
    assert formula(left) is not formula(right)


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("p -> q", "!p || q"),
        ("alw((p and q)->r)", "[](!p || !q || r)"),
        ("halt(p)", "fin(p) && keep(!p)"),
        ("fin(p)+", "fin(p)"),
        ("(fin(p))+", "(fin(p))+"),
        ("(p;q);r", "(p ; q) ; r"),
        ("p U q U r", "p U (q U r)"),
        ("(.)!p", "(.)!p"),
        ("(skip,p) prj q;r", "(skip, p) prj (q ; r)"),
    ],
)
def test_a_formula_is_printed_so_that_it_can_be_read_back(written: str, shown: str) -> None:
    assert formula_text(formula(written)) == shown
    assert formula(shown) is formula(written)
