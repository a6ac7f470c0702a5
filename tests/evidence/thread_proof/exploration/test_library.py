"""Locks of all kinds, as POSIX has them."""

from __future__ import annotations

import pytest

from .explored_programs import explored, two

MUTEX = "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int x, y;"


def _main(body: str, shared: str = MUTEX) -> str:
    return f"{shared} int main(void) {{ {body} return 0; }}"


def test_a_mutex_that_is_held_is_busy() -> None:
    held = two("pthread_mutex_lock(&m); x = 1; x = 0; pthread_mutex_unlock(&m);",
               "if (pthread_mutex_trylock(&m) == 0) { assert(x == 0); pthread_mutex_unlock(&m); }", MUTEX)  # fmt: skip
    assert explored(held) == ""
    assert "failure" in explored(held.replace("== 0) {", "== EBUSY) {").replace("pthread_mutex_unlock(&m); }", "}"))


def test_kinds_of_mutexes() -> None:
    made = """pthread_mutexattr_t k; pthread_mutexattr_init(&k); pthread_mutexattr_settype(&k, {});
pthread_mutex_t n; pthread_mutex_init(&n, &k); pthread_mutex_lock(&n); """
    again = "int r = pthread_mutex_lock(&n); assert(r == {});"
    assert explored(_main(made.replace("{}", "PTHREAD_MUTEX_RECURSIVE") + again.replace("{}", "0"))) == ""
    assert explored(_main(made.replace("{}", "PTHREAD_MUTEX_ERRORCHECK") + again.replace("{}", "EDEADLK"))) == ""
    normal = _main(made.replace("{}", "PTHREAD_MUTEX_NORMAL") + again.replace("{}", "0"))
    assert explored(normal) == "" and "circle" in explored(normal, "deadlock")


@pytest.mark.parametrize(
    "body",
    [
        "pthread_mutex_unlock(&m);",
        "pthread_mutex_lock(&m); pthread_mutex_destroy(&m);",
        "pthread_mutex_lock(&m); pthread_mutex_init(&m, 0);",
        "pthread_mutex_destroy(&m); pthread_mutex_lock(&m);",
        "pthread_mutex_t n; pthread_mutex_lock(&n);",
        "pthread_spinlock_t s; pthread_spin_init(&s, 0); pthread_spin_unlock(&s);",
        "pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER; pthread_rwlock_unlock(&l);",
        "sem_t s; sem_wait(&s);",
        "pthread_t t = pthread_self(); pthread_join(t, 0);",
        "pthread_cond_t c = PTHREAD_COND_INITIALIZER; pthread_cond_wait(&c, &m);",
    ],
)
def test_undefined_uses_are_refused(body: str) -> None:
    assert explored(_main(body)).startswith("refused")


def test_readers_share_and_writers_do_not() -> None:
    shared = "pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER; int x, y;"
    write = "pthread_rwlock_wrlock(&l); x = 1; x = 0; pthread_rwlock_unlock(&l);"
    read = "pthread_rwlock_rdlock(&l); assert(x == 0); pthread_rwlock_unlock(&l);"
    assert explored(two(write, read, shared)) == "" and explored(two(write, read, shared), "race") == ""
    assert explored(two(read, read, shared), "deadlock") == ""
    assert "same data" in explored(two(write.replace("wrlock", "rdlock"), read, shared), "race")


def test_the_bytes_of_a_lock_in_use_are_not_followed() -> None:
    assert explored(_main("pthread_mutex_lock(&m); memset(&m, 0, sizeof m);")).startswith("unexplored")


def test_spin_locks_exclude() -> None:
    body = "pthread_spin_lock(&s); x = x + 1; pthread_spin_unlock(&s);"
    text = two(body, body, "pthread_spinlock_t s; int x;", "assert(x == 2);")
    text = text.replace("pthread_t s, t;", "pthread_t a, t; pthread_spin_init(&s, 0);").replace(
        "(&s, 0, first", "(&a, 0, first"
    )
    text = text.replace("pthread_join(s", "pthread_join(a")
    assert explored(text) == "" and explored(text, "race") == ""
