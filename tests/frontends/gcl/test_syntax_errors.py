"""Syntax errors say what stands there and what could, at its place."""

from __future__ import annotations

import pytest

from pincer.errors import PincerError
from pincer.frontends.gcl import parse_program


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("", "1:1", "the file is empty"),
        ("  // nothing\n\n", "1:1", "the file is empty"),
        ("program", "1:8", "the text ends here: expected a name"),
        ("program x", "1:10", "the text ends here: expected `;`"),
        ("program 3;", "1:9", "unexpected `3`: expected a name"),
        ("x := 3;", "1:1", "expected a declaration (const, var,"),
        ("property p: x = 1;", "1:1", "unexpected `property`: no declaration begins so; did you mean `safety`?"),
        ("saftey p: x = 1;", "1:1", "did you mean `safety`?"),
        ("var x : int;\nprogram late;", "2:1", "the program line comes first"),
        ("var x : ;", "1:9", "expected a type (int, bool, {a, b, c} or low..high)"),
        ("var x : {};", "1:10", "expected a name"),
        ("var if : int;", "1:5", "unexpected `if`: this word is reserved; choose another name"),
        ("var mod : int;", "1:5", "this word is reserved"),
        ("var not : int;", "1:5", "negation is written `!`"),
        ("var x : int = 3\nvar y : int;", "2:1", "unexpected `var`: expected an operator or `;`"),
        ("var x : int = nondet;", "1:15", "leave an initialiser out for any value"),
        ("init ;", "1:6", "expected an expression"),
        ("init x y;", "1:8", "unexpected `y`: expected an operator, `;` or `[`"),
        ("init x == 1;", "1:9", "equality is written with one `=`"),
        ("init not x;", "1:6", "negation is written `!`"),
        ("init x & y;", "1:8", "unexpected character `&`; write `&&`"),
        ("init x / 2;", "1:8", "write `div`"),
        ("init x % 2;", "1:8", "write `mod`"),
        ("init x = 2x;", "1:10", "`2x` is neither a number nor a name"),
        ("init é = 1;", "1:6", "unexpected character `é`"),
        ("init x\x07 = 1;", "1:7", "unexpected character U+0007"),
        ("init (x = 1;", "1:12", "unexpected `;`: expected `)`"),
        ("init a[1 = 1;", "1:13", "expected `]`"),
        ("init forall i in 1..2 b;", "1:23", "expected an operator, `,` or `:`"),
        ("init if x then y;", "1:17", "expected `else`"),
        ("trans t: x -> ;", "1:15", "to change nothing, assign a variable to itself"),
        ("trans t: x -> y = 3;", "1:17", "expected `:=` or `[`"),
        ("trans t x -> y := 3;", "1:9", "expected `:`"),
        ("process P { t: x -> y := 1;", "1:28", "the text ends here: expected a name or `}`"),
        ("process P[i in 1..2, ] { }", "1:22", "expected a name"),
        ("safety x = 1;", "1:10", "expected `:`"),
        ("var x : int; /* open", "1:14", "this comment is not closed"),
        ("const N = 1..2;", "1:12", "unexpected `..`"),
    ],
)
def test_syntax_error(text: str, place: str, message: str) -> None:
    with pytest.raises(PincerError) as caught:
        parse_program(text, "test.gcl")
    position = caught.value.position
    assert str(position) == f"test.gcl:{place}"
    assert message in caught.value.message
    assert position is not None
    assert caught.value.excerpt == text.split("\n")[position.line - 1]


def test_lark_names_never_show() -> None:
    for cut in ("var", "var x", "var x :", "var x : int =", "trans t: a <", "process P[", "safety s: forall"):
        with pytest.raises(PincerError) as caught:
            parse_program(cut, "test.gcl")
        words = caught.value.message.replace("`", " ").split()
        assert not [word for word in words if word.isupper() or "ANON" in word]
