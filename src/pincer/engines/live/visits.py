"""Words of which one or another gets smaller between any two visits of a node, where no rank leaves an edge out.

How a state has to do with an earlier visit is a disjunction of cubes, bounds on how much a word now exceeds one then.
They are found from counterexamples: a step after a visit whose outcome no cube covers gives a cube, or weakens one that
is close to it (*Transition Invariants*, LICS 2004). The first word is zero, so that bounds say as well that a word was
not negative.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from pincer.engines.live.abstract import AbstractGraph, Relation
from pincer.engines.live.components import LiveEdge, Stuck, VisitLeaf
from pincer.engines.live.limits import LIMITS
from pincer.logic import terms
from pincer.logic.solver import SolverUnknown
from pincer.logic.terms import Term

BOUNDS = ((-1, 0), (-2, -1, 0, 1, 2))
"""By how much at most a word now exceeds a word then, as far as cubes say it: few bounds first."""

SHARES = (0.0, 0.6, 1.0)
"""How much of two cubes must be left where they become one: few weak ones first."""

Cube: TypeAlias = tuple[int | None, ...]
Pair: TypeAlias = tuple[int, int]


def compared_visits(graph: AbstractGraph, component: Stuck) -> VisitLeaf | None:
    """Why no run stays in a component, if comparing its visits shows that."""
    changed = {
        variable
        for edge in component.edges
        for relation in graph.relations[edge]
        for variable, value in relation.after.items()
        if value is not variable
    }
    words = [v for v in graph.abstraction.system.data_variables if v in changed][: LIMITS.compared]
    if not words or len(component.edges) > LIMITS.compared_edges:
        return None
    search = _Search(graph, component, (terms.integer(0), *words))
    for bounds in BOUNDS:
        for share in SHARES:
            try:
                cubes = search.cubes(bounds, share)
            except SolverUnknown:
                continue
            if cubes is not None:
                since = {pair: tuple(found) for pair, found in cubes.items()}
                return VisitLeaf(component.nodes[0], tuple(map(terms.text, search.words)), since)
    return None


class _Search:
    def __init__(self, graph: AbstractGraph, component: Stuck, words: Sequence[Term]) -> None:
        self.words = tuple(words)
        self._queries = graph.abstraction.queries
        self._steps = [(edge, relation) for edge in component.edges for relation in graph.relations[edge]]
        self._then = [terms.variable(f"then {number}") for number in range(len(words))]
        self._now = [terms.variable(f"now {number}") for number in range(len(words))]

    def cubes(self, bounds: Sequence[int], share: float) -> Mapping[Pair, list[Cube]] | None:
        """Cubes that cover everything; None if a visit is found with no smaller word."""
        found: dict[Pair, list[Cube]] = {}
        for _ in range(LIMITS.cubes):
            outcome = self._uncovered(found)
            if outcome is None:
                return found
            pair, cube = outcome[0], self._cube(outcome[1], bounds)
            if not self._falls(pair, cube):
                return None
            self._add(found.setdefault(pair, []), pair, cube, share)
        return None

    def _uncovered(self, cubes: Mapping[Pair, list[Cube]]) -> tuple[Pair, Mapping[Term, int]] | None:
        for edge, relation in self._steps:
            after = [terms.substitute(word, relation.after) for word in self.words]
            arrived = [terms.equal(now, value) for now, value in zip(self._now, after, strict=True)]
            for visited, begun in self._visits(edge, relation, cubes):
                pair = visited, edge.target
                wanted = [*relation.condition, *arrived, *begun, terms.negate(self._said(cubes, pair, self._now))]
                values = self._queries.model(wanted, "visits")
                if values is not None:
                    return pair, values
        return None

    def _visits(
        self, edge: LiveEdge, relation: Relation, cubes: Mapping[Pair, list[Cube]]
    ) -> Iterator[tuple[int, list[Term]]]:
        """A visit at the beginning of a step, or one before."""
        yield edge.source, [terms.equal(then, word) for then, word in zip(self._then, self.words, strict=True)]
        for visited, node in list(cubes):
            if node == edge.source:
                yield visited, [self._said(cubes, (visited, node), self.words)]

    def _cube(self, values: Mapping[Term, int], bounds: Sequence[int]) -> Cube:
        then, now = ([values.get(word, 0) for word in words] for words in (self._then, self._now))
        return tuple(next((b for b in bounds if new - old <= b), None) for old in then for new in now)

    def _falls(self, pair: Pair, cube: Cube) -> bool:
        """Whether a word that was not negative has become smaller; about two nodes some bound is enough."""
        if pair[0] != pair[1]:
            return any(bound is not None for bound in cube)
        size = len(self.words)
        return any(_below(cube[word * size + word], 0) and _below(cube[word * size], 1) for word in range(1, size))

    def _add(self, cubes: list[Cube], pair: Pair, cube: Cube, share: float) -> None:
        """One cube more, or a weaker one in the place of the one that it says most with: at least a share of both."""
        best: tuple[int, int, Cube] | None = None
        for number, other in enumerate(cubes):
            both = tuple(None if a is None or b is None else max(a, b) for a, b in zip(cube, other, strict=True))
            kept = _said_by(both)
            much = kept >= share * min(_said_by(cube), _said_by(other))
            if much and self._falls(pair, both) and (best is None or kept > best[0]):
                best = kept, number, both
        if best is None:
            cubes.append(cube)
        else:
            cubes[best[1]] = best[2]

    def _said(self, cubes: Mapping[Pair, list[Cube]], pair: Pair, now: Sequence[Term]) -> Term:
        ends = [(then, new) for then in self._then for new in now]
        return terms.disjunction(
            *(
                terms.conjunction(
                    *(
                        terms.at_most(terms.subtract(new, then), terms.integer(bound))
                        for bound, (then, new) in zip(cube, ends, strict=True)
                        if bound is not None
                    )
                )
                for cube in cubes.get(pair, ())
            )
        )


def _below(bound: int | None, limit: int) -> bool:
    return bound is not None and bound < limit


def _said_by(cube: Cube) -> int:
    return sum(bound is not None for bound in cube)
