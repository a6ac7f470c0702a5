"""Atomic objects that are used as locks order what locks order, whatever weaker memory orders they have."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.analysis.lock_objects import sections_of_locks
from pincer.analysis.relaxed_orders import with_relaxed_orders_judged
from pincer.frontends.c.library.atomics import RELAXED_ORDERS, WEAKER_ORDERS
from pincer.frontends.c.load import load

HEAD = """\
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>
#define LOAD(x, order) atomic_load_explicit(&x, memory_order_##order)
#define STORE(x, value, order) atomic_store_explicit(&x, value, memory_order_##order)
#define EXCHANGE(x, value, order) atomic_exchange_explicit(&x, value, memory_order_##order)
#define CAS(x, e, order) atomic_compare_exchange_strong_explicit(&x, e, 1, memory_order_##order, memory_order_relaxed)
#define SET(x) atomic_flag_test_and_set_explicit(&x, memory_order_acquire)
#define CLEAR(x, order) atomic_flag_clear_explicit(&x, memory_order_##order)
#define TAKE while (EXCHANGE(l, 1, acquire))
#define GIVE STORE(l, 0, release)
atomic_int l, k, x, y; atomic_flag f = ATOMIC_FLAG_INIT; int data, seen, old;
static void take(atomic_int *p) { while (atomic_exchange_explicit(p, 1, memory_order_acquire)) sched_yield(); }
static void give(atomic_int *p) { atomic_store_explicit(p, 0, memory_order_release); }
static void relax(void) { }
"""
MAIN = """\
int main(void) {
    pthread_t p, q;
    BEFORE
    pthread_create(&p, 0, first, 0);
    pthread_create(&q, 0, second, 0);
    pthread_join(p, 0);
    pthread_join(q, 0);
    return 0;
}
"""


def is_exact(folder: Path, first: str, second: str | None = None, before: str = "") -> bool:
    file = folder / "program.c"
    bodies = {"first": first, "second": first if second is None else second}
    routines = [f"void *{name}(void *a) {{ {body}; return 0; }}\n" for name, body in bodies.items()]
    file.write_text(HEAD + "".join(routines) + MAIN.replace("BEFORE", before), encoding="utf-8")
    assumed = with_relaxed_orders_judged(load(file)).assumptions
    return RELAXED_ORDERS not in assumed and WEAKER_ORDERS not in assumed


@pytest.mark.parametrize(
    "thread",
    [
        "TAKE; data++; GIVE",
        "TAKE __builtin_ia32_pause(); data++; GIVE",
        "for (;;) { TAKE; data++; GIVE; }",
        "while (EXCHANGE(l, 1, acquire)) { usleep(1); relax(); } data++; GIVE",
        "while (EXCHANGE(l, 7, acq_rel)); data++; STORE(l, 0, seq_cst)",
        "while (SET(f)); data++; CLEAR(f, release)",
        "int e = 0; while (!CAS(l, &e, acquire)) e = 0; data++; GIVE",
        "for (;;) { int e = 0; if (CAS(l, &e, acquire)) break; } data++; GIVE",
        "for (;;) { while (LOAD(l, relaxed)); if (!EXCHANGE(l, 1, acquire)) break; } data++; GIVE",
        "TAKE while (LOAD(l, relaxed)); data++; GIVE",
        "unsigned n = 0; TAKE if (++n > 9) n = 0; data++; GIVE",
        "while (__sync_lock_test_and_set(&old, 1)); data++; __sync_lock_release(&old)",
        "take(&l); take(&k); data++; give(&k); give(&l)",
        "if (data) { TAKE; } else { TAKE; } data++; GIVE",
        "TAKE; data++; GIVE; atomic_fetch_add(&x, 1); if (y) x = 2",
        "TAKE; data++; GIVE; STORE(x, 1, release); if (LOAD(x, acquire)) data = 2",
    ],
)
def test_locks_are_exact(thread: str, tmp_path: Path) -> None:
    assert is_exact(tmp_path, thread)


@pytest.mark.parametrize("before", ["atomic_init(&l, 0);", "l = 0;", "atomic_init(&l, 1);", "TAKE; GIVE;", "give(&l);"])
def test_what_comes_before_all_threads_is_free_to_set_the_lock(before: str, tmp_path: Path) -> None:
    assert is_exact(tmp_path, "TAKE; data++; GIVE", before=before)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("TAKE; data++; STORE(l, 0, relaxed)", None),
        ("while (EXCHANGE(l, 1, relaxed)); data++; GIVE", None),
        ("while (EXCHANGE(l, 1, release)); data++; GIVE", None),
        ("while (SET(f)); data++; CLEAR(f, relaxed)", None),
        ("int e = 0; while (!CAS(l, &e, relaxed)) e = 0; data++; GIVE", None),
        ("int e = 0; while (!CAS(l, &e, acquire)); data++; GIVE", None),
        ("TAKE; data++; EXCHANGE(l, 0, acquire)", None),
        ("data = 1; EXCHANGE(l, 1, acquire)", "if (EXCHANGE(l, 1, acquire)) seen = data"),
        ("data = 1; TAKE", "if (LOAD(l, acquire)) seen = data"),
        ("data = 1; TAKE", "int n = 0; TAKE n = 1; if (n) seen = data"),
        ("data = 1; TAKE", "int n = 0; TAKE { n++; if (n > 2) break; } if (n) seen = data"),
        ("data = 1; TAKE", "while (EXCHANGE(l, 1, acquire)) seen = data"),
        ("data = 1; TAKE", "while (!LOAD(l, acquire)); seen = data"),
        ("data = 1; TAKE", "seen = *(int *)&l"),
        ("TAKE; GIVE; data = 1; GIVE", "TAKE; seen = data; GIVE"),
        ("data = 1; GIVE", "TAKE; seen = data; GIVE"),
        ("GIVE; while (EXCHANGE(k, 1, acquire))", "STORE(k, 0, release); TAKE"),
        (
            "TAKE; data = 1; EXCHANGE(l, 2, acquire); STORE(l, 2, relaxed)",
            "while (EXCHANGE(l, 1, acquire) == 1); seen = data",
        ),
        ("TAKE; data++; GIVE", "TAKE; l = 0; data++; GIVE"),
        ("TAKE; data++; GIVE", "while (EXCHANGE(l, 3, acquire)); data++; GIVE"),
        (
            "atomic_int *p = a ? &k : &l; while (atomic_exchange_explicit(p, 1, memory_order_acquire)); data++; GIVE",
            None,
        ),
        (
            "TAKE; data++; GIVE",
            "char *c = (char *)&l; while (__atomic_exchange_n(c, 1, 2)); data++; __atomic_store_n(c, 0, 3)",
        ),
        ("data = 1; STORE(x, 1, relaxed); TAKE; GIVE", "TAKE; GIVE; if (LOAD(x, relaxed)) seen = data"),
    ],
)
def test_what_is_no_lock_keeps_the_assumption(first: str, second: str | None, tmp_path: Path) -> None:
    assert not is_exact(tmp_path, first, second)


def test_store_buffering_is_not_excluded_by_locks_beside_it(tmp_path: Path) -> None:
    first = "TAKE; GIVE; STORE(x, 1, release); seen = LOAD(y, acquire)"
    assert not is_exact(tmp_path, first, "TAKE; GIVE; STORE(y, 1, release); old = LOAD(x, acquire)")


@pytest.mark.parametrize("before", ["atomic_init(&l, 5);", "data = *(int *)&l; l++;"])
def test_another_number_before_the_threads_is_no_lock(before: str, tmp_path: Path) -> None:
    assert not is_exact(tmp_path, "TAKE; data++; GIVE", before=before)


def test_only_the_sections_of_locks_are_found(tmp_path: Path) -> None:
    file = tmp_path / "program.c"
    thread = "void *first(void *a) {\nTAKE;\nGIVE;\nx = 1; return 0; }\n"
    file.write_text(HEAD + thread + MAIN.replace("second", "first").replace("BEFORE", ""), encoding="utf-8")
    around = HEAD.count("\n") + 1
    assert {begin.position.line - around for begin in sections_of_locks(load(file))} == {1, 2}
