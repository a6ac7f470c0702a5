"""A proof about an MSVL program is accepted only for this program and this property."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from pincer.engines.live.verify import LiveSettings, verify
from pincer.engines.task import EngineTask, Proved
from pincer.errors import PincerError
from pincer.evidence.live.certificate import LiveCertificate
from pincer.evidence.msvl.proofs import FORMAT, MsvlProof, check_proof
from pincer.frontends.msvl import Program, parse_program
from pincer.runtime.run import Run
from tests.evidence.msvl.translated_programs import COUNTING, made_of, question


def proof_of(text: str, wanted: str) -> tuple[Program, MsvlProof]:
    program, made = made_of(text, wanted)
    [claim] = verify(EngineTask(made.program, (made.asked,), LiveSettings()), Run(timeout=60))
    assert isinstance(claim, Proved) and isinstance(claim.proof, LiveCertificate)
    asked = question(wanted)
    return program, MsvlProof("t.m", "hash", "property", asked.formula, asked.propositions, claim.proof)


def test_a_proof_is_accepted_and_survives_a_file() -> None:
    program, proof = proof_of(COUNTING, "[]<>{x%2=0}")
    assert check_proof(program, "hash", proof).ok
    assert check_proof(program, "hash", FORMAT.value(proof.to_json()), "z3").ok


def test_a_proof_of_another_program_is_refused() -> None:
    _, proof = proof_of(COUNTING, "[]{x>=0}")
    other = parse_program(COUNTING.replace("x+1", "x-1"), "t.m")
    assert not check_proof(other, "hash", proof).ok
    with pytest.raises(PincerError, match="another version"):
        check_proof(other, "other", proof)


@pytest.mark.parametrize("condition", ["x>0", "x>=1", "x<0"])
def test_a_proof_of_another_condition_is_refused(condition: str) -> None:
    program, proof = proof_of(COUNTING, "[]{x>=0}")
    forged = replace(proof, propositions={"$1": condition})
    assert not check_proof(program, "hash", forged).ok
    assert check_proof(program, "hash", proof).ok


def test_that_a_run_goes_wrong_cannot_be_left_out() -> None:
    text = "frame(x) and (int x and input(x) and skip; if(x>0) then {while(true){x<==1}} else {x:=1})"
    program, made = made_of(text, "<>{x=1} or {x>0}")
    [claim] = verify(EngineTask(made.program, (made.alone,), LiveSettings()), Run(timeout=60))
    assert isinstance(claim, Proved) and isinstance(claim.proof, LiveCertificate)
    asked = question("<>{x=1} or {x>0}")
    proof = MsvlProof("t.m", "hash", "property", asked.formula, asked.propositions, claim.proof)
    report = check_proof(program, "hash", proof)
    assert not report.ok and report.reason == "the proof is about another property"
