"""Lines that the user asks about, marked in the program: reaching them is then all that can go wrong."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pincer.errors import PincerError, Position
from pincer.execution.threads.meetings import TARGET
from pincer.logic import bitvectors
from pincer.program.control_flow import ControlFlowProgram, Edge, Fail, Halt, Label, Procedure, ThreadCall

_BITS = 32


@dataclass(frozen=True, slots=True)
class _Statement:
    """The first step on a line, and its procedure."""

    procedure: str
    first: Edge


def marked(program: ControlFlowProgram, lines: Sequence[Position]) -> ControlFlowProgram:
    """The program in which it is a failure that threads are at all the lines, one at each, at the same time.

    A line that is named twice is wanted twice. Where an assertion fails, an execution just ends."""
    needed = Counter(_statement(program, line) for line in lines)
    numbers = [bitvectors.constant(count, _BITS) for count in needed.values()]
    procedures = {
        name: replace(procedure, edges=tuple(map(_without_failure, procedure.edges)))
        for name, procedure in program.procedures.items()
    }
    free = 1 + max(max(edge.source, edge.target) for edge in program.edges())
    for number, statement in enumerate(needed):
        label = ThreadCall(TARGET, (bitvectors.constant(number, _BITS), *numbers), None)
        procedures[statement.procedure] = _with_mark(procedures[statement.procedure], statement.first, label, free)
        free += 1
    return replace(program, procedures=procedures)


def _statement(program: ControlFlowProgram, line: Position) -> _Statement:
    found = [
        _Statement(procedure.name, first)
        for procedure in program.procedures.values()
        if (first := _first_on(procedure, line)) is not None
    ]
    if not found:
        raise PincerError(
            "nothing that is executed begins on this line (jumps, declarations, dead code do not count); name another",
            line,
        )
    return min(found, key=lambda statement: (statement.first.position.column, statement.first.source))


def _first_on(procedure: Procedure, line: Position) -> Edge | None:
    """The step on a line that is nearest to the procedure's entry."""
    waiting, seen = deque([procedure.entry]), {procedure.entry}
    while waiting:
        for edge in procedure.outgoing.get(waiting.popleft(), ()):
            if _is_at(edge.position, line):
                return edge
            if edge.target not in seen:
                seen.add(edge.target)
                waiting.append(edge.target)
    return None


def _is_at(place: Position, wanted: Position) -> bool:
    return place.line == wanted.line and (place.file == wanted.file or place.file.endswith("/" + wanted.file))


def _without_failure(edge: Edge) -> Edge:
    label: Label = edge.label
    return replace(edge, label=Halt(label.message)) if isinstance(label, Fail) else edge


def _with_mark(procedure: Procedure, first: Edge, label: ThreadCall, free: int) -> Procedure:
    """The procedure with a call before everything that can follow the location of an edge."""
    here = first.source
    moved = tuple(replace(edge, source=free) if edge.source == here else edge for edge in procedure.edges)
    return replace(procedure, edges=(*moved, Edge(here, free, label, first.position)))
