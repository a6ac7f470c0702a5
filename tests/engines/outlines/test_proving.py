"""Programs without end, with any number of threads, proved by outlines; their mutants are not."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.engines.outlines.proving import OutlineProver
from pincer.evidence.thread_proof.certificate import ThreadProofKind
from pincer.runtime.run import Run
from tests.evidence.thread_proof.threaded_programs import COUNTER, is_certified, lowered

BENCHMARKS = Path(__file__).parents[3] / "benchmarks" / "threads"


def text_of(name: str) -> str:
    return (BENCHMARKS / name).read_text()


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("spin_lock.c", "assertions"),
        ("spin_lock.c", "race"),
        ("producer_consumer.c", "assertions"),
        ("producer_consumer.c", "deadlock"),
        ("work_queue.c", "assertions"),
        ("work_queue.c", "race"),
        ("work_queue.c", "deadlock"),
        ("peterson.c", "assertions"),
        ("semaphore_mutex.c", "assertions"),
        ("semaphore_mutex.c", "race"),
        ("ticket_lock.c", "assertions"),
        ("ticket_lock.c", "race"),
    ],
)
def test_worked_examples_are_proved_and_certified(name: str, kind: ThreadProofKind) -> None:
    assert is_certified(text_of(name), kind)


def test_what_is_left_open_says_why() -> None:
    program = lowered(COUNTER.replace("x == 1", "x == 0"))
    prover = OutlineProver(program, "assertions", False, Run())
    attempt = prover.attempt()
    while True:
        try:
            next(attempt)
        except StopIteration as ended:
            assert ended.value.outline is None
            assert "assertion x == 0 fails" in ended.value.reason
            break
    assert prover.questions > 0
    assert prover.inductive is not None


def test_what_a_lock_of_the_programs_own_keeps_in_order_is_proved() -> None:
    text = """
extern unsigned __VERIFIER_nondet_uint(void);
static atomic_flag flag = ATOMIC_FLAG_INIT;
static unsigned low = 100, high = 100;
static void take(atomic_flag *f) { while (atomic_flag_test_and_set(f)) ; }
static void give(atomic_flag *f) { atomic_flag_clear(f); }
static void *worker(void *unused) {
  while (1) {
    unsigned sample = __VERIFIER_nondet_uint();
    take(&flag);
    assert(low <= high);
    if (sample < low) low = sample;
    if (sample > high) high = sample;
    give(&flag);
  }
  return 0;
}
int main(void) { pthread_t t; while (1) pthread_create(&t, 0, worker, 0); }
"""
    assert is_certified(text, "assertions")
    assert not is_certified(text.replace("high = sample", "high = 0"), "assertions")


IN_ORDER = """
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
void *both(void *a) {
  pthread_mutex_lock(&m); pthread_mutex_lock(&n); pthread_mutex_unlock(&n); pthread_mutex_unlock(&m);
  return 0;
}
void *either(void *a) {
  int first = __VERIFIER_nondet_int();
  if (first) pthread_mutex_lock(&n); else pthread_mutex_lock(&m);
  if (first) pthread_mutex_unlock(&n); else pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t, u;
  for (int i = 0; i < 10000; i++) {
    pthread_create(&t, 0, both, 0); pthread_create(&u, 0, either, 0);
    pthread_join(t, 0); pthread_join(u, 0);
  }
  return 0;
}
"""


def test_threads_of_a_loop_are_not_the_one_that_joins_them() -> None:
    assert is_certified(IN_ORDER, "deadlock")
    assert not is_certified(IN_ORDER.replace("t, u;", "t = pthread_self(), u;").replace("&t, 0", "&u, 0"), "deadlock")


def test_what_is_held_may_depend_on_what_was_branched_on_before() -> None:
    again = "if (first) pthread_mutex_unlock"
    assert not is_certified(IN_ORDER.replace(again, f"first = __VERIFIER_nondet_int(); {again}"), "deadlock")


def test_a_semaphore_with_two_permits_is_no_lock() -> None:
    assert not is_certified(text_of("semaphore_mutex-bug.c"), "assertions")
    assert not is_certified(text_of("semaphore_mutex-bug.c"), "race")


def test_who_comes_first_runs_what_is_run_once_whatever_the_number_of_threads() -> None:
    text = """
pthread_once_t once = PTHREAD_ONCE_INIT; int g;
void init(void) { g++; }
void *worker(void *a) { pthread_once(&once, init); assert(g == 1); return 0; }
int main(void) { pthread_t t; while (1) pthread_create(&t, 0, worker, 0); }
"""
    assert is_certified(text, "race")
    assert not is_certified(text.replace("pthread_once(&once, init);", "init();"), "race")
    assert not is_certified(text.replace("pthread_once", "int before = g; pthread_once"), "race")
