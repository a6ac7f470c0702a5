"""The abstract system of the paper, section 4.2: locations that matter for reaching targets, and their order.

The start of every thread's routine is a start of the program, and its creation is a call of it: traces may begin with
the thread itself or with the way to its creation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from msgspec import Struct

from pincer.engines.agse.system_flow import SystemFlow
from pincer.program.graphs import reachable


class AbstractSystem(Struct, frozen=True, eq=False, dict=True):
    """A = (L_alpha, E_alpha) for the targets L_t; `call_edges` are those edges of E_alpha that Eq. 6 gives."""

    flow: SystemFlow
    starts: tuple[int, ...]
    targets: frozenset[int]
    locations: frozenset[int]

    @cached_property
    def successors(self) -> Mapping[int, tuple[int, ...]]:
        """E_alpha."""
        return {
            location: tuple(dict.fromkeys((*_eq5(self.flow, self.locations, location), *self.call_edges[location])))
            for location in sorted(self.locations)
        }

    @cached_property
    def call_edges(self) -> Mapping[int, tuple[int, ...]]:
        """The edges of Eq. 6."""
        return {location: tuple(_eq6(self.flow, self.locations, location)) for location in sorted(self.locations)}

    def extended(self, definitions: Iterable[int]) -> AbstractSystem:
        """The fixpoint with the locations that refinement adds (Fig. 6, line 3), which are to be reached as well."""
        return _fixpoint(self.flow, self.targets | set(definitions), self.locations)


def abstract_system(flow: SystemFlow, targets: Iterable[int]) -> AbstractSystem:
    """The least set of locations with the targets, the starts, and what Eqs. 1 to 4 add."""
    return _fixpoint(flow, frozenset(targets), frozenset())


def start_locations(flow: SystemFlow) -> tuple[int, ...]:
    """L_s: where the main thread and each other thread begins."""
    procedures = flow.facts.program.procedures
    return tuple(dict.fromkeys(procedures[thread.routine].entry for thread in flow.facts.threads.all))


def _fixpoint(flow: SystemFlow, targets: frozenset[int], known: frozenset[int]) -> AbstractSystem:
    starts = start_locations(flow)
    found: set[int] = set()
    waiting = [*sorted(targets), *starts, *sorted(known), *_eq1(flow, targets, starts)]
    while waiting:
        location = waiting.pop()
        if location not in found:
            found.add(location)
            waiting.extend(_eq2(flow, location))
            waiting.extend(_eq3(flow, location))
            waiting.extend(_eq4(flow, location))
    return AbstractSystem(flow, starts, targets, frozenset(found))


def _eq1(flow: SystemFlow, targets: Iterable[int], starts: Iterable[int]) -> Iterator[int]:
    """Call sites on interprocedural paths from a start to a target, and the starts of what they invoke."""
    ahead = reachable(starts, flow.icfg_successors)
    behind = reachable(targets, flow.icfg_predecessors)
    for location in sorted(ahead & behind):
        for invoked in flow.invoked(location):
            if invoked in behind:
                yield location
                yield invoked


def _eq2(flow: SystemFlow, location: int) -> Iterator[int]:
    """Branches that a location is control dependent on, and their targets on the side that leads to it."""
    for edge in flow.controllers(location):
        yield edge.source
        yield edge.target


def _eq3(flow: SystemFlow, location: int) -> Iterator[int]:
    """Definitions of the variables in a branch that reach it within the procedure."""
    if flow.branch(location):
        yield from flow.reaching(location)


def _eq4(flow: SystemFlow, location: int) -> Iterator[int]:
    """Acquisitions on the way to a location, and the releases of what is acquired at it."""
    acquires = flow.acquire_lock(location)
    for other in flow.procedure(location).outgoing:
        if flow.acquire_lock(other) and flow.cfg_path(other, location):
            yield other
        if acquires and flow.cfg_path(location, other) and flow.release_lock(other, location):
            yield other


def _eq5(flow: SystemFlow, locations: frozenset[int], location: int) -> Iterator[int]:
    """The first abstract locations on paths from a location within its procedure."""
    seen: set[int] = set()
    waiting = [edge.target for edge in flow.edges(location)]
    while waiting:
        current = waiting.pop()
        if current in seen:
            continue
        seen.add(current)
        if current in locations:
            yield current
        else:
            waiting.extend(edge.target for edge in flow.edges(current))


def _eq6(flow: SystemFlow, locations: frozenset[int], location: int) -> Iterator[int]:
    """The starts of procedures that a call site invokes."""
    return (invoked for invoked in flow.invoked(location) if invoked in locations)
