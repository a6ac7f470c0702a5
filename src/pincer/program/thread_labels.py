"""What steps do to threads and to what they synchronise with: a sealed family of labels with typed operands.

The front end decides once which operation a call of a threads library is. Whoever comes after it looks at the label's
class and operands, never at `function`: that is the name in the source, for messages, reports and replays.

For the algebra of labels, every operation says what it evaluates (`operands`), which register it assigns (`result`),
which memory it writes beside the objects that are the library's own (`stores`), and how it reads with other terms
(`mapped`). The objects of the library are the executor's to follow.
"""

from __future__ import annotations

import typing
from collections.abc import Callable
from enum import Enum
from typing import Any, ClassVar, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from pincer.logic.terms import Term

NUMBER_BYTES = 4
"""The size of an `int`, in which the library gives numbers."""


class SyncKind(Enum):
    """Kinds of synchronisation objects, by what people call them."""

    MUTEX = "mutex"
    SPIN_LOCK = "spin lock"
    READ_WRITE_LOCK = "read-write lock"
    CONDITION = "condition variable"
    BARRIER = "barrier"
    SEMAPHORE = "semaphore"
    ONCE = "once control"


class Patience(Enum):
    """How long an operation waits for what it wants."""

    FOR_EVER = "waits"
    A_WHILE = "waits until a time"
    NOT_AT_ALL = "tries"


class Setting(Enum):
    """What an attribute object is asked to remember."""

    DETACHED = "whether threads begin detached"
    MUTEX_KIND = "the kind of mutexes"
    IGNORED = "something that makes no difference here"


class ThreadOperation(Struct, frozen=True, kw_only=True):
    """What all operations have: the register for the result, and the function's name in the source."""

    result: Term | None = None
    function: str = ""

    OPERANDS: ClassVar[tuple[str, ...]] = ()
    """The fields that hold terms: all that are annotated so."""

    PASSED: ClassVar[tuple[str, ...]] = ()
    """The operands that are only handed on to a thread, whatever they are."""

    def __init_subclass__(cls) -> None:
        cls.OPERANDS = tuple(name for name, kind in cls.__annotations__.items() if "Term" in kind)

    @property
    def operands(self) -> tuple[Term, ...]:
        """The terms whose values the operation needs, in order."""
        return tuple(term for name in self.OPERANDS for term in _terms(getattr(self, name)))

    @property
    def decisive(self) -> tuple[Term, ...]:
        """The operands whose values decide what the operation does."""
        names = (name for name in self.OPERANDS if name not in self.PASSED)
        return tuple(term for name in names for term in _terms(getattr(self, name)))

    @property
    def passed(self) -> tuple[Term, ...]:
        """The operands whose values another thread may get to know."""
        return tuple(term for name in self.PASSED for term in _terms(getattr(self, name)))

    def stores(self, pointer_bytes: int) -> tuple[tuple[Term, int], ...]:
        """The addresses where it stores results, and how many bytes; nothing is stored where the address is null."""
        return ()

    def mapped(self, change: Callable[[Term], Term]) -> typing.Self:
        """The same operation on other terms; `change` is applied to the operands, not to the result."""
        changed = {name: _mapped(getattr(self, name), change) for name in self.OPERANDS}
        return replace(self, **changed)


def _terms(given: Any) -> tuple[Term, ...]:
    if given is None:
        return ()
    return given if isinstance(given, tuple) else (given,)


def _mapped(given: Any, change: Callable[[Term], Term]) -> Any:
    if given is None:
        return None
    return tuple(map(change, given)) if isinstance(given, tuple) else change(given)


class Start(ThreadOperation, frozen=True):
    """A thread begins: its identity is stored at `thread`, it runs `routine` with `argument`."""

    thread: Term
    attributes: Term
    routine: Term
    argument: Term

    PASSED = ("argument",)

    def stores(self, pointer_bytes: int) -> tuple[tuple[Term, int], ...]:
        return ((self.thread, pointer_bytes),)


class Join(ThreadOperation, frozen=True):
    """Wait for the end of a thread; what it returned is stored at `value`, unless that is null."""

    thread: Term
    value: Term
    patience: Patience = Patience.FOR_EVER

    def stores(self, pointer_bytes: int) -> tuple[tuple[Term, int], ...]:
        return ((self.value, pointer_bytes),)


class Exit(ThreadOperation, frozen=True):
    """The thread ends with this value as its result. The target is a dead end."""

    value: Term | None = None

    PASSED = ("value",)


class Detach(ThreadOperation, frozen=True):
    """Nobody will wait for a thread's end."""

    thread: Term


class Self(ThreadOperation, frozen=True):
    """The identity of the thread."""


class SameThread(ThreadOperation, frozen=True):
    """Whether two identities are those of the same thread."""

    first: Term
    second: Term


class Yield(ThreadOperation, frozen=True):
    """Others may go on, as they may at any time."""


class SetAttribute(ThreadOperation, frozen=True):
    """An attribute object gets a value; without one, nothing that matters is kept in it."""

    attributes: Term
    setting: Setting
    value: Term | None = None

    def stores(self, pointer_bytes: int) -> tuple[tuple[Term, int], ...]:
        return () if self.value is None else ((self.attributes, NUMBER_BYTES),)


class Initialise(ThreadOperation, frozen=True):
    """A synchronisation object begins to be one, with attributes; barriers and semaphores with a number."""

    kind: SyncKind
    object: Term
    attributes: Term | None = None
    number: Term | None = None


class Destroy(ThreadOperation, frozen=True):
    """A synchronisation object is one no more."""

    kind: SyncKind
    object: Term


class Lock(ThreadOperation, frozen=True):
    """Take a mutex, a spin lock or a read-write lock, that one perhaps `shared` with other readers.

    One that does not wait for ever gives zero only if it has taken the lock. `limit` is where a time limit is."""

    kind: SyncKind
    lock: Term
    patience: Patience = Patience.FOR_EVER
    shared: bool = False
    limit: Term | None = None


class Unlock(ThreadOperation, frozen=True):
    """Give up a mutex, a spin lock or a read-write lock."""

    kind: SyncKind
    lock: Term


class Wait(ThreadOperation, frozen=True):
    """Give up the mutex `lock`, wait for a signal of the condition variable (or until a time), and take it again."""

    condition: Term
    lock: Term
    limit: Term | None = None


class Signal(ThreadOperation, frozen=True):
    """Wake one of those that wait for a condition variable, or `everyone`."""

    condition: Term
    everyone: bool = False


class BarrierWait(ThreadOperation, frozen=True):
    """Wait until enough others are at the barrier as well."""

    barrier: Term


class Post(ThreadOperation, frozen=True):
    """Increase a semaphore."""

    semaphore: Term


class SemaphoreWait(ThreadOperation, frozen=True):
    """Decrease a semaphore, which is not possible while it is zero."""

    semaphore: Term
    patience: Patience = Patience.FOR_EVER
    limit: Term | None = None


class SemaphoreValue(ThreadOperation, frozen=True):
    """Store the value of a semaphore at `target`."""

    semaphore: Term
    target: Term

    def stores(self, pointer_bytes: int) -> tuple[tuple[Term, int], ...]:
        return ((self.target, NUMBER_BYTES),)


class Once(ThreadOperation, frozen=True):
    """The result is 1 for the thread that is to run a routine now, and 0 when it has been run: others wait for that."""

    control: Term


class OnceDone(ThreadOperation, frozen=True):
    """The routine that was to be run once has been run."""

    control: Term


class MemoryOrder(Struct, frozen=True):
    """What an atomic operation orders: whether it takes over what others have handed over (where it succeeds, and where
    it fails), whether it hands over, and whether all such operations have one order. What an operation cannot do, as a
    load cannot hand over, it need not do."""

    acquires: bool = True
    fails_acquiring: bool = True
    releases: bool = True
    sequential: bool = True

    @property
    def does_all(self) -> bool:
        """Whether it hands over and takes over whatever such an operation can."""
        return self.acquires and self.fails_acquiring and self.releases


class AtomicBegin(ThreadOperation, frozen=True):
    """No other thread runs until the section ends."""

    order: MemoryOrder = MemoryOrder()
    function: str = "__VERIFIER_atomic_begin"


class AtomicEnd(ThreadOperation, frozen=True):
    """Other threads may run again."""

    function: str = "__VERIFIER_atomic_end"


class Meet(ThreadOperation, frozen=True, kw_only=True):
    """A place the user asks about, by its number: threads stay here while others come. It is a failure that at every
    place there are as many threads as are `needed` there."""

    place: int
    needed: tuple[int, ...]
    function: str = "__pincer_target"


class Unmodelled(ThreadOperation, frozen=True):
    """A function of the library without a model here. It may run any function it is given, release any lock, and
    change whatever its arguments point to; an execution that comes here is undecided."""

    arguments: tuple[Term, ...]

    PASSED = ("arguments",)


ThreadLabel: TypeAlias = (
    Start | Join | Exit | Detach | Self | SameThread | Yield | SetAttribute | Initialise | Destroy | Lock | Unlock
    | Wait | Signal | BarrierWait | Post | SemaphoreWait | SemaphoreValue | Once | OnceDone | AtomicBegin | AtomicEnd
    | Meet | Unmodelled
)  # fmt: skip
"""All operations there are."""

UNNOTICED = (Self, SameThread, Yield, SetAttribute)
"""Operations that concern no other thread."""
