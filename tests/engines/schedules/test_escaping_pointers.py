"""Objects that one thread seems to own are not trusted to stay unknown to others."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.engines.schedules.exhaustive import explore
from pincer.engines.schedules.limits import ScheduleLimits
from pincer.execution.threads.limits import ExecutionLimits
from pincer.frontends.c.load import load
from pincer.runtime.run import Run
from tests.engines.schedules.test_all_inputs_and_ends import HEADER, REDUCTION, decided

MAIN = """
int main(void) { pthread_t a, b; pthread_create(&a, 0, one, 0); pthread_create(&b, 0, two, 0);
  pthread_join(a, 0); pthread_join(b, 0); return 0; }"""
CHOSEN = """
_Atomic(atomic_int *) early, late;
void *one(void *u) { atomic_int *p = malloc(sizeof *p); *p = 0; int i = __VERIFIER_nondet_int();
  early = i ? p : 0; *p = 1; late = p; return 0; }
void *two(void *u) { atomic_int *q = early; if (q) assert(*q == 1); return 0; }"""
DEEP = """
struct big { char space[5000]; atomic_int *p; };
_Atomic(struct big *) early; _Atomic(atomic_int *) late;
void *one(void *u) { atomic_int *p = malloc(sizeof *p); struct big *g = malloc(sizeof *g);
  *p = 0; g->p = p; early = g; *p = 1; late = p; return 0; }
void *two(void *u) { struct big *g = early; if (g) assert(*g->p == 1); return 0; }"""
BYTES = """
unsigned char bytes[sizeof(int *)]; _Atomic(atomic_int *) late;
void *one(void *u) { atomic_int *p = malloc(sizeof *p); *p = 0; unsigned char *s = (unsigned char *)&p;
  for (unsigned i = 0; i < sizeof p; i++) bytes[i] = s[i];
  go = 1; *p = 1; late = p; return 0; }
void *two(void *u) { if (go) { atomic_int *q; unsigned char *s = (unsigned char *)&q;
  for (unsigned i = 0; i < sizeof q; i++) s[i] = bytes[i];
  assert(*q == 1); } return 0; }"""
HIDDEN = """
atomic_ulong early; _Atomic(atomic_int *) late;
void *one(void *u) { atomic_int *p = malloc(sizeof *p); *p = 0; early = ~(unsigned long)p; *p = 1; late = p; return 0; }
void *two(void *u) { unsigned long q = early; if (q) assert(*(atomic_int *)~q == 1); return 0; }"""


@REDUCTION
@pytest.mark.parametrize("text", [CHOSEN, DEEP])
def test_what_a_pointer_may_show_counts_from_then_on(tmp_path: Path, text: str, reduction: bool) -> None:
    assert decided(tmp_path, text + MAIN, "assertions", reduction).verdict == "unsafe"


@REDUCTION
@pytest.mark.parametrize("text", [BYTES, HIDDEN])
def test_pointers_that_are_not_followed_leave_the_property_open(tmp_path: Path, text: str, reduction: bool) -> None:
    answer = decided(tmp_path, text + MAIN, "assertions", reduction)
    assert answer.verdict == "unknown"
    assert "in a way that is not followed" in answer.reason


def test_a_pointer_that_is_handed_over_in_order_is_no_matter(tmp_path: Path) -> None:
    text = """
    _Atomic(int *) given;
    void *one(void *u) { int *p = malloc(sizeof *p); *p = 0; *p = 1; given = p; return 0; }
    void *two(void *u) { int *q = given; if (q) assert(*q == 1); return 0; }"""
    assert decided(tmp_path, text + MAIN, "assertions").verdict == "safe"
    assert decided(tmp_path, text + MAIN, "race").verdict == "safe"


@REDUCTION
def test_wake_ups_that_need_not_come_prevent_no_deadlock(tmp_path: Path, reduction: bool) -> None:
    text = """
    void *one(void *u) { pthread_mutex_lock(&m); while (!x) pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m);
      return 0; }
    void *two(void *u) { pthread_mutex_lock(&m); SET pthread_cond_signal(&c); pthread_mutex_unlock(&m); return 0; }"""
    limits = ScheduleLimits(execution=ExecutionLimits(spurious=True))
    lost, sent = text.replace("SET", ""), text.replace("SET", "x = 1;")
    assert decided(tmp_path, lost + MAIN, "deadlock", reduction, limits).verdict == "unsafe"
    assert decided(tmp_path, sent + MAIN, "deadlock", reduction, limits).verdict == "safe"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("pthread_mutexattr_t a; void *one(void *u) { pthread_mutexattr_settype(&a, 1); return 0; } "
         "void *two(void *u) { pthread_mutex_init(&m, &a); return 0; }", "attributes that other threads may use"),
        ("pthread_once_t o; void quit(void) { pthread_exit(0); } "
         "void *one(void *u) { pthread_once(&o, quit); return 0; }"
         "void *two(void *u) { return 0; }", "pthread_exit in a routine that pthread_once runs"),
        ("void *one(void *u) { pthread_mutex_lock(&m); return 0; }"
         "void *two(void *u) { pthread_mutex_lock(&k); assert(*(int *)&k == 0); return 0; }", "are read or written"),
        ("void *one(void *u) { sem_init(&s, 0, 1); sem_wait(&s); sem_init(&s, 0, 0); return 0; }"
         "void *two(void *u) { return 0; }", "initialised a second time"),
        ("struct timespec t = {0, 2000000000}; void *one(void *u) { pthread_mutex_timedlock(&m, &t); return 0; }"
         "void *two(void *u) { return 0; }", "no valid time"),
    ],
)  # fmt: skip
def test_what_the_library_model_leaves_out_is_said(tmp_path: Path, text: str, reason: str) -> None:
    answer = decided(tmp_path, text + MAIN, "assertions")
    assert answer.verdict == "unknown"
    assert reason in answer.reason


@pytest.mark.parametrize(
    "text",
    [
        "void *one(void *u) { assert(sem_init(&s, 0, 2147483648u) == -1 && errno == EINVAL); return 0; }",
        "void *one(void *u) { sem_init(&s, 0, 2147483647);"
        " assert(sem_post(&s) == -1 && errno == EOVERFLOW); return 0; }",
        "void *one(void *u) { pthread_mutex_t e = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;"
        " assert(pthread_cond_wait(&c, &e) == EPERM); return 0; }",
        "void *one(void *u) { pthread_mutex_destroy(&m); pthread_mutex_t n = PTHREAD_MUTEX_INITIALIZER; m = n;"
        " assert(pthread_mutex_lock(&m) == 0); return 0; }",
    ],
)
def test_results_of_the_library_are_those_of_posix(tmp_path: Path, text: str) -> None:
    text += "void *two(void *u) { return 0; }" + MAIN
    assert decided(tmp_path, text, "assertions").verdict == "safe"
    assert decided(tmp_path, text, "memory").verdict == "safe"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("pthread_rwlock_t l; void *one(void *u) { pthread_rwlock_init(&l, 0); pthread_rwlock_rdlock(&l);"
         " pthread_rwlock_init(&l, 0); return 0; }", "the read-write lock l is initialised while it is held"),
        ("pthread_spinlock_t l; void *one(void *u) { pthread_spin_init(&l, 0); pthread_spin_lock(&l);"
         " pthread_spin_init(&l, 0); return 0; }", "the spin lock l is initialised while thread 1 holds it"),
        ("void *one(void *u) { pthread_mutexattr_t a; pthread_mutex_t n; pthread_mutex_init(&n, &a); return 0; }",
         "have not been initialised"),
    ],
)  # fmt: skip
def test_misuse_when_objects_are_initialised_is_named(tmp_path: Path, text: str, message: str) -> None:
    answer = decided(tmp_path, text + "void *two(void *u) { return 0; }" + MAIN, "memory")
    assert answer.violation is not None and message in answer.violation.message


def test_values_wider_than_a_word_may_be_torn(tmp_path: Path) -> None:
    text = """
    long long wide; atomic_llong whole;
    void *one(void *u) { wide = -1; whole = -1; return 0; }
    void *two(void *u) { long long seen = PLACE; assert(seen == 0 || seen == -1); return 0; }"""
    (tmp_path / "program.c").write_text(HEADER + text.replace("PLACE", "wide") + MAIN)
    narrow = explore(load(tmp_path / "program.c", data_model="ILP32"), "assertions", Run(timeout=20))
    assert narrow.verdict == "unknown" and "wider than a word" in narrow.reason
    assert decided(tmp_path, text.replace("PLACE", "wide") + MAIN, "assertions").verdict == "safe"
    assert decided(tmp_path, text.replace("PLACE", "whole") + MAIN, "assertions").verdict == "safe"
