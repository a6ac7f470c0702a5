"""Findings are what results say to people."""

from __future__ import annotations

from pincer.checking.result import Evidence, Safe, Unknown, Unsafe
from pincer.evidence.violating_run import RunForm, RunStep, ValueChange, ViolatingRun
from pincer.program.property import Assumption
from pincer.report.finding import Finding, finding_of
from pincer.runtime.reasons import Cause, time_is_up

STEP = RunStep(0, "p.gcl", text="initial state", changes=(ValueChange("x", "0"),))


def test_a_violation_is_shown_with_its_run() -> None:
    run = ViolatingRun(RunForm.TRANSITIONS, (STEP,), STEP)
    result = Unsafe(
        name="ok", engine="ase", statistics={"states": 3}, run=run, trace=[{"step": 0}], evidence=Evidence("replay")
    )
    finding = finding_of(result)
    assert (finding.verdict, finding.run, finding.trace, finding.evidence) == (
        "unsafe",
        run,
        [{"step": 0}],
        Evidence("replay"),
    )


def test_an_open_property_is_shown_with_its_reason_and_cause() -> None:
    finding = finding_of(Unknown(name="ok", engine="ase", reason=time_is_up(2.0)))
    assert (finding.verdict, finding.reason, finding.cause) == ("unknown", "time limit of 2 s reached", Cause.TIME)


def test_a_property_that_holds_is_shown_with_what_it_rests_on() -> None:
    result = Safe(name="ok", engine="ase", check="paths", proof={"a": 1}, assumptions=(Assumption("so it is"),))
    finding = finding_of(result)
    assert (finding.verdict, finding.check, finding.certificate) == ("safe", "paths", {"a": 1})
    assert finding.assumptions == ("so it is",)


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
        "run",
        "trace",
        "certificate",
    ]
