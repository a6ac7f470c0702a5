"""Lines that the user asks about."""

from __future__ import annotations

from collections import Counter, deque

from msgspec import Struct
from msgspec.structs import replace

from pincer.errors import PincerError, Position
from pincer.program.control_flow import ControlFlowProgram, Edge, Procedure
from pincer.program.passes.copies import copies_apart
from pincer.program.passes.edges import fresh_locations, without_failures
from pincer.program.thread_labels import Meet


class LinesApart(Struct, frozen=True):
    """Threads are never at all of these lines, one at each, at the same time; a line named twice is wanted twice."""

    lines: tuple[Position, ...]


class _Statement(Struct, frozen=True):
    """The first step on a line, and its procedure."""

    procedure: str
    first: Edge


def with_lines_apart(program: ControlFlowProgram, wanted: LinesApart) -> ControlFlowProgram:
    """The property: threads never are right before the first statements of all the lines at the same time.

    Each of these statements has a `Meet` before it, which fails when all that is wanted is there. An
    execution ends at any failure of the program's own, as at `exit`.
    """
    needed = Counter(_statement(program, line) for line in wanted.lines)
    counts = tuple(needed.values())
    fresh = fresh_locations(program)
    limited = without_failures(program, kept=())
    procedures = dict(limited.procedures)
    for number, statement in enumerate(needed):
        before = procedures[statement.procedure]
        mark = Meet(place=number, needed=counts)
        procedures[statement.procedure] = _with_mark(before, statement.first, mark, next(fresh))
    return copies_apart(replace(limited, procedures=procedures))


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


def _with_mark(procedure: Procedure, first: Edge, label: Meet, free: int) -> Procedure:
    """The procedure with a mark before everything that can follow the location of an edge."""
    here = first.source
    moved = tuple(replace(edge, source=free) if edge.source == here else edge for edge in procedure.edges)
    return replace(procedure, edges=(*moved, Edge(here, free, label, first.position)))
