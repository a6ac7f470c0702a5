"""Work in a child process: results survive whatever happens to the child."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator

from pincer.runtime.isolation import run_isolated

MEMORY_MB = 1024


def _two_phases(argument: int) -> Iterator[int]:
    yield argument
    yield argument + 1


def _slow_second_phase(argument: int) -> Iterator[int]:
    yield argument
    time.sleep(60)
    yield argument


def _dies(argument: int) -> Iterator[int]:
    yield argument
    os.kill(os.getpid(), signal.SIGSEGV)


def _hungry(argument: int) -> Iterator[int]:
    yield len(bytearray(argument * 1024 * 1024))


def _raises(argument: int) -> Iterator[int]:
    yield argument
    raise ValueError("no such thing")


def _cores(argument: int) -> Iterator[int]:
    yield len(os.sched_getaffinity(0)) + argument


def test_all_phases_arrive_in_order() -> None:
    outcome = run_isolated(_two_phases, 4, (10, 10), MEMORY_MB)
    assert (outcome.results, outcome.ending) == ((4, 5), "finished")


def test_a_phase_that_takes_too_long_ends_the_child_and_keeps_the_phases_before_it() -> None:
    outcome = run_isolated(_slow_second_phase, 4, (10, 0.5), MEMORY_MB)
    assert (outcome.results, outcome.ending) == ((4,), "time")


def test_a_child_that_dies_is_a_crash_and_keeps_its_results() -> None:
    outcome = run_isolated(_dies, 4, (10, 10), MEMORY_MB)
    assert (outcome.results, outcome.ending) == ((4,), "crash")
    assert "-11" in outcome.reason


def test_memory_is_limited() -> None:
    assert run_isolated(_hungry, 4 * MEMORY_MB, (10,), MEMORY_MB).ending == "memory"


def test_an_exception_is_reported_in_words() -> None:
    outcome = run_isolated(_raises, 4, (10, 10), MEMORY_MB)
    assert (outcome.ending, outcome.reason) == ("crash", "ValueError: no such thing")


def test_a_child_has_one_core() -> None:
    assert run_isolated(_cores, 0, (10,), MEMORY_MB).results == (1,)
