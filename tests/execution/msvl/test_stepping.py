"""The programs of the language's description, state by state."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from pincer.execution.msvl import (
    InconsistentState,
    InstantaneousLoop,
    LengthConflict,
    Options,
    UndefinedValue,
    remaining_text,
)
from tests.execution.msvl.msvl_running import run, shown


class Vector(NamedTuple):
    name: str
    program: str
    variables: tuple[str, ...]
    states: str
    ending: str = "terminated"


INC = "function inc(int a,int RValue){ RValue:=a+1 }; "
LOOPED = "frame(i,brk) and (int i<==0 and int brk<==0 and skip; while(i<10 AND brk=0)"
SUM = "frame(n,s) and (int n and int s<==0 and input(n) and skip; while(n>0){s:=s+n and n:=n-1}; output("
VECTORS = [
    Vector("M01", "frame(x) and (int x<==1 and skip; x:=x+1; x:=x*3)", ("x",), "1 1 2 6"),
    Vector(
        "M02",
        "frame(i,s) and (int i<==0 and int s<==0 and skip; while(i<3){i:=i+1 and s:=s+i})",
        ("i", "s"),
        "0,0 0,0 1,0 2,1 3,3",
    ),
    Vector("M03", "frame(x) and (int x<==5 and skip; while(x<0){x:=x-1}; x:=7)", ("x",), "5 5 7"),
    Vector("M04", "frame(x,y) and (int x<==1 and int y<==2 and skip; x:=y and y:=x)", ("x", "y"), "1,2 1,2 2,1"),
    Vector(
        "M05",
        "frame(a,b,c) and (int a,b,c and skip; c<==b+1 and b<==a+1 and a<==1 and skip)",
        ("a", "b", "c"),
        "NIL,NIL,NIL 1,2,3 1,2,3",
    ),
    Vector("M06", "frame(x) and (int x<==1 and skip; x<==9 and skip; skip)", ("x",), "1 9 9 9"),
    Vector(
        "M07",
        "frame(x,y) and (int x<==0 and int y<==0 and skip; ((x:=1;x:=2) || (y:=1;y:=2;y:=3)))",
        ("x", "y"),
        "0,0 0,0 1,1 2,2 2,3",
    ),
    Vector(
        "M08",
        "frame(x,t) and (int x<==0 and int t<==0 and skip; ((skip;skip;t:=1) || (await(t=1);x:=5)))",
        ("x", "t"),
        "0,0 0,0 0,0 0,0 0,1 5,1",
    ),
    Vector(
        "M08 with its sides exchanged",
        "frame(x,t) and (int x<==0 and int t<==0 and skip; ((await(t=1);x:=5) || (skip;skip;t:=1)))",
        ("x", "t"),
        "0,0 0,0 0,0 0,0 0,1 5,1",
    ),
    Vector("M10", "frame(x) and (int x<==0 and skip; ((len(2)) prj (x:=1;x:=2;x:=3)))", ("x",), "0 0 0 1 2 3"),
    Vector("M12", "frame(x) and (int x<==0 and skip; next(x<==4 and skip); skip)", ("x",), "0 0 4 4 4"),
    Vector(
        "M14",
        "frame(x) and (int x<==0 and skip; (halt(x=2) and next(x<==1 and next(x<==2))))",
        ("x",),
        "0 0 1 2",
    ),
    Vector("M15", INC + "frame(x) and (int x<==3 and skip; x:=inc(x,RValue); x:=x*10)", ("x",), "3 3 3 4 40"),
    Vector(
        "M16",
        "function inc(int a,int RValue){ frame(l) and (int l<==a and skip; l:=l+1; RValue:=l) }; "
        "frame(x) and (int x<==3 and skip; x:=extern inc(x,RValue); x:=x*10)",
        ("x",),
        "3 3 4 40",
    ),
    Vector(
        "M17",
        "function f(int a){ frame(l) and (int l<==a and skip; g:=l+1; g:=g+1) }; "
        "frame(g) and (int g<==0 and skip; f(5); g:=g*2)",
        ("g",),
        "0 0 0 6 7 14",
    ),
    Vector(
        "M18",
        "frame(x,y) and (int x<==1 and int y<==2 and skip; "
        "local(y):{ frame(y) and (int y<==50 and skip; x:=y) }; x:=x+y)",
        ("x", "y"),
        "1,2 1,2 1,2 50,2 52,2",
    ),
    Vector(
        "M19",
        "frame(a,i) and (int a[3]<==[5,6,7] and int i<==0 and skip; while(i<2){ a[i]:=a[i+1] and i:=i+1 })",
        ("a", "i"),
        "(5, 6, 7),0 (5, 6, 7),0 (6, 6, 7),1 (6, 7, 7),2",
    ),
    Vector(
        "M20",
        "struct T { int u and int v }; frame(t,p) and (T t and T *p and skip; "
        "t.u<==1 and t.v<==2 and p<==&t and skip; p->u:=p->v+5; t.v:=t.u)",
        ("t",),
        "{'u': NIL, 'v': NIL} {'u': 1, 'v': 2} {'u': 1, 'v': 2} {'u': 7, 'v': 2} {'u': 7, 'v': 7}",
    ),
    Vector("M21", "frame(x) and (int x<==1 and skip; if(x=0) then {x:=9}; x:=x+1)", ("x",), "1 1 2"),
    Vector(
        "M23",
        "frame(f,x) and (int f<==0 and int x<==0 and skip; if(f=0) then {f<==1 and x:=10} else {skip})",
        ("f", "x"),
        "0,0 1,0 1,10",
    ),
    Vector("M24", "frame(x) and (int x<==0 and skip; repeat {x:=x+1} until (x>=2))", ("x",), "0 0 1 2"),
    Vector("M25", SUM + '"s=",s) and skip)', ("n", "s"), "2,0 2,0 1,2 0,3 0,3"),
    Vector("M26 skip", "skip", (), " "),
    Vector("M26 empty", "empty", (), ""),
    Vector(
        "M27",
        LOOPED + "{ if(i=2) then {brk<==1 and skip} else {i:=i+1} })",
        ("i", "brk"),
        "0,0 0,0 1,0 2,1 2,1",
    ),
    Vector(
        "M29",
        "frame(x,y) and (int x<==0 and int y<==0 and skip; (len(2) and keep(y<==1) and fin(x<==7)))",
        ("x", "y"),
        "0,0 0,1 0,1 7,1",
    ),
]
REJECTED = {"M23", "M27"}


@pytest.mark.parametrize("framing", ["implicit", "strict"])
@pytest.mark.parametrize("same_state", ["overwrite", "reject"])
@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector.name)
def test_programs_give_the_states_of_the_description(vector: Vector, same_state: str, framing: str) -> None:
    options = Options(same_state=same_state, framing=framing)  # type: ignore[arg-type]
    execution = run(vector.program, {"s_n": 2}, options)
    if same_state == "reject" and vector.name in REJECTED:
        assert execution.ending.kind == "inconsistent"
        return
    assert shown(execution, *vector.variables) == vector.states
    assert execution.ending.kind == vector.ending
    assert execution.warnings == ()


def test_output_is_recorded_with_its_state() -> None:
    (output,) = run(SUM + '"s=",s) and skip)', {"s_n": 2}).outputs
    assert (output.text, output.state) == ("s=3", 3)


def test_m11_a_length_conflict_is_found_at_the_state_where_it_happens() -> None:
    execution = run("frame(x) and (int x<==0 and skip; (x:=1 and len(2)))")
    assert shown(execution, "x") == "0 0"
    assert execution.ending.kind == "inconsistent"
    error = execution.ending.error
    assert isinstance(error, LengthConflict)
    assert error.state == 2
    assert error.position is not None and error.position.column == 36


@pytest.mark.parametrize(("choice", "states"), [(1, "0 0 1"), (0, "0 0 2")])
def test_m30_each_alternative_is_a_path(choice: int, states: str) -> None:
    execution = run("frame(x) and (int x<==0 and skip; (x:=1 or x:=2))", {"s_or": choice})
    assert shown(execution, "x") == states
    assert len(execution.constraints) == 1


STRICT = Options(framing="strict")


def test_m31_an_unframed_variable_is_forgotten_under_strict_framing() -> None:
    text = "frame(x) and (int x<==1 and int y<==2 and skip; x:=x+1; skip)"
    assert shown(run(text, options=STRICT), "x", "y") == "1,2 1,NIL 2,NIL 2,NIL"
    assert shown(run(text), "x", "y") == "1,2 1,2 2,2 2,2"


def test_m32_a_frame_ends_with_its_own_interval() -> None:
    text = "frame(x) and (int x<==1 and skip; frame(y) and (int y<==2 and skip; x:=y); x:=x+1)"
    assert shown(run(text, options=STRICT), "x", "y") == "1,- 1,2 1,2 2,2 3,NIL"


def test_m33_reading_a_forgotten_variable_is_an_error() -> None:
    execution = run("frame(x) and (int x<==1 and int y<==2 and skip; x:=y)", options=STRICT)
    error = execution.ending.error
    assert isinstance(error, UndefinedValue) and error.state == 1
    assert execution.ending.kind == "error"


def test_m34_a_loop_without_time_is_an_error() -> None:
    execution = run("frame(x) and (int x<==0 and skip; while(true){ x<==1 })")
    error = execution.ending.error
    assert isinstance(error, InstantaneousLoop) and error.state == 1
    rejected = run("frame(x) and (int x<==0 and skip; while(true){ x<==1 })", options=Options(same_state="reject"))
    assert isinstance(rejected.ending.error, InconsistentState)


P = """frame(x,y,z) and (
  int x,y,z and
  input(x) and
  input(y) and skip;
  if(x<y) then {x:=x+3 and z:=x+y} else {x:=x+3 and z:=x-y};
  if(z=6) then {x:=x+1 and y:=y+1} else {x:=x-1 and y:=y-1}
)"""


def test_the_worked_reduction_leaves_the_programs_of_the_description() -> None:
    mu = "if(x<y) then {x:=x+3 and z:=x+y} else {x:=x+3 and z:=x-y}"
    nu = "if(z=6) then {x:=x+1 and y:=y+1} else {x:=x-1 and y:=y-1}"
    execution = run(P, {"s_x": 1, "s_y": 5})
    assert [remaining_text(program) for program in execution.programs] == [
        f"frame(x,y,z) and (int x,y,z and input(x) and input(y) and skip; {mu}; {nu})",
        f"frame(x,y,z) and ({mu}; {nu})",
        f"frame(x,y,z) and ((x<==4{{s_x + 3}} and empty) and (z<==6{{s_x + s_y}} and empty); {nu})",
        "frame(x,y,z) and ((x<==5{s_x + 4} and empty) and (y<==6{s_y + 1} and empty))",
        "empty",
    ]
