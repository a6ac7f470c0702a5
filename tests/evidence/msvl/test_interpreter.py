"""The programs of the language's description, state by state, without the execution that finds counterexamples."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from pincer.evidence.msvl.counterexample import Interpretation
from tests.evidence.msvl.evidence_runs import PLAIN, REJECT, STRICT, claim, shown, word
from tests.execution.msvl.test_stepping import REJECTED, VECTORS, Vector


@pytest.mark.parametrize("how", [PLAIN, STRICT, REJECT], ids=("plain", "strict", "reject"))
@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector.name)
def test_programs_give_the_states_of_the_description(vector: Vector, how: Interpretation) -> None:
    found = word(vector.program, replace(claim({"s_n": 2}), interpretation=how))
    if how is REJECT and vector.name in REJECTED:
        assert not found.terminated and found.reason
        return
    assert shown(found, *vector.variables) == vector.states.translate(str.maketrans("()", "[]", "'"))
    assert found.terminated == (vector.ending == "terminated")


@pytest.mark.parametrize(("choice", "states"), [(1, "0 0 1"), (0, "0 0 2")])
def test_alternatives_are_taken_as_recorded(choice: int, states: str) -> None:
    text = "frame(x) and (int x<==0 and skip; (x:=1 or x:=2))"
    assert shown(word(text, claim({"s_or": choice})), "x") == states


def test_unframed_variables_are_forgotten_under_strict_framing() -> None:
    text = "frame(x) and (int x<==1 and int y<==2 and skip; x:=x+1; skip)"
    assert shown(word(text, claim(how=STRICT)), "x", "y") == "1,2 1,NIL 2,NIL 2,NIL"
    inner = "frame(x) and (int x<==1 and skip; frame(y) and (int y<==2 and skip; x:=y); x:=x+1)"
    assert shown(word(inner, claim(how=STRICT)), "x", "y") == "1,- 1,2 1,2 2,2 3,NIL"


BROKEN = [
    ("(x:=1 and len(2))", "0 0", "ends here and another goes on"),
    ("while(true){ x<==1 }", "0", "round for ever"),
    ("(x<==1 and x<==2)", "0", "is 1 at this state and gets 2"),
    ("(x:=1 and x:=2)", "0 0", "is 1 at this state and gets 2"),
    ("((x:=1) || (x:=2))", "0 0", "is 1 at this state and gets 2"),
    ("(len(2) and keep(x<==1) and keep(x<==2))", "0", "is 1 at this state and gets 2"),
    ("(skip and keep(len(1)) and len(2))", "0 0", "ends here and another goes on"),
    ("(x=1 and skip)", "0", "does not hold here"),
    ("len(0-1)", "0", "is no length"),
    ("x:=1/x", "0", "division by zero"),
]


@pytest.mark.parametrize(("body", "states", "reason"), BROKEN)
def test_a_run_breaks_where_no_state_can_be_made(body: str, states: str, reason: str) -> None:
    found = word(f"frame(x) and (int x<==0 and skip; {body})")
    assert shown(found, "x") == states
    assert not found.terminated and reason in found.reason


def test_the_pure_logic_does_not_let_a_condition_read_what_is_then_changed() -> None:
    text = "frame(x) and (int x<==0 and skip; if(x=0) then {x<==1 and skip} else {skip})"
    assert shown(word(text), "x") == "0 1 1"
    assert "is 0 at this state" in word(text, claim(how=REJECT)).reason
    looping = "frame(x) and (int x<==0 and skip; while(x<2){ x<==x+1 })"
    assert shown(word(looping), "x") == "0 2"
    assert word(looping, claim(how=REJECT)).reason


COUNTED = "function f(int RValue){ c<==c+1 and RValue<==1 }; frame(c,a,x) and (int c<==0 and int x<==0 and "


def test_an_external_call_runs_once_wherever_it_stands() -> None:
    text = COUNTED + "int a[2,2]<==[[1,2],[3,4]] and skip; x:=a[extern f()][1]; x:=a[extern f(),0])"
    assert shown(word(text), "c", "x") == "0,0 1,0 2,4 2,3"


def test_calls_within_calls_end_somewhere() -> None:
    longer = claim(how=replace(PLAIN, max_states=2_000))
    assert "nested more than" in word("function f(){ skip; f() }; f()", longer).reason
    assert "without a value" in word("function f(int RValue){ skip }; frame(x) and (int x and skip; x:=f())").reason


def test_a_variable_that_is_gone_cannot_be_written() -> None:
    function = "function f(){ frame(l) and (int l<==1 and p<==&l and skip) }; "
    text = f"{function} frame(p) and (int *p and skip; f(); *p:=3; skip)"
    assert "no longer exists" in word(text).reason
