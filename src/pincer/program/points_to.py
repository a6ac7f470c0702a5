"""Where pointers may point: inclusion-based and flow-insensitive, with offsets, over the terms of a program.

Terms have no pointer types, so every value is followed: a value is the set of addresses it may be or contain. Numbers
that are computed, or come from outside, are `UNKNOWN`; used as an address they may be anything. Only pointer arithmetic
keeps its object: an address plus a number stays inside the object, as C demands; the contents of memory and registers
that were never set count as no address, because using them as one is undefined.

Procedures are followed from the entry, through calls, thread routines, and those function pointers that can have the
value a call through a pointer is guarded with. What is not reached that way is not in `reached`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from math import gcd

from msgspec import Struct

from pincer.logic import bitvectors
from pincer.logic.terms import Term
from pincer.program.control_flow import (
    Allocate,
    Assign,
    Assume,
    Begin,
    Call,
    Check,
    ControlFlowProgram,
    Copy,
    Edge,
    Fail,
    Fill,
    Halt,
    Input,
    Procedure,
    Store,
    Unsupported,
)
from pincer.program.memory_regions import UNKNOWN, AbstractObject, AbstractPointer, MemoryRegion, ObjectKind, Pointers
from pincer.program.pointer_values import NOTHING, PointerEvaluation, as_address, joined
from pincer.program.thread_labels import Exit, Join, Self, Start, ThreadOperation, Unmodelled


class PointsTo(Struct, frozen=True, eq=False):
    """The solution. `values` holds registers, `contents` what the bytes of objects may hold, `reached` the locations
    that may be executed, `targets` the procedures that thread functions may run at an edge."""

    program: ControlFlowProgram
    objects: tuple[AbstractObject, ...]
    values: Mapping[Term, Pointers]
    contents: Mapping[AbstractObject, Mapping[MemoryRegion, Pointers]]
    everywhere: Pointers
    results: Pointers
    reached: frozenset[int]
    targets: Mapping[Edge, frozenset[str]]
    _by_slot: Mapping[int, AbstractObject]

    def value(self, term: Term) -> Pointers:
        """The addresses that a value may be."""
        return PointerEvaluation(self.program.layout, self._by_slot, self.values, self.contents, self.everywhere).value(
            term, {}
        )

    def address(self, term: Term) -> Pointers:
        """The places that an address may denote; never empty unless the address is a constant outside all objects."""
        return as_address(term, self.value(term))

    def regions(self, term: Term, width: int | None) -> tuple[MemoryRegion, ...]:
        """The bytes that an access may touch."""
        return tuple(MemoryRegion(pointer, width) for pointer in self.address(term))


def points_to(program: ControlFlowProgram, poll: Callable[[], None] = lambda: None) -> PointsTo:
    """The least solution for a program."""
    return PointsToSolver(program).run(poll)


class Tracking(PointerEvaluation):
    """An evaluation that notes what it looked at, so that an edge is looked at again when that grows."""

    def __init__(self, solver: PointsToSolver, user: Edge) -> None:
        everywhere = frozenset(solver.everywhere)
        super().__init__(solver.program.layout, solver.by_slot, solver.values, solver.contents, everywhere)
        self.solver, self.user = solver, user
        self.memo: dict[Term, Pointers] = {}

    def register(self, term: Term) -> Pointers:
        self.solver.users.setdefault(term, {})[self.user] = None
        return super().register(term)

    def cells(self, target: AbstractObject) -> Mapping[MemoryRegion, Pointers]:
        self.solver.users.setdefault(target, {})[self.user] = None
        return super().cells(target)

    def load(self, address: Pointers, size: int) -> Pointers:
        self.anything_stored()
        return super().load(address, size)

    def anything_stored(self) -> Pointers:
        """What is stored at unknown places."""
        self.solver.users.setdefault("everywhere", {})[self.user] = None
        return self.everywhere

    def of(self, term: Term) -> Pointers:
        return self.value(term, self.memo)

    def address(self, term: Term) -> Pointers:
        return self.place(term, self.of(term))


class PointsToSolver:
    """A worklist of edges; sets only grow, and locations only become reachable.

    A coarser analysis has another `evaluation`, and says what is there at the `start`, what is `allocated` and what a
    `thread_operation` does.
    """

    evaluation: type[Tracking]

    def __init__(self, program: ControlFlowProgram) -> None:
        self.program = program
        self.pointer_bytes = program.layout.pointer_bits // 8
        self.names = {address: name for name, address in program.functions.items()}
        self.objects: dict[object, AbstractObject] = {}
        self.by_slot: dict[int, AbstractObject] = {}
        self.values: dict[Term, Pointers] = {}
        self.contents: dict[AbstractObject, dict[MemoryRegion, Pointers]] = {}
        self.everywhere: set[AbstractPointer] = set()
        self.results: set[AbstractPointer] = set()
        self.reached: set[int] = set()
        self.targets: dict[Edge, frozenset[str]] = {}
        self.users: dict[object, dict[Edge, None]] = {}
        self.outgoing = {place: edges for p in program.procedures.values() for place, edges in p.outgoing.items()}
        self.incoming = {place: edges for p in program.procedures.values() for place, edges in p.incoming.items()}
        self.waiting: dict[Edge, None] = {}

    def run(self, poll: Callable[[], None]) -> PointsTo:
        self.start()
        self.settle(poll)
        return PointsTo(
            self.program, tuple(self.objects.values()), self.values, self.contents, frozenset(self.everywhere),
            frozenset(self.results), frozenset(self.reached), self.targets, self.by_slot,
        )  # fmt: skip

    def settle(self, poll: Callable[[], None]) -> None:
        """Follow edges until nothing changes."""
        while self.waiting:
            edge = next(iter(self.waiting))
            del self.waiting[edge]
            poll()
            self._follow(edge)

    def start(self) -> None:
        """What is there before the first step."""
        self.make_objects()
        self.set_contents()
        self.reach(self.program.procedures[self.program.entry].entry)

    def make_objects(self) -> None:
        for static in self.program.objects:
            kind: ObjectKind = "function" if static.address in self.names else "static"
            self.place(AbstractObject(kind, static.name, static.address, size=static.size))
        names = {
            bitvectors.constant_value(variable.address): variable
            for variable in self.program.variables
            if variable.address is not None
        }
        entry = self.program.procedures[self.program.entry]
        for edge in self.program.edges():
            if isinstance(edge.label, Begin) and self.slot(edge.label.address) not in self.by_slot:
                variable = names.get(edge.label.address)
                name = variable.name if variable is not None else f"object {edge.label.address:#x}"
                made = AbstractObject("local", name, edge.label.address, edge, edge.label.size)
                self.place(made)
                given = variable is None and bool(entry.parameters) and edge in entry.edges
                if given or (variable is not None and variable.scope is None):
                    self._put(MemoryRegion(AbstractPointer(made).anywhere(), None), frozenset((UNKNOWN,)))

    def set_contents(self) -> None:
        """Addresses in initialised objects and registers; they may stand at any byte."""
        evaluation = PointerEvaluation(self.program.layout, self.by_slot, {}, {}, NOTHING)
        for static in self.program.objects:
            target = self.by_slot[self.slot(static.address)]
            for at in range(len(static.contents)):
                word = static.contents[at : at + self.pointer_bytes]
                if any(word):
                    value = evaluation.constant(int.from_bytes(word, "little"), 8 * self.pointer_bytes)
                    self._put(MemoryRegion(AbstractPointer(target, at), self.pointer_bytes), value)
        for register, number in self.program.initial.items():
            self._assign(register, evaluation.constant(number, bitvectors.width(register)))

    def slot(self, address: int) -> int:
        return address >> self.program.layout.slot_bits

    def place(self, target: AbstractObject) -> None:
        assert target.address is not None
        self.objects[target.address] = self.by_slot[self.slot(target.address)] = target

    def _at_site(self, edge: Edge, make: AbstractObject) -> AbstractObject:
        return self.objects.setdefault(edge, make)

    def _wake(self, key: object) -> None:
        self.waiting.update(self.users.get(key, {}))

    def reach(self, location: int) -> None:
        if location not in self.reached:
            self.reached.add(location)
            self.waiting.update(dict.fromkeys(self.outgoing.get(location, ())))
            self._wake(location)

    def _assign(self, register: Term | None, pointers: Pointers) -> None:
        if register is None:
            return
        before = self.values.get(register, NOTHING)
        after = joined(before, pointers)
        if after is not before:
            self.values[register] = after
            self._wake(register)

    def _put(self, region: MemoryRegion, pointers: Pointers) -> None:
        """What bytes may hold grows."""
        if not pointers:
            return
        if region.pointer is UNKNOWN:
            if not pointers <= self.everywhere:
                self.everywhere |= pointers
                self._wake("everywhere")
            return
        target = region.pointer.object
        cells = self.contents.setdefault(target, {})
        before = cells.get(region, NOTHING)
        after = joined(before, pointers)
        if after is not before:
            cells[region] = after
            self._wake(target)

    def store(self, places: Iterable[AbstractPointer], width: int | None, pointers: Pointers) -> None:
        for place in places:
            self._put(MemoryRegion(place, width), pointers)

    def _follow(self, edge: Edge) -> None:
        here = self.evaluation(self, edge)
        match edge.label:
            case Assign(register, value):
                self._assign(register, here.of(value))
            case Store(address, value):
                self.store(here.address(address), bitvectors.width(value) // 8, here.of(value))
            case Copy(target, source, size):
                self._copy(here, target, source, bitvectors.constant_value(size))
            case Fill(target, _, byte):
                self.store(here.address(target), None, self._filled(here, byte))
            case Input(register, _, kind):
                if kind != "undefined" and bitvectors.width(register) == 8 * self.pointer_bytes:
                    self._assign(register, frozenset((UNKNOWN,)))
            case Allocate(register):
                self._assign(register, frozenset((self.allocated(edge, edge.label),)))
            case Call():
                self._call(here, edge, edge.label)
                return
            case ThreadOperation():
                self.thread_operation(here, edge, edge.label)
            case Assume(condition):
                if not self._may_hold(here, edge, condition):
                    return
            case Fail() | Halt() | Unsupported():
                return
        self.reach(edge.target)

    def allocated(self, edge: Edge, label: Allocate) -> AbstractPointer:
        """A new object."""
        name = f"{label.storage} object of line {edge.position.line}"
        size = bitvectors.constant_value(label.size)
        return AbstractPointer(self._at_site(edge, AbstractObject("allocated", name, None, edge, size, label.storage)))

    def _may_hold(self, here: Tracking, edge: Edge, condition: Term) -> bool:
        """Whether a comparison with a function's address may hold; the front end guards calls through pointers so."""
        positive = condition.op != "not"
        atom = condition if positive else condition.args[0]
        if atom.op != "same":
            return True
        for pointer, constant in (atom.args, atom.args[::-1]):
            if constant.op == "bvconst" and constant.args[0] in self.names:
                values = here.address(pointer)
                (function,) = here.of(constant)
                if positive:
                    return function in values or UNKNOWN in values
                return bool(values - {function}) or not self._guards_call(edge)
        return True

    def _guards_call(self, edge: Edge) -> bool:
        """Whether the check before a call through a pointer has made sure that the pointer is one of the functions
        that are tried one after the other; elsewhere a pointer that is no function may also be null."""
        seen: set[int] = set()
        while edge.source not in seen:
            seen.add(edge.source)
            before = self.incoming.get(edge.source, ())
            if len(before) != 1:
                return False
            (edge,) = before
            if isinstance(edge.label, Check):
                return edge.label.kind == "call"
            if not isinstance(edge.label, Assume) or edge.label.branch is not None or edge.label.condition.op != "not":
                return False
        return False

    def _copy(self, here: Tracking, target: Term, source: Term, size: int | None) -> None:
        places = here.address(target)
        for origin in here.address(source):
            if origin is UNKNOWN:
                self.store(places, size, frozenset((UNKNOWN,)))
                continue
            for cell, held in list(here.cells(origin.object).items()):
                if cell.overlaps(MemoryRegion(origin, size)):
                    by = cell.pointer.offset - origin.offset
                    step = gcd(cell.pointer.stride, origin.stride)
                    self.store([place.moved(by, step) for place in places], cell.width, held)
        self.store(places, size, here.anything_stored())

    def _filled(self, here: Tracking, byte: Term) -> Pointers:
        value = bitvectors.constant_value(byte)
        if value is None:
            return here.of(byte) | {UNKNOWN}
        return here.constant(int.from_bytes(bytes([value]) * self.pointer_bytes, "little"), 8 * self.pointer_bytes)

    def _call(self, here: Tracking, edge: Edge, call: Call) -> None:
        callee = self.program.procedures[call.procedure]
        for parameter, given in zip(callee.parameters, call.arguments, strict=False):
            self._assign(parameter, here.of(given))
        self.reach(callee.entry)
        self._return(here, edge, callee, call.result)

    def _return(self, here: Tracking, edge: Edge, callee: Procedure, result: Term | None) -> None:
        if callee.result is not None and result is not None:
            self._assign(result, here.of(callee.result))
        self.users.setdefault(callee.exit, {})[edge] = None
        if callee.exit in self.reached:
            self.reach(edge.target)

    def thread_operation(self, here: Tracking, edge: Edge, label: ThreadOperation) -> None:
        match label:
            case Start(thread=thread, routine=routine, argument=argument):
                name = f"thread of line {edge.position.line}"
                made = self._at_site(edge, AbstractObject("thread", name, None, edge))
                self.store(here.address(thread), self.pointer_bytes, frozenset((AbstractPointer(made),)))
                self._run(here, edge, here.address(routine), here.of(argument))
            case Join(value=value):
                self.users.setdefault("results", {})[edge] = None
                self.store(here.address(value), self.pointer_bytes, frozenset(self.results))
            case Exit(value=Term() as value):
                self._add(self.results, "results", here.of(value))
            case Self(result=result):
                self._number(result)
            case Unmodelled(arguments, result=result):
                self._number(result)
                given = [here.of(term) for term in arguments]
                self._run(here, edge, frozenset().union(*given), frozenset((UNKNOWN,)))
                for places in given:
                    self.store(places - {UNKNOWN}, None, frozenset((UNKNOWN,)))

    def _add(self, kept: set[AbstractPointer], key: str, more: Pointers) -> None:
        if not more <= kept:
            kept |= more
            self._wake(key)

    def _number(self, register: Term | None) -> None:
        if register is not None and bitvectors.width(register) == 8 * self.pointer_bytes:
            self._assign(register, frozenset((UNKNOWN,)))

    def _run(self, here: Tracking, edge: Edge, routines: Pointers, passed: Pointers) -> None:
        """Functions that a thread function starts or calls."""
        if UNKNOWN in routines and not isinstance(edge.label, Unmodelled):
            names = set(self.program.functions)
        else:
            names = {p.object.name for p in routines if p.object.kind == "function" and p.offset == 0}
        names &= self.program.procedures.keys()
        self.targets[edge] = frozenset(names)
        for name in sorted(names):
            callee = self.program.procedures[name]
            for parameter in callee.parameters[:1]:
                self._assign(parameter, passed)
            if callee.result is not None:
                self._add(self.results, "results", here.of(callee.result))
            self.reach(callee.entry)


PointsToSolver.evaluation = Tracking
