"""The data behind the report: one object for all files, complete with what the analysis left behind."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pincer.report.checked import CheckedProgram
from pincer.report.finding import Evidence, Finding, TraceRow
from pincer.report.mistakes import Mistake
from pincer.report.report_data import ReportedFile, report_data
from pincer.report.verdicts import Context

DETAILS = {
    "invariants": [{"place": "main", "text": "x >= 0"}],
    "coverage": {"tests": [1], "proof": [1, 2], "all": [1, 2, 4]},
    "history": [{"t": 0.1, "phase": "ase exploring", "numbers": {"states": 4}}],
}


def property_data(finding: Finding, details: dict[str, Any] | None = None) -> dict[str, Any]:
    checked = CheckedProgram("p.gcl", "nowhere.gcl", "gcl", "", (finding,), ())
    given = {} if details is None else {finding.name: details}
    reported = ReportedFile(checked, Context("p.gcl"), given, [{"t": 1.0, "phase": "x", "numbers": {"n": 1}}])
    [file] = report_data("pincer check p.gcl", [reported], 1.5)["files"]
    [data] = file["properties"]
    assert isinstance(data, dict)
    return data


def test_a_file_brings_its_text_and_its_mistake(tmp_path: Path) -> None:
    source = tmp_path / "p.c"
    source.write_text("int main(void) { return 0; }\n", encoding="utf-8")
    mistake = Mistake("error", "no such name", "p.c", 1, 5)
    reported = ReportedFile(CheckedProgram("p.c", str(source), "c", "", (), (mistake,)), Context("p.c"))
    data = report_data("pincer check p.c", [reported], 1.5)
    assert (data["version"], data["call"], data["elapsed_s"]) == (1, "pincer check p.c", 1.5)
    [file] = data["files"]
    assert (file["file"], file["language"]) == ("p.c", "c")
    assert file["source"] == source.read_text(encoding="utf-8")
    assert file["error"] == {"kind": "error", "message": "no such name", "line": 1, "column": 5}


def test_a_verdict_says_what_the_terminal_says() -> None:
    finding = Finding("mutex", "safe", "ase", check="exhaustion", evidence=Evidence("proof", "cvc5", 2, 0.5))
    data = property_data(finding)
    assert (data["name"], data["word"], data["verdict"]) == ("mutex", "HOLDS", "safe")
    assert "exhaustion check" in data["why"]
    assert "2 obligations" in data["evidence"]


def test_evidence_speaks_of_the_counterexample_that_the_page_shows() -> None:
    data = property_data(Finding("p", "unsafe", "ase", evidence=Evidence("replay")))
    assert data["evidence"] == "the counterexample was executed again by the interpreter"


def test_inputs_are_pairs() -> None:
    finding = Finding("p", "unsafe", "dash", failure="fails", inputs=("f() = 3 (p.c:4)",))
    assert property_data(finding)["inputs"] == [["f()", "3 (p.c:4)"]]


def test_questions_are_counted_by_purpose() -> None:
    spent = {"asked": 9, "solver_calls": 4, "solver_time_s": 0.25}
    unused = {"asked": 2, "solver_calls": 0, "solver_time_s": 0.0}
    statistics = {"states": 3, "queries_by_purpose": {"closedness": spent, "cache": unused}}
    data = property_data(Finding("p", "safe", "ase", statistics=statistics))
    assert data["queries"] == {"closedness": {"count": 4, "time_s": 0.25}}
    assert data["statistics"] == {"states": 3}


def test_a_proof_that_was_not_accepted_covers_nothing() -> None:
    data = property_data(Finding("p", "unknown", "ase", reason="not accepted"), DETAILS)
    assert "invariants" not in data
    assert data["coverage"]["proof"] == []


def test_an_accepted_proof_shows_its_invariants_and_lines() -> None:
    data = property_data(Finding("p", "safe", "ase"), DETAILS)
    assert data["invariants"] == DETAILS["invariants"]
    assert data["coverage"]["proof"] == [1, 2]


def test_the_lines_of_the_counterexample_count_as_run() -> None:
    rows = (TraceRow(0, "", "", None, ()), TraceRow(1, "", "t", 4, ()), TraceRow(2, "", "u", 9, ()))
    data = property_data(Finding("p", "unsafe", "ase", rows=rows), DETAILS)
    assert data["coverage"]["tests"] == [1, 4]


def test_the_analysis_knows_its_history_better_than_its_supervisor() -> None:
    finding = Finding("p", "safe", "ase")
    assert property_data(finding, DETAILS)["history"] == DETAILS["history"]
    assert property_data(finding)["history"] == [{"t": 1.0, "phase": "x", "numbers": {"n": 1}}]
