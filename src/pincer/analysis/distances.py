"""How far locations are from each other, through calls and returns.

A step is an edge. A call is either entered, or passed in as many steps as the shortest way through it. Starting a
thread counts as entering its routine, so that locations of threads yet to be created have a distance too. The tables
are computed when a target is first asked for.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

from pincer.analysis.call_graph import CallGraph
from pincer.program.control_flow import Call, Edge


class Distances:
    """Distance tables of one program; `calls` decides which edges enter which procedures."""

    def __init__(self, calls: CallGraph) -> None:
        self._calls = calls
        self._down: dict[int, Mapping[int, int]] = {}
        self._any: dict[int, Mapping[int, int]] = {}

    @cached_property
    def to_exit(self) -> Mapping[int, int]:
        """From each location to the exit of its procedure, where there is a way."""
        exits = {procedure.exit: 0 for procedure in self._calls.program.procedures.values()}
        found: dict[int, int] = {}
        while True:
            better = _shortest(exits, self._passing(found))
            if better == found:
                return found
            found = better

    def _passing(self, through: Mapping[int, int]) -> Callable[[int], list[tuple[int, int]]]:
        """Backward steps within procedures, with the cost of calls."""

        def before(location: int) -> list[tuple[int, int]]:
            return [
                (edge.source, cost)
                for edge in self._incoming.get(location, ())
                if (cost := self._cost(edge, through)) is not None
            ]

        return before

    def _cost(self, edge: Edge, through: Mapping[int, int]) -> int | None:
        """The steps that an edge takes, None when the procedure it calls does not return (as far as is known)."""
        if not isinstance(edge.label, Call):
            return 1
        inside = through.get(self._calls.program.procedures[edge.label.procedure].entry)
        return None if inside is None else inside + 2

    @cached_property
    def _incoming(self) -> Mapping[int, list[Edge]]:
        found: dict[int, list[Edge]] = {}
        for edge in self._calls.program.edges():
            found.setdefault(edge.target, []).append(edge)
        return found

    @cached_property
    def _entering(self) -> Mapping[int, list[int]]:
        """The locations from which each procedure entry is entered."""
        found: dict[int, list[int]] = {}
        for site in self._calls.sites:
            entry = self._calls.program.procedures[site.callee].entry
            found.setdefault(entry, []).append(site.edge.source)
        return found

    @cached_property
    def _returning(self) -> Mapping[int, list[int]]:
        """The procedure exits that return to each location."""
        found: dict[int, list[int]] = {}
        for site in self._calls.sites:
            if site.kind == "call":
                found.setdefault(site.edge.target, []).append(self._calls.program.procedures[site.callee].exit)
        return found

    def down(self, target: int) -> Mapping[int, int]:
        """From each location to the target without leaving the procedure that the location is in."""
        known = self._down.get(target)
        if known is None:
            passing = self._passing(self.to_exit)
            known = self._down[target] = _shortest({target: 0}, lambda at: passing(at) + self._entered(at))
        return known

    def _entered(self, location: int) -> list[tuple[int, int]]:
        return [(source, 1) for source in self._entering.get(location, ())]

    def anywhere(self, target: int) -> Mapping[int, int]:
        """From each location to the target, with returns to any caller: for when the stack is not known."""
        known = self._any.get(target)
        if known is None:
            passing = self._passing(self.to_exit)
            down = self.down(target)

            def before(location: int) -> list[tuple[int, int]]:
                return passing(location) + [(end, 1) for end in self._returning.get(location, ())]

            known = self._any[target] = _shortest(down, before)
        return known

    def from_stack(self, location: int, returns: Sequence[int], target: int) -> int | None:
        """From a location to the target, where `returns` are the locations that the procedures on the stack return to,
        the innermost first. None when there is no way."""
        down = self.down(target)
        best: int | None = None
        spent = 0
        for here in (location, *returns):
            if here in down and (best is None or spent + down[here] < best):
                best = spent + down[here]
            left = self.to_exit.get(here)
            if left is None:
                break
            spent += left + 1
        return best


def _shortest(starts: Mapping[int, int], before: Callable[[int], list[tuple[int, int]]]) -> dict[int, int]:
    """The least costs of ways to the starts, which have costs of their own (Dijkstra)."""
    found: dict[int, int] = {}
    queue = [(cost, location) for location, cost in starts.items()]
    heapq.heapify(queue)
    while queue:
        cost, location = heapq.heappop(queue)
        if location not in found:
            found[location] = cost
            for source, step in before(location):
                if source not in found:
                    heapq.heappush(queue, (cost + step, source))
    return found
