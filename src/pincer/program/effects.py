"""What procedures may change, through all calls they make."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pincer.logic.terms import Term
from pincer.program.control_flow import (
    Allocate,
    Assign,
    Begin,
    Call,
    ControlFlowProgram,
    Copy,
    End,
    Fill,
    Free,
    Input,
    Procedure,
    Store,
)
from pincer.program.registers import is_local
from pincer.program.thread_labels import ThreadOperation


@dataclass(frozen=True, slots=True)
class Effects:
    """Global registers a procedure may assign, and whether it may write memory or begin or end objects."""

    registers: frozenset[Term] = frozenset()
    writes: bool = False
    objects: bool = False

    def joined(self, other: Effects) -> Effects:
        return Effects(self.registers | other.registers, self.writes or other.writes, self.objects or other.objects)


def effects(program: ControlFlowProgram) -> Mapping[str, Effects]:
    """The effects of every procedure: the least solution over the call graph."""
    found = {name: _own(program, procedure) for name, procedure in program.procedures.items()}
    calls = {
        name: {edge.label.procedure for edge in procedure.edges if isinstance(edge.label, Call)}
        for name, procedure in program.procedures.items()
    }
    changed = True
    while changed:
        changed = False
        for name, callees in calls.items():
            joined = found[name]
            for callee in callees:
                joined = joined.joined(found[callee])
            if joined != found[name]:
                found[name], changed = joined, True
    return found


def _own(program: ControlFlowProgram, procedure: Procedure) -> Effects:
    registers: set[Term] = set()
    writes = objects = False
    for edge in procedure.edges:
        match edge.label:
            case Assign(register) | Input(register) | Call(result=register):
                if register is not None and not is_local(register):
                    registers.add(register)
            case Allocate(register):
                registers.add(program.top)
                if not is_local(register):
                    registers.add(register)
                writes = objects = True
            case Store() | Copy() | Fill() | ThreadOperation():
                writes = True
            case Begin():
                writes = objects = True
            case End() | Free():
                objects = True
    return Effects(frozenset(registers), writes, objects)
