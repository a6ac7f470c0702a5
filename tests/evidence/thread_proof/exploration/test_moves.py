"""Moves: one step that others may notice, and what nobody notices."""

from __future__ import annotations

import pytest

from pincer.evidence.thread_proof.exploration.moves import LIMITS

from .explored_programs import explored, explorer_of, program_of, two


def _states(text: str) -> int:
    explorer = explorer_of(program_of(text), "assertions")
    explorer.explore()
    return explorer.states


def test_steps_that_nobody_notices_are_no_states_of_their_own() -> None:
    short = two("x = 1;", "y = 1;")
    long = two("int k = 0; for (int i = 0; i < 50; i++) k = k + i; x = k;", "y = 1;")
    assert _states(short) == _states(long)


def test_long_loops_end_a_move_now_and_then() -> None:
    text = two(f"for (int i = 0; i < {3 * LIMITS.rounds}; i++);", "y = 1;")
    assert _states(text) > _states(two("", "y = 1;"))
    assert explored(text) == ""


def test_an_atomic_section_is_one_step() -> None:
    body = "__VERIFIER_atomic_begin(); int k = x; x = k + 1; __VERIFIER_atomic_end();"
    assert explored(two(body, body, after="assert(x == 2);")) == ""


def test_waiting_in_an_atomic_section_is_not_followed() -> None:
    shared = "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;"
    body = "__VERIFIER_atomic_begin(); pthread_mutex_lock(&m); __VERIFIER_atomic_end(); pthread_mutex_unlock(&m);"
    assert explored(two(body, "pthread_mutex_lock(&m); pthread_mutex_unlock(&m);", shared)).startswith("unexplored")


def test_which_lock_is_taken_may_depend_on_inputs() -> None:
    shared = "pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER}; int x;"
    body = "int i = __VERIFIER_nondet_uchar(); if (i > 1) return 0;"
    body += "pthread_mutex_lock(&m[i]); x = 1; pthread_mutex_unlock(&m[i]);"
    assert "same data" in explored(two(body, body, shared), "race")
    assert explored(two(body, body, shared), "deadlock") == ""
    same = body.replace("i > 1", "i > 0")
    assert explored(two(same, same, shared), "race") == ""


def test_what_is_not_modelled_is_a_limit_where_it_is_reached() -> None:
    text = "int x; int main(void) { if (x) pthread_cancel(pthread_self()); return 0; }"
    assert explored(text) == ""
    assert explored(text.replace("if (x)", "if (!x)")).startswith("unexplored")


CHECKED_BEFORE = """
#include <stdio.h>
FILE *out; int x, seen; sem_t s; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *work(void *unused) { FIRST return 0; }
int main(void) {
    pthread_t t;
    sem_init(&s, 0, 0);
    out = fopen("/dev/null", "w");
    if (!out) return 0;
    pthread_create(&t, 0, work, 0);
    SECOND
    pthread_join(t, 0);
    return 0;
}
"""


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ('fputs("go", out); sem_post(&s); x = 7;', "sem_wait(&s); assert(x == 7);"),
        (
            'pthread_mutex_lock(&m); seen = 1; fputs("go", out); pthread_mutex_unlock(&m); x = 7;',
            "pthread_mutex_lock(&m); int s1 = seen; pthread_mutex_unlock(&m); assert(!s1 || x == 7);",
        ),
        (
            '__VERIFIER_atomic_begin(); seen = 1; fputs("go", out); __VERIFIER_atomic_end(); x = 7;',
            "__VERIFIER_atomic_begin(); int s1 = seen; __VERIFIER_atomic_end(); assert(!s1 || x == 7);",
        ),
    ],
)
def test_a_check_belongs_to_the_next_step_only(first: str, second: str) -> None:
    """After an operation of the library others may have their turn, also where a check stands right before it."""
    text = CHECKED_BEFORE.replace("FIRST", first).replace("SECOND", second)
    assert explored(text, "assertions").startswith("refused")
