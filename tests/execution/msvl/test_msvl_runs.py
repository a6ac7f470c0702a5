"""How runs end, what they remember, and how fast they are."""

from __future__ import annotations

import time

import pytest

from pincer.execution.msvl import Observer, Options, execute
from pincer.frontends.msvl import parse_condition, parse_program
from pincer.frontends.source import SourceText
from pincer.logic import terms
from pincer.logic.terms import integer, variable
from pincer.runtime.reasons import Reason
from pincer.runtime.run import Run, Stopped
from tests.execution.msvl.msvl_running import DEFAULT, column, run, shown

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


def test_twenty_thousand_states_take_seconds() -> None:
    start = time.process_time()
    execution = run(COUNT, options=Options(max_states=20_000))
    assert len(execution.states) == 20_000
    assert time.process_time() - start < 4


LOCALS = "function f(){ int l<==7 and skip; l:=l+g; skip }; int g<==1 and skip; f(); g:=2"


@pytest.mark.parametrize(
    ("proposition", "truths"),
    [
        ("g=1", "111110"),
        ("l=7", "011000"),
        ("l>g", "011110"),
        ("l=8 OR g=2", "000110"),
        ("g=2 OR l=8", "000111"),
        ("nowhere=1", "000000"),
        ("10/(g-1)>0", "000001"),
    ],
)
def test_propositions_see_globals_first_then_the_innermost_scope(proposition: str, truths: str) -> None:
    program = parse_program(LOCALS, "f.m")
    execution = execute(program)
    condition = parse_condition(proposition, SourceText("f.m", proposition))
    observer = Observer(program)
    seen = [observer.observe(state, condition) for state in execution.states]
    assert "".join(str(int(one.value)) for one in seen) == truths


def test_propositions_stand_for_formulas_over_the_inputs() -> None:
    program = parse_program("int x and input(x) and skip; x:=x+2", "f.m")
    execution = execute(program, {"s_x": 1})
    condition = parse_condition("x<=10", SourceText("f.m", "x<=10"))
    observed = Observer(program).observe(execution.states[-1], condition)
    assert observed.value and observed.exact and observed.defined
    assert observed.formula is terms.at_most(variable("s_x"), integer(8))


def test_undefined_propositions_are_false_and_say_so() -> None:
    program = parse_program("int x and skip", "f.m")
    observed = Observer(program).observe(execute(program).states[0], parse_condition("x=1", SourceText("f.m", "x=1")))
    assert not observed.value and not observed.defined


def test_a_proposition_can_follow_and_compare_pointers() -> None:
    program = parse_program("frame(x,p) and (int x<==1 and int *p and skip; p:=&x; *p:=3)", "f.m")
    observer, states = Observer(program), execute(program).states
    for text, expected in (("p=&x", [False, False, True, True]), ("*p=3", [False, False, False, True])):
        condition = parse_condition(text, SourceText("f.m", text))
        assert [observer.observe(state, condition).value for state in states] == expected


def test_an_external_call_in_an_index_runs_once() -> None:
    function = "function f(int RValue){ c<==c+1 and RValue<==1 }; "
    text = function + "int c<==0 and int a[2,2]<==[[1,2],[3,4]] and int x<==0 and skip; x:=a[extern f()][1]"
    assert shown(run(text), "c", "x") == "0,0 1,0 1,4"


def test_inputs_that_are_drawn_fit_their_types() -> None:
    execution = run("char c and bool b and input(c,b) and skip", options=Options(input_range=(1000, 2000)))
    assert execution.input_values() == {"s_c": 127, "s_b": 1}
