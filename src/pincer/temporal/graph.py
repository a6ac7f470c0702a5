"""Graphs of nodes and guarded edges, grown on demand, and the search for cycles in them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from msgspec import Struct

from pincer.program.graphs import cycles
from pincer.temporal.formula import Formula
from pincer.temporal.limits import Meter

N = TypeVar("N", bound=Hashable)


class Edge(Struct, frozen=True):
    guard: Formula
    target: int


@dataclass
class Graph(Generic[N]):
    """Nodes are numbered as they are found, the initial ones first; `edges[n]` leave node n once it is expanded."""

    successors: Callable[[N], Iterable[tuple[Formula, N]]]
    nodes: list[N] = field(default_factory=list)
    edges: list[tuple[Edge, ...]] = field(default_factory=list)
    initial: int = 0
    numbers: dict[N, int] = field(default_factory=dict)

    def number(self, node: N) -> int:
        found = self.numbers.get(node)
        if found is None:
            found = self.numbers[node] = len(self.nodes)
            self.nodes.append(node)
        return found


def start(initial: Iterable[N], successors: Callable[[N], Iterable[tuple[Formula, N]]]) -> Graph[N]:
    """A graph with its initial nodes and no edges yet."""
    graph = Graph(successors)
    for node in initial:
        graph.number(node)
    graph.initial = len(graph.nodes)
    return graph


def expand(graph: Graph[N], meter: Meter, nodes: int) -> bool:
    """Expand nodes in the order of their numbers until `nodes` are expanded; False when none is left."""
    while len(graph.edges) < min(nodes, len(graph.nodes)):
        node = graph.nodes[len(graph.edges)]
        graph.edges.append(tuple(Edge(guard, graph.number(after)) for guard, after in graph.successors(node)))
        meter.count(len(graph.nodes))
    return len(graph.edges) < len(graph.nodes)


def components(graph: Graph[N]) -> Iterator[tuple[int, ...]]:
    """Strongly connected components that contain a cycle, among the expanded nodes."""
    expanded = len(graph.edges)

    def successors(node: int) -> list[int]:
        return [edge.target for edge in graph.edges[node] if edge.target < expanded]

    return cycles(range(expanded), successors)


def path(graph: Graph[N], sources: list[int], target: int, allowed: set[int] | None = None) -> list[Formula] | None:
    """The guards along a shortest path of one step or more from a source to the target, inside `allowed`."""
    came_from: dict[int, tuple[int, Formula]] = {}
    seen: set[int] = set()
    frontier = list(sources)
    while frontier:
        following = []
        for node in frontier:
            for edge in graph.edges[node] if node < len(graph.edges) else ():
                if edge.target in seen or (allowed is not None and edge.target not in allowed):
                    continue
                seen.add(edge.target)
                came_from[edge.target] = (node, edge.guard)
                if edge.target == target:
                    return _guards_back(came_from, target, set(sources))
                following.append(edge.target)
        frontier = following
    return None


def _guards_back(came_from: dict[int, tuple[int, Formula]], target: int, sources: set[int]) -> list[Formula]:
    guards: list[Formula] = []
    node = target
    while not guards or node not in sources:
        node, guard = came_from[node]
        guards.append(guard)
    return guards[::-1]
