"""What runs: calls before their statement, the rest spelled out."""

from __future__ import annotations

import pytest

from pincer.frontends.msvl import parse_program, statement_text

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
