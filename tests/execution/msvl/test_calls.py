"""Calls: scopes of their own, external ones without a state of the caller, and how they go wrong."""

from __future__ import annotations

import pytest

from pincer.execution.msvl import Options
from tests.execution.msvl.msvl_running import column, run, shown


@pytest.mark.parametrize(("n", "result"), [(0, 1), (5, 120), (12, 479001600)])
def test_recursive_functions(n: int, result: int) -> None:
    execution = run(
        "function fact(int n,int RValue){ if(n<=1) then {RValue:=1} else {RValue:=n*fact(n-1)} }; "
        f"int x and skip; x:=fact({n})"
    )
    assert column(execution, "x")[-1] == result


def test_external_calls_take_no_state_and_leave_their_effect() -> None:
    execution = run(
        "function f(int n,int RValue){ frame(i) and (int i<==0 and skip; while(i<n){ g:=g+1 and i:=i+1 }; RValue:=g) };"
        "frame(g,x) and (int g<==0 and int x<==0 and skip; x:=extern f(3); extern f(2) and skip; "
        "if(extern f(1)=6) then {x:=7})",
        options=Options(framing="strict"),
    )
    assert shown(execution, "g", "x") == "0,0 3,0 5,3 6,3 6,7"


def test_conjuncts_wait_for_what_mutually_recursive_functions_write() -> None:
    execution = run(
        "function f(int n){ if(n>0) then {g(n-1) and y<==x and skip} else {x<==7 and skip} }; "
        "function g(int n){ if(n>0) then {f(n-1)} else {x<==5 and skip} }; "
        "frame(x,y) and (int x<==0 and int y<==0 and skip; f(1))"
    )
    assert shown(execution, "x", "y") == "0,0 5,5 5,5"


def test_an_external_call_in_an_index_runs_once() -> None:
    function = "function f(int RValue){ c<==c+1 and RValue<==1 }; "
    text = function + "int c<==0 and int a[2,2]<==[[1,2],[3,4]] and int x<==0 and skip; x:=a[extern f()][1]"
    assert shown(run(text), "c", "x") == "0,0 1,0 1,4"


def test_a_function_that_leaves_no_result_is_an_error_of_the_run() -> None:
    found = run("function f(int n,int RValue){ skip }; int x and skip; x:=f(1)")
    assert found.ending.kind == "error"
    assert "`f` ended without a value for `RValue`" in str(found.ending.error)


def test_parameters_are_copies_of_the_arguments() -> None:
    found = run("function f(int n){ n:=n+1 }; frame(x,n) and (int x<==4 and int n<==8 and skip; f(x); f(n))")
    assert (column(found, "x")[-1], column(found, "n")[-1]) == (4, 8)


@pytest.mark.parametrize("call", ["x:=f(1)", "x:=extern f(1)"])
def test_calls_are_not_nested_without_end(call: str) -> None:
    text = f"function f(int n,int RValue){{ RValue:=f(n+1) }}; frame(x) and (int x and skip; {call})"
    found = run(text, options=Options(max_call_depth=5))
    assert found.ending.kind == "cut"
    assert "nested more than 5 deep" in str(found.ending.reason)
