"""The exhaustive search leaves out neither what inputs decide about calls and accesses nor how waiting can end."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.engines.schedules.baselines import context_bounding
from pincer.engines.schedules.exhaustive import explore
from pincer.engines.schedules.findings import ScheduleAnswer
from pincer.engines.schedules.limits import ScheduleLimits
from pincer.execution.threads.limits import ExecutionLimits
from pincer.frontends.c.load import load
from pincer.program.control_flow import ControlFlowProgram
from pincer.program.property import PropertyKind
from pincer.runtime.run import Run

HEADER = """\
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, k = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
pthread_cond_t signals[2] = {PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER};
pthread_barrier_t b;
sem_t s, counts[2];
atomic_int go;
int x, values[4];
"""
REDUCTION = pytest.mark.parametrize("reduction", [True, False])


def lowered(folder: Path, text: str) -> ControlFlowProgram:
    file = folder / "program.c"
    file.write_text(HEADER + text)
    return load(file)


def decided(
    folder: Path, text: str, name: PropertyKind, reduction: bool = True, limits: ScheduleLimits | None = None
) -> ScheduleAnswer:
    return explore(lowered(folder, text), name, Run(timeout=20), limits, reduction)


LOCK = """
void *one(void *u) { int i = __VERIFIER_nondet_int(); if (i < 0 || i > 1) return 0;
  pthread_mutex_lock(&locks[i]); assert(0); return 0; }
int main(void) { pthread_t t; pthread_mutex_lock(&locks[0]); pthread_create(&t, 0, one, 0);
  pthread_join(t, 0); return 0; }"""
SEMAPHORE = """
void *one(void *u) { int i = __VERIFIER_nondet_int() & 1; sem_wait(&counts[i]); assert(i == 0); return 0; }
int main(void) { pthread_t t; sem_init(&counts[0], 0, 0); sem_init(&counts[1], 0, 1);
  pthread_create(&t, 0, one, 0); pthread_join(t, 0); return 0; }"""
SIGNAL = """
void *one(void *u) { pthread_mutex_lock(&m); int me = ++x; pthread_cond_wait(&signals[1], &m);
  assert(me == 1); exit(0); return 0; }
int main(void) { pthread_t t, u; pthread_create(&t, 0, one, 0); pthread_create(&u, 0, one, 0);
  int i = __VERIFIER_nondet_int() & 1;
  pthread_mutex_lock(&m); if (x == 2) pthread_cond_signal(&signals[i]); pthread_mutex_unlock(&m);
  pthread_join(t, 0); pthread_join(u, 0); return 0; }"""


@REDUCTION
@pytest.mark.parametrize("text", [LOCK, SEMAPHORE, SIGNAL], ids=["lock", "semaphore", "signal"])
def test_all_objects_that_an_input_chooses_from_are_tried(tmp_path: Path, text: str, reduction: bool) -> None:
    assert decided(tmp_path, text, "assertions", reduction).verdict == "unsafe"


@REDUCTION
def test_a_choice_of_locks_without_a_failure_is_explored_completely(tmp_path: Path, reduction: bool) -> None:
    text = LOCK.replace("assert(0);", "pthread_mutex_unlock(&locks[i]);")
    assert decided(tmp_path, text, "assertions", reduction).verdict == "safe"
    assert decided(tmp_path, text, "deadlock", reduction).verdict == "unsafe"


SPINNING = """
void *spinning(void *u) { while (!go); return 0; }
void *one(void *u) { int i = __VERIFIER_nondet_int(); ONE return 0; }
void *two(void *u) { int j = __VERIFIER_nondet_int(); TWO return 0; }
int main(void) { pthread_t t, u, v; pthread_create(&v, 0, spinning, 0); pthread_create(&t, 0, one, 0);
  pthread_create(&u, 0, two, 0); go = 1; pthread_join(t, 0); pthread_join(u, 0); pthread_join(v, 0); return 0; }"""
ELEMENT = "if (i < 0 || i > 1) return 0; values[i] = 1;"
SECTION = "__VERIFIER_atomic_begin(); if (i == 3) x = 1; __VERIFIER_atomic_end();"


@pytest.mark.parametrize(
    ("one", "two", "verdict"),
    [
        (ELEMENT, "values[1] = 2;", "unsafe"),
        (ELEMENT, "values[2] = 2;", "safe"),
        (SECTION, "x = 2;", "unsafe"),
        (SECTION, "values[2] = 2;", "safe"),
        (ELEMENT, "if (j < 1 || j > 2) return 0; values[j] = 1;", "unsafe"),
        (ELEMENT, "if (j < 2 || j > 3) return 0; values[j] = 1;", "safe"),
    ],
)
def test_races_are_looked_for_under_all_inputs_where_threads_spin(
    tmp_path: Path, one: str, two: str, verdict: str
) -> None:
    text = SPINNING.replace("ONE", one).replace("TWO", two)
    assert decided(tmp_path, text, "race").verdict == verdict


def test_an_access_that_depends_on_an_input_of_its_own_section_leaves_races_open(tmp_path: Path) -> None:
    section = "__VERIFIER_atomic_begin(); if (__VERIFIER_nondet_int() == 3) x = 1; __VERIFIER_atomic_end();"
    answer = decided(tmp_path, SPINNING.replace("ONE", section).replace("TWO", "x = 2;"), "race")
    assert answer.verdict == "unknown"
    assert "what an atomic section accesses depends on an input that it reads" in answer.reason


def test_context_bounding_looks_for_races_under_all_inputs(tmp_path: Path) -> None:
    text = SPINNING.replace("ONE", ELEMENT).replace("TWO", "values[1] = 2;")
    assert context_bounding(lowered(tmp_path, text), "race", Run(timeout=20)).verdict == "unsafe"


VALUE = """
void *one(void *u) { sem_getvalue(&s, &x); return 0; }
int main(void) { pthread_t t; sem_init(&s, 0, 3); pthread_create(&t, 0, one, 0); x = 1;
  pthread_join(t, 0); assert(x == 1); return 0; }"""


@REDUCTION
@pytest.mark.parametrize("name", ["assertions", "race"])
def test_the_value_of_a_semaphore_is_written_to_shared_memory(
    tmp_path: Path, name: PropertyKind, reduction: bool
) -> None:
    assert decided(tmp_path, VALUE, name, reduction).verdict == "unsafe"


LATE = """
void *one(void *u) { pthread_mutex_lock(&m); x = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t t; struct timespec limit = {0, 0}; pthread_create(&t, 0, one, 0);
  pthread_mutex_lock(&m); int code = 0; if (!x) code = WAIT; CHECK
  pthread_mutex_unlock(&m); pthread_join(t, 0); return 0; }"""


@REDUCTION
def test_a_signal_may_come_after_the_time_is_over_and_before_the_mutex_is_free(tmp_path: Path, reduction: bool) -> None:
    text = LATE.replace("WAIT", "pthread_cond_timedwait(&c, &m, &limit)")
    assert decided(tmp_path, text.replace("CHECK", "assert(code == 0 || !x);"), "assertions", reduction).verdict == (
        "unsafe"
    )
    holding = text.replace("CHECK", "assert(code == 0 || code == ETIMEDOUT);")
    assert decided(tmp_path, holding, "assertions", reduction).verdict == "safe"


def test_a_wait_with_a_limit_may_end_spuriously(tmp_path: Path) -> None:
    text = LATE.replace("WAIT", "pthread_cond_timedwait(&c, &m, &limit)").replace("CHECK", "assert(code || x);")
    assert decided(tmp_path, text, "assertions").verdict == "safe"
    assert (
        decided(tmp_path, text, "assertions", limits=ScheduleLimits(execution=ExecutionLimits(spurious=True))).verdict
        == "unsafe"
    )


OVERWRITTEN = """
void *one(void *u) { pthread_mutex_lock(&m); x = 1; x = 0; pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t t; pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;
  pthread_create(&t, 0, one, 0); m = fresh; pthread_mutex_lock(&m); assert(x == 0); pthread_mutex_unlock(&m);
  pthread_join(t, 0); return 0; }"""


@REDUCTION
def test_a_mutex_that_is_overwritten_while_others_use_it_is_not_safe(tmp_path: Path, reduction: bool) -> None:
    answer = decided(tmp_path, OVERWRITTEN, "assertions", reduction)
    assert answer.verdict == "unknown"
    assert "the bytes of m, which is in use, are read or written" in answer.reason
    assert decided(tmp_path, OVERWRITTEN, "race", reduction).verdict == "unsafe"


def test_any_byte_of_a_mutex_in_use_counts(tmp_path: Path) -> None:
    text = OVERWRITTEN.replace("m = fresh;", "((char *)&m)[30] = 1;")
    answer = decided(tmp_path, text, "assertions")
    assert answer.verdict == "unknown"
    assert "which is in use, are read or written" in answer.reason


def test_a_mutex_may_be_set_before_anybody_uses_it(tmp_path: Path) -> None:
    text = OVERWRITTEN.replace("pthread_create(&t, 0, one, 0); m = fresh;", "m = fresh; pthread_create(&t, 0, one, 0);")
    assert decided(tmp_path, text, "race").verdict == "safe"
    assert decided(tmp_path, text, "assertions").verdict == "safe"


def test_initialising_an_atomic_object_races_with_its_use(tmp_path: Path) -> None:
    text = """
    void *one(void *u) { atomic_init(&go, 1); return 0; }
    int main(void) { pthread_t t; pthread_create(&t, 0, one, 0); go = 2; pthread_join(t, 0); return 0; }"""
    assert decided(tmp_path, text, "race").verdict == "unsafe"
    assert decided(tmp_path, text.replace("atomic_init(&go, 1)", "atomic_store(&go, 1)"), "race").verdict == "safe"


ENDED = """
void *one(void *u) { pthread_barrier_wait(&b); return 0; }
int main(void) { pthread_t t; pthread_barrier_init(&b, 0, 2); pthread_create(&t, 0, one, 0);
  pthread_barrier_wait(&b); pthread_barrier_destroy(&b); AGAIN pthread_join(t, 0); return 0; }"""
BROADCAST = """
void *one(void *u) { pthread_mutex_lock(&m); if (!x) pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, one, 0);
  pthread_mutex_lock(&m); x = 1; pthread_cond_broadcast(&c); pthread_cond_destroy(&c); pthread_mutex_unlock(&m);
  pthread_join(t, 0); return 0; }"""


@REDUCTION
@pytest.mark.parametrize(
    "text",
    [ENDED.replace("AGAIN", ""), ENDED.replace("AGAIN", "pthread_barrier_init(&b, 0, 2);"), BROADCAST],
    ids=["barrier", "barrier made again", "condition"],
)
def test_what_has_let_all_threads_go_may_be_destroyed(tmp_path: Path, text: str, reduction: bool) -> None:
    assert decided(tmp_path, text, "memory", reduction).verdict == "safe"
    assert decided(tmp_path, text, "deadlock", reduction).verdict == "safe"
    assert decided(tmp_path, text, "race", reduction).verdict == "safe"


@REDUCTION
def test_a_barrier_orders_what_is_before_it_and_after_it(tmp_path: Path, reduction: bool) -> None:
    text = """
    void *one(void *u) { values[0] = 1; pthread_barrier_wait(&b); values[1]++; return 0; }
    int main(void) { pthread_t t; pthread_barrier_init(&b, 0, 2); pthread_create(&t, 0, one, 0);
      values[1] = 1; pthread_barrier_wait(&b); values[0]++; pthread_join(t, 0); return 0; }"""
    assert decided(tmp_path, text, "race", reduction).verdict == "safe"
    racing = text.replace("values[0]++", "values[1]++")
    assert decided(tmp_path, racing, "race", reduction).verdict == "unsafe"


@REDUCTION
def test_threads_that_wait_for_a_condition_share_the_mutex(tmp_path: Path, reduction: bool) -> None:
    text = """
    void *one(void *u) { pthread_mutex_lock(&k); pthread_cond_wait(&c, &k); pthread_mutex_unlock(&k); return 0; }
    int main(void) { pthread_t t; pthread_create(&t, 0, one, 0);
      pthread_mutex_lock(&m); pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m); pthread_join(t, 0); return 0; }"""
    answer = decided(tmp_path, text, "memory", reduction)
    assert answer.verdict == "unsafe"
    assert "threads wait for c with different mutexes" in answer.reason


def test_waiting_with_a_mutex_that_is_locked_twice_is_not_modelled(tmp_path: Path) -> None:
    text = """
    pthread_mutex_t r = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
    void *one(void *u) { return 0; }
    int main(void) { pthread_t t; pthread_create(&t, 0, one, 0); pthread_mutex_lock(&r); pthread_mutex_lock(&r);
      pthread_cond_wait(&c, &r); return 0; }"""
    answer = decided(tmp_path, "#define _GNU_SOURCE\n" + text, "deadlock")
    assert answer.verdict == "unknown"
    assert "waiting for a condition with a mutex that is locked more than once" in answer.reason


@REDUCTION
def test_thread_local_objects_end_with_their_thread(tmp_path: Path, reduction: bool) -> None:
    text = """
    _Thread_local int own; int *shown;
    void *one(void *u) { shown = &own; return 0; }
    int main(void) { pthread_t t; pthread_create(&t, 0, one, 0); pthread_join(t, 0); *shown = 1; return 0; }"""
    assert decided(tmp_path, text, "memory", reduction).verdict == "unsafe"
    assert decided(tmp_path, text.replace("*shown = 1;", "own = 1;"), "memory", reduction).verdict == "safe"
