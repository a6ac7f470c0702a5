"""Drawings of the temporal side: execution trees of MSVL programs, normal form graphs of formulas."""

from __future__ import annotations

from pincer.execution.trees import Tree
from pincer.report.drawing import Drawing, Edge, Node
from pincer.temporal.lnfg import END, Lnfg


def tree_drawing(title: str, tree: Tree) -> Drawing:
    """One arc for each state: what the variables stand for, and what was decided in it."""
    marks = {number: ", ".join(sorted(kinds)) for number, kinds in tree.marks.items()}
    nodes = tuple(
        Node(str(number), tuple(text for text in (str(number), marks.get(number, "")) if text), initial=number == 0)
        for number in range(tree.size)
    )
    edges = []
    for arc in tree.arcs:
        symbolic = {name: str(term) for name, term in arc.state.symbolics().items()}
        values = [f"{name}={symbolic.get(name, str(value))}" for name, value in arc.state.values().items()]
        decided = [str(constraint.condition) for constraint in arc.constraints]
        label = ", ".join(values) + (" | " + "; ".join(decided) if decided else "")
        edges.append(Edge(str(arc.source), str(arc.target), label, exact=not arc.back))
    legend = (
        "an arc is a state: variables with their symbolic values | conditions decided there; dotted: back to a state"
    )
    return Drawing(title, nodes, tuple(edges), rounded=True, legend=legend)


def lnfg_drawing(title: str, graph: Lnfg) -> Drawing:
    nodes = [
        Node(
            str(node.number),
            (node.text, *([", ".join(f"l{label}" for label in node.labels)] if node.labels else [])),
            initial=node.number in graph.initial,
        )
        for node in graph.nodes
    ]
    if any(edge.target == END for edge in graph.edges):
        nodes.append(Node(str(END), ("empty",)))
    edges = tuple(Edge(str(edge.source), str(edge.target), edge.text) for edge in graph.edges)
    legend = "bold: initial; l1, l2, ...: what is not yet fulfilled; a good loop leaves every label"
    return Drawing(title, tuple(nodes), edges, rounded=True, legend=legend)
