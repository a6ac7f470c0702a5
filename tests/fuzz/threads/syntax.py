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
    """A variable of one thread: `l0`, `l1`, `taken`; `own` has thread storage; `me` is the thread's argument."""

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
class Atomic:
    """A builtin on a shared variable, one step: fetch_add, add_fetch, exchange, load, store, swap_value, swap_hit (with
    what it expects), or compare_exchange (which expects the value of the local variable `seen` and sets it)."""

    action: str
    target: Shared
    value: Expression
    result: Local
    expected: Expression = Constant(0)
    seen: Local = Local("l1")


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
    """A call on a synchronisation object, with what it returns in `result`; `printing` lists the actions."""

    action: str
    name: str
    other: str = ""
    result: Local | None = None


@dataclass(frozen=True)
class Create:
    thread: int


@dataclass(frozen=True)
class Spawn:
    """A loop that creates threads `first`, `first` + 1, ...: all run the code of the first, with arguments 0, 1, ..."""

    first: int
    count: int


@dataclass(frozen=True)
class Join:
    """`result` gets what the thread returned."""

    thread: int
    result: Local | None = None


@dataclass(frozen=True)
class Detach:
    thread: int


@dataclass(frozen=True)
class Return:
    """Leave the thread; in the first thread, the program. With `exits`, by pthread_exit, which leaves only a thread."""

    value: Expression = Constant(0)
    exits: bool = False


Statement: TypeAlias = (
    Assign | Add | Atomic | Input | Assert | Assume | If | While | Section | Operate | Create | Spawn | Join | Detach
    | Return
)  # fmt: skip


@dataclass(frozen=True)
class Program:
    """`threads[0]` is `main`; objects are given with their initial values.

    `once` is the routine of the once control, `own` the initial value of the thread-local variable, `layout` how the
    shared variables are declared (separate, array, struct); with `spurious`, condition waits may end without a signal.
    """

    shared: tuple[tuple[Shared, int], ...]
    mutexes: tuple[tuple[str, str], ...]
    conditions: tuple[str, ...]
    semaphores: tuple[tuple[str, int], ...]
    locks: tuple[str, ...]
    barriers: tuple[tuple[str, int], ...]
    threads: tuple[tuple[Statement, ...], ...]
    spins: tuple[str, ...] = ()
    once: tuple[Statement, ...] = ()
    own: int = 0
    layout: str = "separate"
    spurious: bool = False
