"""The model of a run: what a step says in one line, and the way between processes."""

from __future__ import annotations

import json

import pytest

from pincer.evidence.violating_run import RunForm, RunInput, RunStep, ValueChange, ViolatingRun
from pincer.runtime.codec import plain, typed

STEP = RunStep(
    3, "src/p.c", 7, 5, "x++;", 1, 2, (ValueChange("x", "1", "0"),), (("y", "4"),), True, ("p",), "thread 2 begins"
)
RUN = ViolatingRun(
    RunForm.LANES, (STEP,), STEP, "x is bad", (RunInput("f()", "3", "p.c:1"),), ("main", "thread 1"), (STEP,), 3, ("p",)
)


def test_a_run_survives_the_way_between_processes() -> None:
    assert typed(json.loads(json.dumps(plain(RUN))), ViolatingRun, "run") == RUN


def test_a_step_tells_what_happens_in_one_line() -> None:
    assert str(STEP) == "x++; x = 1; holds: p; thread 2 begins"
    assert str(RunStep(1, "p.c", 2, text="if (x)", branch=False)) == "if (x); the condition is false"
    assert str(RunStep(1, "p.c", 2, text="f(x);", reads=(("x", "0"),))) == "f(x); reads x (0)"


def test_a_place_is_short() -> None:
    assert STEP.place == "p.c:7"
    assert RunStep(0, "a/m.m").place == "m.m"


def test_inputs_say_where_they_are_received() -> None:
    assert list(map(str, [RunInput("f()", "3", "p.c:1"), RunInput("x", "3")])) == ["f() = 3 (p.c:1)", "x = 3"]


@pytest.mark.parametrize(
    ("form", "numbers", "length"),
    [
        (RunForm.TRANSITIONS, range(3), "2 steps"),
        (RunForm.TRANSITIONS, range(2), "1 step"),
        (RunForm.LINES, range(1, 4), "3 steps"),
        (RunForm.STATES, range(3), "3 states"),
    ],
)
def test_the_length_counts_what_the_run_consists_of(form: RunForm, numbers: range, length: str) -> None:
    steps = tuple(RunStep(number, "p") for number in numbers)
    assert ViolatingRun(form, steps, steps[-1]).length == length


def test_lanes_are_named_where_there_are_several() -> None:
    assert RUN.lane_of(STEP) == "thread 1"
    assert RUN.lane_of(RunStep(0, "p.c", lane=None)) == ""
    assert ViolatingRun(RunForm.LINES, (STEP,), STEP).lane_of(RunStep(1, "p.c")) == ""
