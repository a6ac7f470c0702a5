"""Threads, places and moves as they are read off the edges."""

from __future__ import annotations

import pytest

from pincer.evidence.thread_proof.unfolding import Unfoldable, unfolded
from pincer.program.thread_labels import Start
from tests.evidence.thread_proof.threaded_programs import HAND_OVER, SPIN_LOCK, lowered


def test_a_site_in_a_loop_starts_several_threads() -> None:
    system = unfolded(lowered(SPIN_LOCK), False)
    assert [(thread.routine.name, thread.several) for thread in system.threads] == [("main", False), ("worker", True)]


def test_each_place_of_a_site_is_a_thread_of_its_own() -> None:
    text = """
void *f(void *a) { return 0; }
void start(void) { pthread_t t; pthread_create(&t, 0, f, 0); }
int main(void) { start(); start(); return 0; }
"""
    system = unfolded(lowered(text), False)
    assert [thread.several for thread in system.threads] == [False, False, False]
    assert len({str(thread.site) for thread in system.threads[1:]}) == 2
    births = [move for move in system.threads[0].moves if isinstance(move.label, Start)]
    assert sorted(system.births.values()) == [1, 2] and len(births) == 2


def test_threads_of_one_of_several_are_several() -> None:
    text = """
void *g(void *a) { return 0; }
void *f(void *a) { pthread_t t; pthread_create(&t, 0, g, 0); return 0; }
int main(void) { pthread_t t; for (int i = 0; i < 2; i++) pthread_create(&t, 0, f, 0); return 0; }
"""
    assert [thread.several for thread in unfolded(lowered(text), False).threads] == [False, True, True]


def test_a_wait_has_a_place_between_its_halves() -> None:
    for spurious, count in ((False, 2), (True, 3)):
        main = unfolded(lowered(HAND_OVER), spurious).threads[0]
        halves = [move for move in main.moves if "*" in f"{move.source}{move.target}"]
        assert len(halves) == count


def test_an_atomic_section_is_one_move_for_each_way_through_it() -> None:
    text = """
int x, y;
int main(void) { __VERIFIER_atomic_begin(); if (x) y = 1; else y = 2; __VERIFIER_atomic_end(); return 0; }
"""
    main = unfolded(lowered(text), False).threads[0]
    assert sum(move.atomic for move in main.moves) == 2


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("void *f(void *a) { return f(a); } int main(void) { f(0); return 0; }", "calls itself"),
        (
            "int x; int main(void) { __VERIFIER_atomic_begin(); while (x) x--; __VERIFIER_atomic_end(); return 0; }",
            "a loop inside an atomic section",
        ),
        (
            "void *f(void *a) { pthread_t t; pthread_create(&t, 0, f, 0); return 0; }"
            "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); return 0; }",
            "like themselves",
        ),
        (
            "void *f(void *a) { return 0; } void *(*p)(void *); int main(void) { p = f; pthread_t t;"
            "pthread_create(&t, 0, p, 0); return 0; }",
            "not known",
        ),
        (
            "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int main(void) { __VERIFIER_atomic_begin();"
            "pthread_mutex_lock(&m); __VERIFIER_atomic_end(); return 0; }",
            "inside an atomic section",
        ),
    ],
)  # fmt: skip
def test_what_is_not_unfolded_says_why(text: str, why: str) -> None:
    with pytest.raises(Unfoldable, match=why):
        unfolded(lowered(text), False)
