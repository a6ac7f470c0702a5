"""Closed abstractions of products."""

from __future__ import annotations

from tests.engines.live.test_ranking import _graph

TWO = """
var x, y : int = 0;
trans both: true -> x := x + 1, y := y + 1;
temporal t: <>{x != y};
"""


def test_hulls_hold_in_all_nodes() -> None:
    graph, component = _graph(TWO)
    assert len(component.nodes) == 1
    assert "x - y = 0" in str(graph.formula(component.nodes[0])) or "x = y" in str(graph.formula(component.nodes[0]))


def test_edges_know_their_steps() -> None:
    graph, component = _graph(TWO)
    for edge in component.edges:
        assert graph.relations[edge]
        assert len(graph.relations[edge]) == len(graph.cases[edge])


def test_guards_are_decided_in_every_node() -> None:
    graph, _ = _graph("var x : int; trans down: x > 3 -> x := x - 1; temporal t: <>empty;")
    assert sorted(map(len, graph.live.enabled)) == [0, 1]


def test_variables_beside_the_same_one_are_ordered() -> None:
    """Two tickets are bounded by the one that is served: which of them is smaller is worth a predicate."""
    text = """
    var s, a, b : int = 0;
    trans up: a >= s && b >= s -> a := a + 1, b := b + 2;
    temporal t: <>empty;
    """
    graph, component = _graph(text)
    shown = {str(term) for term in graph.orders(component.nodes)}
    assert any("a" in term and "b" in term for term in shown)
