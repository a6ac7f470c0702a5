"""Proofs of temporal properties: nodes that every run stays in, and why no fair run violates the formula in them.

Each node belongs to a node `q` of the automaton of the negated formula. Nodes are either single states or regions: the
values of the finite variables and a formula about the integers, as GCL text. Steps lead from node to node: of states
they can be worked out, of regions they are listed. `argument` takes the strongly connected components of the nodes
apart until none of them can be passed for ever.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, TypeAlias

from msgspec import Struct

from pincer.program.automaton import Automaton
from pincer.runtime.codec import Format

NodeEdge: TypeAlias = tuple[int, int, int]
"""From a node by a transition of the program, both counted from 0, to a node."""


class LiveState(Struct, frozen=True, array_like=True):
    """One state: the values of all variables in the program's order."""

    q: int
    values: tuple[int, ...]


class LiveRegion(Struct, frozen=True, array_like=True):
    """The states with these values of the finite variables, in the program's order, that satisfy the formula."""

    q: int
    control: tuple[int, ...]
    formula: str


class VisitCubes(Struct, frozen=True, array_like=True):
    """How a state in `node` has to do with any earlier visit of `visited`: one of the cubes. A cube bounds by how much
    each word now exceeds each word then, those of the first word then first; None where it does not."""

    visited: int
    node: int
    cubes: tuple[tuple[int | None, ...], ...]


class Argument(Struct, frozen=True):
    """Why the component of `node` is passed only finitely often; components without accepting nodes need no argument.

    `weak`: the fair group is enabled in all its nodes and never steps. `strong`: the group never steps, so edges from
    nodes that enable it are left out. `rank`: no edge increases the `ranks` of the nodes, and the `removed` ones
    decrease them from values that are not negative. `visits`: of any two visits of a node one of the `words` is smaller
    at the later one, and was not negative; `since` says what makes this inductive. The `children` go on with what is
    left.
    """

    kind: Literal["weak", "strong", "rank", "visits"]
    node: int
    group: str = ""
    ranks: Mapping[int, str] = {}
    removed: tuple[NodeEdge, ...] = ()
    children: tuple[Argument, ...] = ()
    words: tuple[str, ...] = ()
    since: tuple[VisitCubes, ...] = ()


class PropertyEvidence(Struct, frozen=True):
    """What evidence is about: a program, and a `formula` over `propositions`, which are GCL text by their names."""

    file: str
    sha256: str
    constants: Mapping[str, int]
    property: str
    formula: str
    propositions: Mapping[str, str]


class LiveCertificate(PropertyEvidence, frozen=True):
    """A proof that the formula holds on all fair runs of the program.

    There are `states` or `regions`, not both; `edges` belong to regions.
    """

    automaton: Automaton
    argument: tuple[Argument, ...]
    states: tuple[LiveState, ...] = ()
    regions: tuple[LiveRegion, ...] = ()
    edges: tuple[NodeEdge, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return FORMAT.data(self)

    def save(self, path: Path) -> None:
        FORMAT.save(path, self)


FORMAT = Format("pincer-live-1", "certificate", LiveCertificate, ("file", "sha256", "constants"))
