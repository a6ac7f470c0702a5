"""Which registers of a procedure's activation may be read again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from pincer.logic.terms import Term
from pincer.program.control_flow import Edge, Procedure
from pincer.program.labels import read_registers, written_register
from pincer.program.registers import is_local

Registers = frozenset[Term]
Transfer: TypeAlias = Callable[[Edge, Registers], Registers]


def live(procedure: Procedure) -> Mapping[int, Registers]:
    """The registers of a procedure's activation that may be read from each location on."""
    result = frozenset[Term]() if procedure.result is None else frozenset((procedure.result,))
    return backwards(procedure, result, live_before)


def live_before(edge: Edge, after: Registers) -> Registers:
    """What may be read before an edge, given what may be read behind it."""
    written = written_register(edge.label)
    kept = after if written is None else after - {written}
    return kept | frozenset(filter(is_local, read_registers(edge.label)))


def backwards(procedure: Procedure, at_exit: Registers, before: Transfer) -> dict[int, Registers]:
    """The least sets of registers at the locations from which some end is reached, against the edges."""
    found: dict[int, Registers] = {procedure.exit: at_exit}
    waiting = dict.fromkeys(reversed(procedure.locations))
    while waiting:
        location = next(iter(waiting))
        del waiting[location]
        after = found.get(location, frozenset())
        for edge in procedure.outgoing.get(location, ()):
            after |= before(edge, found.get(edge.target, frozenset()))
        if after != found.get(location):
            found[location] = after
            waiting.update(dict.fromkeys(procedure.preceding(location)))
    return found
