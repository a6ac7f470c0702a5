"""What calls of the threads library do: results, error codes, and misuse that is diagnosed as what it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.execution.threads.limits import ExecutionLimits
from tests.execution.threads.threaded_c import assignments, finished, result_of

IDLE = "void *idle(void *unused) { return 0; }\n"


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


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("pthread_mutex_unlock(&m);", "the mutex m, which nobody holds, is unlocked by thread 0"),
        ("pthread_mutex_lock(&m); pthread_mutex_destroy(&m);", "the mutex m is destroyed while thread 0 holds it"),
        ("pthread_mutex_destroy(&m); pthread_mutex_lock(&m);", "the mutex m is used after it was destroyed"),
        ("pthread_mutex_t mine; pthread_mutex_lock(&mine);", "has not been initialised"),
        ("pthread_mutex_lock(0);", "gets a pointer to no object"),
        ("pthread_join(pthread_self(), 0);", "thread 0 joins itself"),
        ("pthread_join(77, 0);", "no thread"),
        ("pthread_create(&t, 0, (void *(*)(void *))&m, 0);", "is no function"),
        ("pthread_create(&t, 0, idle, 0); pthread_join(t, 0); pthread_join(t, 0);", "joined a second time"),
        ("pthread_create(&t, 0, idle, 0); pthread_detach(t); pthread_join(t, 0);", "although it is detached"),
        ("pthread_cond_wait(&c, &m);", "which the thread does not hold"),
        ("sem_post(&s);", "the semaphore s has not been initialised"),
        ("pthread_rwlock_unlock(&r);", "does not hold it"),
        (
            "pthread_cond_signal((pthread_cond_t *)&m); pthread_mutex_lock(&m); pthread_cond_signal((void *)&m);",
            "is no",
        ),
    ],
)
def test_misuse_is_said_to_be_what_it_is(tmp_path: Path, body: str, message: str) -> None:
    text = f"""{IDLE}
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t c = PTHREAD_COND_INITIALIZER;
    pthread_rwlock_t r = PTHREAD_RWLOCK_INITIALIZER;
    sem_t s;
    pthread_t t;
    int main(void) {{ {body} return 0; }}"""
    _, stop = finished(tmp_path, text)
    assert stop.kind == "check"
    assert message in stop.message


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


def test_a_thread_gets_its_argument_and_returns_its_result(tmp_path: Path) -> None:
    text = """
    void *twice(void *given) { return (void *)(2 * (long)given); }
    int main(void) {
      pthread_t t;
      void *back;
      pthread_create(&t, 0, twice, (void *)21);
      pthread_join(t, &back);
      result = (int)(long)back;
      return 0;
    }"""
    assert result_of(tmp_path, text) == 42


def test_pthread_exit_ends_a_thread_from_inside_a_call(tmp_path: Path) -> None:
    text = """
    void inner(void) { pthread_exit((void *)7); }
    void *outer(void *unused) { inner(); return (void *)1; }
    int main(void) {
      pthread_t t;
      void *back;
      pthread_create(&t, 0, outer, 0);
      pthread_join(t, &back);
      result = (int)(long)back;
      return 0;
    }"""
    assert result_of(tmp_path, text) == 7


def test_every_thread_has_its_own_locals_and_thread_local_variables(tmp_path: Path) -> None:
    text = """
    _Thread_local int mine = 5;
    static __thread int many[2] = {1, 2};
    int seen[2];
    void *work(void *given) {
      int local, *pointer = &local;
      *pointer = (int)(long)given;
      mine += *pointer;
      many[1] += *pointer;
      seen[*pointer - 1] = mine * 10 + many[1];
      return 0;
    }
    int main(void) {
      pthread_t a, b;
      pthread_create(&a, 0, work, (void *)1);
      pthread_create(&b, 0, work, (void *)2);
      pthread_join(a, 0);
      pthread_join(b, 0);
      result = seen[0] * 10000 + seen[1] * 100 + mine * 10 + many[1];
      return 0;
    }"""
    assert result_of(tmp_path, text) == result_of(tmp_path, text, last=True) == 637452


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


def test_more_threads_than_the_limit_are_a_truncation(tmp_path: Path) -> None:
    text = f"""{IDLE}
    int main(void) {{
      pthread_t t;
      for (int i = 0; i < 5; i++) pthread_create(&t, 0, idle, 0);
      return 0;
    }}"""
    _, stop = finished(tmp_path, text, limits=ExecutionLimits(max_threads=3))
    assert (stop.kind, stop.message) == ("steps", "stopped at 3 threads")


def test_a_library_function_without_a_meaning_is_unsupported(tmp_path: Path) -> None:
    text = f"""{IDLE}
    int main(void) {{ pthread_t t; pthread_create(&t, 0, idle, 0); pthread_cancel(t); return 0; }}"""
    _, stop = finished(tmp_path, text)
    assert (stop.kind, stop.message) == ("unsupported", "call of pthread_cancel")


def test_the_result_of_a_call_can_be_assigned_and_compared_at_once(tmp_path: Path) -> None:
    text = f"""{IDLE}
    int main(void) {{
      pthread_t t;
      int error = 9;
      if ((error = pthread_create(&t, 0, idle, 0)) != 0) return 1;
      result = 5 + error;
      return 0;
    }}"""
    assert result_of(tmp_path, text) == 5


def test_arguments_of_functions_without_an_effect_are_still_read(tmp_path: Path) -> None:
    text = """
    #include <stdio.h>
    void *work(void *unused) { printf("%d", result); return 0; }
    int main(void) { pthread_t t; result = 1; pthread_create(&t, 0, work, 0); pthread_join(t, 0); return 0; }"""
    assert any(str(label.value) == "result" for label in assignments(tmp_path, text, "work"))
