"""Which objects only one thread can reach: it made them and has shown their address to nobody.

Accesses to such objects are no scheduling points. A pointer is shown when it is written to anything that is shared,
given to a new thread, or returned by an ending one; everything it leads to is shown with it. Should a pointer escape
unseen (byte by byte, or under other inputs), the first access by another thread notices, and the execution is given
up as not modelled: what had been left out up to there could not matter to anyone.
"""

from __future__ import annotations

from immutables import Map

from pincer.execution.machine import State
from pincer.logic import bitvectors
from pincer.program.control_flow import Allocate, Assign, Begin, Copy, Label, Store
from pincer.program.effects import is_local

_MOST_SCANNED = 1 << 12


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
    pieces = state.world.cells.pieces(found.shape, offset, min(size, _MOST_SCANNED)) if size else []
    return [state.load(base + at, width) & state.world.slot_mask for at, length in pieces if length == width]


def owners_after(before: State, after: State, owners: Map[int, int], label: Label, me: int) -> Map[int, int]:
    """Who owns what after a step: new objects belong to the thread; a pointer that it wrote may be shown by that."""
    match label:
        case Allocate(register=register):
            owners = owners.set(after.registers[register], me)
            return owners if is_local(register) else published(after, owners, after.registers[register])
        case Begin(address=address):
            return owners.set(address, me)
        case Assign(register=register) if not is_local(register):
            return published(after, owners, after.registers[register])
        case Store(address=address, value=value):
            if bitvectors.width(value) != after.world.program.layout.pointer_bits or not owners:
                return owners
            base = before.value(address) & after.world.slot_mask
            return owners if base in owners else published(after, owners, before.value(value))
        case Copy(target=target, size=size):
            start = before.value(target)
            base = start & after.world.slot_mask
            if base not in owners and base in after.objects:
                for pointer in _pointers(after, base, start, before.value(size)):
                    owners = published(after, owners, pointer)
    return owners
