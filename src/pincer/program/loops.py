"""Where the loops of a program are in its source."""

from __future__ import annotations

from pincer.errors import Position
from pincer.program.control_flow import Assume, ControlFlowProgram, Procedure


def loop_position(program: ControlFlowProgram, procedure: Procedure, head: int) -> Position:
    """Where the loop at a head is in the source: at its keyword, if the program knows that. The procedure may be one of
    the program's, or made of several of them."""
    seen = seen_position(procedure, head)
    return program.loops.get(seen, seen)


def seen_position(procedure: Procedure, head: int) -> Position:
    """What the steps of a loop tell of its place, in all copies alike: its decision, or else what comes first in it."""
    location = head
    for _ in procedure.edges:
        leaving = procedure.outgoing.get(location, ())
        for edge in leaving:
            if isinstance(edge.label, Assume) and edge.label.branch is not None:
                return edge.position
        if len(leaving) != 1 or leaving[0].target in procedure.loop_heads:
            break
        location = leaving[0].target
    return procedure.outgoing[head][0].position
