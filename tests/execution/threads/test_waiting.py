"""Condition variables, barriers, semaphores and once routines."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.execution.threads.interleaving import Interleaver
from tests.execution.threads.threaded_c import TWO, both_started, lowered, result_of


def test_a_once_routine_runs_once(tmp_path: Path) -> None:
    text = """
    pthread_once_t once = PTHREAD_ONCE_INIT;
    void set(void) { result += 1; }
    void *work(void *unused) { pthread_once(&once, set); return 0; }
    int main(void) {
      pthread_t a, b;
      pthread_create(&a, 0, work, 0);
      pthread_create(&b, 0, work, 0);
      pthread_join(a, 0);
      pthread_join(b, 0);
      return 0;
    }"""
    assert result_of(tmp_path, text) == 1


def test_a_semaphore_counts_and_refuses_with_errno(tmp_path: Path) -> None:
    text = """
    sem_t s;
    int main(void) {
      int value;
      sem_init(&s, 0, 1);
      sem_wait(&s);
      errno = 0;
      int refused = sem_trywait(&s);
      sem_post(&s);
      sem_post(&s);
      sem_getvalue(&s, &value);
      result = (refused == -1) * 1000 + errno * 10 + value;
      return 0;
    }
    void *never(void *unused) { return 0; }
    void start(void) { pthread_t t; pthread_create(&t, 0, never, 0); }"""
    assert result_of(tmp_path, text.replace("int value;", "int value; if (result) start();")) == 1112


@pytest.mark.parametrize(
    "read",
    ["errno", "*where(&errno)", "0 * start() + errno", "0 * start() + *where(&errno)"],
    ids=["register", "memory", "register of a thread", "memory of a thread"],
)
def test_errno_says_why_a_semaphore_fails_wherever_it_is(tmp_path: Path, read: str) -> None:
    text = f"""
    sem_t s;
    int *where(int *given) {{ return given; }}
    void *never(void *unused) {{ return 0; }}
    int start(void) {{ pthread_t t; pthread_create(&t, 0, never, 0); return 0; }}
    int main(void) {{ sem_init(&s, 0, 0); sem_trywait(&s); result = {read}; return 0; }}"""
    if "start" not in read:
        text = text.replace("pthread_t t; pthread_create(&t, 0, never, 0);", "")
    assert result_of(tmp_path, text) == 11


def test_a_barrier_lets_all_go_on_and_chooses_one(tmp_path: Path) -> None:
    text = """
    pthread_barrier_t b;
    int special[2];
    void *work(void *given) {
      special[(long)given] = pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD;
      return 0;
    }
    int main(void) {
      pthread_t x, y;
      pthread_barrier_init(&b, 0, 2);
      pthread_create(&x, 0, work, (void *)0);
      pthread_create(&y, 0, work, (void *)1);
      pthread_join(x, 0);
      pthread_join(y, 0);
      result = special[0] + special[1];
      return 0;
    }"""
    assert result_of(tmp_path, text) == 1


def test_a_signal_has_one_outcome_for_each_that_waits(tmp_path: Path) -> None:
    text = """
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER;
    void *one(void *u) { pthread_mutex_lock(&m); pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m); return 0; }
    void *two(void *u) { return one(u); }"""
    main = TWO.replace("pthread_join(a, 0);", "pthread_cond_signal(&c); pthread_join(a, 0);")
    interleaver = Interleaver(lowered(tmp_path, text + main))
    threads = both_started(interleaver)
    for number in (1, 1, 2, 2):
        threads = interleaver.take(threads, number).threads
    assert interleaver.picks(threads, 0) == 2
    for pick in (0, 1):
        assert interleaver.enabled(interleaver.take(threads, 0, pick).threads) == [1 + pick]
