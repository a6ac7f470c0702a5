"""What an edge reads and writes: global registers and regions of memory.

Registers of procedures and threads are no concern of other threads. `$top` is the executor's own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pincer.analysis.memory_regions import ANYTHING, Region
from pincer.analysis.points_to import PointsTo
from pincer.logic import bitvectors
from pincer.logic.terms import Term
from pincer.program.control_flow import (
    Allocate,
    Assign,
    Assume,
    Call,
    Check,
    Copy,
    Edge,
    End,
    Fill,
    Free,
    Input,
    Label,
    Store,
)
from pincer.program.registers import Role, has_role, is_global
from pincer.program.thread_labels import ThreadOperation, Unmodelled


@dataclass(frozen=True, slots=True)
class Access:
    """One read or write of an edge: of a global register, or of any of some regions of memory."""

    edge: Edge
    register: Term | None
    regions: tuple[Region, ...]
    write: bool

    @property
    def location(self) -> int:
        return self.edge.source

    def touches(self, other: Access) -> bool:
        """Whether the two may concern the same bytes or register."""
        if self.register is not None or other.register is not None:
            return self.register is other.register
        return any(mine.overlaps(theirs) for mine in self.regions for theirs in other.regions)


def read_terms(label: Label) -> tuple[Term, ...]:
    """The terms whose values an edge needs, addresses among them."""
    match label:
        case Assign(_, value):
            return (value,)
        case Store(address, value):
            return address, value
        case Copy(first, second, third) | Fill(first, second, third):
            return first, second, third
        case Assume(condition) | Check(_, condition):
            return (condition,)
        case Allocate(_, value) | End(value) | Free(value):
            return (value,)
        case Call(_, arguments) | ThreadOperation(operands=arguments):
            return arguments
    return ()


def written_register(label: Label) -> Term | None:
    """The register that an edge assigns."""
    match label:
        case Assign(register) | Input(register) | Allocate(register):
            return register
        case Call(result=result) | ThreadOperation(result=result):
            return result
    return None


def accesses(edge: Edge, pointers: PointsTo) -> Iterator[Access]:
    """All accesses that another thread could notice, reads first."""
    label = edge.label
    seen: set[Term] = set()
    for term in read_terms(label):
        for register in sorted(term.variables - seen, key=lambda variable: variable.id):
            if _is_shared_register(register):
                yield Access(edge, register, (), write=False)
        for read in bitvectors.state_reads(term):
            if read.op == "load" and read not in seen:
                yield Access(edge, None, pointers.regions(*read.args), write=False)
        seen |= term.variables
        seen.update(bitvectors.state_reads(term))
    yield from _memory_effects(edge, pointers)
    written = written_register(label)
    if written is not None and _is_shared_register(written):
        yield Access(edge, written, (), write=True)


def _is_shared_register(register: Term) -> bool:
    return is_global(register) and not has_role(register, Role.TOP)


def _memory_effects(edge: Edge, pointers: PointsTo) -> Iterator[Access]:
    match edge.label:
        case Store(address, value):
            yield Access(edge, None, pointers.regions(address, bitvectors.width(value) // 8), write=True)
        case Copy(target, source, size):
            width = bitvectors.constant_value(size)
            yield Access(edge, None, pointers.regions(source, width), write=False)
            yield Access(edge, None, pointers.regions(target, width), write=True)
        case Fill(target, size):
            yield Access(edge, None, pointers.regions(target, bitvectors.constant_value(size)), write=True)
        case Free(address):
            whole = tuple(Region(pointer.anywhere(), None) for pointer in pointers.address(address))
            yield Access(edge, None, whole, write=True)
        case ThreadOperation():
            yield from _thread_effects(edge, edge.label, pointers)


def _thread_effects(edge: Edge, label: ThreadOperation, pointers: PointsTo) -> Iterator[Access]:
    """Results that thread operations store; the synchronisation objects themselves are theirs to protect."""
    for address, size in label.stores(pointers.program.layout.pointer_bits // 8):
        if bitvectors.constant_value(address) != 0:
            yield Access(edge, None, pointers.regions(address, size), write=True)
    if isinstance(label, Unmodelled):
        for operand in label.arguments:
            places = [Region(p.anywhere(), None) for p in pointers.value(operand) if p.object is not ANYTHING]
            if places:
                yield Access(edge, None, tuple(places), write=True)
