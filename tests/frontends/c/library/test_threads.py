"""Which operations calls of the threads library are."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.frontends.c.library.threads import LIMITS_ARE_TIMES, NO_SPURIOUS_WAKING, REFUSALS_ORDER, STACK_AFTER_EXIT
from pincer.frontends.c.load import load
from pincer.logic.bitvectors import constant_value
from pincer.program.control_flow import ControlFlowProgram
from pincer.program.thread_labels import (
    AtomicBegin,
    AtomicEnd,
    Exit,
    Initialise,
    Lock,
    Once,
    OnceDone,
    Patience,
    SemaphoreWait,
    SetAttribute,
    Setting,
    SyncKind,
    ThreadOperation,
    Unlock,
    Unmodelled,
    Wait,
)

HEADER = """
#include <pthread.h>
#include <semaphore.h>
pthread_mutex_t m; pthread_rwlock_t r; pthread_spinlock_t s; pthread_cond_t c; sem_t n; struct timespec until;
pthread_once_t o; pthread_barrier_t b; pthread_key_t key; void once(void) {}
"""


def lowered(folder: Path, statements: str) -> ControlFlowProgram:
    path = folder / "program.c"
    path.write_text(HEADER + "int main(void) {" + statements + "return 0; }")
    return load(path)


def operations(folder: Path, statements: str) -> list[ThreadOperation]:
    edges = lowered(folder, statements).procedures["main"].edges
    return [edge.label for edge in edges if isinstance(edge.label, ThreadOperation)]


@pytest.mark.parametrize(
    ("statement", "kind", "patience", "shared"),
    [
        ("pthread_mutex_lock(&m);", SyncKind.MUTEX, Patience.FOR_EVER, False),
        ("pthread_mutex_trylock(&m);", SyncKind.MUTEX, Patience.NOT_AT_ALL, False),
        ("pthread_mutex_timedlock(&m, &until);", SyncKind.MUTEX, Patience.A_WHILE, False),
        ("pthread_spin_trylock(&s);", SyncKind.SPIN_LOCK, Patience.NOT_AT_ALL, False),
        ("pthread_rwlock_rdlock(&r);", SyncKind.READ_WRITE_LOCK, Patience.FOR_EVER, True),
        ("pthread_rwlock_timedwrlock(&r, &until);", SyncKind.READ_WRITE_LOCK, Patience.A_WHILE, False),
    ],
)
def test_locks_say_what_they_take_and_how_long_they_wait(
    tmp_path: Path, statement: str, kind: SyncKind, patience: Patience, shared: bool
) -> None:
    (label,) = operations(tmp_path, statement)
    assert isinstance(label, Lock)
    assert (label.kind, label.patience, label.shared) == (kind, patience, shared)
    assert (label.limit is not None) == (patience is Patience.A_WHILE)
    assert label.function == statement.partition("(")[0]


def test_what_makes_objects_says_which(tmp_path: Path) -> None:
    mutex, barrier, semaphore = operations(
        tmp_path, "pthread_mutex_init(&m, 0); pthread_barrier_init(&b, 0, 3); sem_init(&n, 0, 2);"
    )
    assert isinstance(mutex, Initialise) and isinstance(barrier, Initialise) and isinstance(semaphore, Initialise)
    assert [mutex.kind, barrier.kind, semaphore.kind] == [SyncKind.MUTEX, SyncKind.BARRIER, SyncKind.SEMAPHORE]
    assert mutex.number is None and barrier.number is not None and semaphore.number is not None
    assert [constant_value(barrier.number), constant_value(semaphore.number)] == [3, 2]


def test_attributes_keep_what_matters(tmp_path: Path) -> None:
    given = operations(
        tmp_path,
        "pthread_mutexattr_t a; pthread_mutexattr_init(&a); pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);"
        " pthread_mutexattr_destroy(&a);",
    )
    kept = [(one.setting, one.value) for one in given if isinstance(one, SetAttribute)]
    assert [setting for setting, _ in kept] == [Setting.MUTEX_KIND, Setting.MUTEX_KIND, Setting.IGNORED]
    assert [None if value is None else constant_value(value) for _, value in kept] == [0, 1, None]


def test_a_result_is_asked_for_only_where_it_is_used(tmp_path: Path) -> None:
    unused, used = operations(tmp_path, "sem_trywait(&n); int done = sem_trywait(&n); if (done) return 1;")
    assert isinstance(unused, SemaphoreWait) and isinstance(used, SemaphoreWait)
    assert unused.result is None and used.result is not None


def test_a_once_routine_is_called_between_two_operations(tmp_path: Path) -> None:
    assert list(map(type, operations(tmp_path, "pthread_once(&o, once);"))) == [Once, OnceDone]


def test_nothing_follows_the_end_of_a_thread(tmp_path: Path) -> None:
    assert list(map(type, operations(tmp_path, "pthread_exit(0); pthread_mutex_unlock(&m);"))) == [Exit]


def test_atomic_sections_come_in_pairs(tmp_path: Path) -> None:
    text = "void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);"
    found = operations(tmp_path, text + "__VERIFIER_atomic_begin(); pthread_mutex_unlock(&m); __VERIFIER_atomic_end();")
    assert list(map(type, found)) == [AtomicBegin, Unlock, AtomicEnd]


@pytest.mark.parametrize("statement", ["pthread_setcancelstate(0, 0);", "pthread_cancel(pthread_self());"])
def test_what_is_not_modelled_keeps_its_name_and_arguments(tmp_path: Path, statement: str) -> None:
    label = operations(tmp_path, statement)[-1]
    assert isinstance(label, Unmodelled)
    assert label.function == statement.partition("(")[0] and label.operands


def test_assumptions_come_with_the_functions_that_need_them(tmp_path: Path) -> None:
    program = lowered(tmp_path, "pthread_cond_wait(&c, &m); pthread_mutex_timedlock(&m, &until);")
    assert {NO_SPURIOUS_WAKING, REFUSALS_ORDER, LIMITS_ARE_TIMES} <= set(program.assumptions)
    (waiting,) = (edge.label for edge in program.edges() if isinstance(edge.label, Wait))
    assert waiting.limit is None


TEXT = """
#include <pthread.h>
int *shown;
void leave(void) { pthread_exit(0); }
void *t(void *a) { BODY return 0; }
int main(void) { pthread_t p; pthread_create(&p, 0, t, 0); pthread_join(p, 0); return 0; }
"""


@pytest.mark.parametrize(
    ("body", "matters"),
    [
        ("leave();", False),
        ("int x = 1; shown = &x; leave();", True),
        ("int x = 1; shown = &x; pthread_exit(0);", True),
        ("int x = 1; shown = &x;", False),
    ],
)
def test_only_objects_of_those_who_may_be_left_matter(body: str, matters: bool, tmp_path: Path) -> None:
    file = tmp_path / "program.c"
    file.write_text(TEXT.replace("BODY", body), encoding="utf-8")
    assert (STACK_AFTER_EXIT in load(file).assumptions) == matters
