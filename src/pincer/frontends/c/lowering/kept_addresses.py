"""Addresses of locals that outlive what they point to, in programs that then use the same address again.

Locals of functions that are not recursive have fixed addresses. Where a pointer may keep the address of such an object
until the object begins again, the old object and the new one could not be told apart: functions found here get new
addresses for each activation instead.

Where addresses may be is found by the points-to analysis, with whole objects in place of their bytes and all memory
but local objects as one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import cached_property

from msgspec import Struct

from pincer.frontends.c.lowering.liveness import live_registers
from pincer.logic.terms import Term
from pincer.program.control_flow import (
    Allocate,
    Begin,
    Call,
    ControlFlowProgram,
    Edge,
    Procedure,
)
from pincer.program.graphs import reachable
from pincer.program.labels import read_registers
from pincer.program.memory_regions import UNKNOWN, AbstractObject, AbstractPointer, Pointers
from pincer.program.pointer_values import NOTHING
from pincer.program.points_to import PointsToSolver, Tracking
from pincer.program.thread_labels import ThreadOperation

_MANY = 2


def keepers(program: ControlFlowProgram) -> frozenset[str]:
    """The procedures with an object whose address may still be kept when the object begins again."""
    objects = _local_objects(program)
    if not objects:
        return frozenset()
    addresses = _Addresses(program)
    addresses.run(lambda: None)
    calls = Calls(program)
    found: set[str] = set()
    for local in objects:
        if local.owner.name in found or not _is_kept(addresses, calls, objects, local):
            continue
        if any(map(calls.repeats, local.begins)):
            found.add(local.owner.name)
    return frozenset(found)


class _Local(Struct, frozen=True):
    """A local object with a fixed address: its procedure, and where it begins."""

    address: int
    owner: Procedure
    begins: tuple[Edge, ...]


def _local_objects(program: ControlFlowProgram) -> list[_Local]:
    found: dict[int, tuple[Procedure, list[Edge]]] = {}
    for procedure in program.procedures.values():
        for edge in procedure.edges:
            if isinstance(edge.label, Begin):
                found.setdefault(edge.label.address, (procedure, []))[1].append(edge)
    return [_Local(address, owner, tuple(begins)) for address, (owner, begins) in found.items()]


class _WholeObjects(Tracking):
    """Local objects as wholes; all other memory is one place, `UNKNOWN`."""

    def constant(self, value: int, width: int) -> Pointers:
        """The object at an address; small numbers, negative ones too, are none."""
        slot = value >> self.layout.slot_bits
        if slot in self.by_slot:
            return frozenset((AbstractPointer(self.by_slot[slot]).anywhere(),))
        return frozenset((UNKNOWN,)) if slot and value < 1 << self.layout.pointer_bits - 1 else NOTHING

    def load(self, address: Pointers, size: int) -> Pointers:
        """All that the objects and other memory hold: many objects hold the same."""
        objects = [pointer.object for pointer in address if pointer is not UNKNOWN]
        found = self.anything_stored().union(*{held for target in objects for held in self.cells(target).values()})
        return found if 8 * size == self.layout.pointer_bits else found - {UNKNOWN}


class _Addresses(PointsToSolver):
    """Where addresses of local objects may be, whatever the order of steps; `everywhere` is what other memory holds."""

    evaluation = _WholeObjects

    def start(self) -> None:
        for edge in self.program.edges():
            if isinstance(edge.label, Begin) and self.slot(edge.label.address) not in self.by_slot:
                self.place(AbstractObject("local", f"{edge.label.address:#x}", edge.label.address))
            self.reach(edge.source)

    def store(self, places: Iterable[AbstractPointer], width: int | None, pointers: Pointers) -> None:
        super().store(places, None, pointers)

    def allocated(self, edge: Edge, label: Allocate) -> AbstractPointer:
        return UNKNOWN

    def thread_operation(self, here: Tracking, edge: Edge, label: ThreadOperation) -> None:
        """Other threads may get to know what is passed to them, and anything may be stored where operands lead. The
        library itself keeps no operand: what it knows of locks and the like ends with their objects."""
        for operand in label.passed:
            self.store((UNKNOWN,), None, here.of(operand))
        for operand in label.operands:
            self.store(here.address(operand), None, here.anything_stored())

    def may_hold(self, owner: AbstractObject, target: AbstractObject) -> bool:
        """Whether an object may hold the address of another."""
        return any(_points_at(held, target) for held in self.contents.get(owner, {}).values())


def _points_at(pointers: Iterable[AbstractPointer], target: AbstractObject) -> bool:
    return any(pointer.object is target for pointer in pointers)


class Calls:
    """Who calls whom, and what is live across calls."""

    def __init__(self, program: ControlFlowProgram) -> None:
        self.program = program
        self._live: dict[str, tuple[Mapping[Term, int], Mapping[int, int]]] = {}

    def above(self, name: str) -> frozenset[str]:
        """The procedures that may be active when a procedure is entered, itself apart."""
        callers = self.program.callers
        return frozenset(reachable(callers[name], callers.__getitem__))

    def is_live(self, register: Term, procedure: Procedure, locations: Iterable[int]) -> bool:
        """Whether a register may be read after one of the locations before it is set."""
        if procedure.name not in self._live:
            read = dict.fromkeys(variable for edge in procedure.edges for variable in read_registers(edge.label))
            masks = {variable: 1 << number for number, variable in enumerate(read)}
            self._live[procedure.name] = masks, live_registers(procedure.edges, masks)
        bits, live = self._live[procedure.name]
        return any(live.get(location, 0) & bits.get(register, 0) for location in locations)

    def repeats(self, step: Edge) -> bool:
        """Whether a step may be taken more than once in a run."""
        counts: dict[str, int] = {}
        pending = [self._owners[step.source]]
        while pending:
            name = pending.pop()
            count = self._most_often(name, step, counts)
            if count > counts.get(name, 0):
                counts[name] = count
                pending.extend(self.program.callers[name])
        return counts.get(self.program.entry, 0) >= _MANY

    @cached_property
    def _owners(self) -> dict[int, str]:
        """The procedure of each location with a step."""
        return {place: name for name, procedure in self.program.procedures.items() for place in procedure.outgoing}

    @cached_property
    def _calls(self) -> dict[str, tuple[Edge, ...]]:
        """The calls in each procedure."""
        return {
            name: tuple(edge for edge in procedure.edges if isinstance(edge.label, Call))
            for name, procedure in self.program.procedures.items()
        }

    def _most_often(self, name: str, step: Edge, counts: Mapping[str, int]) -> int:
        """How often a step is taken on one way through a procedure and what it calls; at most `_MANY` is counted."""
        procedure = self.program.procedures[name]
        weights = {edge: weight for edge in (*self._calls[name], step) if (weight := _weight(edge, step, counts))}
        most = {procedure.entry: 0}
        pending = [procedure.entry]
        while pending:
            location = pending.pop()
            for edge in procedure.outgoing.get(location, ()):
                count = min(_MANY, most[location] + weights.get(edge, 0))
                if count > most.get(edge.target, -1):
                    most[edge.target] = count
                    pending.append(edge.target)
        return max(most.values())


def _weight(edge: Edge, step: Edge, counts: Mapping[str, int]) -> int:
    return counts.get(edge.label.procedure, 0) if isinstance(edge.label, Call) else int(edge is step)


def _is_kept(addresses: _Addresses, calls: Calls, objects: list[_Local], local: _Local) -> bool:
    """Whether memory or a register may hold an object's address where the object begins."""
    above, by_slot = calls.above(local.owner.name), addresses.by_slot
    target = by_slot[addresses.slot(local.address)]
    if _points_at(addresses.everywhere, target):
        return True
    together = _begun_together(local)
    for other in objects:
        is_there = other.owner.name in above or (other.owner is local.owner and other.address not in together)
        if is_there and addresses.may_hold(by_slot[addresses.slot(other.address)], target):
            return True
    holders = [register for register, found in addresses.values.items() if _points_at(found, target)]
    return any(_is_live(register, local, above, calls) for register in holders)


def _begun_together(local: _Local) -> set[int]:
    """The objects of the same block: they begin one after the other."""
    found: set[int] = set()
    for begin in local.begins:
        edge: Edge | None = begin
        while edge is not None and isinstance(edge.label, Begin):
            found.add(edge.label.address)
            edge = next(iter(local.owner.outgoing.get(edge.target, ())), None)
        edge = begin
        while edge is not None and isinstance(edge.label, Begin):
            found.add(edge.label.address)
            edge = next(iter(local.owner.incoming.get(edge.source, ())), None)
    return found


def _is_live(register: Term, local: _Local, above: Collection[str], calls: Calls) -> bool:
    """Whether a register may be read after the object has begun, without having been set in between."""
    owner = register.args[0].owner
    procedure = calls.program.procedures.get(owner)
    if procedure is None:
        return True
    if procedure is local.owner:
        return calls.is_live(register, procedure, [edge.target for edge in local.begins])
    if owner not in above:
        return False
    within = [edge for edge in procedure.edges if isinstance(edge.label, Call) and edge.label.result is not register]
    return calls.is_live(register, procedure, [edge.target for edge in within])
