"""Engines can be wrong: a verdict without evidence that stands is no verdict."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import pincer.evidence.gcl.checker
from pincer.checking.confirmation import Confirmation
from pincer.engines.task import PropertyResult
from pincer.evidence.gcl.certificate import Certificate, Region
from pincer.evidence.gcl.checker import CertificateReport
from pincer.evidence.gcl.trace import Step, Trace
from pincer.frontends.gcl import parse_program
from pincer.report.finding import Finding
from pincer.runtime.run import Run, Stopped

PROGRAM = parse_program(
    "var x : int = 0; trans up: x < 2 -> x := x + 1; safety low: x <= 1; safety high: x <= 9;", "p.gcl"
)
REAL = Trace("low", {"x": 0}, (Step("up", {"x": 1}), Step("up", {"x": 2})))
FORGED = Trace("low", {"x": 0}, (Step("up", {"x": 2}),))
PROOF = Certificate(
    file="p.gcl",
    sha256=PROGRAM.sha256,
    constants={},
    properties=("high",),
    engine="ase",
    check="inductive-invariant",
    control=(),
    predicates=("x <= 2",),
    regions=(Region(((),), ("1",)),),
)
WRONG_PROOF = replace(PROOF, predicates=("x <= 1",))
REQUEST: Mapping[str, Any] = {"certify": True, "solver": "cvc5", "certificate": None, "witness": None}


def confirmed(*results: PropertyResult, run: Run | None = None, **request: Any) -> list[Finding]:
    findings: list[Finding] = []

    def emit(event: str, data: Mapping[str, Any]) -> None:
        if event == "finding":
            findings.append(Finding.from_wire(json.loads(json.dumps(data))))

    confirmation = Confirmation(PROGRAM, {**REQUEST, **request}, run or Run(), emit)
    for result in results:
        confirmation.report(result)
    return findings


def unsafe(trace: Trace | None, name: str = "low") -> PropertyResult:
    return PropertyResult(name, "unsafe", "ase", trace=trace)


def safe(proof: Certificate | None, name: str = "high") -> PropertyResult:
    return PropertyResult(name, "safe", "ase", check="inductive-invariant", certificate=proof)


def test_a_counterexample_that_replays_is_reported() -> None:
    [finding] = confirmed(unsafe(REAL))
    assert finding.verdict == "unsafe"
    assert finding.run is not None
    assert [[str(change) for change in step.changes] for step in finding.run.steps] == [["x = 0"], ["x = 1"], ["x = 2"]]


@pytest.mark.parametrize("trace", [FORGED, None])
def test_a_counterexample_that_does_not_replay_is_no_violation(trace: Trace | None) -> None:
    [finding] = confirmed(unsafe(trace))
    assert finding.verdict == "unknown"
    assert finding.reason.startswith("internal: ")
    assert finding.run is None


@pytest.mark.parametrize("solver", ["cvc5", "z3"])
def test_a_proof_that_checks_is_reported_with_its_checker(solver: str) -> None:
    [finding] = confirmed(safe(PROOF), solver=solver)
    assert finding.verdict == "safe"
    assert finding.evidence is not None
    assert (finding.evidence.kind, finding.evidence.solver) == ("proof", solver)
    assert finding.certificate == PROOF.to_json()


@pytest.mark.parametrize("proof", [WRONG_PROOF, None])
def test_a_proof_that_does_not_check_proves_nothing(proof: Certificate | None) -> None:
    [finding] = confirmed(safe(proof))
    assert finding.verdict == "unknown"
    assert finding.certificate is None


def test_a_proof_of_something_else_proves_nothing() -> None:
    [finding] = confirmed(safe(PROOF, "low"))
    assert finding.verdict == "unknown"


def test_an_unchecked_proof_is_marked() -> None:
    [finding] = confirmed(safe(WRONG_PROOF), certify=False)
    assert finding.evidence is not None
    assert finding.evidence.kind == "unchecked proof"


def test_a_joint_proof_is_checked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []

    def accept(*_: Any, **__: Any) -> CertificateReport:
        calls.append(1)
        return CertificateReport(True, "")

    monkeypatch.setattr(pincer.evidence.gcl.checker, "check_certificate", accept)
    joint = replace(PROOF, properties=("low", "high"))
    assert [f.verdict for f in confirmed(safe(joint, "low"), safe(joint))] == ["safe", "safe"]
    assert len(calls) == 1


def test_a_check_that_runs_out_of_time_leaves_the_property_open(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: Any, **__: Any) -> CertificateReport:
        raise Stopped("time limit of 1 s reached")

    monkeypatch.setattr(pincer.evidence.gcl.checker, "check_certificate", stop)
    [finding] = confirmed(safe(PROOF))
    assert finding.verdict == "unknown"
    assert finding.reason == "time limit of 1 s reached while the proof was being checked"


def test_each_property_is_reported_once_and_a_kept_range_not_at_all() -> None:
    findings = confirmed(unsafe(REAL), unsafe(REAL), safe(PROOF, "range"))
    assert [finding.name for finding in findings] == ["low"]


def test_further_evidence_is_saved_beside_the_first(tmp_path: Path) -> None:
    joint = replace(PROOF, properties=("low", "high"))
    first, second = confirmed(safe(PROOF), safe(joint, "low"), certify=False, certificate=str(tmp_path / "p.json"))
    assert (first.saved, second.saved) == (str(tmp_path / "p.json"), str(tmp_path / "p.low.json"))
    assert Certificate.load(tmp_path / "p.json") == PROOF
    assert Certificate.load(tmp_path / "p.low.json") == joint


def test_a_verdict_survives_evidence_that_cannot_be_saved(tmp_path: Path) -> None:
    [finding] = confirmed(unsafe(REAL), witness=str(tmp_path / "no" / "w.json"))
    assert (finding.verdict, finding.saved) == ("unsafe", None)


def test_an_unfinished_property_shows_the_last_numbers() -> None:
    run = Run()
    run.publish("ase", "exploring", iteration=4, states=100)
    [finding] = confirmed(PropertyResult("low", "unknown", "ase", reason="interrupted"), run=run)
    assert finding.statistics == {"iterations": 4, "states": 100}
