"""Formulas as Büchi automata: the graph of obligations without what no model passes, equal nodes merged.

A node accepts when it owes nothing. Only under a negated iteration (`+`, `*`) does the graph accept words that are no
models (`exact` is False): that is no harm where one shows that nothing is accepted.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TypeVar

from pincer.errors import UnsupportedError
from pincer.program.automaton import Automaton, AutomatonEdge, Guard
from pincer.program.graphs import cycles
from pincer.temporal.cubes import cubes
from pincer.temporal.derivative import propositions
from pincer.temporal.formula import FALSE, Formula, at_end, or_
from pincer.temporal.graph import Graph, expand
from pincer.temporal.iterations import RankedNode, iteration_graph, negates_iteration
from pincer.temporal.limits import Meter, TemporalLimits, TooLarge, metered
from pincer.temporal.moves import Node, obligation_graph
from pincer.temporal.pruning import pruned

NodeT = TypeVar("NodeT", Node, RankedNode)

AUTOMATON_LIMITS = TemporalLimits(nodes=1_024)
"""Products multiply with the nodes of an automaton: more than some hundred are out of reach."""
MOST_PROPOSITIONS = 10
"""Those who check an automaton look at every letter, and there are two to this power."""


def buchi(formula: Formula, limits: TemporalLimits = AUTOMATON_LIMITS) -> Automaton:
    """The automaton of the formula's models; above it under negated iterations. Raises `UnsupportedError`."""
    return _built(formula, limits, ranked=False)


def exact_buchi(formula: Formula, limits: TemporalLimits = AUTOMATON_LIMITS) -> Automaton:
    """The automaton of exactly the formula's infinite models, larger under negated iterations; it accepts no finite
    word."""
    return _built(formula, limits, ranked=True)


def _built(formula: Formula, limits: TemporalLimits, ranked: bool) -> Automaton:
    names = propositions(formula)
    if len(names) > MOST_PROPOSITIONS:
        raise UnsupportedError(
            f"the formula speaks of {len(names)} different state predicates, and {MOST_PROPOSITIONS} is the limit; "
            "join some of them in one pair of braces"
        )
    try:
        with metered(limits) as meter:
            if ranked:
                runs = _expanded(iteration_graph(formula, meter), meter)
                return _automaton(runs, [FALSE] * len(runs.nodes), True)
            graph = _expanded(obligation_graph(formula), meter)
            exact = not any(negates_iteration(node.literals) for node in graph.nodes)
            return _automaton(graph, [at_end(node.formula) for node in graph.nodes], exact)
    except TooLarge as cut:
        raise UnsupportedError(cut.reason) from None


def _expanded(graph: Graph[NodeT], meter: Meter) -> Graph[NodeT]:
    while expand(graph, meter, 2 * len(graph.nodes)):
        pass
    return graph


def _automaton(graph: Graph[NodeT], ends: list[Formula], exact: bool) -> Automaton:
    kept: list[int] = _useful(graph, ends)
    classes: dict[int, int] = _merged(graph, ends, kept)
    guards: dict[tuple[int, int], Formula] = {}
    for node in kept:
        for edge in graph.edges[node]:
            if edge.target in classes:
                key = classes[node], classes[edge.target]
                guards[key] = or_(guards.get(key, FALSE), edge.guard)
    first = {number: node for node, number in reversed(classes.items())}
    names = {name for guard in (*guards.values(), *(ends[node] for node in kept)) for name in propositions(guard)}
    accepting = [not graph.nodes[first[number]].owes for number in range(len(first))]
    ending = [ends[first[number]] for number in range(len(first))]
    left = pruned(accepting, ending, guards)
    return Automaton(
        tuple(sorted(names)),
        tuple(dict.fromkeys(classes[node] for node in range(graph.initial) if node in classes)),
        tuple(accepting),
        tuple(map(guard_of, ending)),
        tuple(AutomatonEdge(source, guard_of(guard), target) for (source, target), guard in sorted(left.items())),
        exact,
    )


def guard_of(state_formula: Formula) -> Guard:
    """A Boolean combination of propositions as cubes."""
    found = [tuple(sorted((atom.name, positive) for atom, positive in cube)) for cube in cubes(state_formula)]
    return tuple(sorted(found))


def _useful(graph: Graph[NodeT], ends: list[Formula]) -> list[int]:
    """The nodes from which a path leads to an end or into a cycle that owes nothing again and again, in order."""
    useful = {number for number, end in enumerate(ends) if end is not FALSE}
    for component in cycles(range(len(graph.edges)), lambda node: [edge.target for edge in graph.edges[node]]):
        if any(not graph.nodes[node].owes for node in component):
            useful.update(component)
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


def _merged(graph: Graph[NodeT], ends: list[Formula], kept: list[int]) -> dict[int, int]:
    """The coarsest bisimulation: each kept node with the number of its class, in the order of the nodes."""
    classes = _numbered({node: (graph.nodes[node].owes, ends[node]) for node in kept})
    while True:
        signatures: dict[int, Hashable] = {}
        for node in kept:
            guards: dict[int, Formula] = {}
            for edge in graph.edges[node]:
                if edge.target in classes:
                    target = classes[edge.target]
                    guards[target] = or_(guards.get(target, FALSE), edge.guard)
            signatures[node] = (classes[node], frozenset(guards.items()))
        finer = _numbered(signatures)
        if len(set(finer.values())) == len(set(classes.values())):
            return finer
        classes = finer


def _numbered(signatures: dict[int, Hashable]) -> dict[int, int]:
    numbers: dict[Hashable, int] = {}
    return {node: numbers.setdefault(signature, len(numbers)) for node, signature in signatures.items()}
