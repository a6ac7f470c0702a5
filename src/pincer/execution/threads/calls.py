"""A step of the threads library: what it gets to see of the state, and what it answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from pincer.execution.machine import State
from pincer.execution.stepping import Stop, step
from pincer.execution.threads.accesses import SMALLEST_OBJECT, Access, Role
from pincer.execution.threads.limits import ExecutionLimits
from pincer.execution.threads.objects import (
    ADAPTIVE,
    ERROR_CHECKING,
    NORMAL,
    RECURSIVE,
    Condition,
    Destroyed,
    LibraryObject,
    Mutex,
    OnceControl,
    ReadWriteLock,
    SyncObject,
)
from pincer.execution.threads.state import Thread, ThreadedState
from pincer.logic import bitvectors
from pincer.logic.terms import Term
from pincer.program.control_flow import Edge, Store
from pincer.program.thread_labels import ThreadOperation

EPERM, ESRCH, EAGAIN, EBUSY, EINVAL, EDEADLK, EOVERFLOW, ETIMEDOUT = 1, 3, 11, 16, 22, 35, 75, 110


class Waiting(Struct, frozen=True):
    """Why a thread cannot go on: for what it waits, and which threads could end that, if that is known: by giving up
    what they hold, or with `until_end` by ending."""

    what: str
    holders: tuple[int, ...] = ()
    until_end: bool = False


class Blocked(Struct, frozen=True):
    """The call cannot take its step now. `accesses` are those it would make."""

    waiting: Waiting
    accesses: tuple[Access, ...] = ()


class Performed(Struct, frozen=True):
    """The state after the call's step. Without `complete`, the call has a second step."""

    threads: ThreadedState
    result: int | None = 0
    accesses: tuple[Access, ...] = ()
    complete: bool = True


Answer: TypeAlias = Performed | Blocked | Stop
Kind = TypeVar("Kind", bound=LibraryObject | OnceControl)


class LibraryCall(Struct, frozen=True):
    """An operation about to take a step: by the running thread of `threads`, with the values of its operands. `pick`
    chooses among its possible outcomes."""

    threads: ThreadedState
    edge: Edge
    label: ThreadOperation
    values: Mapping[Term, int]
    pick: int
    limits: ExecutionLimits
    conditions: list[Term] = []

    def __getitem__(self, operand: Term) -> int:
        """The value of an operand."""
        return self.values[operand]

    @property
    def me(self) -> Thread:
        return self.threads.threads[self.threads.running]

    @property
    def state(self) -> State:
        return self.threads.state

    @property
    def pointer_bytes(self) -> int:
        return self.state.world.program.layout.pointer_bits // 8

    def undefined(self, message: str) -> Stop:
        """Something a program must not do."""
        return Stop("check", message, self.edge)

    def unsupported(self, message: str) -> Stop:
        """Something that is not modelled."""
        return Stop("unsupported", message, self.edge)

    def shared(self, address: int, role: Role = "", write: bool = True) -> tuple[Access, ...]:
        """The access to a synchronisation object that this call makes."""
        return (Access("sync", address, SMALLEST_OBJECT, write=write, role=role, name=self.named(address)),)

    def named(self, address: int) -> str:
        return object_name(self.state, address)

    def found(self, address: int, kind: type[Kind]) -> Kind | Stop:
        """The object at an address; memory that nobody has initialised by a call may hold a static initialiser."""
        memory = self.state.objects.get(address & self.state.world.slot_mask)
        if memory is None or not memory.live or address & self.state.world.offset_mask >= memory.size:
            return self.undefined(f"{self.label.function} gets a pointer to no object")
        known = self.threads.sync.get(address)
        if known is not None and known[0] == memory.instance:
            if isinstance(known[1], kind):
                return known[1]
            if isinstance(known[1], Destroyed):
                return self.undefined(f"the {kind.word} {self.named(address)} is used after it was destroyed")
            return self.undefined(f"{self.named(address)} is no {kind.word}")
        made = _static(self.state, address, kind)
        if not isinstance(made, kind):
            return self.undefined(f"the {kind.word} {self.named(address)} has not been initialised")
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
        label = Store(bitvectors.constant(address, 8 * self.pointer_bytes), bitvectors.constant(value, 8 * size))
        after = step(threads.state, Edge(self.edge.source, self.edge.target, label, self.edge.position), [])
        return after if isinstance(after, Stop) else replace(threads, state=after)


def _static(state: State, address: int, kind: type) -> SyncObject | None:
    """The object that the bytes of a static initialiser make; None where memory is undefined or holds no such."""
    if kind is Mutex:
        return _static_mutex(state, address)
    if kind in (Condition, ReadWriteLock, OnceControl) and is_defined(state, address, 4):
        made: SyncObject = kind()
        return made
    return None


def _static_mutex(state: State, address: int) -> Mutex | None:
    offset = 16 if state.world.program.layout.data_model == "LP64" else 12
    if not is_defined(state, address + offset, 4):
        return None
    kind = state.load(address + offset, 4)
    return Mutex(kind) if kind in (NORMAL, RECURSIVE, ERROR_CHECKING, ADAPTIVE) else None


def is_defined(state: State, address: int, size: int) -> bool:
    """Whether memory holds something that was written or given; undefined bytes are symbols of their own."""
    return all(not str(name).startswith("undefined") for name in state.symbolic_load(address, size).variables)


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
