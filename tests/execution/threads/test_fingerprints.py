"""Fingerprints: equal exactly where the same can happen."""

from __future__ import annotations

from pathlib import Path

from pincer.execution.threads.fingerprints import fingerprint
from pincer.execution.threads.interleaving import Interleaver
from tests.execution.threads.threaded_c import TWO, both_started, lowered


def after(interleaver: Interleaver, *numbers: int) -> object:
    threads = both_started(interleaver)
    for number in numbers:
        threads = interleaver.take(threads, number).threads
    return fingerprint(threads, interleaver.shared.registers)


def test_independent_steps_lead_to_the_same_state_in_any_order(tmp_path: Path) -> None:
    text = "int x, y; void *one(void *u) { x = 1; return 0; }\nvoid *two(void *u) { y = 1; return 0; }" + TWO
    interleaver = Interleaver(lowered(tmp_path, text))
    assert after(interleaver, 1, 2) == after(interleaver, 2, 1)
    assert after(interleaver, 1) != after(interleaver, 2)


def test_values_make_a_difference(tmp_path: Path) -> None:
    text = "int x; void *one(void *u) { x = 1; return 0; }\nvoid *two(void *u) { x = 2; return 0; }" + TWO
    interleaver = Interleaver(lowered(tmp_path, text))
    assert after(interleaver, 1, 2) != after(interleaver, 2, 1)


def test_objects_count_by_address_not_by_when_they_were_made(tmp_path: Path) -> None:
    text = (
        """int *x, *y;
    void *one(void *u) { x = malloc(4); *x = 1; return 0; }
    void *two(void *u) { y = malloc(4); *y = 2; return 0; }"""
        + TWO
    )
    interleaver = Interleaver(lowered(tmp_path, text))
    assert after(interleaver, 1, 1, 2, 2) == after(interleaver, 2, 2, 1, 1)


def test_who_holds_a_mutex_makes_a_difference(tmp_path: Path) -> None:
    text = (
        """pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    void *one(void *u) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return 0; }
    void *two(void *u) { return one(u); }"""
        + TWO
    )
    interleaver = Interleaver(lowered(tmp_path, text))
    assert len({after(interleaver), after(interleaver, 1), after(interleaver, 2)}) == 3
