"""Relaxed operations on one object make no difference where creation, joins and locks order all the rest."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.analysis.relaxed_orders import with_relaxed_orders_judged
from pincer.frontends.c.library.atomics import RELAXED_ORDERS, WEAKER_ORDERS
from pincer.frontends.c.load import load

HEAD = """\
#include <pthread.h>
#include <stdatomic.h>
#include <semaphore.h>
atomic_int x, y; int data, plain; sem_t s; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
#define ADD atomic_fetch_add_explicit(&x, 1, memory_order_relaxed)
#define LOCKED(statement) pthread_mutex_lock(&m); statement; pthread_mutex_unlock(&m)
"""
MAIN = """\
int main(void) {
    pthread_t p;
    BEFORE;
    pthread_create(&p, 0, t, 0);
    BESIDE;
    pthread_join(p, 0);
    AFTER;
    return 0;
}
"""


def is_exact(folder: Path, thread: str, beside: str = "", before: str = "", after: str = "") -> bool:
    main = MAIN.replace("BEFORE", before).replace("BESIDE", beside).replace("AFTER", after)
    file = folder / "program.c"
    file.write_text(f"{HEAD}void *t(void *a) {{ {thread}; return 0; }}\n{main}", encoding="utf-8")
    loaded = load(file)
    assert RELAXED_ORDERS in loaded.assumptions
    return RELAXED_ORDERS not in with_relaxed_orders_judged(loaded).assumptions


@pytest.mark.parametrize(
    ("thread", "beside"),
    [
        ("ADD", "ADD"),
        ("ADD; data = 1", ""),
        ("ADD; LOCKED(data++)", "LOCKED(data++)"),
        ("if (ADD) data = 1", "plain = 2"),
        ("ADD; if (data) return a", "if (data) ADD"),
    ],
)
def test_what_threads_locks_and_nobody_else_order_needs_no_assumption(thread: str, beside: str, tmp_path: Path) -> None:
    assert is_exact(tmp_path, thread, beside, before="data = 3", after="data++")


@pytest.mark.parametrize(
    ("thread", "beside"),
    [
        ("data = 1; ADD", "if (ADD) plain = data"),
        ("if (ADD) data = 1", "data = 2"),
        ("LOCKED(data++); ADD", "if (ADD) data = 2"),
        ("int *p = &data; *p = 1; ADD", "if (ADD) plain = data"),
        ("ADD; data = 1; sem_post(&s)", "sem_wait(&s); plain = data"),
        ("__atomic_fetch_add(&plain, 1, __ATOMIC_RELAXED)", "plain = 1"),
    ],
)
def test_what_the_object_may_order_keeps_it(thread: str, beside: str, tmp_path: Path) -> None:
    assert not is_exact(tmp_path, thread, beside)


def test_several_threads_of_one_site_are_held_against_each_other(tmp_path: Path) -> None:
    again = "pthread_t q; for (int i = 0; i < 2; i++) pthread_create(&q, 0, t, 0)"
    assert not is_exact(tmp_path, "data++; ADD", again)
    assert is_exact(tmp_path, "ADD; LOCKED(data++)", again.replace("for", "ADD; for"), after="LOCKED(data++)")


def test_several_objects_are_another_question(tmp_path: Path) -> None:
    file = tmp_path / "program.c"
    main = MAIN.replace("BEFORE", "").replace("BESIDE", "y = 1").replace("AFTER", "")
    file.write_text(f"{HEAD}void *t(void *a) {{ ADD; return 0; }}\n{main}", encoding="utf-8")
    assert WEAKER_ORDERS in with_relaxed_orders_judged(load(file)).assumptions
