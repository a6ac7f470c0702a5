"""The shared accesses of one step of a thread, read off its label and the values before it.

What the library keeps in a mutex or a condition variable is known beside memory, not in its bytes. Reading or writing
these bytes while the object is in use would show, or have, effects that are not modelled: such steps are found here.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from immutables import Map
from msgspec import Struct
from msgspec.structs import replace

from pincer.execution.machine import State
from pincer.execution.threads.accesses import Access
from pincer.execution.threads.calls import object_name
from pincer.execution.threads.objects import Destroyed, SyncObject, object_size
from pincer.execution.threads.state import ThreadedState
from pincer.logic import bitvectors, terms
from pincer.logic.terms import Term
from pincer.program.control_flow import (
    Assign,
    ControlFlowProgram,
    End,
    Free,
    Label,
)
from pincer.program.effects import effects
from pincer.program.labels import copied_span, read_terms, written_register, written_span
from pincer.program.registers import is_local


class Escaped(Exception):
    """A thread met an object that was taken for another thread's own."""


class ThreadView(Struct, frozen=True):
    """What a thread sees before a step: the values, who owns which objects, and its own number."""

    state: State
    owners: Map[int, int]
    me: int

    def is_shared(self, base: int) -> bool:
        """Whether there is an object at an address that no thread has for its own. Raises Escaped."""
        if base not in self.state.objects:
            return False
        owner = self.owners.get(base)
        if owner is not None and owner != self.me:
            raise Escaped
        return owner is None


class SharedData(Struct, frozen=True):
    """What threads may share in a program: the global registers that some step assigns, numbered; constant data."""

    program: ControlFlowProgram
    registers: dict[Term, int]
    static: frozenset[int]
    constant: frozenset[int]

    def accesses(self, view: ThreadView, label: Label) -> tuple[Access, ...]:
        """The accesses of a step to what other threads may reach. Raises Escaped."""
        if not _may_share(label):
            return ()
        return tuple(dict.fromkeys((*self._reads(view, label), *self._writes(view, label))))

    def _reads(self, view: ThreadView, label: Label) -> Iterator[Access]:
        value = view.state.value
        for term in read_terms(label):
            for register in term.variables:
                if register in self.registers:
                    yield Access("register", self.registers[register], name=str(register.args[0]))
            for part in _noticed_reads(term, self.program.layout.slot // 2):
                if part.op == "load":
                    yield from self._memory(view, value(part.args[0]), part.args[1], write=False)
                else:
                    yield from self._life(view, value(part.args[0]), write=False)
        copied = copied_span(label)
        if copied is not None:
            yield from self._memory(view, value(copied.address), value(copied.size), write=False)

    def _writes(self, view: ThreadView, label: Label) -> Iterator[Access]:
        value = view.state.value
        register = written_register(label)
        if register in self.registers:
            yield Access("register", self.registers[register], write=True, name=str(register.args[0]))
        written = written_span(label)
        if written is not None:
            yield from self._memory(view, value(written.address), value(written.size), write=True)
        if isinstance(label, End | Free):
            yield from self._life(view, value(label.address), write=True)

    def _memory(self, view: ThreadView, address: int, size: int, write: bool) -> Iterator[Access]:
        base = address & view.state.world.slot_mask
        if base not in self.constant and view.is_shared(base):
            yield Access("memory", address, max(size, 1), write=write, name=object_name(view.state, address))

    def _life(self, view: ThreadView, address: int, write: bool) -> Iterator[Access]:
        """Static objects live for ever."""
        base = address & view.state.world.slot_mask
        if base not in self.static and view.is_shared(base):
            yield Access("life", base, write=write, name=object_name(view.state, base))


@cache
def _noticed_reads(term: Term, mark: int) -> tuple[Term, ...]:
    """The loads and rooms in a term that others may have a part in. Whether the `mark` of objects on stacks is behind
    one never changes while that lives: rooms that are only compared with it are what they are."""
    reads = bitvectors.state_reads(term)
    asked = [part for part in terms.postorder(term) if part.op != "same" or not _is_mark(part, mark)]
    counted = {inner for part in asked for inner in part.args if isinstance(inner, Term)}
    return tuple(part for part in reads if part.op == "load" or part is term or part in counted)


def _is_mark(term: Term, mark: int) -> bool:
    return any(part.op == "bvconst" and part.args[0] == mark for part in term.args)


def shared_data(program: ControlFlowProgram) -> SharedData:
    """Registers that nobody assigns, and objects that nobody may write, are no matter of scheduling."""
    written = {register for found in effects(program).values() for register in found.registers} - {program.top}
    numbers = {register: i for i, register in enumerate(sorted(written, key=lambda term: str(term.args[0])))}
    static = frozenset(obj.address for obj in program.objects)
    return SharedData(program, numbers, static, frozenset(obj.address for obj in program.objects if obj.read_only))


def atomic(accesses: tuple[Access, ...]) -> tuple[Access, ...]:
    """The same accesses inside an atomic section."""
    return tuple(replace(access, atomic=True) for access in accesses)


def _may_share(label: Label) -> bool:
    if isinstance(label, Assign):
        value = label.value
        return (
            not is_local(label.register)
            or bool(bitvectors.state_reads(value))
            or not all(map(is_local, value.variables))
        )
    return True


def touched_object(threads: ThreadedState, state: State, label: Label) -> int | None:
    """The address of a synchronisation object in use whose bytes a step reads or writes, if there is one."""
    if not threads.sync:
        return None
    bits = state.world.program.layout.pointer_bits
    for start, size in _ranges(state, label):
        memory = state.objects.get(start & state.world.slot_mask)
        for address, (instance, known) in threads.sync.items():
            inside = address < start + size and start < address + object_size(known, bits)
            if inside and memory is not None and memory.instance == instance and not isinstance(known, Destroyed):
                return address
    return None


def renewed(threads: ThreadedState, state: State, label: Label) -> Map[int, tuple[int, SyncObject]]:
    """The known objects after a step: a destroyed one that is written to may be given a static initialiser so."""
    sync, written = threads.sync, written_span(label)
    if sync and written is not None:
        start, size = state.value(written.address), state.value(written.size)
        for address, (_, known) in threads.sync.items():
            if isinstance(known, Destroyed) and start <= address < start + size:
                sync = sync.delete(address)
    return sync


def _ranges(state: State, label: Label) -> Iterator[tuple[int, int]]:
    """The bytes that a step reads and writes."""
    for span in (written_span(label), copied_span(label)):
        if span is not None:
            yield state.value(span.address), state.value(span.size)
    for term in read_terms(label):
        for part in bitvectors.state_reads(term):
            if part.op == "load":
                yield state.value(part.args[0]), part.args[1]
