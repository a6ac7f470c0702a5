"""Misuse of the thread library is diagnosed as what it is, and compiled code shows it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from pincer.cli.main import main

HEAD = """
#include <pthread.h>
#include <semaphore.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_barrier_t barrier;
sem_t semaphore;
pthread_t t;
extern void *outside(void *p);
"""
ENDS = "void *run(void *p) { return 0; }"
START = "pthread_create(&t, 0, run, 0);"

MISUSES = {
    "no function": ("", "pthread_create(&t, 0, 0, 0);", "no function (a null pointer)"),
    "destroyed while held": (
        "void *run(void *p) { pthread_mutex_lock(&m); return 0; }",
        START + " pthread_join(t, 0); pthread_mutex_destroy(&m);",
        "the mutex m is destroyed while thread 1 holds it",
    ),
    "a condition destroyed while it is waited for": (
        "pthread_cond_t c = PTHREAD_COND_INITIALIZER;\n"
        "void *run(void *p) { pthread_mutex_lock(&m); pthread_cond_wait(&c, &m); return 0; }",
        START + " pthread_cond_destroy(&c);",
        "the condition variable c is destroyed while threads wait for it",
    ),
    "a barrier destroyed while it is waited at": (
        "void *run(void *p) { pthread_barrier_wait(&barrier); return 0; }",
        "pthread_barrier_init(&barrier, 0, 2); " + START + " pthread_barrier_destroy(&barrier);",
        "the barrier barrier is destroyed while threads wait at it",
    ),
    "a read-write lock destroyed while it is read": (
        "pthread_rwlock_t r = PTHREAD_RWLOCK_INITIALIZER;\nvoid *run(void *p) { pthread_rwlock_rdlock(&r); return 0; }",
        START + " pthread_join(t, 0); pthread_rwlock_destroy(&r);",
        "the read-write lock r is destroyed while it is held",
    ),
    "a spin lock destroyed while it is held": (
        "pthread_spinlock_t s;",
        "pthread_spin_init(&s, 0); pthread_spin_lock(&s); pthread_spin_destroy(&s);",
        "the spin lock s is destroyed while",
    ),
    "unlocked by another": (
        "void *run(void *p) { pthread_mutex_unlock(&m); return 0; }",
        "pthread_mutex_lock(&m); " + START + " pthread_join(t, 0);",
        "the mutex m, which thread 0 holds, is unlocked by thread 1",
    ),
    "unlocked by nobody": ("", "pthread_mutex_unlock(&m);", "the mutex m, which nobody holds, is unlocked by thread 0"),
    "joins itself": (
        "void *run(void *p) { pthread_join(pthread_self(), 0); return 0; }",
        START + " pthread_join(t, 0);",
        "thread 1 joins itself",
    ),
    "joined twice": (ENDS, START + " pthread_join(t, 0); pthread_join(t, 0);", "thread 1 is joined a second time"),
    "joined though detached": (
        ENDS,
        START + " pthread_detach(t); pthread_join(t, 0);",
        "thread 1 is joined although it is detached",
    ),
    "joined before it exists": ("", "pthread_join(t, 0);", "gets a value that is no thread"),
    "used after destruction": (
        "",
        "pthread_mutex_destroy(&m); pthread_mutex_lock(&m);",
        "the mutex m is used after it was destroyed",
    ),
    "a barrier for nobody": (
        "",
        "pthread_barrier_init(&barrier, 0, 0); pthread_barrier_wait(&barrier);",
        "which was to be initialised for 0 threads",
    ),
    "different mutexes for a condition": (
        "pthread_mutex_t k = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER;\n"
        "void *run(void *p) { pthread_mutex_lock(&k); pthread_cond_wait(&c, &k); return 0; }",
        START + " pthread_mutex_lock(&m); pthread_cond_wait(&c, &m);",
        "threads wait for c with different mutexes",
    ),
    "an unknown semaphore": ("", "sem_wait(&semaphore);", "the semaphore semaphore has not been initialised"),
}

needs_compiler = pytest.mark.skipif(shutil.which("gcc") is None and shutil.which("cc") is None, reason="no C compiler")


def checked(folder: Path, routines: str, body: str) -> int:
    (folder / "program.c").write_text(f"{HEAD}{routines}\nint main(void) {{ {body} return 0; }}\n")
    return main(["check", str(folder / "program.c"), "--property", "memory", "--timeout", "30"])


@needs_compiler
@pytest.mark.parametrize("misuse", MISUSES)
def test_misuse_is_named_and_shown_by_compiled_code(
    tmp_path: Path, misuse: str, capsys: pytest.CaptureFixture[str]
) -> None:
    routines, body, said = MISUSES[misuse]
    assert checked(tmp_path, routines, body) == 1
    out = " ".join(capsys.readouterr().out.split())
    assert said in out and "confirmed by execution" in out


def test_a_thread_function_without_a_body_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert checked(tmp_path, "", "pthread_create(&t, 0, outside, 0);") == 3
    assert "the thread function outside has no body here" in " ".join(capsys.readouterr().out.split())


def test_a_thread_function_that_is_not_declared_is_a_mistake_in_the_program(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert checked(tmp_path, "", "pthread_create(&t, 0, nowhere, 0);") == 2
    assert "`nowhere` is not declared" in capsys.readouterr().err


@needs_compiler
def test_a_mutex_that_was_never_initialised_is_found_but_looks_like_a_fresh_one_to_compiled_code(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert checked(tmp_path, "", "pthread_mutex_t mine; pthread_mutex_lock(&mine);") == 3
    assert "has not been initialised" in " ".join(capsys.readouterr().out.split())


def test_proper_use_is_no_misuse(tmp_path: Path) -> None:
    routines = (
        "void *run(void *p) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); sem_post(&semaphore); return 0; }"
    )
    body = f"sem_init(&semaphore, 0, 0); {START} sem_wait(&semaphore); pthread_join(t, 0); pthread_mutex_destroy(&m);"
    assert checked(tmp_path, routines, body) == 0
