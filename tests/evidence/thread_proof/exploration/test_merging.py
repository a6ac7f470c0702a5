"""Merged moves: fewer states, and nothing that goes wrong is missed by them."""

from __future__ import annotations

import pytest

from pincer.evidence.thread_proof.exploration.merging import MoveMerging, exclude, meet, merging_of
from pincer.evidence.thread_proof.exploration.states import StepAccess, TakenLock
from pincer.program.property import PropertyKind

from .explored_programs import explored, explorer_of, program_of, two

MUTEX = "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER; int x, y, many[8];"


def _states(text: str) -> tuple[int, bool]:
    """How many states there are, and whether moves were merged to the end."""
    explorer = explorer_of(program_of(text), "assertions")
    explorer.explore()
    return explorer.states, explorer._moves.merging.is_on


def _locked(inside: str, lock: str = "m") -> str:
    return f"pthread_mutex_lock(&{lock}); {inside} pthread_mutex_unlock(&{lock});"


def test_a_critical_section_is_one_move_however_long_it_is() -> None:
    short = two(_locked("x++;"), _locked("x++;"), MUTEX)
    long = two(_locked("x++; y++; for (int i = 0; i < 8; i++) many[i]++;"), _locked("x++;"), MUTEX)
    assert _states(short) == _states(long)
    assert _states(short)[1]


def test_accesses_of_threads_that_do_not_meet_are_one_move() -> None:
    sums = "for (int i = {0}; i < {1}; i++) many[i] = i;"
    one = two("many[0] = 1;", "many[4] = 1;", MUTEX)
    assert _states(two(sums.format(0, 4), sums.format(4, 8), MUTEX)) == _states(one)


def test_threads_that_meet_are_followed_step_by_step() -> None:
    text = two("int k = x; x = k + 1;", "int k = x; x = k + 1;", after="assert(x >= 1);")
    assert not _states(text)[1]
    assert "failure" in explored(text.replace(">= 1", "== 2"))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("x = 1;", _locked("x = 2;")),
        (_locked("x = 1;"), _locked("x = 2;", "n")),
        (_locked("x = 1;") + "y = 1;", _locked("int k = x; if (k) y = 2;")),
        (_locked("x = 1;") + "y = 1;", "y = 2;" + _locked("x = 1;")),
        ("y = 2; " + _locked("x = 1;"), _locked("int k = x; if (!k) y = 1;")),
        (_locked(_locked("x = 1;", "n")), _locked("x = 2;", "n") + "x = 3;"),
    ],
)
def test_races_around_critical_sections_are_found(first: str, second: str) -> None:
    assert "same data" in explored(two(first, second, MUTEX), "race")
    assert "same data" in explored(two(second, first, MUTEX), "race")


def test_data_that_is_handed_over_by_a_lock_does_not_race() -> None:
    first, second = "y = 1;" + _locked("x = 1;"), _locked("int k = x;") + "if (k) y = 2;"
    text = two(first, second, MUTEX, "assert(y == 1 || y == 2);")
    assert explored(text, "race") == "" and explored(text) == ""
    assert "failure" in explored(text.replace("y == 1 ||", ""))


def test_another_thread_may_come_between_two_critical_sections() -> None:
    first = _locked("x = 1;") + _locked("assert(x == 1);")
    assert "failure" in explored(two(first, _locked("x = 2;"), MUTEX))
    assert explored(two(first, _locked("y = 2;"), MUTEX)) == ""


def test_what_is_given_up_before_the_program_ends_can_be_taken() -> None:
    text = f"""
{MUTEX}
void *other(void *p) {{ {_locked("assert(!x);")} return 0; }}
int main(void) {{
  pthread_t t; pthread_mutex_lock(&m); pthread_create(&t, 0, other, 0); x = 1; pthread_mutex_unlock(&m); return 0;
}}
"""
    assert "failure" in explored(text)


def test_locks_that_are_held_at_the_next_lock_are_seen() -> None:
    first, second = _locked(_locked("x++;", "n")), _locked(_locked("x++;"), "n")
    assert "circle" in explored(two(first, second, MUTEX), "deadlock")
    assert explored(two(first, first, MUTEX), "deadlock") == ""


def test_who_tries_a_lock_sees_that_it_is_held() -> None:
    trying = "if (pthread_mutex_trylock(&m)) assert(0); else pthread_mutex_unlock(&m);"
    text = two(_locked("x = 1;"), trying, MUTEX)
    assert "failure" in explored(text)
    assert merging_of(program_of(text)) == MoveMerging(True, False, True)


def test_an_end_is_seen_by_who_does_not_wait_for_it() -> None:
    text = two("x = 1;", "return 0;", after="").replace("pthread_join(s, 0);", "pthread_tryjoin_np(s, 0);")
    assert not merging_of(program_of("#define _GNU_SOURCE\n" + text)).ends


@pytest.mark.parametrize("kind", ["assertions", "memory", "race", "deadlock"])
def test_objects_of_the_library_that_end_while_others_use_them_are_refused(kind: PropertyKind) -> None:
    assert "refused" in explored(two(_locked("x = 1;"), "pthread_mutex_destroy(&m);", MUTEX), kind)
    assert "refused" in explored(two(_locked("x = 1;"), "pthread_mutex_init(&m, 0);", MUTEX), kind)


def test_giving_up_what_is_not_held_tells_others() -> None:
    shared = "pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;"
    text = f"""
{shared}
void *other(void *p) {{ pthread_mutex_destroy(&m); return 0; }}
int main(void) {{ pthread_t t; pthread_create(&t, 0, other, 0); pthread_mutex_unlock(&m); pthread_join(t, 0); }}
"""
    assert "refused" in explored("#define _GNU_SOURCE\n" + text, "memory")


def test_an_object_that_is_freed_while_another_thread_reads_it_is_refused() -> None:
    shared = "int *p; int x;"
    reading = "int k = *p; (void)k;"
    text = two(reading, "free(p);", shared).replace("pthread_t s, t;", "pthread_t s, t; p = calloc(1, 4);")
    assert "refused" in explored(text, "memory")


def test_an_assumption_that_fails_reads_all_the_same() -> None:
    assert "same data" in explored(two("__VERIFIER_assume(x == 1);", "x = 1;"), "race")


def test_waits_and_signals_belong_to_the_critical_section() -> None:
    shared = MUTEX + "pthread_cond_t c = PTHREAD_COND_INITIALIZER;"
    waiting = _locked("while (!x) pthread_cond_wait(&c, &m); y = 1;")
    telling = _locked("x = 1; pthread_cond_signal(&c);")
    assert explored(two(waiting, telling, shared, "assert(y == 1);")) == ""
    assert explored(two(waiting, telling, shared), "deadlock") == ""
    forgetful = _locked("x = 1;") + "if (0) pthread_cond_signal(&c);"
    assert "never comes" in explored(two(waiting, forgetful, shared), "deadlock")


def test_two_moves_that_begin_with_the_same_lock_exclude_each_other() -> None:
    lock = TakenLock(8)
    assert exclude(lock, lock) and exclude(lock, TakenLock(8, shared=True))
    assert not exclude(lock, TakenLock(16)) and not exclude(lock, None)
    assert not exclude(TakenLock(8, shared=True), TakenLock(8, shared=True))


def test_what_meets() -> None:
    read, write = StepAccess(8, 4, False), StepAccess(8, 4, True)
    atomic = StepAccess(8, 4, True, True)
    assert meet((read,), (write,)) and meet((write,), (atomic,)) and not meet((read,), (read,))
    assert not meet((atomic,), (atomic,)) and meet((atomic,), (atomic._replace(lone=True),))
    assert not meet((write,), (write._replace(start=12),))
