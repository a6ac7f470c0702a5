"""What an analysis tries to reach, as extra edges into a target location that no program location equals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from pincer.logic.terms import Term, negate
from pincer.program.control_flow import (
    Assume,
    Call,
    Check,
    ControlFlowProgram,
    Edge,
    Fail,
    Halt,
    Procedure,
    Skip,
    ThreadCall,
    Unsupported,
)

TARGET = -1

PropertyKind = Literal["assertions", "memory"]


@dataclass(frozen=True, slots=True)
class Enter:
    """The step from a call into the callee, without the return: how errors inside a callee are reached."""

    call: Call
    callee: Procedure
    edge: Edge


Incoming = Callable[[int], Iterable[Edge]]


def _ends(edge: Edge) -> bool:
    return isinstance(edge.label, Fail | Halt | Unsupported | ThreadCall)


def error_edges(program: ControlFlowProgram, kind: PropertyKind) -> dict[Edge, Edge]:
    """Edges into the target for a property, each with the program's edge it stands for.

    What is not modelled counts as a target too: a proof must exclude it."""
    found: dict[Edge, Edge] = {}
    for edge in program.edges():
        match edge.label:
            case Fail() if kind == "assertions":
                found[Edge(edge.source, TARGET, Skip(), edge.position)] = edge
            case Check(_, condition, _) if kind == "memory":
                found[Edge(edge.source, TARGET, Assume(negate(condition)), edge.position)] = edge
            case Unsupported() | ThreadCall():
                found[Edge(edge.source, TARGET, Skip(), edge.position)] = edge
    return found


def whole_program(program: ControlFlowProgram, targets: Iterable[Edge]) -> Mapping[int, list[Edge]]:
    """Edges by target location: all procedures with their calls entered, and the given edges into the target."""
    incoming: dict[int, list[Edge]] = {TARGET: list(targets)}
    for edge in program.edges():
        if isinstance(edge.label, Call):
            callee = program.procedures[edge.label.procedure]
            label = Enter(edge.label, callee, edge)
            entered = Edge(edge.source, callee.entry, label, edge.position)  # type: ignore[arg-type]
            incoming.setdefault(callee.entry, []).append(entered)
        if not _ends(edge):
            incoming.setdefault(edge.target, []).append(edge)
    return incoming


def entering(incoming: Mapping[int, list[Edge]]) -> dict[Edge, Edge]:
    """The edges that enter callees, by the program's call edges."""
    found = {}
    for edges in incoming.values():
        for edge in edges:
            label: object = edge.label
            if isinstance(label, Enter):
                found[label.edge] = edge
    return found


def one_procedure(procedure: Procedure, at_exit: Term) -> Mapping[int, list[Edge]]:
    """Edges by target location of a procedure whose question is whether it can return in `at_exit`."""
    incoming: dict[int, list[Edge]] = {
        TARGET: [Edge(procedure.exit, TARGET, Assume(at_exit), procedure.position)],
    }
    for edge in procedure.edges:
        if not _ends(edge):
            incoming.setdefault(edge.target, []).append(edge)
    return incoming
