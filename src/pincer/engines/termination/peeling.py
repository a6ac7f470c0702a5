"""Lexicographic ranks: words that no step increases take out the steps that decrease them, until no cycle is left.

A component is a set of nodes, cut points with conditions, between which steps lead in circles. A word that no step
inside of it increases is the next of the tuple; what is left are the steps that do not change it, and their components.
A condition that, once false, stays false tells phases apart: its two sides become nodes of their own
(*Multi-dimensional Rankings*, SAS 2010; *Ramsey vs. Lexicographic Termination Proving*, TACAS 2013).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from msgspec import Struct

from pincer.engines.cutpoints.proof import Visits
from pincer.engines.termination.candidates import indicators, words
from pincer.engines.termination.limits import LIMITS
from pincer.engines.termination.relation import Relation, Values, leaves
from pincer.engines.termination.visits import BOUNDS, SHARES, Moving, VisitSearch, word_lists
from pincer.execution.machine import World
from pincer.logic.bitvectors import compare, constant, extend, width
from pincer.logic.solver import SolverUnknown
from pincer.logic.terms import TRUE, Term, atoms, conditional, conjunction, equal, negate
from pincer.program.graphs import components

Tuple = tuple[Term, ...]


class Node(Struct, frozen=True):
    """A cut point in the states in which some conditions hold."""

    place: int
    conditions: tuple[Term, ...] = ()


class Component(Struct, frozen=True):
    """Nodes between which runs may go round, while the words so far stay `equal`."""

    nodes: tuple[Node, ...]
    equal: tuple[Term, ...] = ()
    splits: int = 0


class Resists(Exception):
    """A component for which no word was found; its cut points."""

    def __init__(self, places: Iterable[int]) -> None:
        super().__init__("no rank was found")
        self.places = tuple(sorted(set(places)))


class Peeling:
    """Looks for the tuples of one relation. `conditions` are what the program decides by. Where components resist, it
    `compares` visits of them, if it should, and puts what it finds into `visits`."""

    def __init__(self, relation: Relation, conditions: Sequence[Term], compares: bool = False) -> None:
        self._relation = relation
        self._conditions = conditions
        self._compares = compares
        self.visits = Visits()
        self._pairs: dict[tuple[int, int], list[tuple[tuple[Term, ...], Values]]] = {}

    def ranks(self) -> dict[int, Tuple]:
        """The tuple at each cut point, all of the same widths. Raises Resists."""
        tuples = self._peeled(Component(tuple(map(Node, self._relation.places))))
        longest = max((len(found) for found in tuples.values()), default=0)
        widest = max((width(word) for found in tuples.values() for word in found), default=1)
        padded = {
            node: (*(extend(word, widest - width(word), False) for word in found),
                   *(constant(0, widest) for _ in range(longest - len(found))))
            for node, found in tuples.items()
        }  # fmt: skip
        return {place: _chosen(place, padded) for place in self._relation.places}

    def _peeled(self, component: Component) -> dict[Node, Tuple]:
        """Tuples that get smaller on all steps inside of a component that leave the words so far as they are."""
        if len(component.equal) > LIMITS.depth:
            raise Resists(node.place for node in component.nodes)
        observed = self._observed(component)
        edges = self._edges(component, observed)
        found: dict[Node, Tuple] = {}
        for number, members in enumerate(components(component.nodes, lambda node: edges.get(node, ()))):
            order = (constant(number, 16),)
            inner = [node for node in members if any(target in members for target in edges.get(node, ()))]
            part = Component(tuple(members), component.equal, component.splits)
            if not inner or not self._counts(part, observed, edges):
                found |= dict.fromkeys(members, order)
                continue
            rest = self._decreased(part)
            found |= {node: (*order, *rest[node]) for node in members}
        return found

    def _counts(self, component: Component, observed: tuple[Term, ...], edges: Mapping[Node, list[Node]]) -> bool:
        """Whether ranks have to get smaller on some step inside of a component; where the solver does not know, yes."""
        for source in component.nodes:
            for target in edges.get(source, ()):
                if target in component.nodes and self._must_decrease(component, observed, source, target):
                    return True
        return False

    def _must_decrease(self, component: Component, observed: tuple[Term, ...], source: Node, target: Node) -> bool:
        relation = self._relation
        if relation.must_decrease(source.place, target.place):
            return True
        if not relation.may_accept(source.place, target.place):
            return False
        inside = self._inside(component, source, target, observed)
        try:
            return relation.model(source.place, target.place, observed, inside, accepting=True) is not None
        except SolverUnknown:
            return True

    def _decreased(self, component: Component) -> dict[Node, Tuple]:
        """Tuples for the nodes of one component: a word that no step increases, then those for what it leaves."""
        observed = self._observed(component)
        about = [c for c in self._conditions if leaves(c) <= set(observed)]
        for word in islice(dict.fromkeys(words(observed, about)), LIMITS.candidates):
            if self._is_rank(component, observed, word):
                rest = self._peeled(Component(component.nodes, (*component.equal, word), component.splits))
                return {node: (word, *rest[node]) for node in component.nodes}
        known = {condition for node in component.nodes for condition in node.conditions}
        new = [c for c in about if c not in known and negate(c) not in known]
        for word in dict.fromkeys(indicators(new)) if component.splits < LIMITS.splits else ():
            if self._is_rank(component, observed, word) or self._tells_apart(component, observed, word):
                return self._by_phase(component, word)
        if self._compares and self._compared(component, observed, about):
            return dict.fromkeys(component.nodes, ())
        raise Resists(node.place for node in component.nodes)

    def _compared(self, component: Component, observed: tuple[Term, ...], about: Sequence[Term]) -> bool:
        """Whether of any two visits of a node some word is smaller at the later one."""
        if any(node.place in self.visits.words for node in component.nodes):
            return False
        places = {node.place for node in component.nodes}
        shared, inside = list(observed), {p: self._relation.observed([p]) for p in places}
        observed = tuple(dict.fromkeys((*observed, *(value for own in inside.values() for value in own))))
        moves = [
            Moving(source.place, target.place, self._inside(component, source, target, observed))
            for source, target in self._possible(component)
        ]
        changing = {value: None for value in observed if self._changes(component, observed, value)}
        local = {p: [v for v in own if v in changing and v not in shared] for p, own in inside.items()}
        common = [value for value in shared if value in changing]
        for words_ in word_lists(places, common, local, about) if common else ():
            search = VisitSearch(self._relation, moves, observed, words_)
            for bounds in BOUNDS:
                for share in SHARES:
                    found = search.found(bounds, share)
                    if found is not None:
                        words, since = {**self.visits.words, **found.words}, {**self.visits.since, **found.since}
                        self.visits = Visits(words, since)
                        return True
        return False

    def _changes(self, component: Component, observed: tuple[Term, ...], value: Term) -> bool:
        names = self._relation.names(observed)
        return self._is_possible(component, observed, negate(equal(names.earlier(value), names.later(value))))

    def _observed(self, component: Component) -> tuple[Term, ...]:
        conditions = (condition for node in component.nodes for condition in node.conditions)
        return self._relation.observed({node.place for node in component.nodes}, (*component.equal, *conditions))

    def _by_phase(self, component: Component, word: Term) -> dict[Node, Tuple]:
        """The tuples for nodes that are told apart by a condition."""
        condition = equal(word, constant(1, 1))
        halves = {
            node: [Node(node.place, (*node.conditions, side)) for side in (condition, negate(condition))]
            for node in component.nodes
        }
        nodes = tuple(half for both in halves.values() for half in both)
        rest = self._peeled(Component(nodes, (*component.equal, word), component.splits + 1))
        longest = max(len(found) for found in rest.values())
        widest = max(width(part) for found in rest.values() for part in found)
        joined = {}
        for node, both in halves.items():
            first, second = (_filled(rest[half], longest, widest) for half in both)
            joined[node] = (word, *(conditional(condition, a, b) for a, b in zip(first, second, strict=True)))
        return joined

    def _edges(self, component: Component, observed: tuple[Term, ...]) -> dict[Node, list[Node]]:
        """Which nodes may follow which; where the solver does not know, they may."""
        found: dict[Node, list[Node]] = {}
        for source, target in self._possible(component):
            try:
                model = self._some(component, source, target, observed, TRUE)
            except SolverUnknown:
                model = {}
            if model is not None:
                found.setdefault(source, []).append(target)
        return found

    def _possible(self, component: Component) -> Iterator[tuple[Node, Node]]:
        for source in component.nodes:
            following = self._relation.follows(source.place)
            yield from ((source, target) for target in component.nodes if target.place in following)

    def _tells_apart(self, component: Component, observed: tuple[Term, ...], word: Term) -> bool:
        """Whether no step inside of a component changes a word, and steps begin with different values of it."""
        names = self._relation.names(observed)
        before, after = names.earlier(word), names.later(word)
        zero = equal(before, constant(0, width(before)))
        return (
            self._is_possible(component, observed, zero)
            and self._is_possible(component, observed, negate(zero))
            and self._never(component, observed, negate(equal(before, after)))
        )

    def _is_rank(self, component: Component, observed: tuple[Term, ...], word: Term) -> bool:
        """Whether no step inside of a component increases a word, and one decreases it."""
        names = self._relation.names(observed)
        before, after = names.earlier(word), names.later(word)
        smaller, larger = compare("bvult", after, before), compare("bvult", before, after)
        decreases = False
        for source, target in self._possible(component):
            inside = self._inside(component, source, target, observed)
            for pair in self._known(source, target, observed):
                if _holds(inside, pair):
                    if _holds(larger, pair):
                        return False
                    decreases |= _holds(smaller, pair)
        if not decreases and not self._is_possible(component, observed, smaller):
            return False
        return self._never(component, observed, larger)

    def _is_possible(self, component: Component, observed: tuple[Term, ...], condition: Term) -> bool:
        """Whether some step inside of a component is known to satisfy a condition."""
        try:
            return any(
                self._some(component, source, target, observed, condition) is not None
                for source, target in self._possible(component)
            )
        except SolverUnknown:
            return False

    def _never(self, component: Component, observed: tuple[Term, ...], condition: Term) -> bool:
        """Whether no step inside of a component satisfies a condition."""
        try:
            return all(
                self._some(component, source, target, observed, condition) is None
                for source, target in self._possible(component)
            )
        except SolverUnknown:
            return False

    def _inside(self, component: Component, source: Node, target: Node, observed: tuple[Term, ...]) -> Term:
        """A step between two nodes that leaves the words of a component as they are."""
        names = self._relation.names(observed)
        kept = (equal(names.earlier(word), names.later(word)) for word in component.equal)
        return conjunction(
            *kept, *map(names.earlier, source.conditions), *map(names.later, target.conditions)
        )  # fmt: skip

    def _some(
        self, component: Component, source: Node, target: Node, observed: tuple[Term, ...], condition: Term
    ) -> Values | None:
        """A step inside of a component that satisfies a condition. Raises SolverUnknown."""
        wanted = conjunction(self._inside(component, source, target, observed), condition)
        for pair in self._known(source, target, observed):
            if _holds(wanted, pair):
                return pair
        model = self._relation.model(source.place, target.place, observed, wanted)
        pairs = self._pairs.setdefault((source.place, target.place), [])
        if model is not None and len(pairs) < LIMITS.pairs:
            pairs.append((observed, model))
        return model

    def _known(self, source: Node, target: Node, observed: tuple[Term, ...]) -> list[Values]:
        pairs = self._pairs.get((source.place, target.place), ())
        return [pair for about, pair in pairs if about == observed]


def _holds(condition: Term, pair: Values) -> bool:
    return bool(World.evaluate_symbols(condition, pair))


def _filled(found: Tuple, longest: int, widest: int) -> Tuple:
    """A tuple with zeros behind, all as wide as the widest."""
    zeros = (constant(0, widest) for _ in range(longest - len(found)))
    return (*(extend(word, widest - width(word), False) for word in found), *zeros)


def _chosen(place: int, tuples: Mapping[Node, Tuple]) -> Tuple:
    """The tuple at a cut point, whichever of its nodes a state belongs to."""
    [found] = [words for node, words in tuples.items() if node.place == place]
    return found


def decisions(conditions: Iterable[Term]) -> list[Term]:
    """Conditions and their parts, each once."""
    return list(dict.fromkeys(part for condition in conditions for part in (condition, *atoms(condition))))
