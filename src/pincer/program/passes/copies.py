"""What properties other than memory safety assume of copies."""

from __future__ import annotations

from msgspec.structs import replace

from pincer.program.control_flow import Check, ControlFlowProgram, Procedure
from pincer.program.passes.edges import always_holds
from pincer.program.property import Assumption

COPIES_ARE_APART = Assumption("what is copied by memcpy and the like does not overlap with its copy")


def copies_apart(program: ControlFlowProgram) -> ControlFlowProgram:
    """The program with the assumption that copies do not overlap, where the statements before do not show it.

    No machine stops at such a copy, so where the property is not about it, what follows is not looked at.
    """
    if not any(map(_may_copy_onto_itself, program.procedures.values())):
        return program
    return replace(program, assumptions=(*program.assumptions, COPIES_ARE_APART))


def _may_copy_onto_itself(procedure: Procedure) -> bool:
    return any(
        isinstance(edge.label, Check)
        and edge.label.kind == "overlap"
        and not always_holds(procedure, edge, edge.label.condition)
        for edge in procedure.edges
    )
