"""Labelled normal form graphs: the models of a formula as paths, to show and to report with.

A finite model is a path to the end node. An infinite model is a path whose nodes, from some point on, have no label
in common: a label marks what a chop or an until still owes, and it stays as long as that is not discharged.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from pincer.temporal.cubes import Cube, Literal
from pincer.temporal.derivative import Letter, holds_in_state
from pincer.temporal.formula import FALSE, TRUE, Atom, Formula, at_end
from pincer.temporal.graph import Graph, components, expand
from pincer.temporal.iterations import negates_iteration
from pincer.temporal.limits import DEFAULT_LIMITS, TemporalLimits, metered
from pincer.temporal.moves import Node, obligation_graph
from pincer.temporal.text import cube_text, formula_text

END = -1
"""The number of the end node, `empty` in drawings: the interval ends with the state on the edge that leads there."""


class LnfgNode(Struct, frozen=True):
    number: int
    literals: Cube
    formula: Formula
    labels: tuple[int, ...]

    @property
    def text(self) -> str:
        return cube_text(self.literals)


class LnfgEdge(Struct, frozen=True):
    source: int
    target: int
    guard: Formula

    @property
    def text(self) -> str:
        return formula_text(self.guard)


class Lnfg(Struct, frozen=True):
    """`exact` is False when a negated iteration lets the graph have infinite paths that are no models."""

    nodes: tuple[LnfgNode, ...]
    edges: tuple[LnfgEdge, ...]
    initial: tuple[int, ...]
    exact: bool


def build_lnfg(formula: Formula, limits: TemporalLimits = DEFAULT_LIMITS) -> Lnfg:
    """The graph of the formula, without nodes from which no model continues. Raises `TooLarge`."""
    with metered(limits) as meter:
        graph = obligation_graph(formula)
        while expand(graph, meter, 2 * len(graph.nodes)):
            pass
        kept = _useful(graph)
        numbers = {old: new for new, old in enumerate(kept)}
        labels: dict[Formula | Atom, int] = {}
        nodes = tuple(
            LnfgNode(
                numbers[old], node.literals, node.formula, tuple(sorted({_label(one, labels) for one in node.owed}))
            )
            for old in kept
            for node in (graph.nodes[old],)
        )
        return Lnfg(
            nodes,
            tuple(_edges(graph, numbers)),
            tuple(numbers[old] for old in range(graph.initial) if old in numbers),
            not any(negates_iteration(node.literals) for node in nodes),
        )


def _label(owed: Literal, labels: dict[Formula | Atom, int]) -> int:
    """Chops that wait to go on with the same formula share a label: what goes on keeps it until it is discharged."""
    atom = owed[0]
    waits_for = atom.parts[1] if atom.kind == "chop" else atom
    return labels.setdefault(waits_for, len(labels) + 1)


def _useful(graph: Graph[Node]) -> list[int]:
    """The nodes from which a path leads to the end or into a cycle, in order."""
    useful = {number for number, node in enumerate(graph.nodes) if at_end(node.formula) is not FALSE}
    useful.update(node for component in components(graph) for node in component)
    coming: dict[int, list[int]] = {}
    for source, edges in enumerate(graph.edges):
        for edge in edges:
            coming.setdefault(edge.target, []).append(source)
    frontier = list(useful)
    while frontier:
        for source in coming.get(frontier.pop(), ()):
            if source not in useful:
                useful.add(source)
                frontier.append(source)
    return sorted(useful)


def _edges(graph: Graph[Node], numbers: dict[int, int]) -> list[LnfgEdge]:
    found = []
    for old, new in numbers.items():
        last = at_end(graph.nodes[old].formula)
        if last is not FALSE:
            found.append(LnfgEdge(new, END, last))
        found += (
            LnfgEdge(new, numbers[edge.target], edge.guard) for edge in graph.edges[old] if edge.target in numbers
        )
    return found


def node_path(lnfg: Lnfg, letters: Sequence[Letter], ended: bool) -> tuple[int, ...] | None:
    """The nodes that a letter sequence visits, one before each letter and one after the last; None if it gets stuck.

    When the interval `ended` with the last letter, the path must lead to `END`. Otherwise a path to the node `true`
    is preferred: from there every continuation is a model.
    """
    leaving: dict[int, list[LnfgEdge]] = {node.number: [] for node in lnfg.nodes}
    for edge in lnfg.edges:
        leaving[edge.source].append(edge)
    layers: list[dict[int, int]] = [dict.fromkeys(lnfg.initial, END)]
    for index, letter in enumerate(letters):
        to_end = ended and index == len(letters) - 1
        layer: dict[int, int] = {}
        for source in layers[-1]:
            for edge in leaving[source]:
                if (edge.target == END) == to_end and holds_in_state(edge.guard, letter):
                    layer.setdefault(edge.target, source)
        layers.append(layer)
    if not layers[-1]:
        return None
    last = next((node for node in layers[-1] if node != END and lnfg.nodes[node].formula is TRUE), None)
    node = next(iter(layers[-1])) if last is None else last
    visited = [node]
    for layer in reversed(layers[1:]):
        node = layer[node]
        visited.append(node)
    return tuple(reversed(visited))
