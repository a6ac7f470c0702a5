"""Addresses of locals that outlive what they point to, in programs that then use the same address again.

Locals of functions that are not recursive have fixed addresses. Where a pointer may keep the address of such an object
until the object begins again, the old object and the new one could not be told apart: functions found here get new
addresses for each activation instead.

Where addresses may be is found by inclusion, without regard to the order of steps: a set of objects, as a bit mask, for
every register and for the contents of every local object. All other memory is one object, `_ELSEWHERE`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from pincer.frontends.c.lowering.liveness import live_registers
from pincer.logic.terms import Term, children
from pincer.program.control_flow import (
    Allocate,
    Assign,
    Begin,
    Call,
    ControlFlowProgram,
    Copy,
    Edge,
    Procedure,
    Store,
)
from pincer.program.graphs import reachable
from pincer.program.labels import read_registers
from pincer.program.thread_labels import ThreadOperation

_ELSEWHERE = 1
_MANY = 2


def keepers(program: ControlFlowProgram) -> frozenset[str]:
    """The procedures with an object whose address may still be kept when the object begins again."""
    objects = _local_objects(program)
    if not objects:
        return frozenset()
    bits = program.layout.slot_bits
    addresses = _Addresses(program, {local.address >> bits: number for number, local in enumerate(objects, 1)})
    addresses.solve()
    calls = _Calls(program)
    found: set[str] = set()
    for number, local in enumerate(objects, 1):
        if local.owner.name in found or not _is_kept(addresses, calls, objects, number):
            continue
        if any(map(calls.repeats, local.begins)):
            found.add(local.owner.name)
    return frozenset(found)


@dataclass(frozen=True)
class _Local:
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


class _Addresses:
    """The least solution: `registers` and `contents` map registers and objects to the objects they may point to."""

    def __init__(self, program: ControlFlowProgram, slots: Mapping[int, int]) -> None:
        self._program = program
        self._slots = slots
        self.registers: dict[Term, int] = {}
        self.contents = [0] * (len(slots) + 1)
        self._readers: dict[Term, list[Edge]] = {}
        self._loaders: list[Edge] = []
        self._pending: dict[Edge, None] = {}
        self._stored = False

    def solve(self) -> None:
        self.contents[0] = _ELSEWHERE
        for edge in self._program.edges():
            if isinstance(edge.label, Assign | Store | Copy | Call | ThreadOperation | Allocate):
                self._pending[edge] = None
                for register in read_registers(edge.label):
                    self._readers.setdefault(register, []).append(edge)
                self._loaders.append(edge)
        for procedure in self._program.procedures.values():
            for edge in procedure.edges:
                if isinstance(edge.label, Call) and (result := self._program.procedures[edge.label.procedure].result):
                    self._readers.setdefault(result, []).append(edge)
        while self._pending:
            while self._pending:
                self._follow(self._pending.popitem()[0])
            if self._stored:
                self._stored = False
                self._pending.update(dict.fromkeys(self._loaders))

    def _follow(self, edge: Edge) -> None:
        match edge.label:
            case Assign(register, value):
                self._set(register, self._value(value))
            case Allocate(register=register):
                self._set(register, _ELSEWHERE)
            case Store(address, value):
                self._store(self._places(address), self._value(value))
            case Copy(target, source):
                self._store(self._places(target), self._loaded(self._places(source)))
            case ThreadOperation(operands=operands):
                for argument in operands:
                    self._store(_ELSEWHERE, self._value(argument))
            case Call(name, arguments, result):
                callee = self._program.procedures[name]
                for parameter, argument in zip(callee.parameters, arguments, strict=False):
                    self._set(parameter, self._value(argument))
                if result is not None and callee.result is not None:
                    self._set(result, self.registers.get(callee.result, 0))

    def _set(self, register: Term, found: int) -> None:
        before = self.registers.get(register, 0)
        if found | before != before:
            self.registers[register] = found | before
            self._pending.update(dict.fromkeys(self._readers.get(register, ())))

    def _store(self, places: int, found: int) -> None:
        for place in _bits(places):
            if found | self.contents[place] != self.contents[place]:
                self.contents[place] |= found
                self._stored = True

    def _places(self, address: Term) -> int:
        """What an address may point to; a number that points nowhere known is no local object."""
        return self._value(address) or _ELSEWHERE

    def _loaded(self, places: int) -> int:
        found = 0
        for place in _bits(places):
            found |= self.contents[place]
        return found

    def _value(self, term: Term) -> int:
        found = 0
        stack, seen = [term], set[Term]()
        while stack:
            part = stack.pop()
            if part in seen or part.sort.width is None:
                continue
            seen.add(part)
            match part.op:
                case "var":
                    found |= self.registers.get(part, 0)
                case "bvconst":
                    found |= self._object(part.args[0])
                case "load":
                    found |= self._loaded(self._places(part.args[0]))
                case "room":
                    pass
                case "ite":
                    stack += part.args[1:]
                case _:
                    if part.op == "bvlin":
                        found |= self._object(part.args[1])
                    stack += children(part)
        return found

    def _object(self, number: int) -> int:
        """The object at an address; small numbers, negative ones too, are none."""
        layout = self._program.layout
        slot = number >> layout.slot_bits
        if slot in self._slots:
            return 1 << self._slots[slot]
        return _ELSEWHERE if slot and number < 1 << layout.pointer_bits - 1 else 0


def _bits(mask: int) -> Iterator[int]:
    number = 0
    while mask:
        if mask & 1:
            yield number
        mask >>= 1
        number += 1


class _Calls:
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
        changed = True
        while changed:
            changed = False
            for name, procedure in self.program.procedures.items():
                count = _most_often(procedure, step, counts)
                if count > counts.get(name, 0):
                    counts[name] = count
                    changed = True
        return counts.get(self.program.entry, 0) >= _MANY


def _most_often(procedure: Procedure, step: Edge, counts: Mapping[str, int]) -> int:
    """How often a step is taken on one way through a procedure and what it calls; at most `_MANY` is counted."""
    weights = {edge: weight for edge in procedure.edges if (weight := _weight(edge, step, counts))}
    if not weights:
        return 0
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


def _is_kept(addresses: _Addresses, calls: _Calls, objects: list[_Local], number: int) -> bool:
    """Whether memory or a register may hold an object's address where the object begins."""
    local, bit = objects[number - 1], 1 << number
    above = calls.above(local.owner.name)
    if addresses.contents[0] & bit:
        return True
    together = _begun_together(local)
    for other, candidate in enumerate(objects, 1):
        is_there = candidate.owner.name in above or (
            candidate.owner is local.owner and candidate.address not in together
        )
        if is_there and addresses.contents[other] & bit:
            return True
    holders = [register for register, found in addresses.registers.items() if found & bit]
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


def _is_live(register: Term, local: _Local, above: Collection[str], calls: _Calls) -> bool:
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
