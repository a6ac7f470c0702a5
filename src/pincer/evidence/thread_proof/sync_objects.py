"""Which objects of the threads library a program has: their addresses, their sizes, who may wait for them.

Proofs know such objects by constant addresses, and nothing but the library may touch their bytes. Programs that do
otherwise, or use what is not written down in `sync`, are refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

from pincer.errors import PincerError
from pincer.logic.terms import Term
from pincer.program.control_flow import ControlFlowProgram
from pincer.program.thread_labels import (
    NUMBER_BYTES,
    BarrierWait,
    Destroy,
    Initialise,
    Lock,
    Meet,
    Once,
    OnceDone,
    Post,
    SemaphoreValue,
    SemaphoreWait,
    SetAttribute,
    Setting,
    Signal,
    SyncKind,
    ThreadOperation,
    Unlock,
    Unmodelled,
    Wait,
)
from pincer.program.threaded_system import Perform, ThreadedSystem, UnfoldedThread

_SIZES: Mapping[SyncKind, tuple[int, int]] = {
    SyncKind.MUTEX: (24, 40),
    SyncKind.CONDITION: (48, 48),
    SyncKind.READ_WRITE_LOCK: (32, 56),
    SyncKind.SEMAPHORE: (16, 32),
    SyncKind.SPIN_LOCK: (4, 4),
    SyncKind.ONCE: (4, 4),
}
"""Bytes of objects on Linux, with 32-bit and with 64-bit addresses."""


class SyncObjects:
    """The objects of the library that a program uses. Raises PincerError for uses that are not followed."""

    def __init__(self, program: ControlFlowProgram, system: ThreadedSystem) -> None:
        self._program = program
        self._system = system
        self._contents = {item.address: item for item in program.objects}
        for thread in system.threads:
            for label in operations(thread):
                self._check(label)

    def address(self, term: Term) -> int:
        """The constant address of an object."""
        if term.op != "bvconst":
            raise PincerError("an operation on an object of the threads library whose address is not constant")
        address: int = term.args[0]
        return address

    @cached_property
    def kinds_and_addresses(self) -> tuple[tuple[SyncKind, int], ...]:
        """Every object, once for each kind that it is used as."""
        found = (
            (kind, self.address(term))
            for thread in self._system.threads
            for label in operations(thread)
            for kind, term in used_objects(label)
        )
        return tuple(dict.fromkeys(found))

    @cached_property
    def spans(self) -> tuple[tuple[int, int], ...]:
        """The bytes that belong to the library: address and size."""
        wide = self._program.layout.pointer_bits == 64
        own = [(address, _SIZES[kind][wide]) for kind, address in self.kinds_and_addresses]
        return (*own, *((address, NUMBER_BYTES) for address in self._attributes()))

    def _attributes(self) -> Iterator[int]:
        """The attribute objects of mutexes: nothing but the library may say there what kind they are of."""
        for thread in self._system.threads:
            for label in operations(thread):
                if isinstance(label, Initialise) and label.kind is SyncKind.MUTEX and label.attributes is not None:
                    address = self.address(label.attributes)
                    if address:
                        yield address

    def of(self, *kinds: SyncKind) -> tuple[int, ...]:
        """The addresses of objects of some kinds."""
        return tuple(dict.fromkeys(address for kind, address in self.kinds_and_addresses if kind in kinds))

    @cached_property
    def waiters(self) -> Mapping[int, tuple[UnfoldedThread, ...]]:
        """The threads that may wait for each condition."""
        found: dict[int, dict[UnfoldedThread, None]] = {}
        for thread in self._system.threads:
            for label in operations(thread):
                if isinstance(label, Wait):
                    found.setdefault(self.address(label.condition), {})[thread] = None
        return {address: tuple(threads) for address, threads in found.items()}

    def _check(self, label: ThreadOperation) -> None:
        match label:
            case Meet() | Unmodelled() | BarrierWait():
                raise PincerError(f"{label.function} is not followed in proofs")
            case SetAttribute(setting=Setting.MUTEX_KIND, value=value) if value is not None:
                if value.op != "bvconst" or value.args[0]:
                    raise PincerError("mutexes of other kinds than the normal one are not followed in proofs")
            case Post() | SemaphoreWait() | SemaphoreValue():
                if any(variable.name == "errno" for variable in self._program.variables):
                    raise PincerError("semaphores are not followed in proofs of programs that look at errno")
        for kind, term in used_objects(label):
            if kind not in _SIZES:
                raise PincerError(f"a {kind.value} is not followed in proofs")
            self._check_contents(kind, self.address(term))

    def _check_contents(self, kind: SyncKind, address: int) -> None:
        """A static object begins as one that nobody has used; a mutex must be a normal one."""
        slot = address - address % self._program.layout.slot
        if slot >= self._program.first_free:
            raise PincerError("an object of the threads library that is allocated is not followed in proofs")
        known = self._contents.get(slot)
        size = _SIZES[kind][self._program.layout.pointer_bits == 64]
        if known is not None and any(known.contents[address - slot : address - slot + size]):
            raise PincerError(f"a {kind.value} that is not initialised with zeros is not followed in proofs")


def operations(thread: UnfoldedThread) -> Iterator[ThreadOperation]:
    """The operations of the library that a thread may call."""
    for move in thread.moves:
        for action in move.actions:
            if isinstance(action, Perform) and isinstance(action.label, ThreadOperation):
                yield action.label


def used_objects(label: ThreadOperation) -> Iterator[tuple[SyncKind, Term]]:
    """The objects of the library that an operation is about."""
    match label:
        case Lock(kind, lock) | Unlock(kind, lock):
            yield kind, lock
        case Initialise(kind, address) | Destroy(kind, address):
            yield kind, address
        case Wait(condition, lock):
            yield SyncKind.CONDITION, condition
            yield SyncKind.MUTEX, lock
        case Signal(condition):
            yield SyncKind.CONDITION, condition
        case Post(semaphore) | SemaphoreWait(semaphore) | SemaphoreValue(semaphore):
            yield SyncKind.SEMAPHORE, semaphore
        case Once(control) | OnceDone(control):
            yield SyncKind.ONCE, control
