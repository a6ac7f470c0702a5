"""What makes no sense in a rule is rejected where it stands."""

from __future__ import annotations

import pytest

from tests.frontends.c.rules.rule_texts import mistake


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rule R; state int x; on call f { x = @y; }", "unknown name `y`"),
        ("rule R; state int x; on call f { @y = 1; }", "unknown state variable `y`"),
        ("rule R; const C = 1; on call f { @C = 2; }", "`C` cannot change"),
        ("rule R; state int x; on call f(a) { @a = 2; }", "`a` cannot change"),
        ("rule R; state int x; state int @x; on call f { x = 1; }", "`x` is already declared"),
        ("rule R; const C = 1; state int @C; on call f { }", "already declared"),
        ("rule R; state int x; on call f(a, @a) { x = a; }", "already declared"),
        ("rule R; state int x; on call f(@x) { x = 1; }", "already declared"),
        ("rule R; state int @_; on call f { }", "`_` stands for a value that is not used"),
        ("rule R; const C = @D; const D = 1; on call f { }", "the constants above it"),
        ("rule R; state int x = 1; state int y = @x; on call f { }", "an initial value"),
        ("rule @R; state int x;", "has no handler"),
        ("rule R; on call f { } on call @f before { }", "before the call of `f` is already handled in line 1"),
        ("rule R; state per object int x; on call f(a) per object argument @2 { x = 1; }", "there is no argument 2"),
        ("rule R; state per object int x; on call f per object argument @1 { x = 1; }", "none is listed"),
        ("rule R; state per object int x; on call f(a) per object argument @0 { x = 1; }", "count from one"),
        ("rule R; state per object int x; on call f(int @a) per object argument 1 { x = 1; }", "`void *`"),
        ("rule R; state int x; on call f(a) per object argument @1 { x = 1; }", "no `state per object`"),
        (
            "rule R; state int n; state per object int x; on call f(a) per object argument 1 { @n = 1; }",
            "`n` belongs to the whole program",
        ),
        (
            "rule R; state int n; state per object int x; on call f { if (x) { @n = 1; } }",
            "`n` belongs to the whole program",
        ),
    ],
)
def test_what_makes_no_sense_is_rejected_where_it_stands(text: str, message: str) -> None:
    mistake(text, message)
