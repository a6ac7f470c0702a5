"""What remains of a program after a state, for all values at once."""

from __future__ import annotations

import pytest

from pincer.errors import UnsupportedError
from pincer.evidence.msvl.controls import Controls, input_symbol
from pincer.frontends.msvl import parse_condition, parse_program
from pincer.frontends.source import SourceText
from tests.evidence.msvl.translated_programs import COUNTING, ENDING, READING, WRONG

X = ((("x 1", 1),), 0)


def controls(text: str, condition: str = "x>=0") -> Controls:
    said = parse_condition(condition, SourceText("c", condition))
    return Controls(parse_program(text, "t.m"), {"p": said})


def test_a_loop_comes_back_to_its_control_and_counts() -> None:
    found = controls(COUNTING)
    [first] = found.first
    assert first.values == {"x 1": ((), 0)}
    [skipped, loop] = found.listed
    assert [step.values for step in skipped.steps] == [{"x 1": X}]
    [again] = loop.steps
    assert again.values == {"x 1": ((("x 1", 1),), 1)} and again.target == 1
    assert not any(control.ended for control in found.listed)


def test_conditions_choose_among_steps_and_inputs_are_symbols() -> None:
    found = controls(READING)
    readings = {reading for control in found.listed for step in control.steps for reading in step.readings}
    assert {(reading.label, reading.low, reading.high) for reading in readings} == {("c", -128, 127)}
    assert {reading.symbol for reading in readings} == {input_symbol(-128, 127, 0)}
    assert any(control.ended for control in found.listed)


def test_only_the_end_of_the_interval_is_an_end() -> None:
    for control in controls(ENDING).listed:
        assert control.ended == (not control.steps)


def test_what_goes_wrong_has_a_reason_and_no_target() -> None:
    steps = [step for control in controls(WRONG).listed for step in control.steps]
    wrong = [step for step in steps if step.wrong]
    assert [step.wrong for step in wrong] == ["a loop goes round for ever in one state"]
    assert all(step.target is None for step in wrong)


@pytest.mark.parametrize(
    "body",
    ["x:=x*x", "len(x)", "x:=x&1", "int a[2]<==[1,2] and x:=a[x]", "while(x>0) {x<==x-1}", "float f<==x and skip"],
)
def test_what_is_not_linear_has_no_controls(body: str) -> None:
    with pytest.raises(UnsupportedError):
        controls(f"frame(x) and (int x and input(x) and skip; {body})")


def test_a_condition_that_is_not_linear_has_none_either() -> None:
    text = "frame(x,a) and (int x and input(x) and int a[3]<==[1,2,3] and skip; skip)"
    with pytest.raises(UnsupportedError, match="which element"):
        controls(text, "a[x]=1")


def test_a_condition_without_a_value_does_not_hold() -> None:
    found = controls("frame(x,y) and (int x<==1 and int y and skip; y:=2)", "y=2")
    assert found.listed[0].letters["p"] == ()
    assert found.listed[-1].letters["p"] != ()


def test_endless_remainders_are_refused() -> None:
    with pytest.raises(UnsupportedError):
        controls("function f(int n) { if(n>=0) then {skip; f(n+1)} }; int x<==1 and skip; f(1)")
