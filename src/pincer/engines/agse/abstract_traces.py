"""Abstract traces (Eq. 7): simple paths through the abstract system, one by one, those with the fewest calls first."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping, Sequence
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


def abstract_trace_sets(system: AbstractSystem, targets: Sequence[int]) -> Iterator[tuple[AbstractTrace, ...]]:
    """The product of the P_i: one trace for each target, those with early traces first."""
    sources = [_Kept(abstract_traces(system, target)) for target in targets]
    total = 0
    while total <= sum(source.most(total) for source in sources):
        yield from _with_sum(sources, total)
        total += 1


def _with_sum(sources: Sequence[_Kept], total: int) -> Iterator[tuple[AbstractTrace, ...]]:
    """The combinations whose numbers add up to a total."""
    if not sources:
        if total == 0:
            yield ()
        return
    for number in range(total, -1, -1):
        trace = sources[0].get(number)
        if trace is not None:
            for others in _with_sum(sources[1:], total - number):
                yield (trace, *others)


class _Kept:
    """A list that is made as far as it is read."""

    def __init__(self, source: Iterator[AbstractTrace]) -> None:
        self._source = source
        self._made: list[AbstractTrace] = []

    def get(self, number: int) -> AbstractTrace | None:
        while len(self._made) <= number:
            following = next(self._source, None)
            if following is None:
                return None
            self._made.append(following)
        return self._made[number]

    def most(self, number: int) -> int:
        """The greatest number up to `number` that there is a trace for, 0 if there is none at all."""
        while number and self.get(number) is None:
            number = len(self._made) - 1 if self._made else 0
        return number
