"""Runs that violate temporal properties, as they are shown."""

from __future__ import annotations

from pincer.engines.task import Refuted
from pincer.evidence.live.trace import LiveTrace, Recurrence
from pincer.evidence.run_conversions import run_of_live_trace, run_of_recurrence
from pincer.evidence.violating_run import ViolatingRun
from tests.evidence.live.live_samples import decided
from tests.evidence.live.test_recurrence import APERIODIC
from tests.evidence.live.test_replay import LOST, SPINS, STOPS


def _shown(text: str) -> ViolatingRun:
    program, claim = decided(text)
    assert isinstance(claim, Refuted)
    if isinstance(claim.run, Recurrence):
        return run_of_recurrence(program, program.temporal[0], claim.run)
    assert isinstance(claim.run, LiveTrace)
    return run_of_live_trace(program, program.temporal[0], claim.run)


def test_a_lasso_goes_back_to_the_first_step_of_its_loop() -> None:
    run = _shown(SPINS)
    assert run.loop_from is not None
    assert f"repeats its steps from {run.loop_from} on for ever" in run.why
    assert 1 <= run.loop_from <= run.steps[-1].number


def test_an_end_is_told_with_its_last_step() -> None:
    run = _shown(STOPS)
    assert run.loop_from is None
    assert run.steps[-1].note == "no transition is enabled: the run ends"
    assert "which ends in deadlock" in run.why


def test_beginnings_and_recurrences_say_how_they_go_on() -> None:
    assert _shown(LOST).why == "[]{x < 2} is false on every run that begins like this"
    run = _shown(APERIODIC)
    assert "go on for ever with" in run.why
    assert "from states where" in run.why
