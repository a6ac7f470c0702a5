"""Reaching definitions within one procedure: registers, and memory with may-alias.

A call defines what the procedures it runs may write; such a definition never hides earlier ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import reduce

from msgspec import Struct

from pincer.analysis.call_graph import CallGraph
from pincer.analysis.dataflow import forward
from pincer.analysis.definitions import DataPlaces, defined_by, used_by
from pincer.analysis.threads import Threads
from pincer.logic.terms import Term
from pincer.program.control_flow import Edge, Procedure
from pincer.program.graphs import components
from pincer.program.points_to import PointsTo
from pincer.program.registers import is_local


class ReachingDefinition(Struct, frozen=True, eq=False):
    """An edge and what it may define. `by_callee`: in a procedure that it runs."""

    edge: Edge
    variables: DataPlaces
    by_callee: bool = False


class ReachingDefinitions(Struct, frozen=True, eq=False):
    """The definitions that reach each location of a procedure."""

    procedure: Procedure
    at: Mapping[int, frozenset[ReachingDefinition]]
    pointers: PointsTo

    def of(self, location: int, terms: Iterable[Term]) -> tuple[ReachingDefinition, ...]:
        """The definitions of what terms use at a location, in the order of the text."""
        wanted = used_by(terms, self.pointers)
        found = [definition for definition in self.at.get(location, ()) if definition.variables.meets(wanted)]
        return tuple(sorted(found, key=lambda definition: definition.edge.source))


def written_by_procedures(calls: CallGraph, pointers: PointsTo) -> Mapping[str, DataPlaces]:
    """The global registers and the memory that each procedure may write, through the calls it makes."""
    found: dict[str, DataPlaces] = {}
    for name, procedure in calls.program.procedures.items():
        own = DataPlaces()
        for edge in procedure.edges:
            if edge.source in pointers.reached:
                own = own.joined(defined_by(edge, pointers))
        found[name] = DataPlaces(frozenset(r for r in own.registers if not is_local(r)), own.regions)
    for members in components(found, calls.callees):
        below = {callee for name in members for callee in calls.callees(name)}
        found.update(dict.fromkeys(members, reduce(DataPlaces.joined, (found[name] for name in below.union(members)))))
    return found


def reaching_definitions(
    procedure: Procedure, threads: Threads, pointers: PointsTo, written: Mapping[str, DataPlaces]
) -> ReachingDefinitions:
    """The least solution; `written` is what `written_by_procedures` gives."""
    made = {edge: _definitions(edge, threads.calls, pointers, written) for edge in procedure.edges}

    def after(edge: Edge, before: frozenset[ReachingDefinition]) -> frozenset[ReachingDefinition]:
        own = made[edge]
        return frozenset(d for d in before if not any(_hides(new, d, threads) for new in own)).union(own)

    nothing: frozenset[ReachingDefinition] = frozenset()
    at = forward(procedure, nothing, after, lambda one, other: one | other)
    return ReachingDefinitions(procedure, at, pointers)


def _definitions(
    edge: Edge, calls: CallGraph, pointers: PointsTo, written: Mapping[str, DataPlaces]
) -> tuple[ReachingDefinition, ...]:
    own = defined_by(edge, pointers)
    found = [ReachingDefinition(edge, own)] if own else []
    called = (written[site.callee] for site in calls.at_edge.get(edge, ()) if site.kind == "call")
    found.extend(ReachingDefinition(edge, variables, by_callee=True) for variables in called if variables)
    return tuple(found)


def _hides(new: ReachingDefinition, old: ReachingDefinition, threads: Threads) -> bool:
    """Whether nothing of the old definition is left after the new one."""
    if new.by_callee or not old.variables.registers <= new.variables.registers:
        return False
    if not old.variables.regions:
        return True
    if len(new.variables.regions) != 1 or len(old.variables.regions) != 1:
        return False
    (mine,), (theirs,) = new.variables.regions, old.variables.regions
    same = mine == theirs and mine.width is not None
    return same and mine.pointer.exact and threads.is_single(mine.pointer.object)
