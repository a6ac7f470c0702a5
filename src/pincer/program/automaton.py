"""Büchi automata over the states of a program, as plain data.

A run of the automaton reads a word state by state: an edge is taken when its guard holds in the state that is *left*.
An infinite word is accepted when some run passes accepting nodes again and again, a finite one when some run stands in
a node whose `end` guard holds in the last state.
"""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

Letter: TypeAlias = frozenset[str]
"""The propositions that hold in a state."""

GuardCube: TypeAlias = tuple[tuple[str, bool], ...]
"""Propositions with the values they must have."""

Guard: TypeAlias = tuple[GuardCube, ...]
"""Holds where one of the cubes does: `()` never, `((),)` always."""

ALWAYS: Guard = ((),)


class AutomatonEdge(Struct, frozen=True):
    source: int
    guard: Guard
    target: int


class Automaton(Struct, frozen=True):
    """Nodes are numbered from 0. `exact` is False where infinite words may be accepted that are no models of the
    formula that the automaton was built for; models are always accepted."""

    propositions: tuple[str, ...]
    initial: tuple[int, ...]
    accepting: tuple[bool, ...]
    ends: tuple[Guard, ...]
    edges: tuple[AutomatonEdge, ...]
    exact: bool = True

    @property
    def size(self) -> int:
        return len(self.accepting)

    def leaving(self, node: int) -> tuple[AutomatonEdge, ...]:
        return tuple(edge for edge in self.edges if edge.source == node)

    def certain(self) -> int | None:
        """The node that accepts whatever follows, None where there is none."""
        for edge in self.edges:
            node = edge.source
            if edge.guard == ALWAYS and edge.target == node and self.accepting[node] and self.ends[node] == ALWAYS:
                return node
        return None


def holds(guard: Guard, letter: Letter) -> bool:
    return any(all((name in letter) is value for name, value in cube) for cube in guard)
