"""Which registers matter where: those that are read again, and those that steer, because addresses are made of them.

States that differ in a register which steers are better not merged: with an index that is one number, a step of a
parser looks at one byte of the input; with one of several numbers, at several bytes under several conditions. States
that differ in anything else, or in what is never read again, are merged (compare Kuznetsov, Kinder, Bucur, Candea 2012:
Efficient state merging in symbolic execution).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pincer.analysis.live_registers import Registers, backwards
from pincer.logic import bitvectors
from pincer.logic.terms import Term
from pincer.program.control_flow import (
    Allocate,
    Assign,
    Call,
    ControlFlowProgram,
    Copy,
    Edge,
    Fill,
    Label,
    Procedure,
    Store,
)
from pincer.program.graphs import reachable
from pincer.program.labels import read_terms, written_register
from pincer.program.registers import is_local


class Steering:
    """The registers that steer at each location of the procedures that a program calls."""

    def __init__(self, program: ControlFlowProgram) -> None:
        self._procedures = program.procedures
        self._reads: dict[Edge, tuple[Term, ...]] = {}
        called = sorted(reachable((program.entry,), lambda name: program.procedures[name].callees))
        self._exits: dict[str, Registers] = dict.fromkeys(called, frozenset())
        self.at: dict[str, Mapping[int, Registers]] = {name: {} for name in called}
        callers = program.callers
        waiting = dict.fromkeys(called)
        while waiting:
            name = next(iter(waiting))
            del waiting[name]
            self._wanted: set[str] = set()
            procedure = program.procedures[name]
            entered = self.at[name].get(procedure.entry)
            self.at[name] = backwards(procedure, self._exits[name], self._before)
            waiting.update(dict.fromkeys(self._wanted))
            if self.at[name].get(procedure.entry) != entered:
                waiting.update(dict.fromkeys(caller for caller in callers[name] if caller in self.at))

    def reads(self, procedure: Procedure, edge: Edge) -> tuple[Term, ...]:
        """What an edge reads from memory to make addresses of, at once or later."""
        found = self._reads.get(edge)
        if found is None:
            found = self._reads[edge] = tuple(dict.fromkeys(self._steering_reads(procedure, edge)))
        return found

    def _steering_reads(self, procedure: Procedure, edge: Edge) -> Iterator[Term]:
        label, sources = edge.label, list(_addresses(edge.label))
        match label:
            case Assign(register, value) if register in self.registers(procedure, edge.target):
                sources.append(value)
            case Call():
                callee = self._procedures[label.procedure]
                entered = self.registers(callee, callee.entry)
                pairs = zip(callee.parameters, label.arguments, strict=False)
                sources += (argument for parameter, argument in pairs if parameter in entered)
        for source in sources:
            yield from (read for read in bitvectors.state_reads(source) if read.op == "load")

    def registers(self, procedure: Procedure, location: int) -> Registers:
        """The registers that steer at a location."""
        return self.at[procedure.name].get(location, frozenset())

    def _before(self, edge: Edge, after: Registers) -> Registers:
        label = edge.label
        found = after | _addressing(label)
        match label:
            case Assign(register, value) if register in after:
                found = (found - {register}) | value.variables
            case Call():
                return self._before_call(label, after) | _addressing(label)
        written = written_register(label)
        return found if written is None or isinstance(label, Assign) else found - {written}

    def _before_call(self, call: Call, after: Registers) -> Registers:
        callee = self._procedures[call.procedure]
        wanted = frozenset(register for register in after if not is_local(register))
        if call.result in after and callee.result is not None:
            wanted |= {callee.result}
        if not wanted <= self._exits[callee.name]:
            self._exits[callee.name] |= wanted
            self._wanted.add(callee.name)
        entered = self.at[callee.name].get(callee.entry, frozenset())
        found = frozenset(register for register in after | entered if is_local(register) and register in after)
        found |= frozenset(register for register in entered if not is_local(register))
        for parameter, argument in zip(callee.parameters, call.arguments, strict=False):
            if parameter in entered:
                found |= argument.variables
        return found - {call.result} if call.result is not None else found


def _addressing(label: Label) -> Registers:
    """The registers of which a step makes addresses."""
    found: set[Term] = set()
    for address in _addresses(label):
        found |= address.variables
    return frozenset(found)


def _addresses(label: Label) -> Iterator[Term]:
    for term in read_terms(label):
        for read in bitvectors.state_reads(term):
            if read.op == "load":
                yield read.args[0]
    match label:
        case Store(address):
            yield address
        case Copy(target, source, size):
            yield from (target, source, size)
        case Fill(target, size):
            yield from (target, size)
        case Allocate(_, size):
            yield size
