"""Ranks of components: linear terms that no step increases and some steps decrease.

All of them are guesses until a solver has proved every edge. Cheap ones come first, one term for all nodes: what guards
and predicates compare, variables, differences. Then a term for each node is worked out from all steps at once
(`farkas`). A term that every step decreases but nothing bounds tells phases apart: its sign is worth a predicate.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations
from typing import TypeAlias

from pincer.engines.live.abstract import AbstractGraph, Relation
from pincer.engines.live.components import Found, LiveEdge, Stuck
from pincer.engines.live.farkas import affine_ranks
from pincer.engines.live.limits import LIMITS
from pincer.logic import terms
from pincer.logic.terms import Term

Comparison: TypeAlias = Callable[[Term, Term], Term]


class ComponentRanks:
    """Looks for ranks in one graph; `phases` gathers what might tell phases apart where there is none."""

    def __init__(self, graph: AbstractGraph) -> None:
        self.graph = graph
        self.queries = graph.abstraction.queries
        self.phases: dict[Term, None] = {}

    def rank(self, component: Stuck) -> Found | None:
        """A rank for the nodes of a component, and the edges that decrease it."""
        for form in self._candidates(component):
            ranks = dict.fromkeys(component.nodes, form)
            removed = self._removed(component, ranks)
            if removed:
                return {node: terms.text(form) for node in component.nodes}, removed
        worked_out = affine_ranks(self.graph, component) if len(component.edges) <= LIMITS.farkas_edges else None
        if worked_out is not None:
            removed = self._removed(component, worked_out)
            if removed:
                return {node: terms.text(rank) for node, rank in worked_out.items()}, removed
        return None

    def _candidates(self, component: Stuck) -> Iterator[Term]:
        system = self.graph.abstraction.system
        data = system.data_variables
        found: dict[Term, None] = {}
        for node in component.nodes:
            for literal in terms.conjuncts(self.graph.formula(node)):
                atom = literal.args[0] if literal.op == "not" else literal
                if atom.op in ("le", "eq"):
                    form, bound = atom.args
                    found[terms.combination(form, -bound)] = None
                    found[terms.combination([(factor, -c) for factor, c in form], bound)] = None
        for variable in data:
            found[variable] = found[terms.scale(-1, variable)] = None
        if len(data) <= LIMITS.paired:
            for left, right in combinations(data, 2):
                found[terms.subtract(left, right)] = found[terms.subtract(right, left)] = None
        changed = self._changed(component)
        seen: set[Term] = set()
        for form in found:
            coefficients, _ = terms.linear_parts(form)
            # An atom `f <= k` that holds bounds k - f, one that fails f - k - 1.
            for shifted in (form, terms.add(form, terms.integer(-1))):
                if (
                    shifted not in seen
                    and not form.variables.isdisjoint(changed)
                    and len(coefficients) <= LIMITS.paired
                ):
                    seen.add(shifted)
                    yield shifted

    def _changed(self, component: Stuck) -> frozenset[Term]:
        """The variables that some step of the component changes."""
        return frozenset(
            variable
            for edge in component.edges
            for relation in self.graph.relations[edge]
            for variable, value in relation.after.items()
            if value is not variable
        )

    def _removed(self, component: Stuck, ranks: Mapping[int, Term]) -> tuple[LiveEdge, ...]:
        """The edges that decrease a rank from values that are not negative; none if some edge may increase it."""
        decreased: list[LiveEdge] = []
        bounded: list[LiveEdge] = []
        for edge in component.edges:
            before, after = ranks[edge.source], ranks[edge.target]
            if not self._always(edge, terms.at_most, after, before):
                return ()
            if self._always(edge, terms.less, after, before):
                decreased.append(edge)
                if self._bounded(edge, before):
                    bounded.append(edge)
        if decreased and not bounded:
            for edge in decreased:
                self.phases.update(dict.fromkeys(terms.atoms(_not_negative(ranks[edge.source]))))
        return tuple(bounded)

    def _always(self, edge: LiveEdge, compared: Comparison, after: Term, before: Term) -> bool:
        """Whether the rank after every step compares like this with the rank before it."""
        return all(
            self._follows(relation, compared(terms.substitute(after, relation.after), before))
            for relation in self.graph.relations[edge]
        )

    def _bounded(self, edge: LiveEdge, before: Term) -> bool:
        return all(self._follows(relation, _not_negative(before)) for relation in self.graph.relations[edge])

    def _follows(self, relation: Relation, wanted: Term) -> bool:
        return not self.queries.satisfiable([*relation.condition, terms.negate(wanted)], "ranks")


def _not_negative(rank: Term) -> Term:
    return terms.at_most(terms.integer(0), rank)
