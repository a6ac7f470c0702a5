"""Can every execution go on? Where an assumption fails there is no run, and what came before proves nothing."""

from __future__ import annotations

from pincer.logic.bitvectors import constant, width
from pincer.logic.terms import TRUE, negate, substitute
from pincer.program.control_flow import Assume, ControlFlowProgram, Edge, Fail, Halt, Input, Procedure, Unsupported

_ENDS = (Fail, Halt, Unsupported)


def always_goes_on(program: ControlFlowProgram) -> bool:
    """Whether at every location some edge can be taken, as far as one can see it there.

    That is so for the two sides of a decision, and for bounds of an input that was just read. A failed assumption leads
    to a location from which no edge leads on."""
    return all(
        not _dead_ends(procedure) and all(_goes_on(procedure, leaving) for leaving in procedure.outgoing.values())
        for procedure in program.procedures.values()
    )


def _dead_ends(procedure: Procedure) -> bool:
    going = (edge.target for edge in procedure.edges if not isinstance(edge.label, _ENDS))
    return any(target != procedure.exit and target not in procedure.outgoing for target in going)


def _goes_on(procedure: Procedure, leaving: tuple[Edge, ...]) -> bool:
    conditions = [edge.label.condition for edge in leaving if isinstance(edge.label, Assume)]
    if len(conditions) < len(leaving) or TRUE in conditions:
        return True
    if any(negate(one) in conditions for one in conditions):
        return True
    coming = procedure.incoming.get(leaving[0].source, ())
    for edge in coming:
        if not isinstance(edge.label, Input):
            return False
        register = edge.label.register
        given = {register: constant(0, width(register))}
        if TRUE not in (substitute(condition, given) for condition in conditions):
            return False
    return bool(coming)
