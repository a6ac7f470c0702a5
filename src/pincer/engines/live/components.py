"""Peeling: why no fair run goes round for ever in a graph, or a part of it in which one may.

An infinite run follows edges; those it takes again and again lie in one strongly connected component. A component is
discharged when no such run violates the property: none of its nodes is accepting, or a weakly fair group is enabled
in all its nodes and never steps. A strongly fair group that never steps in it may be enabled only finitely often: edges
that leave nodes where it is enabled are taken only finitely often, too. What is left falls into smaller components.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct

from pincer.program.graphs import cycles


class LiveEdge(Struct, frozen=True):
    """A step by a transition of the program; `transition` counts them as the program does."""

    source: int
    transition: int
    target: int


class LiveGraph(Struct, frozen=True):
    """Nodes are numbered; each is accepting or not, and enables all transitions of `enabled` for sure, and no other.

    `groups` are the fair groups as sets of transitions, `strong` says which of them are strongly fair.
    """

    accepting: Sequence[bool]
    enabled: Sequence[frozenset[int]]
    edges: Sequence[LiveEdge]
    groups: tuple[frozenset[int], ...]
    strong: tuple[bool, ...]

    def enables(self, group: int, node: int) -> bool:
        return not self.groups[group].isdisjoint(self.enabled[node])


class WeakLeaf(Struct, frozen=True, tag="weak"):
    """The component of `node` is discharged: the group is enabled in it and never steps."""

    node: int
    group: int


class StrongStep(Struct, frozen=True, tag="strong"):
    """The group never steps in the component of `node`: edges from nodes that enable it are left out."""

    node: int
    group: int
    children: tuple[Peeled, ...] = ()


class RankStep(Struct, frozen=True, tag="rank"):
    """A rank (an expression for each node) that no edge increases; the `removed` ones decrease it."""

    node: int
    ranks: Mapping[int, str]
    removed: tuple[LiveEdge, ...]
    children: tuple[Peeled, ...] = ()


class VisitLeaf(Struct, frozen=True, tag="visits"):
    """Of any two visits of a node of the component one of the words is smaller at the later one; `since` has the cubes
    by visited node and node."""

    node: int
    words: tuple[str, ...]
    since: Mapping[tuple[int, int], tuple[tuple[int | None, ...], ...]]


Peeled: TypeAlias = WeakLeaf | StrongStep | RankStep | VisitLeaf


class Stuck(Struct, frozen=True):
    """A component that nothing discharges."""

    nodes: tuple[int, ...]
    edges: tuple[LiveEdge, ...]


Found: TypeAlias = tuple[Mapping[int, str], tuple[LiveEdge, ...]]
Ranker: TypeAlias = Callable[[Stuck], Found | VisitLeaf | None]


def no_rank(component: Stuck) -> Found | None:
    """For graphs of all states: a component that fairness does not discharge has a fair cycle."""
    return None


def peel(
    graph: LiveGraph, edges: Iterable[LiveEdge] | None = None, rank: Ranker = no_rank
) -> tuple[Peeled, ...] | Stuck:
    """Why no accepting component is left; or the first component, by its lowest node, in which a fair run may go
    round."""
    found: list[Peeled] = []
    components = accepting_components(graph, graph.edges if edges is None else edges)
    for component in sorted(components, key=lambda component: min(component.nodes)):
        peeled = _discharged(graph, component, rank)
        if isinstance(peeled, Stuck):
            return peeled
        found.append(peeled)
    return tuple(found)


def accepting_components(graph: LiveGraph, edges: Iterable[LiveEdge]) -> Iterator[Stuck]:
    """The strongly connected components with an accepting node and an edge."""
    leaving: dict[int, list[LiveEdge]] = {}
    for edge in edges:
        leaving.setdefault(edge.source, []).append(edge)
    for members in cycles(list(leaving), lambda node: [edge.target for edge in leaving.get(node, ())]):
        if any(graph.accepting[node] for node in members):
            inside = set(members)
            yield Stuck(members, tuple(edge for node in members for edge in leaving[node] if edge.target in inside))


def _discharged(graph: LiveGraph, component: Stuck, rank: Ranker) -> Peeled | Stuck:
    steps = {edge.transition for edge in component.edges}
    for group, members in enumerate(graph.groups):
        if members.isdisjoint(steps) and all(graph.enables(group, node) for node in component.nodes):
            return WeakLeaf(component.nodes[0], group)
    for group, members in enumerate(graph.groups):
        if not graph.strong[group] or not members.isdisjoint(steps):
            continue
        kept = [edge for edge in component.edges if not graph.enables(group, edge.source)]
        if len(kept) < len(component.edges):
            rest = peel(graph, kept, rank)
            return rest if isinstance(rest, Stuck) else StrongStep(component.nodes[0], group, rest)
    found = rank(component)
    if found is None:
        return component
    if isinstance(found, VisitLeaf):
        return found
    ranks, removed = found
    gone = set(removed)
    rest = peel(graph, [edge for edge in component.edges if edge not in gone], rank)
    return rest if isinstance(rest, Stuck) else RankStep(component.nodes[0], ranks, removed, rest)
