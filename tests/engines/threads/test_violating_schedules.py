"""Schedules that violate formulas are found where there are some, and read as the formula does."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.engines.threads.endless_schedules import EndlessSchedule, plans
from pincer.engines.threads.violating_schedules import ViolationSearch
from pincer.execution.threads.limits import ExecutionLimits
from pincer.program.property import Fairness
from pincer.runtime.run import Run
from tests.evidence.thread_proof.ending_programs import SET, SPIN, WAIT, text_of
from tests.evidence.thread_proof.test_words import program_of


def found(folder: Path, text: str, formula: str, fairness: Fairness = "weak") -> EndlessSchedule | None:
    program = program_of(folder, text, formula)
    return ViolationSearch(program, ExecutionLimits(), next(plans(program)), fairness).search(Run())


ENDS = text_of("x = 1;", "flag = 1;")


@pytest.mark.parametrize(
    ("formula", "violated"),
    [
        ("<>{x == 2}", True),
        ("<>{x == 1}", False),
        ("[]({flag} -> {x})", True),
        ("[]({x} -> {flag})", True),
        ("<>({x} && {flag})", False),
        ("[]{x < 2}", False),
        ("[]<>{x == 0}", True),
    ],
)
def test_a_run_that_ends_is_a_word(tmp_path: Path, formula: str, violated: bool) -> None:
    schedule = found(tmp_path, ENDS, formula)
    assert (schedule is not None) is violated
    if schedule is not None:
        assert schedule.ends is not None and not schedule.loop


def test_fairness_decides_which_rounds_count(tmp_path: Path) -> None:
    text = text_of("for (;;) " + SET, SPIN + " x = 1; for (;;) ;")
    assert found(tmp_path, text, "<>{x}") is None
    endless = found(tmp_path, text, "<>{x}", "none")
    assert endless is not None and endless.loop and endless.ends is None and endless.waits is None


def test_rounds_violate_only_what_they_violate(tmp_path: Path) -> None:
    text = text_of("for (;;) { x = 1; x = 0; }", "for (;;) flag = 1;")
    assert found(tmp_path, text, "[]<>{x == 1}") is None
    assert found(tmp_path, text, "[]<>{x == 1}", "none") is not None
    loop = found(tmp_path, text, "<>[]{x == 1}")
    assert loop is not None and {step.choice.thread for step in loop.loop} == {0, 1}


def test_who_stands_still_repeats_the_last_letter(tmp_path: Path) -> None:
    text = text_of(WAIT, "x = 1;")
    standing = found(tmp_path, text, "[]<>{x == 0}")
    assert standing is not None and standing.waits is not None
    assert not standing.loop and all(step.choice.thread >= 0 for step in standing.stem)
    assert found(tmp_path, text, "<>[]{x == 1}") is None


def test_to_stand_still_violates_nothing_by_itself(tmp_path: Path) -> None:
    assert found(tmp_path, text_of(WAIT, ""), "[]{x == 0}") is None


def test_labels_are_places_of_threads(tmp_path: Path) -> None:
    text = text_of("A: x = 1; B: ;", "C: ;")
    for formula in (
        "<>{at(A, 1)}", "<>{at(A, work)}", "[]!{at(A, 0)}", "[]!{at(A, main)}", "<>{at(C, main)}",
        "[]({at(A)} -> {x == 0})", "[]({at(B, 1)} -> {x == 1})", "ltl: !{at(B, 1)} U {at(A, 1)}",
    ):  # fmt: skip
        assert found(tmp_path, text, formula) is None, formula
    for formula in ("[]!{at(A, 1)}", "[]!{at(B)}", "[]!{at(C, 0)}", "ltl: !{at(C, 0)} U {at(A, 1)}"):
        assert found(tmp_path, text, formula) is not None, formula


def test_a_thread_that_has_not_begun_is_nowhere(tmp_path: Path) -> None:
    """Its function may begin with a label."""
    text = text_of("A: x = 1;", "flag = 1;")
    assert found(tmp_path, text, "ltl: {at(A)} -> {flag}") is None
    assert found(tmp_path, text, "[]({at(A)} -> {x == 0})") is None
