"""The graph in which infinite models are found: sets of literals, and which of them still owe something.

A node is (S, O): S a consistent set of literals, O the chop and until literals of S whose left part has not ended
since the last reset. When O is empty, the next node owes all chops and untils it has; otherwise it owes what goes on
of O. An infinite path is a model of its first node if it passes infinitely many nodes with O empty.

That is exact but for chop-plus under an odd number of negations, where a path may be no model: whoever finds a path
must confirm it (`holds_on_lasso`). Where no such path exists, there is no infinite model.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pincer.temporal.cubes import Cube, cube_formula, cubes
from pincer.temporal.formula import FALSE, Formula
from pincer.temporal.graph import Graph, start
from pincer.temporal.moves import cube_moves, owing


@dataclass(frozen=True, slots=True)
class Node:
    """`literals` hold together from here; `owed` is the part of them that must be discharged before the next reset."""

    literals: Cube
    owed: Cube

    @property
    def formula(self) -> Formula:
        return cube_formula(self.literals)

    @property
    def owes(self) -> bool:
        return bool(self.owed)


def obligation_graph(formula: Formula) -> Graph[Node]:
    """The graph of the formula's disjuncts, not yet expanded."""
    return start((Node(cube, owing(cube)) for cube in cubes(formula) if cube_formula(cube) is not FALSE), _successors)


def _successors(node: Node) -> Iterator[tuple[Formula, Node]]:
    """Nodes that ask for little come first: models are often found among them."""
    for move in sorted(cube_moves(node.literals, node.owed), key=lambda move: len(move.literals)):
        if cube_formula(move.literals) is not FALSE:
            yield move.guard, Node(move.literals, move.owed if node.owed else owing(move.literals))
