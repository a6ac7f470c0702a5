"""How far a state is from an error at least, as a simulation of the program sees it.

The simulation knows what rules and flags say, so a way to an error that these exclude does not count. What the distances
leave out is what only memory decides: they are a guide, not a proof.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf

from pincer.analysis.simulation import Place, Simulation
from pincer.logic.terms import Term
from pincer.program.effects import is_local


class ErrorDistances:
    """Distances in steps of a simulation that went on to its end."""

    def __init__(self, simulation: Simulation) -> None:
        self._at: dict[int, dict[tuple[Term, ...], int]] = {}
        for (_, location, environment), distance in _distances(simulation).items():
            shared = (literal for literal in environment.literals if not any(map(is_local, literal.variables)))
            known = tuple(sorted(shared, key=str))
            there = self._at.setdefault(location, {})
            there[known] = min(distance, there.get(known, distance))

    def from_location(self, location: int, holds: Callable[[Term], object]) -> float:
        """The distance from a location where some literals about global registers hold; infinite if there is no way."""
        there = self._at.get(location, {})
        return min((distance for known, distance in there.items() if all(map(holds, known))), default=inf)


def _distances(simulation: Simulation) -> dict[Place, int]:
    """Breadth-first, backwards from the errors. Where a call returns to is not told apart by callers."""
    found = dict.fromkeys(simulation.reached, 0)
    frontier = list(found)
    distance = 0
    while frontier:
        distance += 1
        earlier = [place for later in frontier for place in simulation.before.get(later, ())]
        frontier = [place for place in dict.fromkeys(earlier) if place not in found]
        found.update(dict.fromkeys(frontier, distance))
    return found
