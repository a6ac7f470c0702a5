"""Findings keep what engines say, in the user's words, across processes."""

from __future__ import annotations

import json

from pincer.evidence.violating_run import RunForm, RunStep, ValueChange, ViolatingRun
from pincer.report.finding import Evidence, Finding, undecided

STEP = RunStep(0, "p.gcl", text="initial state", changes=(ValueChange("x", "0"),))


def test_a_finding_survives_the_way_between_processes() -> None:
    finding = Finding(
        "ok",
        "unsafe",
        "ase",
        statistics={"states": 3},
        warnings=("init is unsatisfiable",),
        evidence=Evidence("replay"),
        run=ViolatingRun(RunForm.TRANSITIONS, (STEP,), STEP),
        trace=[{"step": 0}],
        saved="w.json",
    )
    assert Finding.from_wire(json.loads(json.dumps(finding.to_wire()))) == finding


def test_evidence_that_fails_takes_the_verdict_with_it() -> None:
    finding = Finding("ok", "safe", "ase", check="safe-fragment", evidence=Evidence("proof"))
    lost = undecided(finding, "the checker disagrees")
    assert (lost.verdict, lost.reason, lost.check, lost.evidence) == (
        "unknown",
        "the checker disagrees",
        None,
        None,
    )


def test_json_has_the_documented_members() -> None:
    assert list(Finding("ok", "safe", "ase").to_json()) == [
        "name",
        "verdict",
        "engine",
        "reason",
        "check",
        "time_s",
        "statistics",
        "warnings",
        "assumptions",
        "evidence",
        "trace",
        "certificate",
    ]
