"""Edges that an automaton can do without: where it may as well go to a node that accepts at least as much.

A node simulates another one if it accepts and ends where that does, and answers each of its edges by ones to nodes that
simulate where it leads. Where a letter lets a run go on to one of two such nodes, it need not go to the smaller one
(*Advanced Automata Minimization*, POPL 2013): no word is lost, and fewer runs have to be followed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from pincer.temporal.formula import FALSE, Formula, and_, not_, or_

MOST_NODES = 32
"""Larger automata stay as they are: all pairs of nodes are looked at."""

Guards: TypeAlias = Mapping[tuple[int, int], Formula]
"""When the automaton may go from one node to another; Boolean combinations of propositions."""
Pairs: TypeAlias = frozenset[tuple[int, int]]


def pruned(accepting: Sequence[bool], ends: Sequence[Formula], guards: Guards) -> Guards:
    """The guards without what may be given up."""
    if len(accepting) > MOST_NODES:
        return guards
    larger = simulated(accepting, ends, guards)
    found: dict[tuple[int, int], Formula] = {}
    for (source, target), guard in guards.items():
        for (start, other), instead in guards.items():
            if start == source and _is_better(other, target, larger):
                guard = and_(guard, not_(instead))
        if guard is not FALSE:
            found[source, target] = guard
    return found


def simulated(accepting: Sequence[bool], ends: Sequence[Formula], guards: Guards) -> Pairs:
    """The largest direct simulation: pairs of a node and one that simulates it."""
    leaving: dict[int, list[tuple[Formula, int]]] = {node: [] for node in range(len(accepting))}
    for (source, target), guard in guards.items():
        leaving[source].append((guard, target))
    known = frozenset(
        (p, q)
        for p in leaving
        for q in leaving
        if accepting[p] <= accepting[q] and and_(ends[p], not_(ends[q])) is FALSE
    )
    while True:
        answered = frozenset((p, q) for p, q in known if _answers(leaving[p], leaving[q], known))
        if answered == known:
            return known
        known = answered


def _answers(smaller: Sequence[tuple[Formula, int]], larger: Sequence[tuple[Formula, int]], known: Pairs) -> bool:
    for guard, target in smaller:
        answers = FALSE
        for taken, other in larger:
            if (target, other) in known:
                answers = or_(answers, taken)
        if and_(guard, not_(answers)) is not FALSE:
            return False
    return True


def _is_better(node: int, other: int, larger: Pairs) -> bool:
    """Whether a node simulates another one; of two that simulate each other the first is better."""
    return node != other and (other, node) in larger and ((node, other) not in larger or node < other)
