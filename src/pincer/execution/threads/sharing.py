"""Which objects only one thread can reach: it made them and has shown their address to nobody.

Accesses to such objects are no scheduling points. A pointer is shown when it is written to anything that is shared,
given to a new thread, or returned by an ending one; everything it leads to is shown with it. A pointer may escape
unseen (byte by byte, or under other inputs). Then an access by another thread, before the object is shown, notices
that, and the execution is given up as not modelled. So that this order is tried as well, showing an object counts as
a write to its life: accesses of others that are not ordered after it conflict with it.
"""

from __future__ import annotations

from collections.abc import Iterator

from immutables import Map

from pincer.execution.machine import State
from pincer.execution.threads.accesses import Access
from pincer.execution.threads.calls import object_name
from pincer.execution.threads.limits import SCANNED_BYTES
from pincer.logic import bitvectors
from pincer.logic.terms import Term
from pincer.program.control_flow import Allocate, Assign, Begin, Copy, Label, Store
from pincer.program.registers import is_local


def published(state: State, owners: Map[int, int], pointer: int) -> Map[int, int]:
    """The owners when the object at an address, and all that can be reached from it, is shown to other threads."""
    pending = [pointer & state.world.slot_mask]
    while pending:
        base = pending.pop()
        if base in owners:
            owners = owners.delete(base)
            pending.extend(_pointers(state, base, base, state.objects[base].size))
    return owners


def _pointers(state: State, base: int, start: int, size: int) -> list[int]:
    """The objects that pointers in a range of bytes point into."""
    found = state.objects[base]
    width = state.world.program.layout.pointer_bits // 8
    offset = start - base
    pieces = state.world.cells.pieces(found.shape, offset, min(size, SCANNED_BYTES)) if size else []
    return [state.load(base + at, width) & state.world.slot_mask for at, length in pieces if length == width]


def owners_after(before: State, after: State, owners: Map[int, int], label: Label, me: int) -> Map[int, int]:
    """Who owns what after a step: new objects belong to the thread; a pointer that it wrote may be shown by that."""
    match label:
        case Allocate(register=register):
            owners = owners.set(after.registers[register], me)
            return owners if is_local(register) else published(after, owners, after.registers[register])
        case Begin(address=address):
            return owners.set(address, me)
        case Assign(register=register, value=value) if not is_local(register):
            for pointer in _candidates(before, value) if owners else ():
                owners = published(after, owners, pointer)
        case Store(address=address, value=value):
            if bitvectors.width(value) != after.world.program.layout.pointer_bits or not owners:
                return owners
            base = before.value(address) & after.world.slot_mask
            for pointer in _candidates(before, value) if base not in owners else ():
                owners = published(after, owners, pointer)
        case Copy(target=target, size=size):
            start = before.value(target)
            base = start & after.world.slot_mask
            if base not in owners and base in after.objects:
                for pointer in _pointers(after, base, start, before.value(size)):
                    owners = published(after, owners, pointer)
    return owners


def _candidates(state: State, term: Term) -> Iterator[int]:
    """The addresses that a value is, and that it may be under other inputs."""
    yield state.value(term)
    if state.symbols:
        yield from _numbers(state.symbolic(term, []))


def _numbers(part: object) -> Iterator[int]:
    """All numbers in a term."""
    if isinstance(part, int):
        yield part
    elif isinstance(part, Term | tuple):
        for inner in part.args if isinstance(part, Term) else part:
            yield from _numbers(inner)


def shown(state: State, before: Map[int, int], after: Map[int, int]) -> tuple[Access, ...]:
    """The accesses by which objects are shown to others in a step: those that nobody owns any more."""
    if after is before:
        return ()
    bases = (base for base in before if base not in after)
    return tuple(Access("life", base, write=True, name=object_name(state, base)) for base in bases)
