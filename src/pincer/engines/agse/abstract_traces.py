"""Abstract traces (Eq. 7): simple paths through the abstract system, one by one, those with the fewest calls first."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping
from itertools import count

from pincer.engines.agse.abstract_system import AbstractSystem

AbstractTrace = tuple[int, ...]
_Cost = tuple[int, int]
"""Call edges, then locations."""


def abstract_traces(system: AbstractSystem, target: int) -> Iterator[AbstractTrace]:
    """P_i: all traces from a start of the program to a target. None is longer than a later one with as many calls.

    A best-first search whose estimate, the least cost of any path to the target, never exceeds the true cost: it goes
    straight to a best trace and keeps the others for later.
    """
    remaining = _remaining(system, target)
    numbers = count()
    queue: list[tuple[_Cost, int, _Cost, AbstractTrace]] = [
        (remaining[start], -next(numbers), (0, 0), (start,)) for start in system.starts if start in remaining
    ]
    heapq.heapify(queue)
    while queue:
        _, _, (calls, length), trace = heapq.heappop(queue)
        if trace[-1] == target:
            yield trace
            continue
        entered = system.call_edges[trace[-1]]
        for following in system.successors[trace[-1]]:
            if following in remaining and following not in trace:
                cost = (calls + (following in entered), length + 1)
                left = remaining[following]
                estimate = (cost[0] + left[0], cost[1] + left[1])
                heapq.heappush(queue, (estimate, -next(numbers), cost, (*trace, following)))


def _remaining(system: AbstractSystem, target: int) -> Mapping[int, _Cost]:
    """The least cost of paths from each location to the target."""
    before: dict[int, list[tuple[int, int]]] = {}
    for location, following in system.successors.items():
        for other in following:
            before.setdefault(other, []).append((location, int(other in system.call_edges[location])))
    found: dict[int, _Cost] = {}
    queue: list[tuple[_Cost, int]] = [((0, 0), target)]
    while queue:
        cost, location = heapq.heappop(queue)
        if location not in found:
            found[location] = cost
            for source, calls in before.get(location, ()):
                if source not in found:
                    heapq.heappush(queue, ((cost[0] + calls, cost[1] + 1), source))
    return found
