"""Details about temporal properties: the execution tree, the graph of the negated property, and their product."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from msgspec import Struct

from pincer.evidence.msvl.counterexample import Counterexample
from pincer.execution.msvl import Options, execute
from pincer.execution.trees import Arc, Tree
from pincer.frontends.msvl import Program, syntax
from pincer.frontends.msvl.syntax import Node, descendants
from pincer.report.details import Coverage, Details
from pincer.report.graph import (
    EdgeKind,
    Graph,
    GraphEdge,
    GraphKind,
    GraphNode,
    NodeKind,
    kinds,
    merged_edges,
    shortened,
)
from pincer.runtime.run import Run, Stopped
from pincer.temporal.lnfg import END, Lnfg

_ENDS = {"terminated": NodeKind.FINAL, "error": NodeKind.ERROR, "inconsistent": NodeKind.ERROR}
_STATEMENTS = (
    syntax.Immediate, syntax.Unit, syntax.Declaration, syntax.InputStatement, syntax.OutputStatement, syntax.Evaluate,
    syntax.LengthStatement, syntax.Skip, syntax.Empty, syntax.If, syntax.While, syntax.HaltStatement, syntax.Return,
)  # fmt: skip
"""What counts as code on a line: what does something by itself, and decisions."""

MOST_RUNS = 200

_ON_THE_WAY = ("counterexample", "passes here")
_TREE_LEGEND = "a box is a state: symbolic values of variables, conditions decided there; dotted: back to a state"
_FORMULA_LEGEND = "bold: initial; l1, l2, ...: what is not yet fulfilled; a good loop leaves every label"


class ExplorationSource(Struct, frozen=True):
    """How to run a program again."""

    options: Options
    run: Run


def temporal_details(
    program: Program, tree: Tree, graph: Lnfg | None, found: Counterexample | None, source: ExplorationSource | None
) -> Details:
    """The graphs of one property, and the lines its runs have passed.

    `graph` is None where it would be too large to show. `source` says how to run the program again; it is None for a
    program that was translated: its lines are not the user's."""
    graphs = [tree_graph(tree, program if source else None, found)]
    if graph is not None:
        graphs.append(formula_graph(graph, found))
    if found is not None and found.graph_nodes is not None:
        graphs.append(_product_graph(found, found.graph_nodes))
    return Details(tuple(graphs), _coverage(program, tree, source) if source else Coverage())


def _coverage(program: Program, tree: Tree, source: ExplorationSource) -> Coverage:
    """The lines of statements that runs have stepped; nothing is said where not all runs can be looked at."""
    if len(tree.paths) > MOST_RUNS:
        return Coverage()
    passed: list[Node] = []
    for path in tree.paths:
        try:
            execute(program, path.execution.input_values(), source.options, source.run, passed)
        except Stopped:
            return Coverage()
    bodies = (program.core, *(function.body for function in program.functions.values()))
    everything = _lines(program, (node for body in bodies for node in descendants(body)))
    return Coverage(everything, _lines(program, passed) & everything)


def _lines(program: Program, nodes: Iterable[Node]) -> frozenset[int]:
    offsets = {node.at for node in nodes if isinstance(node, _STATEMENTS)}
    return frozenset(program.source.position(offset).line for offset in offsets)


def tree_graph(tree: Tree, program: Program | None = None, found: Counterexample | None = None) -> Graph:
    """Nodes carry the state that leads to them: symbolic values, and the conditions decided in it."""
    arriving = {arc.target: arc for arc in reversed(tree.arcs) if not arc.back}
    passed = frozenset(found.tree_nodes) if found is not None else frozenset[int]()
    nodes = tuple(
        _tree_node(program, tree, number, arriving.get(number), number in passed) for number in range(tree.size)
    )
    edges = merged_edges(
        GraphEdge(str(arc.source), str(arc.target), _decided(arc), EdgeKind.BACK if arc.back else EdgeKind.STEP)
        for arc in tree.arcs
    )
    return Graph("Symbolic execution tree", GraphKind.TREE, nodes, edges, legend=_TREE_LEGEND)


def _decided(arc: Arc) -> str:
    return ", ".join(str(constraint.condition) for constraint in arc.constraints)


def _tree_node(program: Program | None, tree: Tree, number: int, arc: Arc | None, passed: bool) -> GraphNode:
    ends = sorted(tree.marks.get(number, ()))
    marks = kinds(initial=number == 0) or frozenset(_ENDS[end] for end in ends if end in _ENDS)
    detail = [("ends", ", ".join(ends))] if ends else []
    detail += [_ON_THE_WAY] if passed else []
    if arc is None:
        return GraphNode(str(number), ("start",), marks, detail=tuple(detail))
    symbolic = {name: str(term) for name, term in arc.state.symbolics().items()}
    values = {name: symbolic.get(name, str(value)) for name, value in arc.state.values().items()}
    conditions = tuple(str(constraint.condition) for constraint in arc.constraints)
    line = program.source.position(arc.constraints[0].site).line if program and arc.constraints else None
    label = ", ".join(f"{name} = {value}" for name, value in values.items()) or f"node {number}"
    return GraphNode(
        str(number),
        (label, *ends),
        marks,
        line,
        predicates=conditions,
        detail=(*detail, *((name, shortened(value)) for name, value in values.items())),
    )


def formula_graph(graph: Lnfg, found: Counterexample | None = None) -> Graph:
    """The labelled normal form graph of the negated property."""
    passed = set(found.graph_nodes or ()) if found is not None else set()
    nodes = [
        GraphNode(
            str(node.number),
            (node.text, *([", ".join(f"l{label}" for label in node.labels)] if node.labels else [])),
            kinds(initial=node.number in graph.initial),
            detail=(
                ("formula", shortened(node.text, 2_000)),
                *((("still owed", ", ".join(f"l{label}" for label in node.labels)),) if node.labels else ()),
                *((_ON_THE_WAY,) if node.number in passed else ()),
            ),
        )
        for node in graph.nodes
    ]
    if any(edge.target == END for edge in graph.edges):
        nodes.append(
            GraphNode(str(END), ("the end",), kinds(final=True), detail=(_ON_THE_WAY,) if END in passed else ())
        )
    edges = merged_edges(GraphEdge(str(edge.source), str(edge.target), edge.text) for edge in graph.edges)
    title = "Normal form graph of the negated property"
    return Graph(title, GraphKind.NORMAL_FORM, tuple(nodes), edges, legend=_FORMULA_LEGEND)


def _product_graph(found: Counterexample, way: tuple[int, ...]) -> Graph:
    """The way of the counterexample through the tree and the normal form graph at once; a lasso goes back."""
    last = len(found.states)
    nodes = tuple(
        GraphNode(
            str(number),
            (f"({found.tree_nodes[number] if number < len(found.tree_nodes) else '?'}, {_graph_node(way, number)})",),
            kinds(initial=number == 0, error=number == found.violating_state),
            predicates=found.states[number].holds if number < last else (),
            detail=tuple(found.states[number].values.items()) if number < last else (),
        )
        for number in range(last + (0 if found.lasso_start is not None else 1))
    )
    edges = [GraphEdge(a.id, b.id, _letter(found, int(a.id))) for a, b in pairwise(nodes)]
    if found.lasso_start is not None:
        label = f"{_letter(found, last - 1)}, for ever"
        edges.append(GraphEdge(str(last - 1), str(found.lasso_start), label, EdgeKind.BACK))
    title = "Counterexample in the product: (tree node, graph node)"
    return Graph(title, GraphKind.TREE, nodes, tuple(edges))


def _graph_node(way: tuple[int, ...], number: int) -> str:
    if number >= len(way):
        return "?"
    return "end" if way[number] == END else str(way[number])


def _letter(found: Counterexample, number: int) -> str:
    return "{" + ", ".join(found.states[number].holds) + "}"
