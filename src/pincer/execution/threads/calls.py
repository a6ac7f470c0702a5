"""The meaning of calls of the threads library: the registry, and what a call gets and gives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TypeAlias, TypeVar

from pincer.execution.machine import State
from pincer.execution.stepping import Stop, step
from pincer.execution.threads.accesses import SMALLEST_OBJECT, Access, Role
from pincer.execution.threads.objects import Destroyed, SyncObject
from pincer.execution.threads.state import Thread, ThreadedState
from pincer.logic import bitvectors
from pincer.logic.terms import Term
from pincer.program.control_flow import Edge, Store

EPERM, ESRCH, EAGAIN, EBUSY, EINVAL, EDEADLK, EOVERFLOW, ETIMEDOUT = 1, 3, 11, 16, 22, 35, 75, 110


@dataclass(frozen=True, slots=True)
class Waiting:
    """Why a thread cannot go on: for what it waits, and which threads could end that, if that is known."""

    what: str
    holders: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Blocked:
    """The call cannot take its step now. `accesses` are those it would make."""

    waiting: Waiting
    accesses: tuple[Access, ...] = ()


@dataclass(frozen=True, slots=True)
class Performed:
    """The state after the call's step. Without `complete`, the call has a second step."""

    threads: ThreadedState
    result: int | None = 0
    accesses: tuple[Access, ...] = ()
    complete: bool = True


Answer: TypeAlias = Performed | Blocked | Stop
Kind = TypeVar("Kind", bound=SyncObject)


@dataclass(frozen=True, slots=True)
class Limits:
    """`max_threads` bounds how many threads are ever created; `spurious` lets condition waits end without a signal."""

    max_threads: int = 16
    spurious: bool = False


@dataclass(frozen=True, slots=True)
class Call:
    """A call about to take a step: by the running thread of `threads`. `pick` chooses among its possible outcomes."""

    threads: ThreadedState
    edge: Edge
    function: str
    arguments: tuple[int, ...]
    terms: tuple[Term, ...]
    pick: int
    limits: Limits
    conditions: list[Term] = field(default_factory=list)

    @property
    def me(self) -> Thread:
        return self.threads.threads[self.threads.running]

    @property
    def state(self) -> State:
        return self.threads.state

    def undefined(self, message: str) -> Stop:
        """Something a program must not do."""
        return Stop("check", message, self.edge)

    def shared(self, address: int, role: Role = "", write: bool = True) -> tuple[Access, ...]:
        """The access to a synchronisation object that this call makes."""
        return (Access("sync", address, SMALLEST_OBJECT, write=write, role=role, name=self.named(address)),)

    def attribute(self, value: int | None) -> Performed | Stop:
        """The state after a call that changes an attribute object, or with None only forgets it. That is no step that
        others may notice, so they must not know the object."""
        base = self.arguments[0] & self.state.world.slot_mask
        if base not in self.threads.owners and any(t is not self.me for t in self.threads.live()):
            return Stop("unsupported", f"{self.function} for attributes that other threads may use", self.edge)
        if value is None:
            return Performed(self.threads)
        after = self.stored(self.threads, self.arguments[0], 4, value)
        return after if isinstance(after, Stop) else Performed(after)

    def named(self, address: int) -> str:
        return object_name(self.state, address)

    def found(self, address: int, kind: type[Kind], default: Callable[[State], Kind | None]) -> Kind | Stop:
        """The object at an address; `default` is what memory that nobody has initialised by a call stands for."""
        what = _WORDS[kind]
        memory = self.state.objects.get(address & self.state.world.slot_mask)
        if memory is None or not memory.live or address & self.state.world.offset_mask >= memory.size:
            return self.undefined(f"{self.function} gets a pointer to no object")
        known = self.threads.sync.get(address)
        if known is not None and known[0] == memory.instance:
            if isinstance(known[1], kind):
                return known[1]
            if isinstance(known[1], Destroyed):
                return self.undefined(f"the {what} {self.named(address)} is used after it was destroyed")
            return self.undefined(f"{self.named(address)} is no {what}")
        made = default(self.state)
        if made is None:
            return self.undefined(f"the {what} {self.named(address)} has not been initialised")
        return made

    def existing(self, address: int, kind: type[Kind]) -> Kind | None:
        """The object at an address if there is one of this kind."""
        memory = self.state.objects.get(address & self.state.world.slot_mask)
        known = self.threads.sync.get(address)
        if known is None or memory is None or known[0] != memory.instance or not isinstance(known[1], kind):
            return None
        return known[1]

    def changed(self, address: int, made: SyncObject) -> ThreadedState:
        """The state with a synchronisation object replaced."""
        memory = self.state.objects[address & self.state.world.slot_mask]
        return replace(self.threads, sync=self.threads.sync.set(address, (memory.instance, made)))

    def stored(self, threads: ThreadedState, address: int, size: int, value: int) -> ThreadedState | Stop:
        """The state with a number written to memory, if that may be written."""
        bits = self.state.world.program.layout.pointer_bits
        label = Store(bitvectors.constant(address, bits), bitvectors.constant(value, 8 * size))
        after = step(threads.state, Edge(self.edge.source, self.edge.target, label, self.edge.position), [])
        return after if isinstance(after, Stop) else replace(threads, state=after)


Meaning: TypeAlias = Callable[[Call], Answer]
_MEANINGS: dict[str, Meaning] = {}
_WORDS: dict[type, str] = {}
_INVISIBLE: set[str] = set()


def meaning(*names: str, visible: bool = True) -> Callable[[Meaning], Meaning]:
    """Register what a function of the library does; calls that are not `visible` concern no other thread."""

    def register(handler: Meaning) -> Meaning:
        _MEANINGS.update(dict.fromkeys(names, handler))
        if not visible:
            _INVISIBLE.update(names)
        return handler

    return register


def called(kind: type, word: str) -> None:
    """Say what messages call a kind of object."""
    _WORDS[kind] = word


def is_visible(function: str) -> bool:
    return function not in _INVISIBLE


def perform(call: Call) -> Answer:
    """One step of a call."""
    handler = _MEANINGS.get(call.function)
    if handler is None:
        return Stop("unsupported", f"call of {call.function}", call.edge)
    if call.function in _TIMED and not _is_time(call.state, call.arguments[_TIMED[call.function]]):
        return Stop("unsupported", f"{call.function} with a time limit that is no valid time", call.edge)
    return handler(call)


_TIMED = {
    "pthread_cond_timedwait": 2, "pthread_mutex_timedlock": 1, "pthread_rwlock_timedrdlock": 1,
    "pthread_rwlock_timedwrlock": 1, "sem_timedwait": 1,
}  # fmt: skip
"""Where the time limits of calls are among their arguments."""


def _is_time(state: State, address: int) -> bool:
    """Whether the nanoseconds of a time are less than a second."""
    size = state.world.program.layout.pointer_bits // 8
    return state.room(address) >= 2 * size and state.load(address + size, size) < 10**9


def object_name(state: State, address: int) -> str:
    """How people call what lies at an address."""
    name = state.world.program.name_at(address)
    if name is not None:
        return name
    found = state.objects.get(address & state.world.slot_mask)
    if found is None:
        return f"address {address:#x}"
    offset = address & state.world.offset_mask
    return f"byte {offset} of {found.origin}" if offset else found.origin
