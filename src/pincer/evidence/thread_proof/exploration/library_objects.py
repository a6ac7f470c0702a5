"""What the threads library keeps about its objects, as values."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from pincer.program.thread_labels import SyncKind

NOBODY = -1
NORMAL, RECURSIVE, ERROR_CHECKING, ADAPTIVE = range(4)
"""Kinds of mutexes, as the common C library numbers them."""


class Mutex(Struct, frozen=True):
    kind: int = NORMAL
    owner: int = NOBODY
    count: int = 0


class SpinLock(Struct, frozen=True):
    owner: int = NOBODY


class ReadWriteLock(Struct, frozen=True):
    """A thread that reads twice is listed twice; the order of readers does not matter."""

    writer: int = NOBODY
    readers: tuple[int, ...] = ()


class Condition(Struct, frozen=True):
    """Who waits and has not been woken: a set, in order of their numbers."""

    waiters: tuple[int, ...] = ()


class Barrier(Struct, frozen=True):
    """Who has arrived, in order of their numbers, until there are as many as `needed`."""

    needed: int
    arrived: tuple[int, ...] = ()


class Semaphore(Struct, frozen=True):
    value: int


class OnceControl(Struct, frozen=True):
    runner: int = NOBODY
    done: bool = False


class Destroyed(Struct, frozen=True):
    """Not to be used before it is initialised anew."""


class Meeting(Struct, frozen=True):
    """Who is at which of the places that the user asks about, in order."""

    present: tuple[tuple[int, int], ...] = ()


LibraryObject: TypeAlias = (
    Mutex | SpinLock | ReadWriteLock | Condition | Barrier | Semaphore | OnceControl | Destroyed | Meeting
)

CLASSES: dict[SyncKind, type[LibraryObject]] = {
    SyncKind.MUTEX: Mutex,
    SyncKind.SPIN_LOCK: SpinLock,
    SyncKind.READ_WRITE_LOCK: ReadWriteLock,
    SyncKind.CONDITION: Condition,
    SyncKind.BARRIER: Barrier,
    SyncKind.SEMAPHORE: Semaphore,
    SyncKind.ONCE: OnceControl,
}

UNUSED: dict[type, LibraryObject] = {
    Condition: Condition(),
    ReadWriteLock: ReadWriteLock(),
    OnceControl: OnceControl(),
}
"""What static initialisers make, mutexes apart."""

_BYTES: dict[type, tuple[int, int]] = {
    Mutex: (24, 40), Condition: (48, 48), ReadWriteLock: (32, 56), Barrier: (20, 32), Semaphore: (16, 32),
}  # fmt: skip


def bytes_of(known: LibraryObject, pointer_bits: int) -> int:
    """How many bytes an object has in the common C library."""
    return _BYTES.get(type(known), (4, 4))[pointer_bits == 64]


def is_held(known: LibraryObject | None, thread: int) -> bool:
    """Whether an object is a lock that a thread holds."""
    match known:
        case Mutex(owner=owner) | SpinLock(owner=owner):
            return owner == thread
        case ReadWriteLock(writer, readers):
            return writer == thread or thread in readers
    return False


def is_used(known: LibraryObject) -> bool:
    """Whether somebody holds an object or waits at it, so that it must be neither initialised nor destroyed."""
    match known:
        case Mutex(owner=owner) | SpinLock(owner=owner):
            return owner != NOBODY
        case ReadWriteLock(writer, readers):
            return writer != NOBODY or bool(readers)
        case Condition(waiting) | Barrier(_, waiting):
            return bool(waiting)
    return False
