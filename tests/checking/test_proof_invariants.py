"""Triples for different calls of a procedure hold together as a disjunction, not one by one."""

from __future__ import annotations

from pincer.checking.proof_invariants import joint_invariants
from pincer.evidence.c_proof.certificate import ProcedureProof
from pincer.logic.bitvectors import constant, variable
from pincer.logic.terms import disjunction, equal

X = variable("f::x", 8)
ONE, TWO = (equal(X, constant(value, 8)) for value in (1, 2))


def test_invariants_of_several_triples_are_alternatives() -> None:
    parts = [ProcedureProof("f/1", "f", invariants={3: ONE}), ProcedureProof("f/2", "f", invariants={3: TWO})]
    assert joint_invariants(parts) == {"f": {3: disjunction(ONE, TWO)}}


def test_nothing_is_said_where_one_triple_says_nothing() -> None:
    parts = [ProcedureProof("f/1", "f", invariants={3: ONE}), ProcedureProof("f/2", "f")]
    assert joint_invariants(parts) == {"f": {}}


def test_summaries_that_may_err_say_nothing_about_all_runs() -> None:
    summary = ProcedureProof("f/1", "f", errors=True, invariants={3: ONE})
    assert joint_invariants([summary, ProcedureProof("g", "g", invariants={5: TWO})]) == {"g": {5: TWO}}
