"""Conjuncts run in the order of their data."""

from __future__ import annotations

import pytest

from pincer.evidence.msvl.ordering import POINTED, Ordering, TouchedVariables
from pincer.frontends.msvl import parse_program, syntax
from tests.evidence.msvl.evidence_runs import shown, word


def ordering(text: str) -> tuple[Ordering, syntax.Statement]:
    program = parse_program(text, "t.m")
    return Ordering(program), program.core


@pytest.mark.parametrize(
    ("body", "reads", "writes", "ends"),
    [
        ("x<==y+1", {"y"}, {"x"}, True),
        ("x:=y", {"y"}, set(), False),
        ("a[x]<==y", {"x", "y"}, {"a"}, True),
        ("*p<==y", {"p", "y"}, {POINTED}, True),
        ("p[x]<==y", {"p", "x", "y"}, {POINTED}, True),
        ("x<==1; y<==2", set(), {"x", "y"}, True),
        ("skip; y<==2", set(), set(), False),
        ("if(x=1) then {y<==1} else {skip}", {"x"}, {"y"}, True),
        ("while(x<3){ y<==x and skip }", {"x"}, {"y"}, True),
        ("next(x<==1)", set(), set(), False),
        ("keep(x<==y)", {"y"}, {"x"}, True),
        ("(x<==1 or y<==2)", set(), {"x", "y"}, True),
        ("f(y)", {"y"}, {"x"}, True),
        ("g(y)", {"y"}, set(), True),
        ("x<==extern g(y)", {"y"}, {"x"}, True),
        ("local(x): { x<==y }", {"y"}, set(), True),
    ],
)
def test_what_a_statement_touches_at_its_first_state(body: str, reads: set[str], writes: set[str], ends: bool) -> None:
    functions = "function f(int n){ x<==n }; function g(int n,int RValue){ RValue:=n }; "
    found, core = ordering(f"{functions}int x,y and int a[2] and int *p and ({body}) and true")
    assert isinstance(core, syntax.And)
    assert found.of(core.parts[-2]) == TouchedVariables(frozenset(reads), frozenset(writes), ends)


def test_the_order_of_the_text_does_not_matter() -> None:
    parts = ["c<==b+1", "b<==a+1", "a<==1"]
    for order in ((0, 1, 2), (2, 1, 0), (1, 0, 2)):
        body = " and ".join(parts[i] for i in order)
        found = word(f"frame(a,b,c) and (int a,b,c and skip; {body} and skip)")
        assert shown(found, "a", "b", "c") == "NIL,NIL,NIL 1,2,3 1,2,3"


def test_what_is_kept_comes_before_those_who_read_it() -> None:
    assert shown(word("frame(x,y) and (int x,y and (len(1) and x<==y and keep(y<==4)))"), "x", "y") == "4,4 4,4"


def test_recursive_functions_have_finite_effects() -> None:
    found, _ = ordering("int x and (function f(){ x<==1 and skip; f() }; f())")
    assert found.program.functions.keys() == {"f"}
