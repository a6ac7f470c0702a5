"""Proofs of a C program for a later version of it: places are looked up where the text around them has not changed.

What comes out is a guess. The checker says whether it is a proof of the program as it is now.
"""

from __future__ import annotations

from collections.abc import Mapping
from difflib import SequenceMatcher
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from pincer.engines.task import Triples
from pincer.evidence.c_proof.certificate import ProcedureProof
from pincer.evidence.c_proof.cut_point_claim import CutPoint, CutPointProof, OpenCall
from pincer.evidence.c_proof.merged_claim import MergedProof
from pincer.evidence.c_proof.paths import Paths
from pincer.program.control_flow import ControlFlowProgram, Procedure
from pincer.program.digest import digest

SequentialProof: TypeAlias = Triples | Paths | MergedProof | CutPointProof
_MARK_LENGTH = 8
_ROOM = 2
"""A program that was changed may need more paths, steps and rounds than it did before."""


class EdgeMark(Struct, frozen=True, array_like=True):
    """An edge as it is recognised: its ends, and a hash of what it does."""

    source: int
    target: int
    mark: str


Outline: TypeAlias = Mapping[str, tuple[EdgeMark, ...]]
"""The edges of each procedure."""


def outline(program: ControlFlowProgram) -> Outline:
    return {name: _marks(procedure) for name, procedure in program.procedures.items()}


def _marks(procedure: Procedure) -> tuple[EdgeMark, ...]:
    return tuple(EdgeMark(edge.source, edge.target, digest(edge.label)[:_MARK_LENGTH]) for edge in procedure.edges)


class Relocation(Struct, frozen=True):
    """Where the places and edges of an older version are now; those that are gone are missing."""

    places: Mapping[int, int]
    edges: Mapping[str, Mapping[int, int]]

    def proof(self, proof: SequentialProof) -> SequentialProof:
        """The proof with its places in the program as it is now."""
        match proof:
            case Triples(proofs):
                return Triples(tuple(map(self._triple, proofs)))
            case Paths(paths, steps, values):
                moved = {self.places[place]: found for place, found in values.items() if place in self.places}
                return Paths(_ROOM * paths, _ROOM * steps, moved)
            case MergedProof(rounds):
                known = [loop for loop in rounds if loop.location in self.places]
                return replace(
                    proof, rounds=tuple(replace(loop, location=self.places[loop.location]) for loop in known)
                )
            case CutPointProof(points):
                return CutPointProof(tuple(point for old in points for point in self._cut(old)))

    def _triple(self, proof: ProcedureProof) -> ProcedureProof:
        edges = self.edges.get(proof.procedure, {})
        return replace(
            proof,
            invariants={self.places[place]: term for place, term in proof.invariants.items() if place in self.places},
            calls={edges[index]: uses for index, uses in proof.calls.items() if index in edges},
        )

    def _cut(self, point: CutPoint) -> tuple[CutPoint, ...]:
        calls = tuple(self._call(call) for call in point.calls)
        if point.location not in self.places or None in calls:
            return ()
        open_calls = tuple(call for call in calls if call is not None)
        return (replace(point, location=self.places[point.location], calls=open_calls),)

    def _call(self, call: OpenCall) -> OpenCall | None:
        name, index = call
        found = self.edges.get(name, {}).get(index)
        return None if found is None else (name, found)


def relocation(before: Outline, program: ControlFlowProgram) -> Relocation:
    """From an older version of a program to this one."""
    places: dict[int, int] = {}
    edges: dict[str, dict[int, int]] = {}
    for name, old in before.items():
        procedure = program.procedures.get(name)
        if procedure is None:
            continue
        new = _marks(procedure)
        pairs = edges[name] = _aligned(old, new)
        for i, j in pairs.items():
            places.setdefault(old[i].source, new[j].source)
            places.setdefault(old[i].target, new[j].target)
    return Relocation(places, edges)


def _aligned(old: tuple[EdgeMark, ...], new: tuple[EdgeMark, ...]) -> dict[int, int]:
    """Which edge became which: those that do the same in the same order, and what stands between them one by one where
    it is equally long."""
    before, after = [edge.mark for edge in old], [edge.mark for edge in new]
    if before == after:
        return {index: index for index in range(len(before))}
    pairs: dict[int, int] = {}
    for tag, i, i_end, j, j_end in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag == "equal" or (tag == "replace" and i_end - i == j_end - j):
            pairs |= dict(zip(range(i, i_end), range(j, j_end), strict=True))
    return pairs
