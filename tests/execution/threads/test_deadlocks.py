"""Deadlocks: circles of threads, and waiting for what never comes."""

from __future__ import annotations

from pathlib import Path

from pincer.execution.threads.deadlocks import deadlock
from pincer.execution.threads.interleaving import Interleaver
from pincer.execution.threads.limits import ExecutionLimits
from tests.execution.threads.threaded_c import CROSSED, TWO, both_started, lowered


def test_a_circle_of_waiting_threads_says_who_waits_for_what(tmp_path: Path) -> None:
    interleaver = Interleaver(lowered(tmp_path, CROSSED + TWO))
    threads = both_started(interleaver)
    assert deadlock(interleaver, threads) is None
    for number in (1, 2):
        threads = interleaver.take(threads, number).threads
    found = deadlock(interleaver, threads)
    assert found is not None and found.circle
    assert str(found) == (
        "thread 1 waits for the mutex k, held by thread 2; thread 2 waits for the mutex m, held by thread 1"
    )


def test_waiting_for_a_signal_that_nobody_sends_is_a_deadlock(tmp_path: Path) -> None:
    text = """
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER;
    int main(void) { pthread_mutex_lock(&m); pthread_cond_wait(&c, &m); return 0; }"""
    program = lowered(tmp_path, text)
    for spurious in (False, True):
        interleaver = Interleaver(program, ExecutionLimits(spurious=spurious))
        threads = interleaver.initial()
        for _ in range(3):
            threads = interleaver.take(threads, 0).threads
        found = deadlock(interleaver, threads)
        assert str(found) == "thread 0 waits for a signal of c"
        assert bool(interleaver.enabled(threads)) == spurious
