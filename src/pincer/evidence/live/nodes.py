"""The nodes of a certificate as those see them who check its argument, and what there is to check about them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol, TypeAlias

from msgspec import Struct

from pincer.evidence.live.certificate import NodeEdge
from pincer.program.automaton import Automaton

Cubes: TypeAlias = Sequence[Sequence[int | None]]
"""Bounds between words then and words now; one of the cubes holds."""


class Obligated(Exception):
    """An obligation that is not met; the argument says which."""


class NodeGraph(Protocol):
    """Nodes that every run stays in, as `steps` has checked."""

    automaton: Automaton
    obligations: int

    def steps(self) -> set[NodeEdge]:
        """All steps between nodes that a run may take. Checks that initial states lie in nodes, that no step leaves
        them, that no run ends in them as the negated formula allows, and that variables keep to their types."""

    def q(self, node: int) -> int: ...

    def enables(self, node: int, transitions: Collection[int]) -> bool:
        """Whether one of the transitions is enabled in every state of the node."""

    def related(self, edge: NodeEdge, words: Sequence[str], since: Mapping[tuple[int, int], Cubes]) -> bool:
        """Whether along an edge all is so that is said of the words at visits, one at its beginning or before."""

    def ranks(self, ranks: Mapping[int, str]) -> RankCheck:
        """What can be asked about ranks of nodes."""


class RankCheck(Protocol):
    def never_increases(self, edge: NodeEdge) -> bool: ...
    def decreases(self, edge: NodeEdge) -> bool:
        """From a value that is not negative to a smaller one."""


class Component(Struct, frozen=True):
    """A strongly connected component with at least one edge."""

    nodes: frozenset[int]
    edges: frozenset[NodeEdge]


def components(edges: Collection[NodeEdge]) -> list[Component]:
    """By two searches, forwards and back (Kosaraju)."""
    after: dict[int, list[int]] = {}
    before: dict[int, list[int]] = {}
    for source, _, target in edges:
        after.setdefault(source, []).append(target)
        before.setdefault(target, []).append(source)
        after.setdefault(target, [])
        before.setdefault(source, [])
    home: dict[int, int] = {}
    for root in reversed(_finished(after)):
        if root in home:
            continue
        home[root] = root
        pending = [root]
        while pending:
            for source in before[pending.pop()]:
                if source not in home:
                    home[source] = root
                    pending.append(source)
    inside: dict[int, list[NodeEdge]] = {}
    for edge in edges:
        if home[edge[0]] == home[edge[2]]:
            inside.setdefault(home[edge[0]], []).append(edge)
    return [
        Component(frozenset(node for edge in found for node in (edge[0], edge[2])), frozenset(found))
        for found in inside.values()
    ]


def _finished(after: Mapping[int, list[int]]) -> list[int]:
    """All nodes in the order in which a depth-first search leaves them."""
    order: list[int] = []
    seen: set[int] = set()
    for root in after:
        if root in seen:
            continue
        seen.add(root)
        work = [(root, iter(after[root]))]
        while work:
            node, rest = work[-1]
            fresh = next((target for target in rest if target not in seen), None)
            if fresh is None:
                order.append(node)
                work.pop()
            else:
                seen.add(fresh)
                work.append((fresh, iter(after[fresh])))
    return order
