"""Does a proof speak about this program, and only about what its parts may speak about?

Scopes carry the soundness of triples: an exit condition that mentioned a parameter, or an entry condition that
mentioned a local register, would be about another activation when the caller reads it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import get_args

from pincer.evidence.c_proof.certificate import ProcedureProof, ProofCertificate
from pincer.evidence.c_proof.program_facts import ProgramFacts
from pincer.evidence.c_proof.term_data import variables
from pincer.logic.terms import BOOL, Term
from pincer.program.control_flow import Call, Procedure
from pincer.program.property import ProvedKind


def misfit(facts: ProgramFacts, certificate: ProofCertificate, sha256: str | None) -> str | None:
    """Why the certificate is not about this program, if it is not."""
    program = facts.program
    if certificate.property not in get_args(ProvedKind):
        return f"there is no property {certificate.property!r} to be proved of a C program"
    if sha256 is not None and sha256 != certificate.sha256:
        return "the proof was made for another version of the program (its hash differs)"
    if certificate.data_model != program.layout.data_model:
        return f"the proof is for {certificate.data_model}, the program was read as {program.layout.data_model}"
    if certificate.entry != program.entry and not program.entry.startswith("$"):
        return f"the proof begins at {certificate.entry}, the program at {program.entry}"
    if [certificate.paths, certificate.merged, certificate.cuts].count(None) < 2:
        return "the proof is two of different kinds"
    if certificate.property == "temporal" and certificate.cuts is None:
        return "the proof has no ranks, which it takes for a temporal formula"
    if certificate.property == "termination" and certificate.cuts is None and certificate.paths is None:
        return "the proof has neither ranks nor paths, which it takes for termination"
    return None if certificate.is_execution() else _without_main(facts, certificate)


def _without_main(facts: ProgramFacts, certificate: ProofCertificate) -> str | None:
    """Why the triples do not prove the property of the whole program, if they do not."""
    program = facts.program
    ids = [proof.id for proof in certificate.proofs]
    if len(set(ids)) < len(ids):
        return "two parts of the proof have the same id"
    main = next((proof for proof in certificate.proofs if proof.id == certificate.main), None)
    if main is None or main.procedure != program.entry:
        return f"the proof has no part {certificate.main} about {program.entry}"
    if main.errors:
        return f"the part {main.id} does not claim that there are no errors"
    return None


def used_proofs(certificate: ProofCertificate) -> dict[str, ProcedureProof]:
    """The parts that the main one rests on, itself first; unknown ones are left to `out_of_scope`."""
    known = {proof.id: proof for proof in certificate.proofs}
    used: dict[str, ProcedureProof] = {}
    pending = [certificate.main]
    while pending:
        proof = known.get(pending.pop())
        if proof is not None and proof.id not in used:
            used[proof.id] = proof
            pending.extend(use.proof for uses in proof.calls.values() for use in uses)
    return used


def out_of_scope(facts: ProgramFacts, proof: ProcedureProof, proofs: Mapping[str, ProcedureProof]) -> str | None:
    """What a part of the proof says that it may not say, if anything."""
    procedure = facts.program.procedures.get(proof.procedure)
    if procedure is None:
        return f"{proof.id}: the program has no procedure {proof.procedure}"
    problems = (
        *_ghost_problems(facts, proof),
        *_place_problems(procedure, proof),
        *_term_problems(facts, procedure, proof),
        *_use_problems(facts, procedure, proof, proofs),
    )
    return f"{proof.id}: {problems[0]}" if problems else None


def _ghost_problems(facts: ProgramFacts, proof: ProcedureProof) -> Iterator[str]:
    names = [name for name, _ in proof.ghosts]
    if len(set(names)) < len(names):
        yield "a ghost is declared twice"
    for name, width in proof.ghosts:
        if name in facts.widths:
            yield f"the ghost {name} has the name of a register"
        if width < 1:
            yield f"the ghost {name} has no width"


def _place_problems(procedure: Procedure, proof: ProcedureProof) -> Iterator[str]:
    locations = {procedure.entry, procedure.exit}
    for edge in procedure.edges:
        locations.update((edge.source, edge.target))
    for location in proof.invariants:
        if location not in locations:
            yield f"{procedure.name} has no location {location}"
    for index in proof.calls:
        if not 0 <= index < len(procedure.edges) or not isinstance(procedure.edges[index].label, Call):
            yield f"edge {index} of {procedure.name} is not a call"


def _term_problems(facts: ProgramFacts, procedure: Procedure, proof: ProcedureProof) -> Iterator[str]:
    ghosts = dict(proof.ghosts)
    shared = {name: width for name, width in facts.widths.items() if facts.owner(name) is None}
    results = () if procedure.result is None else (procedure.result,)
    conditions: list[tuple[str, Term, Mapping[str, int]]] = [
        ("the entry condition", proof.entry, {**shared, **ghosts, **_widths(procedure.parameters)}),
        ("the exit condition", proof.exit, {**shared, **ghosts, **_widths(results)}),
    ]
    inside = {**_visible(facts, procedure), **ghosts}
    conditions.extend((f"the invariant of location {at}", term, inside) for at, term in proof.invariants.items())
    for what, term, scope in conditions:
        if term.sort is not BOOL:
            yield f"{what} is not a condition"
        yield from _strangers(what, term, scope)


def _visible(facts: ProgramFacts, procedure: Procedure) -> dict[str, int]:
    """The registers that a state of the procedure has."""
    return {name: width for name, width in facts.widths.items() if facts.owner(name) in (None, procedure.name)}


def _widths(registers: Iterable[Term]) -> dict[str, int]:
    return {str(register.args[0]): register.sort.width or 0 for register in registers}


def _strangers(what: str, term: Term, scope: Mapping[str, int]) -> Iterator[str]:
    for register in variables(term):
        name = str(register.args[0])
        if name not in scope:
            yield f"{what} mentions {name}, which it may not"
        elif scope[name] != register.sort.width:
            yield f"{what} mentions {name} with another width"


def _use_problems(
    facts: ProgramFacts, procedure: Procedure, proof: ProcedureProof, proofs: Mapping[str, ProcedureProof]
) -> Iterator[str]:
    inside = {**_visible(facts, procedure), **dict(proof.ghosts)}
    for index, uses in proof.calls.items():
        label = procedure.edges[index].label if 0 <= index < len(procedure.edges) else None
        for use in uses:
            used = proofs.get(use.proof)
            if used is None or not isinstance(label, Call) or used.procedure != label.procedure:
                yield f"edge {index} uses {use.proof}, which is no proof about what it calls"
                continue
            if use.ghost_values.keys() != dict(used.ghosts).keys():
                yield f"edge {index} does not give each ghost of {use.proof} a value"
                continue
            for name, width in used.ghosts:
                value = use.ghost_values[name]
                if value.sort.width != width:
                    yield f"edge {index} gives the ghost {name} of {use.proof} a value of another width"
                yield from _strangers(f"the value of the ghost {name}", value, inside)
