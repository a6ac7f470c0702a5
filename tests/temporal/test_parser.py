"""Reading PPTL in both spellings, LTL, and what is said about mistakes."""

from __future__ import annotations

import pytest

from pincer.errors import PincerError, Position
from pincer.temporal.parser import parse_formula, parse_ltl
from pincer.temporal.satisfiability import proved_valid


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("a->b;c", "(a->b);c"),
        ("a->b<->c", "(a->b)<->c"),
        ("a->b->c", "(a->b)->c"),
        ("a || b && c", "a || (b && c)"),
        ("a && b U c", "a && (b U c)"),
        ("a U b U c", "a U (b U c)"),
        ("!a U b", "(!a) U b"),
        ("[]a;b", "([]a);b"),
        ("!p+", "!(p+)"),
        ("a;b;c", "a;(b;c)"),
        ("(a,b) prj c;d", "(a,b) prj (c;d)"),
        ("alw(p and q -> r)", "[]((p && q) -> r)"),
        ("som next p or not q", "<>()p || !q"),
        ("always p", "[]p"),
        ("sometimes p", "<>p"),
        ("wnext p", "(.)p"),
        ("eps or ~p", "empty || !p"),
        ("EMPTY OR LEN(2)", "empty or len(2)"),
        ("len 2", "len(2)"),
        ("len(0)", "empty"),
        ("skip", "()empty"),
        ("fin(p)", "[](empty -> p)"),
        ("keep(p)", "[](more -> p)"),
        ("halt(p)", "[](empty <-> p)"),
        ("p*", "empty || p+"),
        ("p#", "p*"),
        ("par(p, q)", "((p;true) && q) || (p && (q;true)) || (p && q && []more)"),
        ("p // a comment\n && /* and\n another */ q", "p && q"),
    ],
)
def test_spellings_and_precedence(one: str, other: str) -> None:
    assert parse_formula(one).formula is parse_formula(other).formula


def test_only_reserved_words_ignore_case() -> None:
    assert set(parse_formula("P && p && Empty && u && X").propositions) == {"P", "p", "Empty", "u", "X"}


def test_propositions_come_with_their_first_position() -> None:
    parsed = parse_formula("p &&\n  q && p", "f.p", (3, 10))
    assert parsed.propositions == {"p": Position("f.p", 3, 10), "q": Position("f.p", 4, 3)}


def test_arrows_in_a_row_are_warned_about() -> None:
    (warning,) = parse_formula("a -> b -> c", "f.p").warnings
    assert warning.startswith("f.p:1:8: arrows in a row")
    assert parse_formula("a -> (b -> c)").warnings == ()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "1:1: there is no formula here"),
        ("  // nothing", "expected a formula"),
        ("p &", "1:3: unexpected character `&`; conjunction is written"),
        ("x = 1", "1:3: unexpected character `=`; comparisons belong into a `define`"),
        ("p ;", "1:4: the formula ends too early: expected a formula"),
        ("(p", "1:3: the formula ends too early: expected `)`"),
        ("p q", "1:3: unexpected `q`: expected an operator or the end"),
        ("p\n&& )", "2:4: unexpected `)`: expected a formula"),
        ("len(x)", "1:5: unexpected `x`: expected a number of steps"),
        ("len(" + "9" * 5000 + ")", "1:5: this length is out of reach"),
        ("par p", "1:5: unexpected `p`: expected `(`"),
        ("(p, q)", "1:7: the formula ends too early: expected `prj` after a list"),
        ("\0", "unexpected character U+0000"),
        ("()" * 5000 + "p", "nested more than 250 operators deep"),
    ],
)
def test_mistakes_are_explained_with_their_position(text: str, message: str) -> None:
    with pytest.raises(PincerError) as caught:
        parse_formula(text)
    assert message in str(caught.value)


def test_deep_parentheses_are_no_problem() -> None:
    assert parse_formula("(" * 5000 + "p" + ")" * 5000).formula is parse_formula("p").formula
    assert parse_formula("!" * 5000 + "p").formula is parse_formula("p").formula


@pytest.mark.parametrize(
    ("ltl", "pptl"),
    [
        ("X a", "()a"),
        ("WX a", "(.)a"),
        ("F a", "<>a"),
        ("G a", "[]a"),
        ("a U b", "a U b"),
        ("a R b", "!(!a U !b)"),
        ("a W b", "(a U b) || []a"),
        ("G (a -> X F b) & !c | d", "([](a -> ()<>b) && !c) || d"),
        ("a -> b -> c", "a -> (b -> c)"),
        ("[] a || <> b", "[]a || <>b"),
    ],
)
def test_ltl_is_translated(ltl: str, pptl: str) -> None:
    assert parse_ltl(ltl).formula is parse_formula(pptl).formula


def test_strong_and_weak_next_differ_in_the_last_state_only() -> None:
    assert proved_valid(parse_ltl("X a -> WX a").formula)
    assert not proved_valid(parse_ltl("WX a -> X a").formula)


def test_temporal_letters_are_propositions_in_pptl_and_operators_in_ltl() -> None:
    assert set(parse_formula("X && F && G && R && W").propositions) == {"X", "F", "G", "R", "W"}
    assert set(parse_ltl("G x").propositions) == {"x"}
