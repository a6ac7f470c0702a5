"""How runs end, what they remember, and how fast they are."""

from __future__ import annotations

import pytest

from pincer.execution.msvl import Options, execute
from pincer.frontends.msvl import parse_program
from pincer.runtime.reasons import Reason
from pincer.runtime.run import Run, Stopped
from tests.execution.msvl.msvl_running import DEFAULT, column, run

FLIP = "frame(x) and (int x<==0 and skip; while(true){x:=1-x})"
COUNT = "frame(x) and (int x<==0 and skip; while(true){x:=x+1})"


def test_x5_a_lasso_is_found_and_its_word_is_short() -> None:
    execution = run(FLIP)
    assert execution.ending.kind == "lasso"
    assert execution.ending.symbolic
    before, loop = execution.word()
    assert (len(before), len(loop)) == (1, 2)
    assert [column(execution, "x")[i] for i in loop] == [0, 1]


def test_x6_an_unbounded_loop_is_cut() -> None:
    execution = run(COUNT, options=Options(max_states=6))
    assert execution.ending.kind == "cut"
    assert column(execution, "x") == [0, 0, 1, 2, 3, 4]


@pytest.mark.parametrize(
    "body",
    [
        "f()",
        "skip; x:=g(x)",
        "local(l): {frame(l) and (int l<==x and skip; x:=1-l)}",
        "x:=extern g(x)",
        "(skip, skip) prj (x:=1-x)",
        "(x:=1-x) || len(3)",
    ],
)
@pytest.mark.parametrize("framing", ["implicit", "strict"])
def test_loops_with_calls_and_locals_return_to_where_they_were(body: str, framing: str) -> None:
    program = (
        "function f(){ frame(k) and (int k<==x and skip; x:=1-k) }; function g(int a,int RValue){ RValue:=1-a }; "
        f"frame(x) and (int x<==0 and skip; while(true) {{ {body} }})"
    )
    execution = run(program, options=Options(framing=framing, max_states=100))  # type: ignore[arg-type]
    assert execution.ending.kind == "lasso", execution.ending


def test_a_loop_that_reads_input_is_no_lasso() -> None:
    execution = run("int x<==0 and skip; while(true){input(x) and skip}", options=Options(max_states=50))
    assert execution.ending.kind == "cut"


def test_a_lasso_with_other_symbolic_values_says_so() -> None:
    program = "int x and int y<==0 and input(x) and skip; y<==x and skip; while(true){y:=y+x-1}"
    assert run(program, {"s_x": 1}).ending.kind == "lasso"
    assert not run(program, {"s_x": 1}).ending.symbolic


def test_a_symbolic_condition_in_the_loop_is_no_symbolic_lasso() -> None:
    execution = run("int x and input(x) and skip; while(x>0){skip}", {"s_x": 1})
    assert execution.ending.kind == "lasso"
    assert not execution.ending.symbolic


def test_programs_are_remembered_for_every_state() -> None:
    execution = run("skip; skip")
    assert len(execution.programs) == len(execution.states) + 1 == 4
    assert len({hash(program) for program in execution.programs}) <= 4


def test_endless_recursion_and_endless_external_calls_are_cut() -> None:
    recursive = run("function f(){ skip; f() }; f()", options=Options(max_states=10_000, max_call_depth=300))
    assert recursive.ending.kind == "cut" and "300 deep" in recursive.ending.reason
    external = run("function f(){ while(true){skip} }; extern f() and skip", options=Options(max_private_states=50))
    assert external.ending.kind == "cut" and "external call" in external.ending.reason


def test_a_run_can_be_stopped() -> None:
    stopped = Run()
    stopped.stop(Reason("enough"))
    with pytest.raises(Stopped):
        execute(parse_program(COUNT, "f.m"), {}, DEFAULT, stopped)


def test_deep_programs_run() -> None:
    execution = run("next " * 1500 + "empty", options=Options(max_states=2000))
    assert len(execution.states) == 1501


def test_twenty_thousand_states_share_what_does_not_change() -> None:
    execution = run(COUNT, options=Options(max_states=20_000))
    assert len(execution.states) == 20_000
    assert len({id(state.scopes) for state in execution.states}) <= 2
    assert len(set(execution.programs)) <= len(execution.states) + 1
