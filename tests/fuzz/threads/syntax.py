"""Small threaded programs as trees: what the generator makes, the printer writes as C and the interpreter runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True)
class Constant:
    value: int


@dataclass(frozen=True)
class Shared:
    """A shared variable; `atomic` ones have an atomic type."""

    name: str
    atomic: bool = False


@dataclass(frozen=True)
class Local:
    name: str


@dataclass(frozen=True)
class Binary:
    """Arithmetic, comparisons, and the short-circuit operators."""

    operator: str
    left: Expression
    right: Expression


Expression: TypeAlias = Constant | Shared | Local | Binary


@dataclass(frozen=True)
class Assign:
    target: Shared | Local
    value: Expression


@dataclass(frozen=True)
class Add:
    """target += value."""

    target: Shared
    value: Expression


@dataclass(frozen=True)
class Input:
    """local = any number from 0 to `most`."""

    target: Local
    most: int


@dataclass(frozen=True)
class Assert:
    condition: Expression


@dataclass(frozen=True)
class Assume:
    condition: Expression


@dataclass(frozen=True)
class If:
    condition: Expression
    yes: tuple[Statement, ...]
    no: tuple[Statement, ...] = ()


@dataclass(frozen=True)
class While:
    """Runs while the condition holds; the generator sees to it that it ends or waits."""

    condition: Expression
    body: tuple[Statement, ...]


@dataclass(frozen=True)
class Section:
    """An atomic section."""

    body: tuple[Statement, ...]


@dataclass(frozen=True)
class Operate:
    """A call on a synchronisation object: lock, unlock, trylock (result in `result`), wait, signal, broadcast, post,
    semwait, rdlock, wrlock, rwunlock, barrier."""

    action: str
    name: str
    other: str = ""
    result: Local | None = None


@dataclass(frozen=True)
class Create:
    thread: int


@dataclass(frozen=True)
class Join:
    thread: int


@dataclass(frozen=True)
class Return:
    """Leave the thread; in the first thread, the program."""


Statement: TypeAlias = (
    Assign | Add | Input | Assert | Assume | If | While | Section | Operate | Create | Join | Return
)  # fmt: skip


@dataclass(frozen=True)
class Program:
    """`threads[0]` is `main`; objects are given with their initial values."""

    shared: tuple[tuple[Shared, int], ...]
    mutexes: tuple[tuple[str, str], ...]
    conditions: tuple[str, ...]
    semaphores: tuple[tuple[str, int], ...]
    locks: tuple[str, ...]
    barriers: tuple[tuple[str, int], ...]
    threads: tuple[tuple[Statement, ...], ...]
