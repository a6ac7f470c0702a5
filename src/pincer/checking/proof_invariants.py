"""What a proof says about procedures, and what of it can be said in the user's own C."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from pincer.errors import Position
from pincer.evidence.c_proof.certificate import ProcedureProof
from pincer.logic.terms import FALSE, Term, conjunction, conjuncts, disjunction
from pincer.program.control_flow import Assume, Call, ControlFlowProgram, Procedure
from pincer.program.source_names import SourceNames

if TYPE_CHECKING:
    from pincer.evidence.c.locations import Locator
    from pincer.evidence.c.witness import Invariant
    from pincer.evidence.c_proof.certificate import ProofCertificate
    from pincer.evidence.c_proof.cut_point_claim import CutPointProof


def joint_invariants(proofs: Iterable[ProcedureProof]) -> dict[str, dict[int, Term]]:
    """By procedure and location, what holds in all runs without errors, whichever triple covers them.

    A procedure may have several triples, each for the calls that enter it in some states. By itself the invariant of
    one of them is not an invariant of the procedure; their disjunction is.
    """
    triples: dict[str, list[ProcedureProof]] = {}
    for proof in proofs:
        if not proof.errors:
            triples.setdefault(proof.procedure, []).append(proof)
    return {
        procedure: {
            location: disjunction(*(part.invariants[location] for part in parts))
            for location in parts[0].invariants
            if all(location in part.invariants for part in parts)
        }
        for procedure, parts in triples.items()
    }


def cut_point_invariants(program: ControlFlowProgram, proof: CutPointProof) -> dict[str, dict[int, Term]]:
    """The same of a proof by cut points: one of a procedure's points holds, whichever calls are open."""
    found: dict[str, dict[int, Term]] = {}
    for point in proof.points:
        name = program.entry
        if point.calls:
            caller, index = point.calls[-1]
            label = program.procedures[caller].edges[index].label
            assert isinstance(label, Call)
            name = label.procedure
        places = found.setdefault(name, {})
        places[point.location] = disjunction(places.get(point.location, FALSE), conjunction(*point.facts))
    return found


def source_invariants(program: ControlFlowProgram, proof: ProofCertificate, text: str) -> Iterator[Invariant]:
    """What a proof says about each loop, one entry for every part that the source's names can express."""
    from pincer.evidence.c.locations import Locator
    from pincer.evidence.c.witness import Invariant
    from pincer.logic.c_text import NotInC, c_text

    locator = Locator(text, program.file)
    known = joint_invariants(proof.proofs) if proof.cuts is None else cut_point_invariants(program, proof.cuts)
    for name, invariants in known.items():
        procedure = program.procedures[name]
        names = SourceNames(program, name)
        for head in sorted(procedure.loop_heads & invariants.keys()):
            position = _keyword(procedure, head, locator)
            if position is None:
                continue
            for part in conjuncts(invariants[head]):
                try:
                    said = c_text(part, names.text, names.signed, names.number)
                    yield Invariant(position, said, "loop_invariant")
                except NotInC:
                    continue


def _keyword(procedure: Procedure, head: int, locator: Locator) -> Position | None:
    """The keyword of the loop whose decision comes first from its head on; None when that is not a loop's."""
    location = head
    for _ in procedure.edges:
        leaving = procedure.outgoing.get(location, ())
        decisions = [edge for edge in leaving if isinstance(edge.label, Assume) and edge.label.branch is not None]
        if decisions:
            index = locator.token_at(decisions[0].position)
            is_loop = index is not None and locator.source.text(index) in ("while", "for", "do")
            return decisions[0].position if is_loop else None
        if len(leaving) != 1 or leaving[0].target in procedure.loop_heads:
            return None
        location = leaving[0].target
    return None
