"""The static rules: what breaks one is refused at its place."""

from __future__ import annotations

import pytest

from pincer.errors import UnsupportedError
from pincer.frontends.msvl import StaticError, parse_program


@pytest.mark.parametrize(
    ("text", "line", "column", "words"),
    [
        ("x:=1", 1, 1, "`x` is not declared"),
        ("int x; x:=yy+1", 1, 11, "`yy` is not declared"),
        ("function f(){y:=1}; skip", 1, 14, "`y` is not declared"),
        ("function f(){skip}; function f(){skip}", 1, 30, "already defined"),
        ("struct T {int a}; struct T {int b}", 1, 26, "already defined"),
        ("struct T {int a and int a}; skip", 1, 25, "two fields"),
        ("struct T {T t}; skip", 1, 8, "contains itself"),
        ("struct T {struct U u}; skip", 1, 11, "`U` is not defined"),
        ("struct T *p and skip", 1, 1, "`T` is not defined"),
        ("function f(int a,int a){skip}; skip", 1, 18, "two parameters"),
        ("function f(int RValue,int a){skip}; skip", 1, 12, "last parameter"),
        ("function f(int a){skip}; f()", 1, 26, "takes 1 argument, 0 given"),
        ("function f(int a){skip}; f(1,2)", 1, 26, "takes 1 argument, 2 given"),
        ("function f(int a){skip}; int x; x:=f(1)", 1, 36, "has no result"),
        ("g(1)", 1, 1, "`g` is not defined"),
        ("strlen()", 1, 1, "takes 1 argument"),
        ("int x; (x+1):=2", 1, 10, "can be assigned"),
        ("function f(){skip}; f:=1", 1, 21, "is a function"),
        ("function int f(){return 1; skip}; skip", 1, 18, "last thing"),
        ("int x; while(x){return 1}", 1, 17, "last thing"),
        ("function f(int RValue){RValue:=1}; await(f()=1)", 1, 42, "extern f"),
        ("int x and skip; struct T {int a[0]}; skip", 1, 31, "positive constant"),
    ],
)
def test_breaches_of_static_rules_are_located(text: str, line: int, column: int, words: str) -> None:
    with pytest.raises(StaticError) as caught:
        parse_program(text, "f.m")
    position = caught.value.position
    assert position is not None
    assert (position.line, position.column) == (line, column)
    assert words in caught.value.message


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("union U {int a and char b}; U u and skip", "union"),
        ("function f((*g)(int,int RValue),int RValue){RValue:=g(1)}; skip", "calls through it"),
    ],
)
def test_what_is_not_modelled_is_unsupported(text: str, words: str) -> None:
    with pytest.raises(UnsupportedError, match=words):
        parse_program(text, "f.m")


def test_a_framed_name_may_be_declared_later_or_never() -> None:
    assert parse_program("frame(x) and (int x<==1 and skip)", "f.m").warnings == ()
    assert "`y` is framed but never declared" in parse_program("frame(y) and skip", "f.m").warnings[0]
