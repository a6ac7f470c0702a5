"""How far a state is from an error, as a simulation of the program sees it.

The simulation knows what rules and flags say, so a way to an error that these exclude does not count. What only memory
decides is left out: distances are a guide, not a proof.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cache
from itertools import chain
from math import inf

from pincer.analysis.simulation import Place, Simulation
from pincer.logic.terms import Term
from pincer.program.control_flow import Edge
from pincer.program.registers import is_local

DEEPEST = 100
"""Calls under way; inside of more nothing is said about distances."""


class ErrorDistances:
    """Distances in steps of a simulation that went on to its end. A call that returns is one step."""

    def __init__(self, simulation: Simulation) -> None:
        self._returns = simulation.returns
        self._without_return = _distances(simulation.reached, simulation.before, simulation.calling)
        self._to_exit = cache(lambda exit_: _distances((exit_,), simulation.before))
        self._at: dict[int, list[tuple[tuple[Term, ...], Place]]] = {}
        for context in simulation.contexts:
            for location, environments in context.at.items():
                for environment in environments:
                    shared = (literal for literal in environment.literals if not any(map(is_local, literal.variables)))
                    self._at.setdefault(location, []).append((tuple(shared), (context, location, environment)))
        self._of_place = cache(self._distance)

    def from_location(self, location: int, calls: tuple[Edge, ...], holds: Callable[[Term], object]) -> float:
        """The distance from a location inside calls, the innermost first, where literals about global registers hold;
        infinite if there is no way."""
        known = self._at.get(location, ()) if len(calls) <= DEEPEST else ()
        return min((self._of_place(place, calls) for shared, place in known if all(map(holds, shared))), default=inf)

    def _distance(self, place: Place, calls: tuple[Edge, ...]) -> float:
        shortest: float = self._without_return.get(place, inf)
        if calls:
            context = place[0]
            for environment in context.at.get(context.procedure.exit, ()):
                exit_ = context, context.procedure.exit, environment
                steps = self._to_exit(exit_).get(place, inf)
                if steps < shortest:
                    ways = (after for call, after in self._returns.get(exit_, ()) if call is calls[0])
                    outside = (self._of_place(after, calls[1:]) for after in ways)
                    shortest = min(shortest, 1 + steps + min(outside, default=inf))
        return shortest


def _distances(targets: Iterable[Place], *before: Mapping[Place, Collection[Place]]) -> dict[Place, int]:
    """Breadth-first, backwards."""
    found = dict.fromkeys(targets, 0)
    frontier = list(found)
    while frontier:
        earlier = chain.from_iterable(steps.get(later, ()) for later in frontier for steps in before)
        distance = found[frontier[0]] + 1
        frontier = [place for place in dict.fromkeys(earlier) if place not in found]
        found.update(dict.fromkeys(frontier, distance))
    return found
