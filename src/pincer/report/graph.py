"""One model of a graph to look at: boxes with kinds and facts, arrows with labels, drawn as SVG or on the page.

All text in it comes from programs; whoever draws it must treat it so.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

MOST_NODES = 5_000
MOST_EDGES = 20_000
_LONGEST_LABEL = 160


class GraphKind(StrEnum):
    """What a graph shows; the parts of a tree are its branches."""

    ABSTRACT = "abstract"
    REGIONS = "regions"
    TREE = "tree"
    NORMAL_FORM = "lnfg"
    CONTROL_FLOW = "cfg"
    LOCK_ORDER = "lock-order"
    THREADS = "threads"
    OUTLINE = "outline"
    LASSO = "lasso"


class NodeKind(StrEnum):
    """What a box is, the most important first: the page shows the first one that is true of it."""

    ERROR = "error"
    INITIAL = "initial"
    CLOSED = "closed"
    """Settled by the proof: no error can follow."""
    FINAL = "final"
    MARKED = "marked"
    """In the fragment of a proof, or the head of a loop."""


class EdgeKind(StrEnum):
    MUST = "must"
    """Taken from every state of the source, or by a test."""
    MAY = "may"
    """Not excluded."""
    STEP = "step"
    """It is not said which of the two."""
    BACK = "back"
    """To a state that was there before."""


class GraphNode(Struct, frozen=True):
    """`lines` are what the box says; `predicates` what holds in it, `tests` how many executions have been there,
    `detail` further facts by name.

    `line` is where it belongs in the source, `group` the procedure or thread it is part of.
    """

    id: str
    lines: tuple[str, ...]
    kinds: frozenset[NodeKind] = frozenset()
    line: int | None = None
    group: str = ""
    predicates: tuple[str, ...] = ()
    tests: int = 0
    detail: tuple[tuple[str, str], ...] = ()

    @property
    def label(self) -> str:
        """The box in one line; a number stands for it only where there is nothing else to say."""
        return "; ".join(line for line in self.lines if line and line != self.id) or f"({self.id})"

    @property
    def kind(self) -> NodeKind | None:
        """The kind that matters most; a mark is none by itself."""
        return next((kind for kind in NodeKind if kind in self.kinds and kind is not NodeKind.MARKED), None)

    def to_json(self) -> dict[str, Any]:
        members = {
            "kind": None if self.kind is None else str(self.kind),
            "line": self.line,
            "group": self.group,
            "predicates": list(self.predicates),
            "tests": self.tests,
            "detail": [list(pair) for pair in self.detail],
        }
        return {"id": self.id, "label": shortened(self.label), **present(members)}


class GraphEdge(Struct, frozen=True):
    source: str
    target: str
    label: str = ""
    kind: EdgeKind = EdgeKind.STEP

    def to_json(self) -> dict[str, Any]:
        label = shortened(self.label)
        return {"from": self.source, "to": self.target, **present({"label": label}), "kind": str(self.kind)}


class Graph(Struct, frozen=True):
    """Nodes come in the order they were found, the first ones matter most; the note says what was left out.

    `legend` tells what bold, blue and dotted mean where that is not what it is for abstract states.
    """

    title: str
    kind: GraphKind
    nodes: tuple[GraphNode, ...]
    edges: tuple[GraphEdge, ...]
    note: str = ""
    legend: str = ""

    def to_json(self) -> dict[str, Any]:
        return {
            "title": self.title,
            "kind": str(self.kind),
            "nodes": [node.to_json() for node in self.nodes],
            "edges": [edge.to_json() for edge in self.edges],
            **present({"note": self.note}),
        }


def kinds(**true_of_it: bool) -> frozenset[NodeKind]:
    """The kinds that are named as true."""
    return frozenset(NodeKind(name) for name, holds in true_of_it.items() if holds)


def present(members: dict[str, Any]) -> dict[str, Any]:
    """Members that are empty are left out of plain data."""
    return {name: value for name, value in members.items() if value}


def limited(graph: Graph, nodes: int = MOST_NODES, edges: int = MOST_EDGES) -> Graph:
    """A graph that can be looked at: the first nodes and the first edges between them, and a note if some are gone."""
    kept = graph.nodes[:nodes]
    names = {node.id for node in kept}
    between = tuple(edge for edge in graph.edges if edge.source in names and edge.target in names)
    notes = [graph.note] if graph.note else []
    if len(kept) < len(graph.nodes):
        notes.append(f"only the first {len(kept)} of {len(graph.nodes)} states are shown")
    if len(between) > edges:
        notes.append(f"only the first {edges} of {len(between)} edges between them are shown")
    return replace(graph, nodes=kept, edges=between[:edges], note="; ".join(notes))


def shortened(text: str, most: int = _LONGEST_LABEL) -> str:
    """A text that fits a box or a list."""
    return text if len(text) <= most else f"{text[: most - 3]}..."


def merged_edges(edges: Iterable[GraphEdge]) -> tuple[GraphEdge, ...]:
    """Edges between the same nodes and of the same kind become one, with all their labels."""
    labels: dict[tuple[str, str, EdgeKind], dict[str, None]] = {}
    for edge in edges:
        labels.setdefault((edge.source, edge.target, edge.kind), {})[edge.label] = None
    return tuple(
        GraphEdge(source, target, ", ".join(label for label in names if label), kind)
        for (source, target, kind), names in labels.items()
    )
