"""Whether programs with threads end: claims, and the tests that show the contrary."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.engines.task import Claim, EngineTask, Open, Proved, Refuted
from pincer.engines.threads.endings import check
from pincer.engines.threads.task import ThreadOptions
from pincer.evidence.thread_proof.certificate import ThreadCertificate
from pincer.evidence.threads.execution import confirm
from pincer.evidence.threads.trace import ThreadedTest, from_json, to_json
from pincer.program.property import FAIRLY, Fairness
from pincer.runtime.run import Run
from tests.evidence.c.recorded_tests import needs_compiler
from tests.evidence.thread_proof.ending_programs import (
    LOCKED_SET,
    SET,
    SIGNAL,
    SPIN,
    STARVED,
    WAIT,
    ending_program,
    text_of,
)


def claim_about(worker: str, first: str, fairness: Fairness = "weak") -> Claim:
    [claim] = check(EngineTask(ending_program(worker, first), (fairness,), ThreadOptions()), Run())
    return claim


def violation_of(worker: str, first: str, fairness: Fairness = "weak") -> ThreadedTest:
    claim = claim_about(worker, first, fairness)
    assert isinstance(claim, Refuted) and isinstance(claim.run, ThreadedTest)
    return claim.run


def test_a_proof_says_which_fairness_it_needs() -> None:
    claim = claim_about(STARVED, LOCKED_SET, "strong")
    assert isinstance(claim, Proved) and isinstance(claim.proof, ThreadCertificate)
    assert claim.proof.explored is not None and claim.proof.explored.fairness == "strong"
    assert FAIRLY["strong"] in claim.assumptions
    again = ThreadCertificate.from_json(claim.proof.to_json())
    assert again.explored == claim.proof.explored


def test_a_round_is_written_down_many_times() -> None:
    test = violation_of(SPIN, "")
    assert test.rounds is not None and test.kind == "endless"
    assert len(test.points) == test.rounds.stem + 100 * test.rounds.loop
    assert test.failure.message == "thread 1 goes round for ever"
    assert from_json(to_json(test)) == test


def test_standing_still_is_a_deadlock_of_all_threads() -> None:
    test = violation_of(WAIT.replace("while (!flag) ", ""), SIGNAL)
    assert test.kind == "deadlock" and test.rounds is not None and test.rounds.loop == 0
    assert {stop.thread for stop in test.failure.stops} == {0, 1}


def test_a_thread_that_does_nothing_for_ever_needs_no_points() -> None:
    test = violation_of("for (;;);", "")
    assert test.rounds is not None and test.rounds.loop == 0 and test.kind == "endless"
    assert test.failure.stops[0].thread == 1


def test_a_fair_round_has_steps_of_all_who_can_go_on() -> None:
    both = "for (;;) __atomic_fetch_xor(&{}, 1, 5);"
    test = violation_of(both.format("flag"), both.format("x"))
    assert test.rounds is not None
    loop = test.points[test.rounds.stem : test.rounds.stem + test.rounds.loop]
    assert {point.thread for point in loop} == {0, 1}


def test_inputs_that_keep_a_thread_waiting_are_tried() -> None:
    test = violation_of(SPIN, f"if (__VERIFIER_nondet_int() == 0) {SET}")
    assert test.rounds is not None and [chosen.value for chosen in test.rounds.chosen] != [0]


@pytest.mark.parametrize("fairness", ["weak", "strong"])
def test_what_is_too_large_stays_open(fairness: Fairness) -> None:
    counting = "for (;;) __atomic_fetch_add(&x, 1, 5);"
    claim = claim_about(counting, "while (__atomic_load_n(&x, 5) >= 0);", fairness)
    assert isinstance(claim, Open) and "moves" in claim.said


@needs_compiler
def test_threads_that_do_nothing_for_ever_hold_up_nobody(tmp_path: Path) -> None:
    """One goes on without anything that others notice; the other takes its steps all the same."""
    first = f"{SET} for (;;);"
    worker = "for (;;) __atomic_fetch_xor(&x, 1, 5);"
    test = violation_of(worker, first)
    file = tmp_path / "program.c"
    file.write_text(text_of(worker, first), encoding="utf-8")
    assert test.rounds is not None and test.rounds.loop > 0
    assert confirm(test, file).status == "confirmed"
