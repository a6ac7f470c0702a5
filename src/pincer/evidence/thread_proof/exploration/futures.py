"""What threads may still do to registers of the program: steps on those that no other thread will use concern nobody.

It is read off the control flow: what steps behind a location assign and read, with the procedures that they call and
the threads that they start. And which registers nothing depends on: their values need not be kept.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from pincer.evidence.c_proof.program_facts import assigned_register, label_terms
from pincer.evidence.c_proof.term_data import children, variables
from pincer.evidence.thread_proof.exploration.slots import RegisterSlots
from pincer.evidence.thread_proof.exploration.states import ThreadState
from pincer.logic.terms import Term
from pincer.program.control_flow import (
    Assign,
    Begin,
    Call,
    ControlFlowProgram,
    Copy,
    Edge,
    End,
    Fill,
    Free,
    Input,
    Label,
    Procedure,
    Store,
)
from pincer.program.thread_labels import Detach, Join, SameThread, Self, Start, ThreadOperation, Unmodelled


class Uses(Struct, frozen=True):
    """Registers of the program by number, those that may be read and those that may be assigned; objects by their
    addresses, or `anything` where addresses are not fixed; whether it may wait for ends of threads, and start some."""

    reads: frozenset[int] = frozenset()
    writes: frozenset[int] = frozenset()
    objects: frozenset[int] = frozenset()
    anything: bool = False
    joins: bool = False
    starts: bool = False

    def joined(self, other: Uses) -> Uses:
        if (
            other.reads <= self.reads
            and other.writes <= self.writes
            and other.objects <= self.objects
            and other.anything <= self.anything
            and other.joins <= self.joins
            and other.starts <= self.starts
        ):
            return self
        return Uses(
            self.reads | other.reads,
            self.writes | other.writes,
            self.objects | other.objects,
            self.anything or other.anything,
            self.joins or other.joins,
            self.starts or other.starts,
        )


NONE = Uses()


class Futures:
    """What may still be used, by location and by thread."""

    def __init__(self, slots: RegisterSlots) -> None:
        self._slots = slots
        self._program = slots.program
        self._wholes = self._closed()
        self._places: dict[str, dict[int, Uses]] = {}
        self._threads: dict[tuple[int, tuple[Edge, ...]], Uses] = {}

    def of(self, thread: ThreadState) -> Uses:
        """What a thread may still use, with all that it may start."""
        if thread.ended:
            return NONE
        key = thread.location, tuple(frame.call for frame in thread.frames)
        found = self._threads.get(key)
        if found is None:
            found = self.at(thread.procedure, thread.location)
            for frame in thread.frames:
                found = found.joined(self._direct(frame.call)).joined(self.at(frame.procedure, frame.call.target))
            self._threads[key] = found
        return found

    def at(self, procedure: Procedure, location: int) -> Uses:
        known = self._places.get(procedure.name)
        if known is None:
            known = self._places[procedure.name] = self._by_location(procedure)
        return known.get(location, NONE)

    def _by_location(self, procedure: Procedure) -> dict[int, Uses]:
        found: dict[int, Uses] = dict.fromkeys(procedure.locations, NONE)
        steps = [(edge.source, edge.target, self._whole(edge)) for edge in reversed(procedure.edges)]
        changed = True
        while changed:
            changed = False
            for source, target, uses in steps:
                joined = found[source].joined(uses).joined(found[target])
                if joined is not found[source]:
                    found[source] = joined
                    changed = True
        return found

    def _closed(self) -> dict[str, Uses]:
        """What a whole run of each procedure may use."""
        wholes: dict[str, Uses] = dict.fromkeys(self._program.procedures, NONE)
        changed = True
        while changed:
            changed = False
            for name, procedure in self._program.procedures.items():
                found = wholes[name]
                for edge in procedure.edges:
                    found = found.joined(self._direct(edge))
                    for called in self._begun(edge):
                        found = found.joined(wholes[called])
                if found is not wholes[name]:
                    wholes[name] = found
                    changed = True
        return wholes

    def _whole(self, edge: Edge) -> Uses:
        found = self._direct(edge)
        for called in self._begun(edge):
            found = found.joined(self._wholes[called])
        return found

    def _direct(self, edge: Edge) -> Uses:
        assigned = assigned_register(edge.label)
        slot = None if assigned is None else self._slots.of(assigned)
        writes = frozenset((slot.number,)) if slot is not None and slot.space == "all" else frozenset()
        reads = frozenset(self._slots.shared(label_terms(edge.label)))
        bases = set(map(self._base, _addresses_of(edge.label)))
        if isinstance(edge.label, Begin):
            bases.add(edge.label.address & -self._program.layout.slot)
        anything = None in bases or isinstance(edge.label, Unmodelled)
        return Uses(
            reads,
            writes,
            frozenset(bases - {None}),
            anything,
            isinstance(edge.label, Join),
            isinstance(edge.label, Start),
        )

    def _base(self, address: Term) -> int | None:
        """The object at a fixed address."""
        return address.args[0] & -self._program.layout.slot if address.op == "bvconst" else None

    def _begun(self, edge: Edge) -> Iterable[str]:
        """The procedures that a step calls, or starts threads with."""
        match edge.label:
            case Call(procedure):
                return (procedure,)
            case Start(routine=routine):
                names = {address: name for name, address in self._program.functions.items()}
                if routine.op == "bvconst" and routine.args[0] in names:
                    return (names[routine.args[0]],) if names[routine.args[0]] in self._program.procedures else ()
                return self._program.procedures
            case Unmodelled():
                return self._program.procedures
        return ()


def idle_registers(program: ControlFlowProgram) -> frozenset[Term]:
    """Registers whose values no step but assignments to such registers depends on. Nothing rests on finding them: a
    register without a value has an arbitrary one."""
    feeding: dict[Term, list[Term]] = {}
    waiting: list[Term] = [found for one in program.watched for found in variables(one.condition)]
    for procedure in program.procedures.values():
        waiting += () if procedure.result is None else (procedure.result,)
        for edge in procedure.edges:
            match edge.label:
                case Assign(register, value):
                    feeding.setdefault(register, []).extend(variables(value))
                    waiting += (found for part in _addresses(value) for found in variables(part))
                case label:
                    waiting += (found for term in label_terms(label) for found in variables(term))
    needed: set[Term] = set()
    while waiting:
        register = waiting.pop()
        if register not in needed:
            needed.add(register)
            waiting += feeding.get(register, ())
    assigned = {edge.label.register for edge in program.edges() if isinstance(edge.label, Assign | Input)} - needed
    others = (edge.label for edge in program.edges() if not isinstance(edge.label, Assign | Input))
    kept = {assigned_register(label) for label in others if isinstance(label, Call | ThreadOperation)}
    return frozenset(assigned - kept - {program.top})


def _addresses_of(label: Label | ThreadOperation) -> Iterable[Term]:
    """The addresses at which a step may access memory or what the library keeps there."""
    for term in label_terms(label):
        yield from _addresses(term)
    match label:
        case Store(address) | End(address) | Free(address):
            yield address
        case Copy(target, source):
            yield from (target, source)
        case Fill(target):
            yield target
        case Join(value=value):
            yield value
        case Detach() | Self() | SameThread():
            pass
        case ThreadOperation():
            yield from label.decisive


def _addresses(term: Term) -> Iterable[Term]:
    """The addresses that a term reads at."""
    for child in children(term):
        yield from _addresses(child)
    if term.op in ("load", "room"):
        yield term.args[0]
