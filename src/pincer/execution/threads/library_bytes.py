"""Plain accesses to the bytes of synchronisation objects.

What the library keeps in a mutex or a condition variable is known here beside memory, not in its bytes. Reading or
writing them while the object is in use would show, or have, effects that are not modelled.
"""

from __future__ import annotations

from collections.abc import Iterator

from immutables import Map

from pincer.execution.machine import State
from pincer.execution.threads.objects import Destroyed, SyncObject, object_size
from pincer.execution.threads.state import ThreadedState
from pincer.logic import bitvectors
from pincer.program.control_flow import Label
from pincer.program.labels import copied_span, read_terms, written_span


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
