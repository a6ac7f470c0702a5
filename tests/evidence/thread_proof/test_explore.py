"""Explorations: what they accept is true, whatever threads hide from each other."""

from __future__ import annotations

import pytest

from pincer.evidence.thread_proof.exploration.refusals import Unexplored
from pincer.program.property import PropertyKind

from .exploration.explored_programs import explored, explorer_of, program_of, two

MUTEX = "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER; int x, y;"
LOCKED = "pthread_mutex_lock(&m); x = x + 1; pthread_mutex_unlock(&m);"


@pytest.mark.parametrize("kind", ["assertions", "race", "deadlock", "memory"])
def test_a_counter_under_a_lock_is_accepted(kind: PropertyKind) -> None:
    assert explored(two(LOCKED, LOCKED, MUTEX, "assert(x == 2);"), kind) == ""


def test_a_lost_update_is_found() -> None:
    text = two("int k = x; x = k + 1;", "int k = x; x = k + 1;", after="assert(x == 2);")
    assert "this failure may be reached" in explored(text)
    assert "access the same data" in explored(text, "race")
    assert explored(text, "deadlock") == ""


def test_a_circle_of_locks_is_found() -> None:
    one = "pthread_mutex_lock(&m); pthread_mutex_lock(&n); pthread_mutex_unlock(&n); pthread_mutex_unlock(&m);"
    other = "pthread_mutex_lock(&n); pthread_mutex_lock(&m); pthread_mutex_unlock(&m); pthread_mutex_unlock(&n);"
    assert "circle" in explored(two(one, other, MUTEX), "deadlock")
    assert explored(two(one, one, MUTEX), "deadlock") == ""


def test_a_lock_that_an_ended_thread_holds_is_a_deadlock() -> None:
    assert "circle" in explored(two("pthread_mutex_lock(&m);", LOCKED, MUTEX), "deadlock")


def test_a_circle_is_found_while_others_go_on() -> None:
    one = "pthread_mutex_lock(&m); pthread_mutex_lock(&n); pthread_mutex_unlock(&n); pthread_mutex_unlock(&m);"
    other = "pthread_mutex_lock(&n); pthread_mutex_lock(&m); pthread_mutex_unlock(&m); pthread_mutex_unlock(&n);"
    shared = MUTEX + "atomic_int spin;"
    for second, found in ((one, ""), (other, "refused: threads may wait for each other in a circle")):
        text = two(one, second, shared).replace("pthread_join(s, 0);", "while (1) spin = 1 - spin;")
        assert explored(text, "deadlock") == found


def test_waiting_for_what_never_comes_is_a_deadlock() -> None:
    text = "sem_t s; int main(void) { sem_init(&s, 0, 0); sem_wait(&s); return 0; }"
    assert "never comes" in explored(text, "deadlock")
    assert explored(text.replace("0, 0)", "0, 1)"), "deadlock") == ""


def test_a_wake_up_that_need_not_come_prevents_no_deadlock() -> None:
    text = """
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int main(void) { pthread_mutex_lock(&m); pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m); return 0; }
"""
    assert "never comes" in explored(text, "deadlock")
    assert "never comes" in explored(text, "deadlock", spurious=True)


def test_what_a_thread_has_done_before_it_loops_for_ever_is_seen() -> None:
    text = two("x = 1; while (1);", "assert(x == 0);")
    assert "failure" in explored(text)
    local = two("x = 1; for (int i = 0; ; i = 1 - i);", "assert(x == 0);")
    assert "failure" in explored(local)


def test_what_a_thread_has_done_before_an_assumption_that_fails_is_seen() -> None:
    assert "failure" in explored(two("x = 1; __VERIFIER_assume(0);", "assert(x == 0);"))
    text = two("int n = __VERIFIER_nondet_int(); x = n; __VERIFIER_assume(n == 0);", "assert(x == 0);")
    assert "failure" in explored(text)
    atomic = two("__VERIFIER_atomic_begin(); x = 1; __VERIFIER_assume(0); __VERIFIER_atomic_end();", "assert(x == 0);")
    assert explored(atomic) == ""


def test_what_a_thread_has_done_before_the_program_ends_is_seen() -> None:
    assert "failure" in explored(two("x = 1; exit(0);", "assert(x == 0);"))


def test_undefined_behaviour_is_refused_whatever_is_asked() -> None:
    for kind in ("assertions", "race", "deadlock", "memory"):
        text = "int a[2]; int main(void) { int i = __VERIFIER_nondet_uchar(); if (i < 3) a[i] = 1; return 0; }"
        assert explored(text, kind).startswith("refused")


def test_inputs_take_all_their_values() -> None:
    first = "int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n < 7); x = n;"
    assert explored(two(first, "y = x;", after="assert(y < 7);")) == ""
    assert "failure" in explored(two(first, "y = x;", after="assert(y < 6);"))


def test_two_inputs_are_not_the_same() -> None:
    text = two("x = __VERIFIER_nondet_int();", "y = __VERIFIER_nondet_int();", after="assert(x == y);")
    assert "failure" in explored(text)
    again = "int main(void) { int a[2]; for (int i = 0; i < 2; i++) a[i] = __VERIFIER_nondet_int(); assert({}); }"
    assert "failure" in explored(again.replace("{}", "a[0] == a[1]"))
    forgotten = """
int main(void) { int k = __VERIFIER_nondet_int(); int old = k; k = __VERIFIER_nondet_int(); assert(k == old); }
"""
    assert "failure" in explored(forgotten)


def test_memory_that_nobody_has_written_is_arbitrary_each_time() -> None:
    text = """
int main(void) { int *p = malloc(4), *q = malloc(4); if (!p || !q) return 0; int a = *p, b = *q; assert(a == b); }
"""
    assert "failure" in explored(text)
    once = "int main(void) { int *p = malloc(4); if (!p) return 0; int a = *p, b = *p; assert(a == b); }"
    assert explored(once) == ""


def test_a_loop_that_asks_for_inputs_for_ever_comes_to_an_end() -> None:
    text = two("while (1) { int n = __VERIFIER_nondet_int(); if (n > 3) x = 1; }", "while (1) assert(x <= 1);")
    assert explored(text) == ""


def test_spinning_ends() -> None:
    text = two("while (!atomic_load(&f)); assert(x == 1);", "x = 1; atomic_store(&f, 1);", "atomic_int f; int x;")
    assert explored(text) == ""
    assert explored(text, "race") == ""
    hasty = text.replace("x = 1; atomic_store(&f, 1);", "atomic_store(&f, 1); x = 1;")
    assert "failure" in explored(hasty) and "same data" in explored(hasty, "race")


def test_atomic_and_plain_accesses_race() -> None:
    both = "atomic_store(&f, 1);"
    assert explored(two(both, both, "atomic_int f;"), "race") == ""
    plain = two("__VERIFIER_atomic_begin(); x = 1; __VERIFIER_atomic_end();", "x = 2;")
    assert "same data" in explored(plain, "race")


def test_races_between_parts_of_objects() -> None:
    assert explored(two("p[0] = 1;", "p[1] = 1;", "int p[2];"), "race") == ""
    assert "same data" in explored(two("p[0] = 1;", "((char *)p)[3] = 1;", "int p[2];"), "race")
    assert explored(two("y = x;", "x == 1;"), "race") == ""


def test_blocks_are_not_copied_at_once() -> None:
    shared = "struct big { int k[300]; } p, q; int x;"
    assert "same data" in explored(two("p = q;", "x = p.k[3];", shared))
    assert explored(two("p = q;", "x = q.k[3];", shared)) == ""


def test_objects_of_a_thread_become_those_of_all_when_they_are_shown() -> None:
    text = two(
        "int *n = malloc(4); if (!n) abort(); *n = 1; p = n; *n = 2;",
        "int *n = p; if (n) assert(*n == {});",
        "int *_Atomic p;",
    )
    assert "failure" in explored(text.replace("{}", "1"))
    assert "failure" in explored(text.replace("{}", "2"))
    assert explored(text.replace("*n == {}", "*n == 1 || *n == 2")) == ""


def test_a_use_after_free_in_another_thread_is_found() -> None:
    text = two("int *n = p; if (n) x = *n;", "free(p);", "int *p; int x;").replace(
        "pthread_t s, t;", "pthread_t s, t; p = malloc(4); if (!p) return 0; *p = 3;"
    )
    assert explored(text, "memory").startswith("refused")


def test_thread_local_variables_are_apart() -> None:
    shared = "_Thread_local int own; _Thread_local int many[2]; int x;"
    text = two("own = 1; many[1] = 1; assert(own == 1);", "assert(own == 0 && many[1] == 0);", shared)
    assert explored(text) == "" and explored(text, "race") == ""


def test_more_moves_than_are_allowed_are_a_limit() -> None:
    program = program_of(two(LOCKED, LOCKED, MUTEX))
    explorer = explorer_of(program, "assertions", most=10)
    with pytest.raises(Unexplored, match="more than 10 moves"):
        explorer.explore()


def test_states_and_moves_are_counted() -> None:
    explorer = explorer_of(program_of("int main(void) { return 0; }"), "assertions")
    explorer.explore()
    assert (explorer.states, explorer.moves, explorer.claims) == (1, 1, 0)
    text = """
int x; void *one(void *a) { x = 1; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, one, 0); pthread_join(t, 0); return 0; }
"""
    explorer = explorer_of(program_of(text), "assertions")
    explorer.explore()
    assert (explorer.states, explorer.moves) == (3, 3)
