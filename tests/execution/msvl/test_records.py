"""What goes wrong at a state is told apart, with its place and the number of the state."""

from __future__ import annotations

import pytest

from pincer.errors import UnsupportedError
from pincer.execution.msvl import (
    DivisionByZero,
    ExecutionError,
    InconsistentState,
    InstantaneousLoop,
    LengthConflict,
    NullPointer,
    Options,
    OutOfBounds,
    UndefinedValue,
    WriteConflict,
    WrongType,
)
from tests.execution.msvl.msvl_running import run, shown

REJECT = Options(same_state="reject")


@pytest.mark.parametrize(
    ("program", "kind", "state", "column"),
    [
        ("int x,y and skip; x:=y+1", UndefinedValue, 1, 22),
        ("int a[2] and skip; a[1]:=a[0]", UndefinedValue, 1, 26),
        ("skip; x:=1; int x and skip", UndefinedValue, 1, 7),
        ("function f(int RValue){skip}; int x and skip; x:=f()", UndefinedValue, 2, 10),
        ("int x<==1 and skip; x:=2 and empty", LengthConflict, 1, 21),
        ("int x<==1 and skip; len(2) and len(3)", LengthConflict, 3, 21),
        ("int x<==1 and skip; skip and keep(empty)", LengthConflict, 1, 35),
        ("int x<==1 and skip; empty and fin(skip)", LengthConflict, 1, 35),
        ("int x<==1 and skip; x<==2 and x<==3 and skip", WriteConflict, 1, 31),
        ("int x<==1 and skip; x:=2 and x:=3", WriteConflict, 2, 30),
        ("int x<==1 and skip; (x:=2) || (x:=3)", WriteConflict, 2, 32),
        ("int x<==1 and skip; x<==2 and keep(x<==3) and skip", WriteConflict, 1, 36),
        ("int x<==1 and skip; skip and keep(x<==2) and keep(x<==3)", WriteConflict, 1, 51),
        ("int x<==1 and skip; (skip) prj (x<==1 and keep(x<==2) and skip)", WriteConflict, 1, 48),
        ("int x<==1 and skip; false", InconsistentState, 1, 21),
        ("int x<==1 and skip; x=2 and skip", InconsistentState, 1, 21),
        ("int x<==1 and skip; while(x>0) {empty}", InstantaneousLoop, 1, 21),
        ("int x<==1 and skip; while(x>0) {x<==x+1}", InstantaneousLoop, 1, 21),
        ("int a[3]<==[1,2,3] and skip; a[3]:=1", OutOfBounds, 1, 30),
        ("int a[3]<==[1,2,3] and skip; a[0]:=a[0-1]", OutOfBounds, 1, 36),
        ("int a[2,2] and skip; a[1,2]:=1", OutOfBounds, 1, 22),
        ("int a[2]<==[1,2,3] and skip", OutOfBounds, 0, 12),
        ("int n<==0 and skip; int a[n] and skip", OutOfBounds, 1, 27),
        ("int x<==0-1 and skip; len(x)", OutOfBounds, 1, 23),
        ("int a[2]<==[1,2] and int *p and skip; p:=&a[0]+3", OutOfBounds, 1, 47),
        ("int a[2]<==[1,2] and int *p and skip; p:=a+2; a[0]:=*p", OutOfBounds, 2, 53),
        ("int x<==0 and skip; x:=1/x", DivisionByZero, 1, 25),
        ("int x<==0 and skip; x:=1%x", DivisionByZero, 1, 25),
        ("float f<==0 and skip; f:=1/f", DivisionByZero, 1, 27),
        ("int *p<==NULL and skip; *p:=1", NullPointer, 1, 25),
        ("struct T {int u}; T *p<==0 and skip; p->u:=1", NullPointer, 1, 38),
        ("int *p and skip; local(l): {int l<==1 and p<==&l and skip}; *p:=2", NullPointer, 2, 61),
        ("int *p<==(int*)malloc(4) and skip; free(p); *p:=1", NullPointer, 1, 45),
        ("int x<==1 and skip; x:=*x", WrongType, 1, 24),
        ('int x<=="text" and skip', WrongType, 0, 9),
        ("int x<==1 and skip; float x and skip", WrongType, 1, 27),
        ("int x<==1 and skip; x:=[1,2]", WrongType, 1, 24),
    ],
)
def test_errors_have_their_kind_their_place_and_their_state(
    program: str, kind: type[ExecutionError], state: int, column: int
) -> None:
    execution = run(program)
    error = execution.ending.error
    assert type(error) is kind, error
    assert error.state == state
    assert error.position is not None and error.position.column == column
    assert execution.ending.kind == ("inconsistent" if isinstance(error, InconsistentState) else "error")
    assert f"(at state {state})" in str(error)
    assert len(execution.states) == state


@pytest.mark.parametrize(
    "statement",
    [
        "if(x=0) then {x<==1 and skip}",
        "while(x=0) {x<==1 and skip}",
        "(x<==1; x<==2 and skip)",
        "while(x=0) {empty}",
    ],
)
def test_reject_refuses_what_overwrite_lets_pass(statement: str) -> None:
    rejected = run(f"int x<==0 and skip; {statement}", options=REJECT)
    assert type(rejected.ending.error) is InconsistentState


def test_overwrite_lets_a_later_part_of_a_sequence_write_again() -> None:
    assert shown(run("int x<==0 and skip; (x<==1; x<==2 and skip)"), "x") == "0 2 2"


def test_reject_accepts_the_same_value_again() -> None:
    assert run("int x<==0 and skip; if(x=0) then {x<==0 and skip}", options=REJECT).ending.kind == "terminated"


def test_conjuncts_that_wait_for_each_other_run_as_written_with_a_warning() -> None:
    execution = run("int x<==1 and int y<==2 and skip; x<==y+1 and y<==x+1 and skip")
    assert shown(execution, "x", "y") == "1,2 3,4 3,4"
    assert len(execution.warnings) == 1


def test_reading_strings_is_unsupported() -> None:
    with pytest.raises(UnsupportedError, match="only numbers"):
        run("string s and input(s) and skip")


def test_wide_types_are_unsupported_on_a_32_bit_machine() -> None:
    with pytest.raises(UnsupportedError, match="unsigned"):
        run("unsigned x and skip", options=Options(int32=True))
