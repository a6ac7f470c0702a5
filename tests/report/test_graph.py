"""Graphs are honest about what was left out, and small when they travel."""

from __future__ import annotations

from pincer.report.graph import (
    EdgeKind,
    Graph,
    GraphEdge,
    GraphKind,
    GraphNode,
    NodeKind,
    kinds,
    limited,
    merged_edges,
    shortened,
)


def chain(length: int) -> Graph:
    nodes = tuple(GraphNode(str(i), (f"state {i}",)) for i in range(length))
    edges = tuple(GraphEdge(str(i), str(i + 1)) for i in range(length - 1))
    return Graph("states", GraphKind.ABSTRACT, nodes, edges)


def test_empty_members_are_left_out() -> None:
    assert GraphNode("1", ("x = 0",)).to_json() == {"id": "1", "label": "x = 0"}
    assert GraphEdge("1", "2").to_json() == {"from": "1", "to": "2", "kind": "step"}


def test_the_label_is_all_lines_without_the_number() -> None:
    assert GraphNode("7", ("main", "7", "line 3")).label == "main; line 3"
    assert GraphNode("7", ("7",)).label == "(7)"


def test_the_kind_that_matters_most_is_told() -> None:
    assert GraphNode("1", ("x",), kinds(initial=True, error=True, final=False)).kind is NodeKind.ERROR
    assert GraphNode("1", ("x",), kinds(closed=True, final=True)).kind is NodeKind.CLOSED
    assert GraphNode("1", ("x",), kinds(marked=True)).kind is None


def test_long_labels_are_shortened_when_they_travel() -> None:
    assert len(GraphNode("1", ("x" * 500,)).to_json()["label"]) == 160
    assert len(GraphEdge("1", "2", "x" * 500).to_json()["label"]) == 160
    assert shortened("x" * 20, 10) == "xxxxxxx..."


def test_a_graph_that_fits_has_no_note() -> None:
    assert limited(chain(4), nodes=4) == chain(4)


def test_the_note_says_how_many_nodes_are_missing() -> None:
    cut = limited(chain(10), nodes=3)
    assert [node.id for node in cut.nodes] == ["0", "1", "2"]
    assert [edge.target for edge in cut.edges] == ["1", "2"]
    assert cut.note == "only the first 3 of 10 states are shown"


def test_the_note_says_how_many_edges_are_missing() -> None:
    assert limited(chain(10), edges=2).note == "only the first 2 of 9 edges between them are shown"


def test_edges_between_the_same_nodes_are_one_unless_their_kinds_differ() -> None:
    may, must = EdgeKind.MAY, EdgeKind.MUST
    edges = [GraphEdge("1", "2", "a", may), GraphEdge("1", "2", "b", may), GraphEdge("1", "2", "a", must)]
    assert merged_edges(edges) == (GraphEdge("1", "2", "a, b", may), GraphEdge("1", "2", "a", must))
