"""What recursive functions return is guessed from executions, and proofs rest on it only if the checker agrees."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.engines.task import EngineTask, Open, Proved
from pincer.engines.termination.contracts import likely_contracts, samples_of
from pincer.engines.termination.verify import TerminationSettings, check
from pincer.evidence.c_proof.certificate import ProofCertificate
from pincer.evidence.c_proof.checker import check_proof
from pincer.evidence.c_proof.cut_point_claim import Contract, CutPointProof
from pincer.logic.bitvectors import compare, constant
from pincer.logic.terms import FALSE, TRUE, Term, equal
from pincer.program.control_flow import ControlFlowProgram
from pincer.program.passes import Termination, instrumented
from pincer.runtime.run import Run
from tests.engines.dash.dash_runs import loaded

MCCARTHY = """
int mc(int n) { if (n > 100) return n - 10; return mc(mc(n + 11)); }
int main(void) { return mc(__VERIFIER_nondet_int()) >= 91; }
"""


def ending(folder: Path, text: str) -> ControlFlowProgram:
    return instrumented(loaded(folder, text), Termination())


def test_pieces_are_told_apart_by_conditions_of_the_function(tmp_path: Path) -> None:
    program = ending(tmp_path, MCCARTHY)
    results = {sample.arguments[0]: sample.result for sample in samples_of(program, "mc", Run())}
    assert results[100] == 91 and results[112] == 102
    [contracts] = likely_contracts(program, Run())
    assert str(contracts["mc"]) == (
        "(bvsle(mc::n, 100) || same(mc::$result, (mc::n + -10))) && (!(bvsle(mc::n, 100)) || same(mc::$result, 91))"
    )


def test_a_function_whose_result_has_no_form_has_no_contract(tmp_path: Path) -> None:
    text = "int f(int n) { return n <= 0 ? 0 : n * n * f(n - 1) + 3; } int main(void) { return f(9); }"
    for contracts in likely_contracts(ending(tmp_path, text), Run()):
        assert "bvmul" not in str(contracts)


def proved(program: ControlFlowProgram) -> CutPointProof:
    [claim] = check(EngineTask(program, ("termination",), TerminationSettings({})), Run(timeout=60))
    assert isinstance(claim, Proved) and isinstance(claim.proof, CutPointProof), claim
    return claim.proof


def accepted(program: ControlFlowProgram, proof: CutPointProof) -> bool:
    written = ProofCertificate(program.file, "", "LP64", "main", "termination", "1", cuts=proof).to_json()
    return check_proof(program, ProofCertificate.from_json(written)).accepted


def test_the_function_of_mccarthy_ends(tmp_path: Path) -> None:
    program = ending(tmp_path, MCCARTHY)
    proof = proved(program)
    assert len(proof.contracts) == 1 and accepted(program, proof)
    assert not accepted(program, CutPointProof(proof.points))


@pytest.mark.parametrize("constant_", [90, 92])
def test_a_contract_that_does_not_hold_is_refused(tmp_path: Path, constant_: int) -> None:
    program = ending(tmp_path, MCCARTHY)
    points = proved(program).points
    mc = program.procedures["mc"]
    assert mc.result is not None
    [n] = mc.parameters
    forged: list[Term] = [
        equal(mc.result, constant(constant_, 32)),
        compare("bvslt", n, mc.result),
        FALSE,
        TRUE,
    ]
    for formula in forged:
        assert not accepted(program, CutPointProof(points, contracts=(Contract("mc", formula),)))


def test_a_contract_speaks_of_its_function_only(tmp_path: Path) -> None:
    program = ending(tmp_path, MCCARTHY)
    proof = proved(program)
    [contract] = proof.contracts
    for contracts in ((contract, contract), (Contract("nobody", TRUE),), (Contract("main", contract.formula),)):
        assert not accepted(program, CutPointProof(proof.points, contracts=contracts))


def test_one_less_is_no_reason_to_end(tmp_path: Path) -> None:
    program = ending(tmp_path, MCCARTHY.replace("n - 10", "n - 11"))
    [claim] = check(EngineTask(program, ("termination",), TerminationSettings({})), Run(timeout=20))
    assert isinstance(claim, Open)
