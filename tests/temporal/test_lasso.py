"""Truth on infinite intervals that repeat."""

from __future__ import annotations

import pytest

from pincer.temporal.lasso import Lasso, holds_on_lasso
from pincer.temporal.limits import TemporalLimits, TooLarge
from pincer.temporal.parser import parse_formula

P, NONE = frozenset("p"), frozenset[str]()
BLINKING = Lasso((NONE,), (NONE, P))
ON, OFF = Lasso((), (P,)), Lasso((), (NONE,))


@pytest.mark.parametrize(
    ("text", "lasso", "expected"),
    [
        ("[]<>p", BLINKING, True),
        ("<>[]p", BLINKING, False),
        ("[]p", BLINKING, False),
        ("empty", ON, False),
        ("<>len(3)", ON, False),
        ("[]more", ON, True),
        ("()()p", BLINKING, True),
        ("len(2);p", BLINKING, True),
        ("p;empty", ON, False),
        ("[]more;p", ON, False),
        ("skip+", OFF, True),
        ("!(skip+)", OFF, False),
        ("(p && len(2))+", Lasso((P, NONE), (P, NONE)), True),
        ("(p && len(2))+", Lasso((P,), (NONE, NONE)), False),
        ("(p && len(2))+", Lasso((P, NONE), (P, NONE, P, P)), True),
        ("(p && []p)+", ON, True),
        ("(len(3);p)+", Lasso((), (NONE, P)), True),
        ("(len(3);(p && empty))+", Lasso((), (NONE, P)), False),
        ("(len(3);empty)+ && (len(2);empty)+", OFF, True),
        ("p U !p", Lasso((P, P), (NONE,)), True),
        ("p U !p", ON, False),
        ("true U (p && ()[]!p)", Lasso((NONE, P), (NONE,)), True),
        ("(skip,skip) prj p", ON, True),
        ("(len(2),true) prj len(1)", OFF, True),
        ("(p,empty) prj empty", ON, False),
        ("fin(p)", OFF, True),
        ("keep(p)", ON, True),
        ("halt(p)", OFF, True),
        ("halt(p)", BLINKING, False),
    ],
)
def test_truth_is_exact(text: str, lasso: Lasso, expected: bool) -> None:
    assert holds_on_lasso(parse_formula(text).formula, lasso) == expected


def test_a_loop_has_at_least_one_state() -> None:
    with pytest.raises(ValueError, match="at least one state"):
        Lasso((P,), ())


def test_too_many_derivatives_are_cut() -> None:
    with pytest.raises(TooLarge, match="more than 10 nodes"):
        holds_on_lasso(parse_formula("len(1000);p").formula, ON, TemporalLimits(nodes=10))
