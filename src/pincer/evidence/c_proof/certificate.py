"""Proofs about C programs as data, and their JSON form.

A `ProcedureProof` is a Hoare triple with its proof outline: started at the entry of the procedure in a state that
satisfies `entry`, every state at location l satisfies `invariants[l]` (nothing is said of a location without one), at
the exit `exit` holds, and unless `errors` is set nothing goes wrong on the way, the calls included. Ghosts are
constants of one activation: they stand for values that only callers know, such as the value of a parameter on entry.

`entry` is about parameters, global registers, memory and ghosts; `exit` about global registers, memory, the result
register and ghosts.

A program with finitely many paths may have a proof by exploration instead (`Paths`), or one by an execution in which
paths are merged (`MergedProof`); or errors are excluded by facts at some places (`CutPointProof`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, TypeAlias

from msgspec import Meta, Struct

from pincer.errors import PincerError
from pincer.evidence.c_proof.cut_point_claim import Contract, CutPoint, CutPointProof, OpenCall, Since
from pincer.evidence.c_proof.formulas import Reader, Writer
from pincer.evidence.c_proof.merged_claim import MergedProof
from pincer.evidence.c_proof.paths import Paths
from pincer.logic import terms
from pincer.logic.terms import Term
from pincer.program.automaton import Automaton
from pincer.program.property import ProvedKind
from pincer.runtime.codec import Format, Natural, read_json


class CallUse(Struct, frozen=True):
    """A triple of the callee that a call relies on, and what its ghosts stand for before the call."""

    proof: str
    ghost_values: Mapping[str, Term] = {}


class ProcedureProof(Struct, frozen=True):
    """One triple; `calls` gives the triples used at a call, by the index of the edge in `procedure.edges`."""

    id: str
    procedure: str
    entry: Term = terms.TRUE
    exit: Term = terms.TRUE
    errors: bool = False
    ghosts: tuple[tuple[str, int], ...] = ()
    invariants: Mapping[int, Term] = {}
    calls: Mapping[int, tuple[CallUse, ...]] = {}


class ProofCertificate(Struct, frozen=True):
    """A proof of a property of a program: by triples (`main` is that of the entry procedure), by paths, merged,
    or by cut points."""

    file: str
    sha256: str
    data_model: str
    entry: str
    property: ProvedKind
    version: str
    main: str = ""
    proofs: tuple[ProcedureProof, ...] = ()
    paths: Paths | None = None
    merged: MergedProof | None = None
    cuts: CutPointProof | None = None

    def is_execution(self) -> bool:
        """Whether the proof is checked by an execution of the program: nothing in it speaks of procedures."""
        return self.paths is not None or self.merged is not None or self.cuts is not None

    def to_json(self) -> dict[str, Any]:
        shared = self.file, self.sha256, self.data_model, self.entry, self.property, self.version
        written = tuple(map(_written, self.proofs))
        cuts = None if self.cuts is None else _written_cuts(self.cuts)
        data = FORMAT.data(_Written(*shared, self.main, written, self.paths, self.merged, cuts))
        unused = ("main", "proofs") if self.is_execution() else ()
        return {name: value for name, value in data.items() if name not in unused and value is not None}

    @staticmethod
    def from_json(data: Any) -> ProofCertificate:
        """A certificate from its JSON form; what is not one is refused with a `PincerError`."""
        read = FORMAT.value(data)
        shared = read.file, read.sha256, read.data_model, read.entry, read.property, read.version
        try:
            cuts = None if read.cuts is None else _read_cuts(read.cuts)
            if read.paths is not None or read.merged is not None or cuts is not None:
                return ProofCertificate(*shared, paths=read.paths, merged=read.merged, cuts=cuts)
            return ProofCertificate(*shared, read.main, tuple(map(_read, read.proofs)))
        except RecursionError as error:
            raise PincerError("malformed proof: a formula is nested too deeply") from error

    def save(self, path: Path) -> None:
        path.write_text(json.dumps(self.to_json(), separators=(",", ":")) + "\n", encoding="utf-8")

    @staticmethod
    def load(path: Path) -> ProofCertificate:
        return ProofCertificate.from_json(read_json(path, FORMAT.what))


_Width: TypeAlias = Annotated[int, Meta(ge=0, le=1 << 16)]


class _WrittenUse(Struct, frozen=True):
    proof: str
    ghosts: Mapping[str, str]


class _WrittenProof(Struct, frozen=True):
    """A triple with its formulas as text over `registers`, in which `definitions` name what they share."""

    id: str
    procedure: str
    errors: bool
    ghosts: tuple[tuple[str, _Width], ...]
    entry: str
    exit: str
    invariants: Mapping[int, str]
    calls: Mapping[int, tuple[_WrittenUse, ...]]
    registers: Mapping[str, _Width]
    definitions: tuple[str, ...]


class _WrittenCut(Struct, frozen=True):
    calls: tuple[OpenCall, ...]
    location: Natural
    facts: tuple[str, ...]
    ranks: tuple[str, ...] = ()
    node: Natural = 0
    words: tuple[str, ...] = ()
    since: tuple[tuple[Natural, str], ...] = ()


class _WrittenCuts(Struct, frozen=True):
    """Facts as text over `registers`, in which `definitions` name what they share."""

    points: tuple[_WrittenCut, ...]
    registers: Mapping[str, _Width]
    definitions: tuple[str, ...]
    automaton: Automaton | None = None
    contracts: tuple[tuple[str, str], ...] = ()


class _Written(Struct, frozen=True):
    file: str
    sha256: str
    data_model: str
    entry: str
    property: ProvedKind
    version: str
    main: str = ""
    proofs: tuple[_WrittenProof, ...] = ()
    paths: Paths | None = None
    merged: MergedProof | None = None
    cuts: _WrittenCuts | None = None


FORMAT = Format("pincer-c-proof-1", "proof", _Written, ("file", "sha256", "data_model", "entry"))


def _written_cuts(proof: CutPointProof) -> _WrittenCuts:
    writer = Writer([*(term for cut in proof.points for term in _said(cut)), *(c.formula for c in proof.contracts)])
    text = writer.text
    points = tuple(
        _WrittenCut(
            cut.calls,
            cut.location,
            tuple(map(text, cut.facts)),
            tuple(map(text, cut.ranks)),
            cut.node,
            tuple(map(text, cut.words)),
            tuple((since.point, text(since.relation)) for since in cut.since),
        )
        for cut in proof.points
    )
    contracts = tuple((contract.procedure, text(contract.formula)) for contract in proof.contracts)
    return _WrittenCuts(points, dict(writer.registers), tuple(writer.definitions), proof.automaton, contracts)


def _said(cut: CutPoint) -> tuple[Term, ...]:
    """All formulas and words of a cut point."""
    return (*cut.facts, *cut.ranks, *cut.words, *(since.relation for since in cut.since))


def _read_cuts(written: _WrittenCuts) -> CutPointProof:
    reader = Reader(written.registers, written.definitions)
    return CutPointProof(
        tuple(
            CutPoint(
                cut.calls,
                cut.location,
                tuple(map(reader.predicate, cut.facts)),
                tuple(map(reader.value, cut.ranks)),
                cut.node,
                tuple(map(reader.value, cut.words)),
                tuple(Since(point, reader.predicate(relation)) for point, relation in cut.since),
            )
            for cut in written.points
        ),
        written.automaton,
        tuple(Contract(procedure, reader.predicate(formula)) for procedure, formula in written.contracts),
    )


def _written(proof: ProcedureProof) -> _WrittenProof:
    values = [value for uses in proof.calls.values() for use in uses for value in use.ghost_values.values()]
    writer = Writer([proof.entry, proof.exit, *proof.invariants.values(), *values])
    text = writer.text
    return _WrittenProof(
        proof.id,
        proof.procedure,
        proof.errors,
        proof.ghosts,
        text(proof.entry),
        text(proof.exit),
        {location: text(term) for location, term in proof.invariants.items()},
        {
            index: tuple(
                _WrittenUse(use.proof, {g: text(value) for g, value in use.ghost_values.items()}) for use in uses
            )
            for index, uses in proof.calls.items()
        },
        dict(writer.registers),
        tuple(writer.definitions),
    )


def _read(proof: _WrittenProof) -> ProcedureProof:
    if any(proof.registers.get(name, width) != width for name, width in proof.ghosts):
        raise PincerError(f"malformed proof {proof.id!r}: a ghost has two widths")
    reader = Reader(proof.registers, proof.definitions)
    return ProcedureProof(
        proof.id,
        proof.procedure,
        reader.predicate(proof.entry),
        reader.predicate(proof.exit),
        proof.errors,
        proof.ghosts,
        {location: reader.predicate(text) for location, text in proof.invariants.items()},
        {
            index: tuple(CallUse(use.proof, {g: reader.value(text) for g, text in use.ghosts.items()}) for use in uses)
            for index, uses in proof.calls.items()
        },
    )
