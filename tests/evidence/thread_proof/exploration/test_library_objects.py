"""Objects of the library: which of them are in use, and how large they are."""

from __future__ import annotations

from pincer.evidence.thread_proof.exploration.library_objects import (
    CLASSES,
    Barrier,
    Condition,
    Destroyed,
    LibraryObject,
    Mutex,
    ReadWriteLock,
    Semaphore,
    SpinLock,
    bytes_of,
    is_used,
)
from pincer.program.thread_labels import SyncKind


def test_objects_that_somebody_holds_or_waits_at_are_in_use() -> None:
    assert is_used(Mutex(owner=1)) and is_used(SpinLock(0)) and is_used(ReadWriteLock(readers=(2,)))
    assert is_used(ReadWriteLock(writer=0)) and is_used(Condition((1,))) and is_used(Barrier(2, (0,)))
    unused: tuple[LibraryObject, ...] = (Mutex(), SpinLock(), ReadWriteLock(), Condition(), Barrier(2), Semaphore(3))
    assert not any(map(is_used, (*unused, Destroyed())))


def test_sizes_are_those_of_the_common_library() -> None:
    assert bytes_of(Mutex(), 64) == 40 and bytes_of(Mutex(), 32) == 24 and bytes_of(SpinLock(), 64) == 4


def test_every_kind_has_its_class() -> None:
    assert set(CLASSES) == set(SyncKind)
