"""What an edge reads and writes: global registers and regions of memory.

Registers of procedures and threads are no concern of other threads. `$top` is the executor's own.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from pincer.logic import bitvectors
from pincer.logic.terms import Term
from pincer.program.control_flow import (
    Edge,
    Free,
)
from pincer.program.labels import copied_span, read_terms, written_register, written_span
from pincer.program.memory_regions import ANYTHING, MemoryRegion
from pincer.program.points_to import PointsTo
from pincer.program.registers import Role, has_role, is_global
from pincer.program.thread_labels import ThreadOperation, Unmodelled


class StaticAccess(Struct, frozen=True):
    """One read or write of an edge: of a global register, or of any of some regions of memory."""

    edge: Edge
    register: Term | None
    regions: tuple[MemoryRegion, ...]
    write: bool

    @property
    def location(self) -> int:
        return self.edge.source

    def touches(self, other: StaticAccess) -> bool:
        """Whether the two may concern the same bytes or register."""
        if self.register is not None or other.register is not None:
            return self.register is other.register
        return any(mine.overlaps(theirs) for mine in self.regions for theirs in other.regions)


def accesses(edge: Edge, pointers: PointsTo) -> Iterator[StaticAccess]:
    """All accesses that another thread could notice, reads first."""
    label = edge.label
    seen: set[Term] = set()
    for term in read_terms(label):
        for register in sorted(term.variables - seen, key=lambda variable: variable.id):
            if _is_shared_register(register):
                yield StaticAccess(edge, register, (), write=False)
        for read in bitvectors.state_reads(term):
            if read.op == "load" and read not in seen:
                yield StaticAccess(edge, None, pointers.regions(*read.args), write=False)
        seen |= term.variables
        seen.update(bitvectors.state_reads(term))
    yield from _memory_effects(edge, pointers)
    written = written_register(label)
    if written is not None and _is_shared_register(written):
        yield StaticAccess(edge, written, (), write=True)


def _is_shared_register(register: Term) -> bool:
    return is_global(register) and not has_role(register, Role.TOP)


def _memory_effects(edge: Edge, pointers: PointsTo) -> Iterator[StaticAccess]:
    copied, written = copied_span(edge.label), written_span(edge.label)
    for span in (copied, written):
        if span is not None:
            regions = pointers.regions(span.address, bitvectors.constant_value(span.size))
            yield StaticAccess(edge, None, regions, write=span is written)
    match edge.label:
        case Free(address):
            whole = tuple(MemoryRegion(pointer.anywhere(), None) for pointer in pointers.address(address))
            yield StaticAccess(edge, None, whole, write=True)
        case ThreadOperation():
            yield from _thread_effects(edge, edge.label, pointers)


def _thread_effects(edge: Edge, label: ThreadOperation, pointers: PointsTo) -> Iterator[StaticAccess]:
    """Results that thread operations store; the synchronisation objects themselves are theirs to protect."""
    for address, size in label.stores(pointers.program.layout.pointer_bits // 8):
        if bitvectors.constant_value(address) != 0:
            yield StaticAccess(edge, None, pointers.regions(address, size), write=True)
    if isinstance(label, Unmodelled):
        for operand in label.arguments:
            places = [MemoryRegion(p.anywhere(), None) for p in pointers.value(operand) if p.object is not ANYTHING]
            if places:
                yield StaticAccess(edge, None, tuple(places), write=True)
