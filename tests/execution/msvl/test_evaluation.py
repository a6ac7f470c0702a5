"""Values: integers of both kinds, floating point, texts, arrays, structs, pointers and the library."""

from __future__ import annotations

import pytest

from pincer.execution.msvl import Options
from tests.execution.msvl.msvl_running import column, run, shown


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("7/2", 3),
        ("(0-7)/2", -3),
        ("7/(0-2)", -3),
        ("(0-7)%2", -1),
        ("7%(0-2)", 1),
        ("1<2", 1),
        ("1=2 OR 2=2", 1),
        ("!5", 0),
        ("~5", -6),
        ("6&3|8^1", 11),
        ("1<<4>>2", 4),
        ("2147483647+1", 2147483648),
        ("'a'+1", 98),
        ("(int)3.9", 3),
        ("(if(1<2) then 10 else 20)", 10),
        ("sizeof(int)+sizeof(char)+sizeof(int*)", 13),
        ("0x10", 16),
    ],
)
def test_expressions_have_the_values_of_c(expression: str, value: int) -> None:
    assert column(run(f"int x and x<=={expression} and skip"), "x")[0] == value


@pytest.mark.parametrize(
    ("type_", "expression", "value"),
    [
        ("int", "2147483647+1", -2147483648),
        ("int", "65536*65536+5", 5),
        ("int", "0-2147483647-2", 2147483647),
        ("char", "200", -56),
        ("short", "40000", -25536),
    ],
)
def test_machine_integers_wrap(type_: str, expression: str, value: int) -> None:
    execution = run(f"{type_} x and x<=={expression} and skip", options=Options(int32=True))
    assert column(execution, "x")[0] == value


def test_floats_are_concrete() -> None:
    execution = run("float f<==1 and int x and skip; f:=f/2+0.25; x:=f*10")
    assert column(execution, "f")[-1] == 0.75
    assert column(execution, "x")[-1] == 7


def test_arrays_of_arrays_and_lists_that_leave_elements_out() -> None:
    execution = run("int a[2][3]<==[[1,2,3],[4]] and skip; a[1,2]:=a[0][1]+a[1][0]")
    assert column(execution, "a") == [((1, 2, 3), (4, 0, 0))] * 2 + [((1, 2, 3), (4, 0, 6))]


def test_structs_are_copied_by_value_and_passed_to_functions() -> None:
    execution = run(
        "struct T {int u and int v[2]}; function swap(T t,T RValue){ local(n): { T n and skip; "
        "n.u<==t.v[0] and n.v[0]<==t.u and n.v[1]<==t.v[1] and skip; RValue:=n } }; "
        "frame(a,b) and (T a,b and skip; a<=={1,[2,3]} and skip; b:=swap(a); a.u:=9)"
    )
    assert column(execution, "b")[-1] == {"u": 2, "v": (1, 3)}
    assert column(execution, "a")[-1] == {"u": 9, "v": (2, 3)}


def test_pointers_walk_through_arrays() -> None:
    execution = run(
        "int a[3]<==[5,6,7] and int *p and int s<==0 and skip; p<==a and skip; "
        "while(p-&a[0]<3) {s:=s+*p and p:=p+1}; p:=&a[1]; p[1]:=0-1"
    )
    assert column(execution, "s")[-1] == 18
    assert column(execution, "a")[-1] == (5, 6, -1)


def test_pointers_to_pointers_and_arguments_by_reference() -> None:
    execution = run(
        "function add(int *p,int n){ *p:=*p+n }; frame(x,q,r) and (int x<==1 and int *q and int **r and skip; "
        "q<==&x and r<==&q and skip; add(&x,4); **r:=x*2)"
    )
    assert column(execution, "x")[-1] == 10


def test_a_list_from_malloc() -> None:
    execution = run(
        "struct N {int v and N *link}; frame(h,t,s) and (N *h<==NULL and N *t and int s<==0 and int i<==0 and skip; "
        "while(i<3) { t<==(N*)malloc(sizeof(N)) and skip; t->v<==i and t->link<==h and skip; h:=t and i:=i+1 }; "
        "while(h!=NULL) { s:=s*10+h->v and h:=h->link })"
    )
    assert execution.ending.kind == "terminated"
    assert column(execution, "s")[-1] == 210


def test_texts_and_characters() -> None:
    execution = run(
        'string s<=="ab" and char c[4]<=="xy" and int n and skip; n:=strlen(c)+strcmp(s,"ab"); '
        'n:=s[1]; strcpy(c,s) and skip; printf("%d-%s|%5.1f%%",n,c,2.25) and skip; output(s,"!",n) and skip'
    )
    assert column(execution, "n")[-1] == ord("b")
    assert column(execution, "c")[-1] == (97, 98, 0, 0)
    assert [output.text for output in execution.outputs] == ["98-ab|  2.2%", "ab!98"]


def test_the_missing_else_of_an_older_function_dialect() -> None:
    execution = run(
        "function int f(int a){ if(a>0) then {return a*2} else {return 0-a} }; int x and skip; x:=f(f(0-4))"
    )
    assert column(execution, "x")[-1] == 8


def test_declarations_with_unit_assignment_take_a_state() -> None:
    assert shown(run("int x:=5; skip"), "x") == "NIL 5 5"


def test_keep_and_fin_feed_conjuncts_that_read_what_they_write() -> None:
    program = "int y<==0 and int z<==0 and skip; keep(y<==1) and z<==y and len(2)"
    assert shown(run(program), "y", "z") == "0,0 1,1 1,1 1,1"


def test_always_repeats_its_body_at_every_state() -> None:
    program = "frame(x) and (int x<==0 and int y<==0 and skip; (always(y<==x*2) and (x:=1; x:=2)))"
    assert shown(run(program), "x", "y") == "0,0 0,0 1,2 2,4"
