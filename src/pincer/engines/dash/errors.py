"""What goes wrong in a program, divided into errors that are looked for one after the other.

The regions of independent errors would multiply. So an error at which several ways arrive (a label `ERROR`, a function
that all assertions call) is looked for once for each of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from msgspec import Struct

from pincer.engines.dash.goals import TARGET, Hop
from pincer.engines.dash.limits import LIMITS
from pincer.engines.invariants.recursion import recursive_families
from pincer.logic.terms import negate
from pincer.program.control_flow import (
    Assign,
    Assume,
    Call,
    Check,
    ControlFlowProgram,
    Edge,
    Fail,
    Procedure,
    Skip,
    Unsupported,
)
from pincer.program.graphs import reachable
from pincer.program.property import PropertyKind
from pincer.program.thread_labels import ThreadOperation


class ErrorGroup(Struct, frozen=True, eq=False):
    """Errors of one procedure that are looked for together.

    With `call`, only in activations that this call has made; without the edges `apart`, which lead to the same failure
    in other ways."""

    procedure: str
    errors: tuple[Hop, ...]
    call: Edge | None = None
    apart: frozenset[Edge] = frozenset()


def error_groups(program: ControlFlowProgram, kind: PropertyKind) -> list[ErrorGroup]:
    """All errors, by the ways they are reached; where there are very many, those of one procedure together."""
    found = {name: tuple(_errors(procedure, kind)) for name, procedure in program.procedures.items()}
    calls = _calls(program)
    recursive = recursive_families(program)
    groups: list[ErrorGroup] = []
    for name, errors in found.items():
        sites = [] if name in recursive or name == program.entry else calls.get(name, [])
        if errors and len(sites) > 1:
            groups += (ErrorGroup(name, errors, site) for site in sites)
        else:
            groups += _apart(program.procedures[name], kind, errors)
    if len(groups) <= LIMITS.groups:
        return groups
    return [ErrorGroup(name, errors) for name, errors in found.items() if errors]


def _apart(procedure: Procedure, kind: PropertyKind, errors: Iterable[Hop]) -> Iterator[ErrorGroup]:
    """A group for each error, and for each way into a failure that several ways lead to."""
    doomed = _doomed(procedure) if kind == "assertions" else frozenset()
    ways = [edge for edge in procedure.edges if edge.target in doomed and edge.source not in doomed]
    failures = tuple(error for error in errors if error.source in doomed)
    for way in ways:
        yield ErrorGroup(procedure.name, failures, apart=frozenset(ways) - {way})
    for error in errors:
        if error not in failures:
            yield ErrorGroup(procedure.name, (error,))


def _doomed(procedure: Procedure) -> frozenset[int]:
    """Locations from which nothing but a failure can follow, at once."""
    leaving = Counter(edge.source for edge in procedure.edges)
    doomed = {e.source for e in procedure.edges if isinstance(e.label, Fail) and leaving[e.source] == 1}
    doomed -= {procedure.entry}
    changed = True
    while changed:
        more = {
            edge.source
            for edge in procedure.edges
            if edge.target in doomed and leaving[edge.source] == 1 and isinstance(edge.label, Assign | Skip)
        } - {procedure.entry, *doomed}
        doomed |= more
        changed = bool(more)
    return frozenset(doomed)


def _errors(procedure: Procedure, kind: PropertyKind) -> Iterator[Hop]:
    """Hops into the target. What is not modelled counts too: a proof must exclude it."""
    for edge in procedure.edges:
        match edge.label:
            case Fail() if kind == "assertions":
                yield Hop(edge.source, TARGET, Skip(), (edge,))
            case Check(_, condition, _) if kind == "memory":
                yield Hop(edge.source, TARGET, Assume(negate(condition)), (edge,))
            case Unsupported() | ThreadOperation():
                yield Hop(edge.source, TARGET, Skip(), (edge,))


def can_err(program: ControlFlowProgram, kind: PropertyKind) -> frozenset[str]:
    """Procedures from which an error can be reached through calls."""
    erring = {name for name, procedure in program.procedures.items() if any(True for _ in _errors(procedure, kind))}
    return frozenset(reachable(erring, program.callers.__getitem__))


def _calls(program: ControlFlowProgram) -> dict[str, list[Edge]]:
    found: dict[str, list[Edge]] = {}
    for edge in program.edges():
        if isinstance(edge.label, Call):
            found.setdefault(edge.label.procedure, []).append(edge)
    return found
