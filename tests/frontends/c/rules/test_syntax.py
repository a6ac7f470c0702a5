"""Rules as trees; what is no rule is told with its place."""

from __future__ import annotations

import pytest

from tests.frontends.c.rules.rule_texts import COUNT, LOCK, mistake, parse


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rule R; state int x @on call f { }", "expected `;`"),
        ("rule R; state int x; on call f { assert x@; }", "unexpected `;`"),
        ("rule R; state int x; on call f { x = x @[1]; }", "unexpected `[`"),
        ("rule R; state int x; on call f { x = g@(1); }", "unexpected `(`"),
        ("rule R; on call f { @/* }", "not closed"),
        ('rule R; on call f { assert 1 @"a\n"; }', "not closed on its line"),
        ("rule R; on call f {@", "ends too early"),
        ("@state int x;", "expected `rule NAME;`"),
        ("// nothing else@", "ends too early"),
        ("rule R; state int x; on call f { x = 1 @/* 2; }", "not closed"),
    ],
)
def test_syntax_errors_say_where_and_what_is_missing(text: str, message: str) -> None:
    mistake(text, message)


def test_the_description_is_kept() -> None:
    assert parse(LOCK).description == "Locks are taken and given back in turn."
    assert parse(COUNT).description == ""
