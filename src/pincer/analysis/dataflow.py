"""Facts that flow along the edges of one procedure, to a fixpoint."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from pincer.program.control_flow import Edge, Procedure

Fact = TypeVar("Fact")


def forward(
    procedure: Procedure,
    start: Fact,
    after: Callable[[Edge, Fact], Fact | None],
    joined: Callable[[Fact, Fact], Fact],
) -> dict[int, Fact]:
    """The facts at the locations that are reached from the entry. `after` says what holds behind an edge, None where
    nothing comes through; `joined` what holds where several ways meet."""
    found = {procedure.entry: start}
    waiting = [procedure.entry]
    while waiting:
        location = waiting.pop()
        for edge in procedure.outgoing.get(location, ()):
            fact = after(edge, found[location])
            if fact is None:
                continue
            known = found.get(edge.target)
            new = fact if known is None else joined(known, fact)
            if new != known:
                found[edge.target] = new
                waiting.append(edge.target)
    return found
