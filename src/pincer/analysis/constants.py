"""Registers that hold one value whenever a location is reached, through all procedures.

The analysis is flow-sensitive, joins all calls of a procedure, and does not rely on undefined behaviour ending a path.
What it finds is inductive: a register's value at a
location follows from the values at the locations before it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from pincer.logic import bitvectors
from pincer.logic.terms import FALSE, Term, conjuncts, substitute
from pincer.program.control_flow import (
    Allocate,
    Assign,
    Assume,
    Call,
    ControlFlowProgram,
    Edge,
    Input,
    Label,
    Procedure,
)
from pincer.program.effects import ProcedureEffects, effects
from pincer.program.graphs import reachable
from pincer.program.labels import NOT_FOLLOWED, mapped, read_registers
from pincer.program.registers import is_local

Known = Mapping[Term, Term]
"""Registers with their constants."""


class Constants(Struct, frozen=True):
    """What is known at each location; a location that is missing cannot be reached."""

    at: Mapping[int, Known]

    def simplified(self, program: ControlFlowProgram) -> ControlFlowProgram:
        """The same program with constants in place of registers that hold them. Edges keep their order."""
        procedures = {
            name: replace(procedure, edges=tuple(self._edge(edge) for edge in procedure.edges))
            for name, procedure in program.procedures.items()
        }
        return replace(program, procedures=procedures)

    def _edge(self, edge: Edge) -> Edge:
        known = self.at.get(edge.source)
        if known is None:
            return replace(edge, label=Assume(FALSE))
        label = mapped(edge.label, lambda term: substitute(term, known))
        return edge if label == edge.label else replace(edge, label=label)


def nothing_known(program: ControlFlowProgram) -> Constants:
    """No constants at all, and every location may be reached."""
    places = {place for procedure in program.procedures.values() for place in (procedure.entry, procedure.exit)}
    places |= {edge.source for edge in program.edges()}
    return Constants({place: {} for place in places})


def constants(program: ControlFlowProgram) -> Constants:
    """The constants of a program that starts with its initial registers."""
    return _Propagation(program).run()


def needed_constants(program: ControlFlowProgram, found: Constants) -> Constants:
    """The constants of registers that some label reads, and of the registers their values come from."""
    needed: set[Term] = set()
    sources: dict[Term, set[Term]] = {}
    for edge in program.edges():
        known = found.at.get(edge.source, {})
        needed |= read_registers(edge.label) & known.keys()
        for register, value, place in _flows(program, edge):
            sources.setdefault(register, set()).update(value.variables & found.at.get(place, {}).keys())
    needed = reachable(needed, lambda register: sources.get(register, ()))
    return Constants(
        {location: {r: value for r, value in known.items() if r in needed} for location, known in found.at.items()}
    )


def without_registers(found: Constants, hidden: Mapping[int, frozenset[Term]]) -> Constants:
    """Constants without those of some registers, by location."""
    return Constants(
        {
            location: {r: value for r, value in known.items() if r not in hidden.get(location, ())}
            for location, known in found.at.items()
        }
    )


def _flows(program: ControlFlowProgram, edge: Edge) -> Iterator[tuple[Term, Term, int]]:
    """Where the value of a register comes from: a term, at a location."""
    match edge.label:
        case Assign(register, value):
            yield register, value, edge.source
        case Call(name, arguments, result):
            callee = program.procedures[name]
            for parameter, argument in zip(callee.parameters, arguments, strict=False):
                yield parameter, argument, edge.source
            if result is not None and callee.result is not None:
                yield result, callee.result, callee.exit


class _Propagation:
    """A worklist over locations; facts only shrink, and locations only become reachable."""

    def __init__(self, program: ControlFlowProgram) -> None:
        self.program = program
        self.effects: Mapping[str, ProcedureEffects] = effects(program)
        self.at: dict[int, dict[Term, Term]] = {}
        self.waiting: dict[int, Procedure] = {}
        self.callers: dict[str, dict[Edge, Procedure]] = {}

    def run(self) -> Constants:
        entry = self.program.procedures[self.program.entry]
        initial = {
            register: bitvectors.constant(value, bitvectors.width(register))
            for register, value in self.program.initial.items()
        }
        self._arrive(entry, entry.entry, initial)
        while self.waiting:
            location, procedure = self.waiting.popitem()
            known = self.at[location]
            for edge in procedure.outgoing.get(location, ()):
                self._follow(procedure, edge, known)
            if location == procedure.exit:
                for edge, caller in self.callers.get(procedure.name, {}).items():
                    self._return(caller, edge)
        return Constants(self.at)

    def _arrive(self, procedure: Procedure, location: int, known: dict[Term, Term]) -> None:
        before = self.at.get(location)
        if before is None:
            self.at[location] = known
        else:
            joined = {register: value for register, value in before.items() if known.get(register) is value}
            if len(joined) == len(before):
                return
            self.at[location] = joined
        self.waiting[location] = procedure

    def _follow(self, procedure: Procedure, edge: Edge, known: Known) -> None:
        label = edge.label
        if isinstance(label, NOT_FOLLOWED):
            return
        if isinstance(label, Call):
            self._call(procedure, edge, label, known)
            return
        after = dict(known)
        if isinstance(label, Assume):
            condition = substitute(label.condition, known)
            if condition is FALSE:
                return
            after.update(_equations(condition))
        for register, value in _assigned(label, known, self.program.top):
            if value is None:
                after.pop(register, None)
            else:
                after[register] = value
        self._arrive(procedure, edge.target, after)

    def _call(self, procedure: Procedure, edge: Edge, call: Call, known: Known) -> None:
        callee = self.program.procedures[call.procedure]
        entering = {register: value for register, value in known.items() if not is_local(register)}
        for parameter, argument in zip(callee.parameters, call.arguments, strict=False):
            value = substitute(argument, known)
            if value.op == "bvconst":
                entering[parameter] = value
        self.callers.setdefault(callee.name, {})[edge] = procedure
        self._arrive(callee, callee.entry, entering)
        if callee.exit in self.at:
            self._return(procedure, edge)

    def _return(self, procedure: Procedure, edge: Edge) -> None:
        call = edge.label
        assert isinstance(call, Call)
        callee = self.program.procedures[call.procedure]
        changed = self.effects[call.procedure].registers
        known, returned = self.at[edge.source], self.at[callee.exit]
        after = {register: value for register, value in known.items() if register not in changed}
        after |= {register: returned[register] for register in changed if register in returned}
        if call.result is not None:
            after.pop(call.result, None)
            if callee.result is not None and callee.result in returned:
                after[call.result] = returned[callee.result]
        self._arrive(procedure, edge.target, after)


def _equations(condition: Term) -> Iterator[tuple[Term, Term]]:
    for part in conjuncts(condition):
        if part.op == "same":
            for register, value in (part.args, part.args[::-1]):
                if register.op == "var" and value.op == "bvconst":
                    yield register, value


def _assigned(label: Label, known: Known, top: Term) -> Iterator[tuple[Term, Term | None]]:
    match label:
        case Assign(register, value):
            result = substitute(value, known)
            yield register, result if result.op == "bvconst" else None
        case Input(register):
            yield register, None
        case Allocate(register):
            yield register, None
            yield top, None
