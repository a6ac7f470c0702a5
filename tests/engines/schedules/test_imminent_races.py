"""Races that a state shows under some inputs."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.engines.questions import Questions
from pincer.engines.schedules.findings import ScheduleAnswer
from pincer.engines.schedules.imminent_races import Unsettled, imminent_race, seen_race
from pincer.execution.threads.interleaving import Interleaver
from pincer.runtime.run import Run
from tests.execution.threads.threaded_c import TWO, both_started, lowered

CHOSEN = """int a[2], n;
void *one(void *u) { a[n & 1] = 1; return 0; }
void *two(void *u) { a[1] = 2; return 0; }""" + TWO.replace("pthread_t a, b;", "pthread_t a, b; n = CHOICE;")


def ready(folder: Path, text: str) -> Interleaver:
    return Interleaver(lowered(folder, text))


@pytest.mark.parametrize(("choice", "racing"), [("__VERIFIER_nondet_int()", True), ("0", False), ("1", True)])
def test_what_comes_next_may_depend_on_inputs(tmp_path: Path, choice: str, racing: bool) -> None:
    interleaver = ready(tmp_path, CHOSEN.replace("CHOICE", choice))
    threads = both_started(interleaver)
    while "a" not in {access.name[0] for access in interleaver.footprint(threads, 1).accesses}:
        threads = interleaver.take(threads, 1).threads
    found = imminent_race(interleaver, Questions(Run()), threads)
    assert (found is not None) == racing
    if found is not None:
        assert found.race.threads == (1, 2) and {access.name for access in found.race.accesses} == {"a[1]"}


def test_an_input_that_is_read_between_the_accesses_leaves_it_open(tmp_path: Path) -> None:
    text = (
        """int x, y;
    void *one(void *u) {
      __VERIFIER_atomic_begin(); x = 1; if (__VERIFIER_nondet_int()) y = 1; __VERIFIER_atomic_end(); return 0;
    }
    void *two(void *u) { y = 2; return 0; }"""
        + TWO
    )
    interleaver = ready(tmp_path, text)
    threads = both_started(interleaver)
    questions = Questions(Run())
    with pytest.raises(Unsettled):
        imminent_race(interleaver, questions, threads)
    answer = ScheduleAnswer("race")
    assert seen_race(interleaver, questions, threads, answer) is None and answer.verdict == "unknown"
