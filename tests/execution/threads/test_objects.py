"""Synchronisation objects: who uses them, and how many bytes they cover."""

from __future__ import annotations

import pytest

from pincer.execution.threads.objects import (
    CLASSES,
    Barrier,
    Condition,
    LibraryObject,
    Mutex,
    OnceControl,
    ReadWriteLock,
    Semaphore,
    SpinLock,
    SyncObject,
    object_size,
)

USES: list[tuple[LibraryObject, str | None]] = [
    (Mutex(), None),
    (Mutex(owner=2, count=1), "thread 2 holds it"),
    (SpinLock(), None),
    (SpinLock(0), "thread 0 holds it"),
    (ReadWriteLock(), None),
    (ReadWriteLock(writer=0), "it is held"),
    (ReadWriteLock(readers=(3, 3)), "it is held"),
    (Condition(), None),
    (Condition((1,)), "threads wait for it"),
    (Barrier(2), None),
    (Barrier(2, (1,)), "threads wait at it"),
    (Semaphore(0), None),
]


@pytest.mark.parametrize(("known", "use"), USES, ids=[str(known) for known, _ in USES])
def test_an_object_in_use_says_so(known: LibraryObject, use: str | None) -> None:
    assert known.use == use


@pytest.mark.parametrize(
    ("known", "bytes_32", "bytes_64"),
    [
        (Mutex(), 24, 40),
        (Condition(), 48, 48),
        (ReadWriteLock(), 32, 56),
        (Barrier(1), 20, 32),
        (Semaphore(1), 16, 32),
        (SpinLock(), 4, 4),
        (OnceControl(), 4, 4),
    ],
)
def test_objects_are_as_large_as_in_the_c_library(known: SyncObject, bytes_32: int, bytes_64: int) -> None:
    assert (object_size(known, 32), object_size(known, 64)) == (bytes_32, bytes_64)


def test_every_class_is_named_by_the_kind_that_makes_it() -> None:
    assert all(made.word == kind.value for kind, made in CLASSES.items())
