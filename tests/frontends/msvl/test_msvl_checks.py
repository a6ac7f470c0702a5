"""The static rules and the core they lead to."""

from __future__ import annotations

import pytest

from pincer.errors import UnsupportedError
from pincer.frontends.msvl import StaticError, branch_sites, parse_program, statement_text


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


INC = "function inc(int a,int RValue){RValue:=a+1}; int x and int y and skip; "


@pytest.mark.parametrize(
    ("statement", "core"),
    [
        ("x:=inc(x,RValue)", "inc@1:=inc(x); x:=inc@1"),
        ("x:=inc(x)", "inc@1:=inc(x); x:=inc@1"),
        ("x:=extern inc(x,RValue)", "x:=extern inc(x)"),
        ("x:=inc(inc(x))+inc(y)", "inc@1:=inc(x); inc@2:=inc(inc@1); inc@3:=inc(y); x:=inc@2+inc@3"),
        ("inc(x,RValue)", "inc(x)"),
        ("inc(inc(x))", "inc@1:=inc(x); inc(inc@1)"),
        ("if(inc(x)=1) then {skip}", "inc@1:=inc(x); if(inc@1=1) then {skip} else {empty}"),
        ("while(inc(x)<3) {skip}", "inc@1:=inc(x); while(inc@1<3) {skip; inc@1:=inc(x)}"),
        ("repeat {x:=1} until (x=1)", "x:=1; while(!(x=1)) {x:=1}"),
        ("(skip and skip) and skip", "skip and skip and skip"),
        ("(skip; skip); skip", "skip; skip; skip"),
        ("int z<==inc(1) and skip", "(inc@1:=inc(1); int z<==inc@1) and skip"),
    ],
)
def test_lowering_hoists_calls_and_spells_out_the_rest(statement: str, core: str) -> None:
    lowered = statement_text(parse_program(INC + statement, "f.m").core)
    prefix = "int x and int y and skip; "
    assert lowered == prefix + (core if not core.startswith("(skip and") else f"({core})")


def test_each_condition_is_a_site_of_its_own() -> None:
    program = parse_program("int x; if(x<1 AND x>2) then {skip}; while(x<3) {x:=(if(x) then 1 else 2)}", "f.m")
    assert len(branch_sites(program)) == 3
