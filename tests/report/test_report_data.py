"""The data behind the report: one object for all files, complete with what the analysis left behind."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from msgspec.structs import replace

from pincer.checking.result import Evidence
from pincer.errors import Mistake
from pincer.evidence.violating_run import RunForm, RunInput, RunStep, ValueChange, ViolatingRun
from pincer.report.file_report import Context, FileReport, Finding
from pincer.report.report_data import MOST_STEPS, report_data, timeline

DETAILS = {
    "invariants": [{"place": "main", "text": "x >= 0"}],
    "coverage": {"tests": [1], "proof": [1, 2], "all": [1, 2, 4]},
    "history": [{"t": 0.1, "phase": "ase exploring", "numbers": {"states": 4}}],
}


def property_data(finding: Finding, details: dict[str, Any] | None = None) -> dict[str, Any]:
    described = {"file": "nowhere.gcl"}
    reported = FileReport(Context("p.gcl"), described, (finding.name,), {finding.name: finding})
    reported.details = {} if details is None else {finding.name: details}
    reported.history.add(1.0, "x", "", {"n": 1})
    [file] = report_data("pincer check p.gcl", [reported], 1.5)["files"]
    [data] = file["properties"]
    assert isinstance(data, dict)
    return data


def run_of(*lines: int) -> ViolatingRun:
    steps = tuple(RunStep(number, "p.c", line, 1, f"line {line}") for number, line in enumerate(lines, 1))
    return ViolatingRun(RunForm.LINES, steps, steps[-1])


def test_a_file_brings_its_text_and_its_mistake(tmp_path: Path) -> None:
    source = tmp_path / "p.c"
    source.write_text("int main(void) { return 0; }\n", encoding="utf-8")
    mistake = Mistake("error", "no such name", "p.c", 1, 5)
    reported = FileReport(Context("p.c"), {"file": str(source)}, mistakes=[mistake])
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
    run = replace(run_of(1), inputs=(RunInput("f()", "3", "p.c:4"),))
    assert property_data(Finding("p", "unsafe", "dash", run=run))["inputs"] == [["f()", "3 (p.c:4)"]]


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
    data = property_data(Finding("p", "unsafe", "ase", run=run_of(3, 4, 9)), DETAILS)
    assert data["coverage"]["tests"] == [1, 4]


def test_the_analysis_knows_its_history_better_than_its_supervisor() -> None:
    finding = Finding("p", "safe", "ase")
    assert property_data(finding, DETAILS)["history"] == DETAILS["history"]
    assert property_data(finding)["history"] == [{"t": 1.0, "phase": "x", "numbers": {"n": 1}}]


def test_a_property_that_holds_has_no_timeline() -> None:
    assert "timeline" not in property_data(Finding("p", "unknown", "dash", run=run_of(1)))


def test_steps_of_the_timeline_tell_old_and_new_values() -> None:
    first = RunStep(0, "p.gcl", text="initial state", lane=None, changes=(ValueChange("x", "0"),))
    second = RunStep(1, "p.gcl", 4, None, "up", 1, 2, (ValueChange("x", "1", "0"),), branch=True)
    run = ViolatingRun(RunForm.TRANSITIONS, (first, second), second, lanes=("P", "Q"))
    changes = [{"name": "x", "value": "1", "old": "0"}]
    assert timeline(run) == {
        "lanes": ["P", "Q"],
        "steps": [
            {"number": 0, "lane": None, "text": "initial state", "changes": [{"name": "x", "value": "0"}]},
            {"number": 1, "lane": 1, "text": "up", "changes": changes, "line": 4, "depth": 2, "note": "true"},
        ],
    }


def test_many_elements_that_change_together_are_told_as_one_beside_the_values() -> None:
    step = RunStep(1, "p.c", 4, text="fill();", changes=tuple(ValueChange(f"a[{i}]", "0") for i in range(8)))
    [shown] = timeline(ViolatingRun(RunForm.LINES, (step,), step))["steps"]
    assert (shown["gathered"], len(shown["changes"])) == (["a[0..7] = 0"], 8)


def test_the_middle_of_a_very_long_run_is_left_out_and_counted() -> None:
    steps = timeline(run_of(*range(1, MOST_STEPS + 501)))["steps"]
    assert len(steps) == MOST_STEPS + 1
    assert steps[MOST_STEPS // 2]["text"] == "(500 steps left out)"
    assert (steps[0]["number"], steps[-1]["number"]) == (1, MOST_STEPS + 500)


def test_a_lasso_goes_back() -> None:
    steps = tuple(RunStep(number, "m.m", holds=("p",)) for number in range(3))
    made = timeline(ViolatingRun(RunForm.STATES, steps, steps[-1], loop_from=1))
    assert made["loop_from"] == 1
    assert [step.get("loop", False) for step in made["steps"]] == [False, True, True]
    assert made["steps"][2]["note"] == "holds: p"


def test_lines_of_several_files_count_in_all_their_texts() -> None:
    steps = tuple(RunStep(number, file, 2, 1, "x;") for number, file in enumerate(("a.c", "src/b.c", "b.h"), 1))
    made = timeline(ViolatingRun(RunForm.LINES, steps, steps[-1]), {"a.c": 0, "src/b.c": 5})["steps"]
    assert [step.get("line") for step in made] == [2, 7, None]
    assert [step["place"] for step in made] == ["a.c:2", "b.c:2", "b.h:2"]
