"""Termination: every run comes to an end."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from pincer.program.control_flow import Check, ControlFlowProgram, Edge, Skip
from pincer.program.passes.copies import copies_apart
from pincer.program.passes.edges import fresh_locations, without_failures
from pincer.program.property import Assumption

BEHAVIOUR_IS_DEFINED = Assumption("no execution has undefined behaviour: whether it would end then is not asked")


class Termination(Struct, frozen=True):
    """Every execution ends."""


def with_termination(program: ControlFlowProgram) -> ControlFlowProgram:
    """The property: no execution without undefined behaviour goes on for ever.

    Executions end by returning from the entry function, by `exit`, `abort` and the like, and where an assertion fails
    or an error function is called. Where an assumption of the program does not hold, there is no execution at all.
    Checks stay as they are: what follows undefined behaviour is not what is asked about.
    """
    ending = _with_beginning(copies_apart(without_failures(program, ())))
    if not any(isinstance(edge.label, Check) for edge in ending.edges()):
        return ending
    return replace(ending, assumptions=(*ending.assumptions, BEHAVIOUR_IS_DEFINED))


def _with_beginning(program: ControlFlowProgram) -> ControlFlowProgram:
    """The program with an entry to which no step leads back."""
    entry = program.procedures[program.entry]
    if entry.entry not in entry.incoming:
        return program
    start = next(fresh_locations(program))
    edges = (Edge(start, entry.entry, Skip(), entry.position), *entry.edges)
    return replace(program, procedures={**program.procedures, entry.name: replace(entry, entry=start, edges=edges)})
