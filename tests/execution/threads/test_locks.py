"""Mutexes, spin locks and read-write locks: results, error codes, and misuse that is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.execution.threads.threaded_c import finished, result_of


@pytest.mark.parametrize(
    ("initialiser", "again", "trying"),
    [
        ("PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP", 0, 0),
        ("PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP", 35, 16),
    ],
)
def test_locking_twice_depends_on_the_kind_of_mutex(tmp_path: Path, initialiser: str, again: int, trying: int) -> None:
    text = f"""
    pthread_mutex_t m = {initialiser};
    int main(void) {{
      pthread_mutex_lock(&m);
      int again = pthread_mutex_lock(&m);
      int trying = pthread_mutex_trylock(&m);
      result = again * 100 + trying;
      return 0;
    }}"""
    assert result_of(tmp_path, text) == again * 100 + trying


def test_attributes_give_a_mutex_its_kind(tmp_path: Path) -> None:
    text = """
    int main(void) {
      pthread_mutex_t m;
      pthread_mutexattr_t kind;
      pthread_mutexattr_init(&kind);
      pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
      pthread_mutex_init(&m, &kind);
      pthread_mutex_lock(&m);
      result = 1 + pthread_mutex_lock(&m);
      return 0;
    }"""
    assert result_of(tmp_path, text) == 1


def test_unlocking_an_error_checking_mutex_of_nobody_is_refused(tmp_path: Path) -> None:
    text = """
    pthread_mutex_t m = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
    int main(void) { result = pthread_mutex_unlock(&m); return 0; }"""
    assert result_of(tmp_path, text) == 1


def test_unlock_by_another_thread_names_the_holder(tmp_path: Path) -> None:
    text = """
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    void *other(void *unused) { pthread_mutex_unlock(&m); return 0; }
    int main(void) {
      pthread_t t;
      pthread_mutex_lock(&m);
      pthread_create(&t, 0, other, 0);
      pthread_join(t, 0);
      return 0;
    }"""
    _, stop = finished(tmp_path, text)
    assert stop.kind == "check"
    assert stop.message == "the mutex m, which thread 0 holds, is unlocked by thread 1"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("pthread_rwlock_rdlock(&r); result = pthread_rwlock_tryrdlock(&r);", 0),
        ("pthread_rwlock_rdlock(&r); result = pthread_rwlock_trywrlock(&r);", 16),
        ("pthread_rwlock_wrlock(&r); result = pthread_rwlock_tryrdlock(&r);", 16),
        ("pthread_rwlock_wrlock(&r); result = pthread_rwlock_rdlock(&r);", 35),
        ("pthread_rwlock_wrlock(&r); pthread_rwlock_unlock(&r); result = pthread_rwlock_trywrlock(&r);", 0),
        ("pthread_spin_init(&s, 0); pthread_spin_lock(&s); result = pthread_spin_trylock(&s);", 16),
        ("pthread_barrier_t b; result = pthread_barrier_init(&b, 0, 0);", 22),
        ("sem_t n; int failed = sem_init(&n, 0, 1u << 31); result = failed + errno;", 21),
    ],
)
def test_results_are_those_of_posix(tmp_path: Path, body: str, expected: int) -> None:
    text = (
        f"pthread_rwlock_t r = PTHREAD_RWLOCK_INITIALIZER; pthread_spinlock_t s; int main(void) {{ {body} return 0; }}"
    )
    assert result_of(tmp_path, text) == expected
