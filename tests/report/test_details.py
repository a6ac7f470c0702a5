"""What travels to the report: small, without empty members, and honest about what was left out."""

from __future__ import annotations

from pincer.report.details import (
    Coverage,
    Details,
    Graph,
    GraphEdge,
    GraphNode,
    Invariant,
    limited,
    merged_edges,
    shortened,
)


def chain(length: int) -> Graph:
    nodes = tuple(GraphNode(str(i), f"state {i}") for i in range(length))
    edges = tuple(GraphEdge(str(i), str(i + 1)) for i in range(length - 1))
    return Graph("states", "abstract", nodes, edges)


def test_empty_members_are_left_out() -> None:
    assert Details().to_json() == {}
    assert GraphNode("1", "x = 0").to_json() == {"id": "1", "label": "x = 0"}
    assert GraphEdge("1", "2").to_json() == {"from": "1", "to": "2", "kind": "step"}


def test_all_members_are_there_when_they_say_something() -> None:
    node = GraphNode("1", "x = 0", "error", 3, "main", ("x < 1",), 2, (("tests", "2"),))
    graph = Graph("Regions", "regions", (node,), (GraphEdge("1", "1", "x := 0", "must"),))
    details = Details((graph,), Coverage(frozenset((2, 1)), frozenset((1,))), (Invariant("main", "x >= 0", 7),))
    assert details.to_json() == {
        "graphs": [
            {
                "title": "Regions",
                "kind": "regions",
                "nodes": [
                    {
                        "id": "1",
                        "label": "x = 0",
                        "kind": "error",
                        "line": 3,
                        "group": "main",
                        "predicates": ["x < 1"],
                        "tests": 2,
                        "detail": [["tests", "2"]],
                    }
                ],
                "edges": [{"from": "1", "to": "1", "label": "x := 0", "kind": "must"}],
            }
        ],
        "coverage": {"tests": [1], "proof": [], "all": [1, 2]},
        "invariants": [{"place": "main", "text": "x >= 0", "line": 7}],
    }


def test_a_graph_that_fits_has_no_note() -> None:
    assert limited(chain(4), nodes=4) == chain(4)


def test_the_note_says_how_many_nodes_are_missing() -> None:
    cut = limited(chain(10), nodes=3)
    assert [node.id for node in cut.nodes] == ["0", "1", "2"]
    assert [edge.target for edge in cut.edges] == ["1", "2"]
    assert cut.note == "the first 3 of 10 nodes are shown"


def test_the_note_says_how_many_edges_are_missing() -> None:
    assert limited(chain(10), edges=2).note == "the first 2 of 9 edges between them are shown"


def test_big_graphs_are_cut_before_they_travel() -> None:
    [graph] = Details((chain(6_000),)).to_json()["graphs"]
    assert len(graph["nodes"]) == 5_000
    assert "5000 of 6000" in graph["note"]


def test_edges_between_the_same_nodes_are_one_unless_their_kinds_differ() -> None:
    edges = [GraphEdge("1", "2", "a", "may"), GraphEdge("1", "2", "b", "may"), GraphEdge("1", "2", "a", "must")]
    assert merged_edges(edges) == (GraphEdge("1", "2", "a, b", "may"), GraphEdge("1", "2", "a", "must"))


def test_labels_are_shortened_visibly() -> None:
    assert shortened("x" * 20, 10) == "xxxxxxx..."
