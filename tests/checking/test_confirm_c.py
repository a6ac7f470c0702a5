"""Engines can be wrong about C, too: a proof that is not accepted is no proof, and a test says whether it was run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

import pincer.evidence.c.execution
import pincer.evidence.c_proof.checker
from pincer.checking.confirm_c import CConfirmation, Viewed, with_few_places
from pincer.checking.load import CSource, hash_of
from pincer.checking.properties import ASSERTIONS, CProperty
from pincer.checking.result import Result, Safe, Unknown, Unsafe
from pincer.checking.task import Options, Outputs, Source, Task
from pincer.engines.sequential import SequentialSettings, check
from pincer.engines.task import Claim, EngineTask, Exhaustion, Proved
from pincer.evidence.c.execution import Confirmation
from pincer.evidence.c_proof.certificate import ProofCertificate
from pincer.program.control_flow import ControlFlowProgram
from pincer.program.property import Assumption
from pincer.runtime.reasons import time_is_up
from pincer.runtime.run import Run, Stopped

SAFE = "int main(void) { int x = __VERIFIER_nondet_int(); if (x != x + 0) reach_error(); return 0; }\n"
UNSAFE = "int main(void) {\n  int x = __VERIFIER_nondet_int();\n  if (x == 7)\n    reach_error();\n  return 0;\n}\n"
LOOP = """unsigned __VERIFIER_nondet_uint(void);
int main(void) { unsigned i = 0, n = __VERIFIER_nondet_uint(); while (i < n) i++; if (i != n) reach_error(); return 0; }
"""
TASK = Task(Source("p.c"), outputs=Outputs(call="pincer check p.c"))


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def source_with(text: str, *properties: CProperty) -> CSource:
    Path("p.c").write_text(text, encoding="utf-8")
    return CSource("p.c", Path("p.c"), properties=properties or (ASSERTIONS,), sha256=hash_of(Path("p.c")))


def decided(source: CSource) -> tuple[ControlFlowProgram, Claim]:
    program = source.program(ASSERTIONS)
    [claim] = check(EngineTask(program, ("assertions",), SequentialSettings()), Run(timeout=20))
    return program, claim


def confirmed(
    source: CSource, program: ControlFlowProgram, claim: Claim, wanted: CProperty = ASSERTIONS, task: Task = TASK
) -> Result:
    return CConfirmation(source, task, Run()).result(claim, Viewed(program, wanted))


def safe(result: Result) -> Safe:
    assert isinstance(result, Safe), result
    return result


def unsafe(result: Result) -> Unsafe:
    assert isinstance(result, Unsafe), result
    return result


def reason(result: Result) -> str:
    assert isinstance(result, Unknown), result
    return str(result.reason)


def says(monkeypatch: pytest.MonkeyPatch, status: Any, detail: str) -> None:
    monkeypatch.setattr(pincer.evidence.c.execution, "confirm", lambda *_: Confirmation(status, detail))


def test_a_proof_that_is_accepted_is_reported_with_its_checker() -> None:
    source = source_with(SAFE)
    result = safe(confirmed(source, *decided(source)))
    assert result.svcomp == "true"
    assert result.evidence is not None
    assert result.evidence.kind == "proof"
    assert ProofCertificate.from_json(result.proof).file == "p.c"


def test_a_proof_that_is_refused_leaves_the_property_undecided() -> None:
    source = source_with(UNSAFE)
    program, _ = decided(source)
    _, wrong = decided(source_with(SAFE))
    assert "does not accept the proof" in reason(confirmed(source_with(UNSAFE), program, wrong))


def test_a_claim_without_a_proof_is_undecided() -> None:
    source = source_with(SAFE)
    program, _ = decided(source)
    claim = Proved(name="assertions", engine="dash", check="paths", proof=Exhaustion())
    assert reason(confirmed(source, program, claim)).startswith("internal: ")


def test_a_check_that_runs_out_of_time_leaves_the_property_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: Any) -> None:
        raise Stopped(time_is_up(1.0))

    source = source_with(SAFE)
    program, result = decided(source)
    monkeypatch.setattr(pincer.evidence.c_proof.checker, "check_proof", stop)
    assert reason(confirmed(source, program, result)).endswith("while the proof was being checked")


def test_a_proof_left_unchecked_is_marked() -> None:
    source = source_with(SAFE)
    result = safe(confirmed(source, *decided(source), task=replace(TASK, options=Options(certify=False))))
    assert result.evidence is not None
    assert result.evidence.kind == "unchecked proof"


def test_a_violation_that_was_run_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    says(monkeypatch, "confirmed", "confirmed by execution: reached reach_error")
    source = source_with(UNSAFE)
    result = unsafe(confirmed(source, *decided(source)))
    assert result.svcomp == "false(unreach-call)"
    assert (result.evidence.kind, result.evidence.command) == ("execution", "")
    assert list(map(str, result.run.inputs)) == ["__VERIFIER_nondet_int() = 7 (p.c:2)"]
    assert [step.place for step in result.run.steps] == ["p.c:2", "p.c:3", "p.c:4"]
    assert result.run.why == "reach_error() is called at p.c:4:5"


def test_a_violation_that_could_not_be_run_stays_one_and_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    says(monkeypatch, "no compiler", "not confirmed: there is no C compiler")
    source = source_with(UNSAFE)
    evidence = unsafe(confirmed(source, *decided(source))).evidence
    assert (evidence.kind, evidence.remark) == ("interpreter", "not confirmed: there is no C compiler")


def test_evidence_is_saved_where_the_user_wants_it() -> None:
    source = source_with(LOOP)
    task = replace(TASK, outputs=Outputs("c.json", "w.yml"))
    result = safe(confirmed(source, *decided(source), task=task))
    assert (result.saved, result.witness) == ("c.json", "w.yml")
    assert ProofCertificate.load(Path("c.json")).property == "assertions"
    witness = Path("w.yml").read_text(encoding="utf-8")
    assert "invariant_set" in witness
    assert "loop_invariant" in witness


def test_evidence_of_a_second_property_goes_beside_that_of_the_first() -> None:
    second = replace(ASSERTIONS, name="second")
    source = source_with(SAFE, ASSERTIONS, second)
    program, result = decided(source)
    task = replace(TASK, outputs=Outputs("c.json"))
    assert safe(confirmed(source, program, result, second, task)).saved == "c.second.json"


def test_a_verdict_survives_evidence_that_cannot_be_saved() -> None:
    source = source_with(SAFE)
    task = replace(TASK, outputs=Outputs("no/such/folder/c.json"))
    assert safe(confirmed(source, *decided(source), task=task)).saved is None


def test_the_assumptions_of_the_program_are_told_apart_from_warnings() -> None:
    source = source_with("int f(void);\n" + SAFE.replace("int x =", "f(); int x ="))
    result = confirmed(source, *decided(source))
    assert any("f" in assumption.text for assumption in result.assumptions)
    assert result.warnings == ()


def test_a_violation_that_compiled_code_does_not_show_is_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    says(monkeypatch, "not confirmed", "not confirmable by plain execution: it needs a thing")
    source = source_with(UNSAFE)
    assert reason(confirmed(source, *decided(source))).endswith("it needs a thing)")


def test_a_violation_that_compiled_code_contradicts_is_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    says(monkeypatch, "contradicted", "not confirmed: the program ends with status 0 and nothing goes wrong")
    source = source_with(UNSAFE, ASSERTIONS)
    program, claim = decided(source)
    assert "please report" in reason(confirmed(source, program, claim))
    missing = replace(program, assumptions=(Assumption("`f` has no body here"),))
    assert "please report" not in reason(confirmed(source, missing, claim))


@pytest.mark.parametrize(
    ("told", "shown"),
    [
        ("no solver (p.c:1:2)", "no solver (p.c:1:2)"),
        ("no solver (p.c:1:2) (p.c:3:4)", "no solver (p.c:1:2) (p.c:3:4)"),
        ("no (x) solver" + "".join(f" (p.c:{n}:1)" for n in range(1, 41)), "no (x) solver (p.c:1:1) ... (p.c:40:1)"),
        ("too large", "too large"),
    ],
)
def test_of_a_chain_of_places_the_first_and_the_last_are_shown(told: str, shown: str) -> None:
    assert with_few_places(told) == shown
