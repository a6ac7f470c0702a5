"""The search for schedules without an end."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from pincer.engines.threads import endless_schedules
from pincer.engines.threads.endless_schedules import EndlessSchedule, EndlessSearch, plans
from pincer.engines.threads.limits import ENDLESS_LIMITS
from pincer.execution.threads.limits import ExecutionLimits
from pincer.program.property import Fairness
from pincer.runtime.run import Run
from tests.evidence.thread_proof.ending_programs import LOCKED_SET, SET, SPIN, STARVED, ending_program


def found(worker: str, first: str, fairness: Fairness) -> EndlessSchedule | None:
    program = ending_program(worker, first)
    return EndlessSearch(program, ExecutionLimits(), next(plans(program)), fairness).search(Run())


def test_fairness_decides_which_rounds_count() -> None:
    assert found(SPIN, SET, "none") is not None
    assert found(SPIN, SET, "weak") is None
    assert found(STARVED, LOCKED_SET, "weak") is not None
    assert found(STARVED, LOCKED_SET, "strong") is None


def test_a_round_comes_back_to_where_it_began() -> None:
    schedule = found(SPIN, "", "strong")
    assert schedule is not None and schedule.loop
    assert schedule.loop[-1].target == schedule.stem[-1].target


def test_a_standstill_far_from_the_beginning_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """More states come before it than are visited one after the other."""
    monkeypatch.setattr(endless_schedules, "ENDLESS_LIMITS", replace(ENDLESS_LIMITS, transitions=40))
    schedule = found("for (int i = 0; i < 30; i++) { pthread_mutex_lock(&m); if (i < 29) pthread_mutex_unlock(&m); }",
                     "for (int i = 0; i < 30; i++) { pthread_mutex_lock(&m); if (i < 29) pthread_mutex_unlock(&m); }",
                     "weak")  # fmt: skip
    assert schedule is not None and schedule.waits is not None


def test_there_is_one_plan_where_nothing_is_read() -> None:
    assert len(list(plans(ending_program(SPIN, SET)))) == 1
    program = ending_program(SPIN, f"if (__VERIFIER_nondet_int()) {SET}")
    assert len({tuple(plan.values()) for plan in plans(program)}) > 2


def test_numbers_that_conditions_mention_are_tried() -> None:
    program = ending_program(SPIN, f"if (__VERIFIER_nondet_int() == 17) {SET}")
    assert 17 in {value for plan in plans(program) for value in plan.values()}
