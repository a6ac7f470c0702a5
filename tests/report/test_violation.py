"""Counterexamples as typed steps, whatever engine found them."""

from __future__ import annotations

from pincer.report.violation import Change, violation_of
from tests.report.violations import GUARDED, HOLDS, OPEN, c_finding, lasso_finding, race_finding


def test_only_violations_have_one() -> None:
    assert violation_of(HOLDS, "p.gcl") is None
    assert violation_of(OPEN, "p.gcl") is None


def test_a_run_of_guarded_commands_starts_with_the_initial_state() -> None:
    violation = violation_of(GUARDED, "p.gcl")
    assert violation is not None
    assert [str(step) for step in violation.steps] == ["initial state; x = 0", "take[1]; x = 1; process P[1]"]
    assert violation.steps[1].changes == (Change("x", "1", "0"),)
    assert (violation.failure.file, violation.failure.line) == ("p.gcl", 12)


def test_an_execution_of_c_ends_where_it_goes_wrong() -> None:
    violation = violation_of(c_finding(), "lock.c")
    assert violation is not None
    assert violation.steps[-1] == violation.failure
    assert (violation.failure.line, violation.failure.column) == (30, 5)
    assert violation.steps[0].note == "the condition is true"
    assert violation.steps[2].changes == (Change("i", "1", "0"),)


def test_threads_have_lanes_and_stops_that_are_related() -> None:
    violation = violation_of(race_finding(), "lock.c")
    assert violation is not None
    assert violation.lanes == ("main", "thread 1", "thread 2")
    assert [step.lane for step in violation.steps] == [0, 0, 1, 1, 2]
    assert violation.steps[0].text == "pthread_create, thread 1 begins"
    assert violation.steps[-1].text == "stands before this: it reads n"
    assert [step.line for step in violation.related] == [6]


def test_a_lasso_says_where_it_goes_back_to() -> None:
    violation = violation_of(lasso_finding(), "m.m")
    assert violation is not None
    assert violation.loop_from == 0
    assert [str(step) for step in violation.steps] == ["state s0; x = 0, y = 0", "state s1; x = 1; holds: p"]
    assert violation.failure == violation.steps[-1]
