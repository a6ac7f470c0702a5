"""Synchronisation objects: what the threads library keeps about a mutex, a condition variable and the like."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

NORMAL, RECURSIVE, ERROR_CHECKING, ADAPTIVE = range(4)
"""Kinds of mutexes, as the common C library numbers them."""


@dataclass(frozen=True, slots=True)
class Mutex:
    """`count` is how often the owner has locked it."""

    kind: int = NORMAL
    owner: int | None = None
    count: int = 0


@dataclass(frozen=True, slots=True)
class Condition:
    """Threads that wait and have not been woken, in order of arrival."""

    waiters: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ReadWriteLock:
    """One writer, or any number of readers; a thread that reads twice is listed twice."""

    writer: int | None = None
    readers: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Barrier:
    """`arrived` wait for the rest of `needed`."""

    needed: int
    arrived: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Semaphore:
    value: int


@dataclass(frozen=True, slots=True)
class SpinLock:
    owner: int | None = None


@dataclass(frozen=True, slots=True)
class Once:
    """`runner` is the thread that runs the routine now; `done` that it has been run."""

    runner: int | None = None
    done: bool = False


@dataclass(frozen=True, slots=True)
class Meeting:
    """Who is where among the locations the user asks about: thread, number of the location, line."""

    present: tuple[tuple[int, int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Destroyed:
    """Not to be used before it is initialised again."""

    what: str


_SIZES: dict[type, tuple[int, int]] = {
    Mutex: (24, 40), Condition: (48, 48), ReadWriteLock: (32, 56), Barrier: (20, 32), Semaphore: (16, 32),
}  # fmt: skip
"""Bytes that objects have in the common C library, with 32-bit and with 64-bit pointers; others have four."""


def object_size(known: SyncObject, pointer_bits: int) -> int:
    """How many bytes a synchronisation object covers."""
    return _SIZES.get(type(known), (4, 4))[pointer_bits == 64]


SyncObject: TypeAlias = (
    Mutex | Condition | ReadWriteLock | Barrier | Semaphore | SpinLock | Once | Meeting | Destroyed
)  # fmt: skip
