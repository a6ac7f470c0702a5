"""Loops in which a program reads its inputs, and the variables that decide about its errors."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from pincer.logic.terms import Term
from pincer.program.control_flow import Assume, Call, ControlFlowProgram, Edge, Fail, Input, Procedure
from pincer.program.graphs import reachable
from pincer.program.registers import is_global

_NEAR = 8
"""Steps before an error that still decide about it."""


def event_loops(program: ControlFlowProgram) -> frozenset[int]:
    """The heads of loops that may read an input in each turn."""
    reading = _reading(program)
    return frozenset(
        head
        for procedure in program.procedures.values()
        for head in procedure.loop_heads
        if _reads_in_turn(procedure, head, reading)
    )


def outermost_event_loops(program: ControlFlowProgram) -> frozenset[int]:
    """The heads of those that do not run inside another one, through calls."""
    heads = event_loops(program)
    inside: set[int] = set()
    for procedure in program.procedures.values():
        for head in heads.intersection(procedure.loop_heads):
            loop = _loop(procedure, head)
            called = _reachable(program, (edge for edge in procedure.edges if edge.source in loop))
            inside.update(inner for name in called for inner in program.procedures[name].loop_heads)
    return heads - inside


def _reachable(program: ControlFlowProgram, edges: Iterable[Edge]) -> set[str]:
    """The procedures that are called from some edges, and from those."""
    return reachable((e.label.procedure for e in edges if isinstance(e.label, Call)), program.callees)


def _reading(program: ControlFlowProgram) -> frozenset[str]:
    """The procedures that read inputs, or call others that do."""
    own = (name for name, procedure in program.procedures.items() if any(_reads(e, ()) for e in procedure.edges))
    return frozenset(reachable(own, program.callers.__getitem__))


def _reads(edge: Edge, reading: Collection[str]) -> bool:
    label = edge.label
    return (isinstance(label, Input) and label.kind == "nondet") or (
        isinstance(label, Call) and label.procedure in reading
    )


def _reads_in_turn(procedure: Procedure, head: int, reading: Collection[str]) -> bool:
    loop = _loop(procedure, head)
    return any(edge.source in loop and edge.target in loop and _reads(edge, reading) for edge in procedure.edges)


def _loop(procedure: Procedure, head: int) -> set[int]:
    after, before = reachable((head,), procedure.following), reachable((head,), procedure.preceding)
    return after & before


def deciding_registers(program: ControlFlowProgram) -> tuple[Term, ...]:
    """The global registers in conditions that lie few steps before a failure, through calls: the state of a rule."""
    callers: dict[int, list[tuple[Procedure, int]]] = {}
    places: list[tuple[Procedure, int]] = []
    for procedure in program.procedures.values():
        for edge in procedure.edges:
            if isinstance(edge.label, Call):
                entry = program.procedures[edge.label.procedure].entry
                callers.setdefault(entry, []).append((procedure, edge.source))
            elif isinstance(edge.label, Fail):
                places.append((procedure, edge.source))
    seen: set[int] = set()
    found: dict[Term, None] = {}
    for _ in range(_NEAR):
        fresh = [(procedure, place) for procedure, place in places if place not in seen]
        seen.update(place for _, place in fresh)
        places = [caller for procedure, place in fresh for caller in callers.get(place, ())]
        for procedure, place in fresh:
            for edge in procedure.incoming.get(place, ()):
                places.append((procedure, edge.source))
                if isinstance(edge.label, Assume):
                    found.update(dict.fromkeys(v for v in edge.label.condition.variables if is_global(v)))
    return tuple(found)
