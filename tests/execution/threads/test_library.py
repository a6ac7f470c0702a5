"""The library as a whole: misuse that is said to be what it is, and what has no model."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.execution.threads.threaded_c import IDLE, assignments, finished, result_of


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
