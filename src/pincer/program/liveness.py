"""Which registers of a procedure may still be read, by location."""

from __future__ import annotations

from collections.abc import Mapping

from pincer.logic.terms import Term
from pincer.program.control_flow import (
    Allocate,
    Assign,
    Assume,
    Call,
    Check,
    Copy,
    End,
    Fill,
    Free,
    Input,
    Label,
    Procedure,
    Store,
    ThreadCall,
)


def registers_read(label: Label) -> frozenset[Term]:
    """The registers whose values matter for what a label does."""
    return frozenset().union(*(term.variables for term in _terms(label)))


def register_written(label: Label) -> Term | None:
    """The register of the procedure that a label gives a new value, whatever it was before."""
    match label:
        case Assign(register) | Input(register) | Allocate(register):
            return register
        case Call(result=result) | ThreadCall(result=result):
            return result
    return None


def live_registers(procedure: Procedure) -> Mapping[int, frozenset[Term]]:
    """By location, the registers that are read before they are written again on some way to the exit.

    At the exit it is the result alone: global registers are not asked about."""
    at_exit = frozenset[Term]() if procedure.result is None else frozenset((procedure.result,))
    live = {procedure.exit: at_exit}
    waiting = dict.fromkeys(edge.target for edge in reversed(procedure.edges)) | {procedure.exit: None}
    while waiting:
        place = next(iter(waiting))
        del waiting[place]
        for edge in procedure.incoming.get(place, ()):
            written = register_written(edge.label)
            after = live.get(place, frozenset())
            before = registers_read(edge.label) | (after if written is None else after - {written})
            known = live.get(edge.source, frozenset())
            if not before <= known:
                live[edge.source] = known | before
                waiting[edge.source] = None
    return live


def _terms(label: Label) -> tuple[Term, ...]:
    match label:
        case Assign(_, value) | Allocate(_, value) | End(value) | Free(value):
            return (value,)
        case Store(address, value):
            return (address, value)
        case Copy(first, second, third) | Fill(first, second, third):
            return (first, second, third)
        case Assume(condition) | Check(_, condition):
            return (condition,)
        case Call(_, arguments) | ThreadCall(_, arguments):
            return arguments
    return ()
