"""Symbolic execution trees of MSVL programs, and the exploration that grows them.

- `tree`: nodes, arcs and paths; every arc is one state.
- `decisions`: which sides of which conditions are known, along every sequence of constraints.
- `exploration`: bounded depth-first search for inputs that take another way; `parallel`: the same by worker processes.
- `coverage`: the figures of an exploration.
"""

from __future__ import annotations

from pincer.execution.trees.coverage import TreeCoverage, coverage
from pincer.execution.trees.exploration import SearchBounds, TreeExploration
from pincer.execution.trees.tree import Arc, Path, Tree, repeats_symbolically

__all__ = ["Arc", "Path", "SearchBounds", "Tree", "TreeCoverage", "TreeExploration", "coverage", "repeats_symbolically"]
