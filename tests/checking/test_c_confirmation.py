"""Engines can be wrong about C, too: a proof that is not accepted is no proof, and a test says whether it was run."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import pincer.evidence.c.execution
import pincer.evidence.c_proof.checker
from pincer.checking.c_confirmation import CConfirmation, with_few_places
from pincer.checking.c_programs import ASSERTIONS, CProperty, CTarget, hash_of
from pincer.engines.sequential import check
from pincer.engines.task import PropertyResult
from pincer.evidence.c.execution import Confirmation
from pincer.evidence.c_proof.certificate import ProofCertificate
from pincer.program.control_flow import ControlFlowProgram
from pincer.program.property import Assumption
from pincer.report.finding import Finding
from pincer.runtime.run import Run, Stopped

SAFE = "int main(void) { int x = __VERIFIER_nondet_int(); if (x != x + 0) reach_error(); return 0; }\n"
UNSAFE = "int main(void) {\n  int x = __VERIFIER_nondet_int();\n  if (x == 7)\n    reach_error();\n  return 0;\n}\n"
LOOP = """unsigned __VERIFIER_nondet_uint(void);
int main(void) { unsigned i = 0, n = __VERIFIER_nondet_uint(); while (i < n) i++; if (i != n) reach_error(); return 0; }
"""
REQUEST: Mapping[str, Any] = {
    "certify": True,
    "certificate": None,
    "witness": None,
    "test_out": None,
    "verbose": False,
    "call": "pincer check p.c",
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def target_with(text: str, *properties: CProperty) -> CTarget:
    Path("p.c").write_text(text, encoding="utf-8")
    return CTarget("p.c", Path("p.c"), properties=properties or (ASSERTIONS,), sha256=hash_of(Path("p.c")))


def decided(target: CTarget) -> tuple[ControlFlowProgram, PropertyResult]:
    program = target.load(ASSERTIONS)
    return program, check(program, "assertions", Run(timeout=20))


def confirmed(
    target: CTarget, program: ControlFlowProgram, result: PropertyResult, wanted: CProperty = ASSERTIONS, **request: Any
) -> Finding:
    findings: list[Finding] = []

    def emit(event: str, data: Mapping[str, Any]) -> None:
        if event == "finding":
            findings.append(Finding.from_wire(json.loads(json.dumps(data))))

    CConfirmation(target, {**REQUEST, **request}, Run(), emit).report(program, wanted, result, lambda: result)
    [finding] = findings
    return finding


def says(monkeypatch: pytest.MonkeyPatch, status: Any, detail: str) -> None:
    monkeypatch.setattr(pincer.evidence.c.execution, "confirm", lambda *_: Confirmation(status, detail))


def test_a_proof_that_is_accepted_is_reported_with_its_checker() -> None:
    target = target_with(SAFE)
    finding = confirmed(target, *decided(target))
    assert (finding.verdict, finding.svcomp) == ("safe", "true")
    assert finding.evidence is not None
    assert finding.evidence.kind == "proof"
    assert ProofCertificate.from_json(finding.certificate).file == "p.c"


def test_a_proof_that_is_refused_leaves_the_property_undecided() -> None:
    target = target_with(UNSAFE)
    program, _ = decided(target)
    _, wrong = decided(target_with(SAFE))
    finding = confirmed(target_with(UNSAFE), program, wrong)
    assert (finding.verdict, finding.certificate) == ("unknown", None)
    assert "does not accept the proof" in finding.reason


def test_a_claim_without_a_proof_or_a_test_is_undecided() -> None:
    target = target_with(SAFE)
    program, _ = decided(target)
    claims = (PropertyResult("assertions", "safe", "dash"), PropertyResult("assertions", "unsafe", "dash"))
    for claim in claims:
        assert confirmed(target, program, claim).reason.startswith("internal: ")


def test_a_check_that_runs_out_of_time_leaves_the_property_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: Any) -> None:
        raise Stopped("time limit of 1 s reached")

    target = target_with(SAFE)
    program, result = decided(target)
    monkeypatch.setattr(pincer.evidence.c_proof.checker, "check_proof", stop)
    assert confirmed(target, program, result).reason.endswith("while the proof was being checked")


def test_a_proof_left_unchecked_is_marked() -> None:
    target = target_with(SAFE)
    finding = confirmed(target, *decided(target), certify=False)
    assert finding.evidence is not None
    assert finding.evidence.kind == "unchecked proof"


def test_a_property_with_an_undecidable_part_is_never_safe_where_memory_is_allocated() -> None:
    target = target_with(SAFE.replace("int x", "free(malloc(4)); int x"))
    wanted = replace(ASSERTIONS, undecidable="valid-memtrack")
    finding = confirmed(target, *decided(target), wanted)
    assert (finding.verdict, finding.svcomp) == ("unknown", "unknown")
    assert "valid-memtrack" in finding.reason


def test_a_violation_that_was_run_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    says(monkeypatch, "confirmed", "confirmed by execution: reached reach_error")
    target = target_with(UNSAFE)
    finding = confirmed(target, *decided(target))
    assert (finding.verdict, finding.svcomp) == ("unsafe", "false(unreach-call)")
    assert finding.evidence is not None
    assert (finding.evidence.kind, finding.evidence.command) == ("execution", "")
    assert finding.run is not None
    assert list(map(str, finding.run.inputs)) == ["__VERIFIER_nondet_int() = 7 (p.c:2)"]
    assert [step.place for step in finding.run.steps] == ["p.c:2", "p.c:3", "p.c:4"]
    assert finding.run.why == "reach_error() is called at p.c:4:5"


def test_a_violation_that_could_not_be_run_stays_one_and_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    says(monkeypatch, "no compiler", "not confirmed: there is no C compiler")
    target = target_with(UNSAFE)
    finding = confirmed(target, *decided(target))
    assert finding.verdict == "unsafe"
    assert finding.evidence is not None
    assert (finding.evidence.kind, finding.evidence.remark) == ("interpreter", "not confirmed: there is no C compiler")


def test_evidence_is_saved_where_the_user_wants_it() -> None:
    target = target_with(LOOP)
    finding = confirmed(target, *decided(target), certificate="c.json", witness="w.yml")
    assert (finding.saved, finding.witness) == ("c.json", "w.yml")
    assert ProofCertificate.load(Path("c.json")).property == "assertions"
    witness = Path("w.yml").read_text(encoding="utf-8")
    assert "invariant_set" in witness
    assert "loop_invariant" in witness


def test_evidence_of_a_second_property_goes_beside_that_of_the_first() -> None:
    second = replace(ASSERTIONS, name="second")
    target = target_with(SAFE, ASSERTIONS, second)
    program, result = decided(target)
    assert confirmed(target, program, result, second, certificate="c.json").saved == "c.second.json"


def test_a_verdict_survives_evidence_that_cannot_be_saved() -> None:
    target = target_with(SAFE)
    finding = confirmed(target, *decided(target), certificate="no/such/folder/c.json")
    assert (finding.verdict, finding.saved) == ("safe", None)


def test_the_assumptions_of_the_program_are_told_apart_from_warnings() -> None:
    target = target_with("int f(void);\n" + SAFE.replace("int x =", "f(); int x ="))
    finding = confirmed(target, *decided(target))
    assert any("f" in text for text in finding.assumptions)
    assert finding.warnings == ()


def test_a_violation_that_compiled_code_does_not_show_is_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    says(monkeypatch, "not confirmed", "not confirmable by plain execution: it needs a thing")
    target = target_with(UNSAFE)
    finding = confirmed(target, *decided(target))
    assert finding.verdict == "unknown"
    assert finding.reason.endswith("it needs a thing")


def test_a_violation_that_compiled_code_contradicts_is_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    says(monkeypatch, "contradicted", "not confirmed: the program ends with status 0 and nothing goes wrong")
    target = target_with(UNSAFE, ASSERTIONS)
    program, result = decided(target)
    finding = confirmed(target, program, result)
    assert (finding.verdict, finding.evidence, finding.svcomp) == ("unknown", None, "unknown")
    assert "please report" in finding.reason
    missing = replace(program, assumptions=(Assumption("`f` has no body here"),))
    finding = confirmed(target, missing, result)
    assert finding.verdict == "unknown"
    assert "please report" not in finding.reason


@pytest.mark.parametrize(
    ("reason", "shown"),
    [
        ("no solver (p.c:1:2)", "no solver (p.c:1:2)"),
        ("no solver (p.c:1:2) (p.c:3:4)", "no solver (p.c:1:2) (p.c:3:4)"),
        ("no (x) solver" + "".join(f" (p.c:{n}:1)" for n in range(1, 41)), "no (x) solver (p.c:1:1) ... (p.c:40:1)"),
        ("too large", "too large"),
    ],
)
def test_of_a_chain_of_places_the_first_and_the_last_are_shown(reason: str, shown: str) -> None:
    assert with_few_places(reason) == shown
