"""Counterexamples are candidates whose own run violates the property."""

from __future__ import annotations

from msgspec.structs import replace

from pincer.evidence.msvl.replay import replay
from pincer.frontends.msvl import parse_program
from tests.engines.dse.dse_checks import EXAMPLE, counterexample

LOOP = "frame(x) and (int x<==0 and skip; while(true){x:=1-x})"


def test_a_counterexample_ends_where_the_property_is_lost() -> None:
    text = "frame(x) and (int x<==0 and skip; x:=1; x:=2; x:=3; x:=4)"
    found = counterexample(text, "define p: x<2; alw(p)")
    assert found.violating_state is not None
    assert dict(found.states[found.violating_state].values)["x"] == "2"
    assert all("p" in state.letter for state in found.states[: found.violating_state])


def test_a_lasso_says_where_it_begins() -> None:
    found = counterexample(LOOP, "define p: x=5; som(p)")
    assert found.kind == "lasso" and found.lasso_start is not None
    assert not any(state.letter for state in found.states)


def test_inputs_are_those_of_the_run_and_replay() -> None:
    found = counterexample(EXAMPLE, "define p: z=6; alw(!p)")
    assert set(found.inputs) == {"s_x", "s_y"}
    program = parse_program(EXAMPLE, "test.m")
    assert replay(program, found).confirmed
    wrong = replace(found, inputs={**found.inputs, "s_x": found.inputs["s_x"] + 1})
    assert not replay(program, wrong).confirmed
