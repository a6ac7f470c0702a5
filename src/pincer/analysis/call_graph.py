"""Who calls whom, and who starts which routine as a thread."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Literal

from msgspec import Struct

from pincer.logic.bitvectors import constant_value
from pincer.program.control_flow import Call, ControlFlowProgram, Edge
from pincer.program.graphs import on_cycles, reachable
from pincer.program.points_to import PointsTo
from pincer.program.thread_labels import Start, Unmodelled

CallKind = Literal["call", "create"]


class CallSite(Struct, frozen=True):
    """An edge of `caller` that runs `callee`: in the same thread, or as a new one."""

    caller: str
    edge: Edge
    callee: str
    kind: CallKind


class CallGraph(Struct, frozen=True, eq=False, dict=True):
    """All call sites that may be executed."""

    program: ControlFlowProgram
    sites: tuple[CallSite, ...]

    @cached_property
    def from_procedure(self) -> Mapping[str, tuple[CallSite, ...]]:
        return _grouped(self.sites, by_caller=True)

    @cached_property
    def to_procedure(self) -> Mapping[str, tuple[CallSite, ...]]:
        return _grouped(self.sites, by_caller=False)

    @cached_property
    def at_edge(self) -> Mapping[Edge, tuple[CallSite, ...]]:
        found: dict[Edge, list[CallSite]] = {}
        for site in self.sites:
            found.setdefault(site.edge, []).append(site)
        return {edge: tuple(sites) for edge, sites in found.items()}

    @cached_property
    def creations(self) -> tuple[CallSite, ...]:
        """The sites where threads begin."""
        return tuple(site for site in self.sites if site.kind == "create")

    @cached_property
    def recursive(self) -> frozenset[str]:
        """Procedures that may call themselves, within one thread."""
        return frozenset(on_cycles(self.program.procedures, self.callees))

    def callees(self, procedure: str) -> list[str]:
        """The procedures that a procedure calls; not those it starts as threads."""
        return [site.callee for site in self.from_procedure.get(procedure, ()) if site.kind == "call"]

    def within_thread(self, routine: str) -> set[str]:
        """The procedures that a thread which starts with `routine` may run."""
        return reachable((routine,), self.callees)

    def home(self, location: int) -> str:
        """The procedure of a location."""
        return self._homes[location]

    @cached_property
    def _homes(self) -> Mapping[int, str]:
        found: dict[int, str] = {}
        for name, procedure in self.program.procedures.items():
            found[procedure.entry] = found[procedure.exit] = name
            for edge in procedure.edges:
                found[edge.source] = found[edge.target] = name
        return found


def call_graph(program: ControlFlowProgram, pointers: PointsTo | None = None) -> CallGraph:
    """The call graph. With points-to facts, dead code is left out and routines given by pointers are resolved;
    without them, a routine that is not a constant may be any function whose address is used."""
    sites = []
    for name, procedure in program.procedures.items():
        for edge in procedure.edges:
            if pointers is None or edge.source in pointers.reached:
                sites.extend(_sites(program, pointers, name, edge))
    return CallGraph(program, tuple(sites))


def _sites(program: ControlFlowProgram, pointers: PointsTo | None, caller: str, edge: Edge) -> list[CallSite]:
    label = edge.label
    if isinstance(label, Call):
        return [CallSite(caller, edge, label.procedure, "call")]
    if not isinstance(label, Start | Unmodelled):
        return []
    run = _constant_routines(program, label) if pointers is None else pointers.targets.get(edge, frozenset())
    kinds: tuple[CallKind, ...] = ("create",) if isinstance(label, Start) else ("call", "create")
    return [CallSite(caller, edge, callee, kind) for callee in sorted(run) for kind in kinds]


def _constant_routines(program: ControlFlowProgram, label: Start | Unmodelled) -> frozenset[str]:
    given = (label.routine,) if isinstance(label, Start) else label.arguments
    bodies = {address: name for name, address in program.functions.items() if name in program.procedures}
    numbers = [constant_value(term) for term in given]
    if None in numbers:
        return frozenset(bodies.values())
    return frozenset(bodies[number] for number in numbers if number in bodies)


def _grouped(sites: tuple[CallSite, ...], by_caller: bool) -> dict[str, tuple[CallSite, ...]]:
    found: dict[str, list[CallSite]] = {}
    for site in sites:
        found.setdefault(site.caller if by_caller else site.callee, []).append(site)
    return {name: tuple(group) for name, group in found.items()}
