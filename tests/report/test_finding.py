"""Findings keep what engines say, in the user's words, across processes."""

from __future__ import annotations

import json

from pincer.errors import Position
from pincer.evidence.gcl.trace import Step, Trace
from pincer.program.guarded import (
    BOOL,
    Comparison,
    FiniteType,
    GuardedProgram,
    IntType,
    Number,
    Transition,
    Truth,
    Variable,
    VariableRef,
)
from pincer.report.finding import Evidence, Finding, TraceRow, trace_rows, undecided

HERE = Position("p.gcl", 1, 1)
PROGRAM = GuardedProgram(
    name="p",
    variables=(
        Variable("x", IntType(), HERE),
        Variable("pc", FiniteType(0, 2, ("idle", "wait", "crit")), HERE),
        Variable("busy", BOOL, HERE),
    ),
    init=Truth(True),
    transitions=(
        Transition(
            "go",
            "P",
            Comparison("=", VariableRef("x"), Number(0)),
            (("x", Number(1)),),
            Position("p.gcl", 9, 3),
        ),
        Transition("stay", None, Truth(True), (("x", VariableRef("x")),), Position("p.gcl", 12, 3)),
    ),
    properties=(),
    file="p.gcl",
    sha256="0",
    constants={},
)


def test_rows_show_only_what_changed_in_the_words_of_the_source() -> None:
    start = {"x": 0, "pc": 0, "busy": 0}
    after = {"x": 10**30, "pc": 2, "busy": 0}
    rows = trace_rows(PROGRAM, Trace("ok", start, (Step("go", after), Step("stay", after))))
    assert rows[0] == TraceRow(0, "", "", None, (("x", "0"), ("pc", "idle"), ("busy", "false")))
    assert rows[1] == TraceRow(1, "P", "go", 9, (("x", "1" + "0" * 30), ("pc", "crit")))
    assert rows[2] == TraceRow(2, "", "stay", 12, ())


def test_a_finding_survives_the_way_between_processes() -> None:
    finding = Finding(
        "ok",
        "unsafe",
        "ase",
        statistics={"states": 3},
        warnings=("init is unsatisfiable",),
        evidence=Evidence("replay"),
        rows=(TraceRow(0, "", "", None, (("x", "0"),)),),
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
