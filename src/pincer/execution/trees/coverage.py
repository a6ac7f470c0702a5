"""How much of a program an exploration has seen."""

from __future__ import annotations

from collections import Counter

from msgspec import Struct

from pincer.execution.trees.exploration import TreeExploration
from pincer.frontends.msvl import Program, branch_sites


class TreeCoverage(Struct, frozen=True):
    """`sides` counts the sides of conditions that depend on inputs and were taken, `all_sides` those in the text.

    A condition on values that no input reaches leaves no constraint, so its sides are not among the taken ones.
    """

    terminated: int
    cut: int
    lasso: int
    error: int
    inconsistent: int
    sides: int
    all_sides: int
    infeasible: int
    exhaustive: bool


def coverage(program: Program, exploration: TreeExploration) -> TreeCoverage:
    kinds = Counter(path.kind for path in exploration.tree.paths)
    sites = branch_sites(program)
    taken = {
        (constraint.site, constraint.taken)
        for path in exploration.tree.paths
        for constraint in path.execution.constraints
        if constraint.site in sites
    }
    return TreeCoverage(
        kinds["terminated"],
        kinds["cut"],
        kinds["lasso"],
        kinds["error"],
        kinds["inconsistent"],
        len(taken),
        2 * len(sites),
        exploration.figures.infeasible,
        exploration.exhaustive,
    )
