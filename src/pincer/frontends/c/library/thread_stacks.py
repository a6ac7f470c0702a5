"""Whether it matters that the stack objects of a thread which calls `pthread_exit` do not end in the model."""

from __future__ import annotations

from msgspec.structs import replace

from pincer.frontends.c.library.threads import STACK_AFTER_EXIT
from pincer.program.control_flow import Allocate, Begin, ControlFlowProgram
from pincer.program.graphs import reachable
from pincer.program.thread_labels import Exit


def without_idle_assumption(program: ControlFlowProgram) -> ControlFlowProgram:
    """The program without the assumption about such objects where nobody who may be left that way has any."""
    if STACK_AFTER_EXIT not in program.assumptions:
        return program
    leaving = {
        name
        for name, procedure in program.procedures.items()
        if any(isinstance(edge.label, Exit) for edge in procedure.edges)
    }
    left = reachable(leaving, lambda name: program.callers.get(name, ()))
    if any(_is_stack_object(edge.label) for name in left for edge in program.procedures[name].edges):
        return program
    kept = tuple(assumption for assumption in program.assumptions if assumption != STACK_AFTER_EXIT)
    return replace(program, assumptions=kept)


def _is_stack_object(label: object) -> bool:
    return isinstance(label, Begin) or (isinstance(label, Allocate) and label.storage == "stack")
