"""Synchronisation objects: what the threads library keeps about a mutex, a condition variable and the like."""

from __future__ import annotations

from typing import ClassVar, TypeAlias

from msgspec import Struct

from pincer.program.thread_labels import SyncKind

NORMAL, RECURSIVE, ERROR_CHECKING, ADAPTIVE = range(4)
"""Kinds of mutexes, as the common C library numbers them."""


class Mutex(Struct, frozen=True):
    """`count` is how often the owner has locked it."""

    word: ClassVar[str] = SyncKind.MUTEX.value
    kind: int = NORMAL
    owner: int | None = None
    count: int = 0

    @property
    def use(self) -> str | None:
        return None if self.owner is None else f"thread {self.owner} holds it"


class Condition(Struct, frozen=True):
    """Threads that wait and have not been woken, in order of arrival."""

    word: ClassVar[str] = SyncKind.CONDITION.value
    waiters: tuple[int, ...] = ()

    @property
    def use(self) -> str | None:
        return "threads wait for it" if self.waiters else None


class ReadWriteLock(Struct, frozen=True):
    """One writer, or any number of readers; a thread that reads twice is listed twice."""

    word: ClassVar[str] = SyncKind.READ_WRITE_LOCK.value
    writer: int | None = None
    readers: tuple[int, ...] = ()

    @property
    def use(self) -> str | None:
        return None if self.writer is None and not self.readers else "it is held"


class Barrier(Struct, frozen=True):
    """`arrived` wait for the rest of `needed`."""

    word: ClassVar[str] = SyncKind.BARRIER.value
    needed: int
    arrived: tuple[int, ...] = ()

    @property
    def use(self) -> str | None:
        return "threads wait at it" if self.arrived else None


class Semaphore(Struct, frozen=True):
    word: ClassVar[str] = SyncKind.SEMAPHORE.value
    value: int

    @property
    def use(self) -> str | None:
        return None


class SpinLock(Struct, frozen=True):
    word: ClassVar[str] = SyncKind.SPIN_LOCK.value
    owner: int | None = None

    @property
    def use(self) -> str | None:
        return None if self.owner is None else f"thread {self.owner} holds it"


class OnceControl(Struct, frozen=True):
    """`runner` is the thread that runs the routine now; `done` that it has been run."""

    word: ClassVar[str] = SyncKind.ONCE.value
    runner: int | None = None
    done: bool = False


class Meeting(Struct, frozen=True):
    """Who is where among the locations the user asks about: thread, number of the location, line."""

    present: tuple[tuple[int, int, int], ...] = ()


class Destroyed(Struct, frozen=True):
    """Not to be used before it is initialised again."""

    what: SyncKind


LibraryObject: TypeAlias = Mutex | Condition | ReadWriteLock | Barrier | Semaphore | SpinLock
"""What can be initialised and destroyed by calls."""

SyncObject: TypeAlias = LibraryObject | OnceControl | Meeting | Destroyed

CLASSES: dict[SyncKind, type[LibraryObject]] = {
    SyncKind.MUTEX: Mutex, SyncKind.SPIN_LOCK: SpinLock, SyncKind.READ_WRITE_LOCK: ReadWriteLock,
    SyncKind.CONDITION: Condition, SyncKind.BARRIER: Barrier, SyncKind.SEMAPHORE: Semaphore,
}  # fmt: skip

_SIZES: dict[type, tuple[int, int]] = {
    Mutex: (24, 40), Condition: (48, 48), ReadWriteLock: (32, 56), Barrier: (20, 32), Semaphore: (16, 32),
}  # fmt: skip
"""Bytes that objects have in the common C library, with 32-bit and with 64-bit pointers; others have four."""


def object_size(known: SyncObject, pointer_bits: int) -> int:
    """How many bytes a synchronisation object covers."""
    return _SIZES.get(type(known), (4, 4))[pointer_bits == 64]
