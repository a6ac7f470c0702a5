"""Moves: one step that others may notice, and what nobody notices."""

from __future__ import annotations

from pincer.evidence.thread_proof.exploration.moves import ROUNDS

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
    text = two(f"for (int i = 0; i < {3 * ROUNDS}; i++);", "y = 1;")
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
