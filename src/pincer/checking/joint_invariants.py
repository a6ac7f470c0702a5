"""What the parts of a proof say together about a procedure.

A procedure may have several triples, each for the calls that enter it in some states. By itself the invariant of one of
them is not an invariant of the procedure; their disjunction is.
"""

from __future__ import annotations

from collections.abc import Iterable

from pincer.evidence.c_proof.certificate import ProcedureProof
from pincer.logic.terms import Term, disjunction


def joint_invariants(proofs: Iterable[ProcedureProof]) -> dict[str, dict[int, Term]]:
    """By procedure and location, what holds in all runs without errors, whichever triple covers them."""
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
