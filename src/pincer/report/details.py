"""What an engine leaves behind for the report about one property: graphs, coverage and invariants, as plain data.

The classes are made in the process that analyses, where the engine's own structures are; `to_json` is what travels.
Members that are empty are left out of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

GraphKind = Literal["abstract", "regions", "tree", "lnfg", "cfg", "lock-order", "threads"]
NodeKind = Literal["initial", "normal", "error", "final", "closed"]
EdgeKind = Literal["must", "may", "step", "closed"]

MOST_NODES = 5_000
MOST_EDGES = 20_000
_LONGEST_LABEL = 160


@dataclass(frozen=True, slots=True)
class GraphNode:
    """`predicates` are what holds in it, `tests` how many executions have been there, `detail` further facts by name.

    `line` is where it belongs in the source, `group` the procedure or thread it is part of.
    """

    id: str
    label: str
    kind: NodeKind = "normal"
    line: int | None = None
    group: str = ""
    predicates: tuple[str, ...] = ()
    tests: int = 0
    detail: tuple[tuple[str, str], ...] = ()

    def to_json(self) -> dict[str, Any]:
        members = {
            "kind": "" if self.kind == "normal" else self.kind,
            "line": self.line,
            "group": self.group,
            "predicates": list(self.predicates),
            "tests": self.tests,
            "detail": [list(pair) for pair in self.detail],
        }
        return {"id": self.id, "label": self.label, **_present(members)}


@dataclass(frozen=True, slots=True)
class GraphEdge:
    """`must`: taken from every state of the source, or by a test; `may`: not excluded; `step`: it is not said."""

    source: str
    target: str
    label: str = ""
    kind: EdgeKind = "step"

    def to_json(self) -> dict[str, Any]:
        return {"from": self.source, "to": self.target, **_present({"label": self.label}), "kind": self.kind}


@dataclass(frozen=True, slots=True)
class Graph:
    """Nodes come in the order they were found, the first ones matter most; the note says what was left out."""

    title: str
    kind: GraphKind
    nodes: tuple[GraphNode, ...]
    edges: tuple[GraphEdge, ...]
    note: str = ""

    def to_json(self) -> dict[str, Any]:
        return {
            "title": self.title,
            "kind": self.kind,
            "nodes": [node.to_json() for node in self.nodes],
            "edges": [edge.to_json() for edge in self.edges],
            **_present({"note": self.note}),
        }


@dataclass(frozen=True, slots=True)
class Invariant:
    """What a proof says about the states at one place; `line` is None where no single line is meant."""

    place: str
    text: str
    line: int | None = None

    def to_json(self) -> dict[str, Any]:
        return {"place": self.place, "text": self.text, **_present({"line": self.line})}


@dataclass(frozen=True, slots=True)
class Coverage:
    """Lines of the program's file: those with code, those an execution has passed, those a proof speaks of."""

    all: frozenset[int] = frozenset()
    tests: frozenset[int] = frozenset()
    proof: frozenset[int] = frozenset()

    def to_json(self) -> dict[str, Any]:
        return {"tests": sorted(self.tests), "proof": sorted(self.proof), "all": sorted(self.all)}


@dataclass(frozen=True, slots=True)
class Details:
    graphs: tuple[Graph, ...] = ()
    coverage: Coverage = field(default_factory=Coverage)
    invariants: tuple[Invariant, ...] = ()

    def to_json(self) -> dict[str, Any]:
        members = {
            "graphs": [limited(graph).to_json() for graph in self.graphs if graph.nodes],
            "coverage": self.coverage.to_json() if self.coverage.all else None,
            "invariants": [invariant.to_json() for invariant in self.invariants],
        }
        return _present(members)


def _present(members: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in members.items() if value}


def limited(graph: Graph, nodes: int = MOST_NODES, edges: int = MOST_EDGES) -> Graph:
    """A graph that a page can hold: the first nodes and the first edges between them, and a note if some are gone."""
    kept = graph.nodes[:nodes]
    names = {node.id for node in kept}
    between = tuple(edge for edge in graph.edges if edge.source in names and edge.target in names)
    notes = [graph.note] if graph.note else []
    if len(kept) < len(graph.nodes):
        notes.append(f"the first {len(kept)} of {len(graph.nodes)} nodes are shown")
    if len(between) > edges:
        notes.append(f"the first {edges} of {len(between)} edges between them are shown")
    return replace(graph, nodes=kept, edges=between[:edges], note="; ".join(notes))


def shortened(text: str, most: int = _LONGEST_LABEL) -> str:
    """A label that fits a box."""
    return text if len(text) <= most else f"{text[: most - 3]}..."


def merged_edges(edges: Iterable[GraphEdge]) -> tuple[GraphEdge, ...]:
    """Edges between the same nodes and of the same kind become one, with all their labels."""
    labels: dict[tuple[str, str, EdgeKind], dict[str, None]] = {}
    for edge in edges:
        labels.setdefault((edge.source, edge.target, edge.kind), {})[edge.label] = None
    return tuple(GraphEdge(a, b, shortened(_joined(list(names))), kind) for (a, b, kind), names in labels.items())


def _joined(labels: Sequence[str]) -> str:
    return ", ".join(label for label in labels if label)
