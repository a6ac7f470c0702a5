"""Proofs of formulas are accepted as they are, and refused when anything that they rest on is taken away."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from pincer.engines.task import Proved
from pincer.evidence.c_proof.cut_point_claim import CutPointProof
from pincer.program.automaton import Automaton
from pincer.program.control_flow import ControlFlowProgram
from tests.engines.termination.formula_programs import ANSWERED, SERVER, answer, certified, observed, with_formula


@pytest.fixture
def proved(tmp_path: Path) -> tuple[ControlFlowProgram, CutPointProof, Automaton]:
    program = observed(tmp_path, SERVER % "--", ANSWERED)
    claim = answer(program)
    assert isinstance(claim, Proved) and isinstance(claim.proof, CutPointProof) and claim.proof.automaton is not None
    return program, claim.proof, claim.proof.automaton


def test_a_proof_without_its_ranks_facts_or_points_is_refused(
    proved: tuple[ControlFlowProgram, CutPointProof, Automaton],
) -> None:
    program, proof, _ = proved
    assert certified(program, proof).accepted
    same = tuple(replace(point, ranks=tuple(proof.points[0].ranks)) for point in proof.points)
    assert not certified(program, replace(proof, points=same)).accepted
    assert not certified(program, replace(proof, points=tuple(replace(p, facts=()) for p in proof.points))).accepted
    assert not certified(program, replace(proof, points=proof.points[1:])).accepted
    assert not certified(program, replace(proof, points=tuple(replace(p, node=0) for p in proof.points[:1]))).accepted


def test_an_automaton_that_misses_violations_is_refused(
    proved: tuple[ControlFlowProgram, CutPointProof, Automaton],
) -> None:
    program, proof, automaton = proved
    silent = replace(automaton, accepting=tuple(False for _ in automaton.accepting))
    assert "miss an infinite run" in certified(program, replace(proof, automaton=silent)).refused[0]
    endless = replace(automaton, ends=tuple(() for _ in automaton.ends))
    assert "misses a finite run" in certified(program, replace(proof, automaton=endless)).refused[0]
    fewer = replace(automaton, edges=automaton.edges[1:])
    assert not certified(program, replace(proof, automaton=fewer)).accepted
    outside = replace(automaton, initial=(7,))
    assert "well formed" in certified(program, replace(proof, automaton=outside)).refused[0]
    assert not certified(program, replace(proof, automaton=None)).accepted


def test_a_proof_of_one_formula_is_none_of_another(proved: tuple[ControlFlowProgram, CutPointProof, Automaton]) -> None:
    program, proof, _ = proved
    assert not certified(with_formula(program, "[]<>$2"), proof).accepted


def test_a_proof_is_none_for_a_program_that_waits_for_ever(
    tmp_path: Path, proved: tuple[ControlFlowProgram, CutPointProof, Automaton]
) -> None:
    _, proof, _ = proved
    assert not certified(observed(tmp_path, SERVER % " -= 2", ANSWERED), proof).accepted
