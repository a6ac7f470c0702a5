"""Post-dominators and control dependence of one procedure.

Every way to stop counts as an end: the exit, and locations without a successor (a failure, the end of the program, an
assumption that does not hold). A loop that is never left ends at one of its locations, so that control dependence is
defined for all of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from msgspec import Struct

from pincer.program.control_flow import Edge, Procedure
from pincer.program.graphs import components, immediate_dominators, reachable

_END = -1
"""The virtual location after every end. Locations of programs are not negative."""


class PostDominance(Struct, frozen=True, eq=False, dict=True):
    """`immediate` gives each location the first one that all paths to an end pass after it, -1 if there is none."""

    procedure: Procedure
    immediate: Mapping[int, int]

    @cached_property
    def controllers(self) -> Mapping[int, tuple[Edge, ...]]:
        """The branch edges that each location is control dependent on: once one is taken, the location is certain,
        and before it, it was not."""
        found: dict[int, dict[Edge, None]] = {}
        for edges in self.procedure.outgoing.values():
            if len(edges) < 2:
                continue
            for edge in edges:
                stop = self.immediate.get(edge.source, _END)
                current = edge.target
                while current not in (stop, _END):
                    found.setdefault(current, {})[edge] = None
                    current = self.immediate.get(current, _END)
        return {location: tuple(edges) for location, edges in found.items()}


def post_dominance(procedure: Procedure) -> PostDominance:
    """The post-dominator tree, as dominators of the reversed graph from one virtual end."""
    ends = [place for place in procedure.locations if place not in procedure.outgoing or place == procedure.exit]
    backwards = {location: procedure.preceding(location) for location in procedure.locations}
    backwards[_END] = ends + _ends_of_endless_loops(procedure, ends)
    found = immediate_dominators(_END, backwards)
    return PostDominance(procedure, {location: above for location, above in found.items() if location != _END})


def _ends_of_endless_loops(procedure: Procedure, ends: list[int]) -> list[int]:
    """One location of each loop from which no end can be reached."""
    ending = reachable(ends, procedure.preceding)
    endless = [location for location in procedure.locations if location not in ending]
    return [
        min(members)
        for members in components(endless, procedure.following)
        if all(set(members).issuperset(procedure.following(member)) for member in members)
    ]
