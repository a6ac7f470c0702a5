"""What travels to the report: without empty members, cut where it is too large."""

from __future__ import annotations

from pincer.report.details import Coverage, Details, Invariant
from pincer.report.graph import EdgeKind, Graph, GraphEdge, GraphKind, GraphNode, kinds


def test_what_says_nothing_is_empty() -> None:
    assert Details().to_json() == {}


def test_all_members_are_there_when_they_say_something() -> None:
    node = GraphNode("1", ("x = 0",), kinds(error=True), 3, "main", ("x < 1",), 2, (("tests", "2"),))
    graph = Graph("Regions", GraphKind.REGIONS, (node,), (GraphEdge("1", "1", "x := 0", EdgeKind.MUST),))
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


def test_big_graphs_are_cut_before_they_travel() -> None:
    nodes = tuple(GraphNode(str(i), (f"state {i}",)) for i in range(6_000))
    [graph] = Details((Graph("states", GraphKind.ABSTRACT, nodes, ()),)).to_json()["graphs"]
    assert len(graph["nodes"]) == 5_000
    assert "5000 of 6000" in graph["note"]
