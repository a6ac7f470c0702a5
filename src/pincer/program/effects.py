"""What procedures may change, through all calls they make."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce

from msgspec import Struct

from pincer.logic.terms import Term
from pincer.program.control_flow import (
    Allocate,
    Begin,
    ControlFlowProgram,
    Copy,
    End,
    Fill,
    Free,
    Procedure,
    Store,
)
from pincer.program.graphs import components, reachable
from pincer.program.labels import written_register
from pincer.program.registers import is_local
from pincer.program.thread_labels import ThreadOperation


class ProcedureEffects(Struct, frozen=True):
    """Global registers a procedure may assign, and whether it may write memory or begin or end objects."""

    registers: frozenset[Term] = frozenset()
    writes: bool = False
    objects: bool = False

    def joined(self, other: ProcedureEffects) -> ProcedureEffects:
        return ProcedureEffects(
            self.registers | other.registers, self.writes or other.writes, self.objects or other.objects
        )


def effects(program: ControlFlowProgram) -> Mapping[str, ProcedureEffects]:
    """The effects of every procedure: the least solution over the call graph."""
    found = {name: _own(program, procedure) for name, procedure in program.procedures.items()}
    for members in components(program.procedures, program.callees):
        below = {callee for name in members for callee in program.callees(name)}
        joined = reduce(ProcedureEffects.joined, (found[name] for name in below.union(members)))
        found.update(dict.fromkeys(members, joined))
    return found


def has_threads(program: ControlFlowProgram) -> bool:
    """Whether a program starts threads, or does anything that only means something beside others."""
    called = reachable((program.entry,), program.callees)
    edges = (edge for name in called for edge in program.procedures[name].edges)
    return any(isinstance(edge.label, ThreadOperation) for edge in edges)


def _own(program: ControlFlowProgram, procedure: Procedure) -> ProcedureEffects:
    registers: set[Term] = set()
    writes = objects = False
    for edge in procedure.edges:
        label = edge.label
        register = written_register(label)
        if register is not None and not is_local(register):
            registers.add(register)
        if isinstance(label, Allocate):
            registers.add(program.top)
        writes |= isinstance(label, Store | Copy | Fill | ThreadOperation | Allocate | Begin)
        objects |= isinstance(label, Allocate | Begin | End | Free)
    return ProcedureEffects(frozenset(registers), writes, objects)
