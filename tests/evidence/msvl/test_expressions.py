"""Expressions, places and assignments, by the states they lead to."""

from __future__ import annotations

import pytest

from tests.evidence.msvl.evidence_runs import shown, word

STRUCTS = "struct In { int u and char c[2] }; struct T { int n and In of and T *to }; "


@pytest.mark.parametrize(
    ("declared", "body", "states"),
    [
        ("int a[3]<==[5] and int i<==1", "a[i]:=a[0]+i", "[5, 0, 0],1 [5, 0, 0],1 [5, 6, 0],1"),
        ("int a[2,2] and int i<==0", "a<==[[1],[2,3]] and skip; a[1][1]:=a[1,0]", None),
        ("char a[4]<==\"ab\" and int i<==0", "i:=a[1]", "[97, 98, 0, 0],0 [97, 98, 0, 0],0 [97, 98, 0, 0],98"),
        ("string a<==\"ab\" and int i<==0", "i:=a[0]; i:=a[2]", "ab,0 ab,0 ab,97 ab,0"),
        ("int a<==2 and int i<==0", "i:=(if(a=2) then 7 else 8)", "2,0 2,0 2,7"),
        ("int a<==2 and int i<==0", "i:=a=2 AND 1/i=1 OR a=2", None),
        ("int a[3]<==[1,2,3] and int *i", "i:=&a[1]; *i:=9; i:=i+1; *i:=8", None),
        ("int a<==0 and int *i", "i:=NULL; if(i=NULL) then {a:=1} else {a:=2}", "0,NIL 0,NIL 0,NULL 1,NULL"),
        ("float a<==1.5 and int i<==0", "i:=(int)(a*3)", "1.5,0 1.5,0 1.5,4"),
        ("int a[2] and int i<==0", "i:=sizeof(a)+sizeof(int)", "[NIL, NIL],0 [NIL, NIL],0 [NIL, NIL],12"),
    ],
)  # fmt: skip
def test_values_and_places(declared: str, body: str, states: str | None) -> None:
    found = word(f"frame(a,i) and ({declared} and skip; {body})")
    if states is None:
        assert found.terminated or "division" in found.reason
    else:
        assert found.terminated and shown(found, "a", "i") == states


def test_connectives_stop_at_the_operand_that_decides() -> None:
    found = word("frame(x) and (int x<==0 and skip; if(x=0 OR 1/x=1) then {x:=1} else {x:=2}; x:=(x=0 AND 1/0=1))")
    assert shown(found, "x") == "0 0 1 0"


def test_structs_are_values_and_can_be_reached_by_pointers() -> None:
    text = STRUCTS + (
        "frame(t,s,p) and (T t and T s and T *p and skip; t<==[1,[2,[3,4]]] and skip; s:=t; p:=&s; p->of.c[1]:=p->n; "
        "p->to:=p; p->to->n:=6)"
    )
    found = word(text)
    assert found.terminated
    assert found.states[-1].values["s"] == "{n: 6, of: {u: 2, c: [3, 1]}, to: &s}"
    assert found.states[-1].values["t"] == "{n: 1, of: {u: 2, c: [3, 4]}, to: NULL}"


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("x:=a[3]", "no element 3"),
        ("x:=*q", "NULL"),
        ("x:=y", "has no value yet"),
        ("x:=*(p+3)", "beyond the end"),
        ("p:=p+4", "leaves its array"),
        ("x:=x[0]", "only arrays"),
        ("a:=x", "element by element"),
        ("x:=[1,2]", "2 values for 0 elements"),
        ("x:=x.u", "no field"),
        ("a:=[1,2,3,4]", "4 values for 3 elements"),
    ],
)
def test_what_has_no_value_or_place(body: str, reason: str) -> None:
    declared = "int x<==1 and int y and int a[3]<==[1,2,3] and int *p<==&a[0] and int *q<==NULL"
    found = word(f"frame(x,y,a,p,q) and ({declared} and skip; {body})")
    assert not found.terminated and reason in found.reason
