"""A counterexample as a timeline: who did what in which line, what changed, and what was there before."""

from __future__ import annotations

from typing import Any

from pincer.errors import Position
from pincer.evidence.c.trace import CStep, CTest, Failure
from pincer.evidence.c.trace import to_json as c_json
from pincer.evidence.msvl.counterexample import Counterexample, Interpretation, Proposition, State
from pincer.evidence.msvl.counterexample import to_json as counterexample_json
from pincer.evidence.threads.trace import Point, ThreadedFailure, ThreadedTest, ThreadStep
from pincer.evidence.threads.trace import to_json as schedule_json
from pincer.report.finding import Finding, TraceRow
from pincer.report.timeline import MOST_STEPS, timeline

LINES = ["x = 1;", "x = 2;", "assert(x == 1);"]


def source_line(position: Position) -> str | None:
    return LINES[position.line - 1] if position.file == "p.c" else None


def at(line: int) -> Position:
    return Position("p.c", line, 1)


def shown(finding: Finding) -> dict[str, Any]:
    made = timeline(finding, source_line)
    assert made is not None
    return made


def test_a_property_that_holds_has_no_timeline() -> None:
    rows = (TraceRow(0, "", "", None, ()),)
    assert timeline(Finding("p", "safe", "ase", rows=rows), source_line) is None
    assert timeline(Finding("p", "unsafe", "ase"), source_line) is None


def test_steps_of_guarded_commands_tell_old_and_new_values() -> None:
    rows = (TraceRow(0, "", "", None, (("x", "0"),)), TraceRow(1, "", "up", 4, (("x", "1"),)))
    assert shown(Finding("p", "unsafe", "ase", rows=rows)) == {
        "lanes": ["run"],
        "steps": [
            {"lane": 0, "text": "initial state", "changes": [{"name": "x", "value": "0"}]},
            {"lane": 0, "text": "up", "line": 4, "changes": [{"name": "x", "old": "0", "value": "1"}]},
        ],
    }


def test_processes_have_lanes_of_their_own() -> None:
    rows = (TraceRow(0, "", "", None, ()), TraceRow(1, "P", "a", 1, ()), TraceRow(2, "Q", "b", 2, ()))
    made = shown(Finding("p", "unsafe", "ase", rows=rows))
    assert made["lanes"] == ["P", "Q"]
    assert [step["lane"] for step in made["steps"]] == [0, 0, 1]


def test_the_lines_of_a_c_test_end_with_the_one_that_goes_wrong() -> None:
    steps = (CStep(at(1), "main", "", (("x", "1"),)), CStep(at(2), "main", "", (("x", "2"),)))
    test = CTest("p.c", "assertions", "assertions", (), steps, Failure(at(3), "fails"), "LP64", "main")
    made = shown(Finding("p", "unsafe", "dash", trace=c_json(test)))
    assert [(step["line"], step["text"]) for step in made["steps"]] == list(enumerate(LINES, 1))
    assert made["steps"][1]["changes"] == [{"name": "x", "old": "1", "value": "2"}]
    assert made["steps"][2]["note"] == "goes wrong"


def test_the_middle_of_a_very_long_run_is_left_out_and_counted() -> None:
    rows = tuple(TraceRow(i, "", f"t{i}", 1, ()) for i in range(MOST_STEPS + 500))
    steps = shown(Finding("p", "unsafe", "ase", rows=rows))["steps"]
    assert len(steps) == MOST_STEPS + 1
    assert steps[MOST_STEPS // 2]["text"] == "(500 steps left out)"


def test_threads_have_lanes_and_do_not_mix_up_values() -> None:
    steps = (
        ThreadStep(0, at(1), "main", "", (("x", "1"),)),
        ThreadStep(1, at(2), "f", "", (("x", "7"),)),
        ThreadStep(1, at(2), "f", "", (("x", "8"),)),
    )
    stops = (Point(1, "call", "pthread_mutex_lock", at(3), "m"),)
    failure = ThreadedFailure(at(3), "deadlock", stops)
    test = ThreadedTest("p.c", "deadlock", "deadlock", "LP64", "main", (), steps, (), failure)
    made = shown(Finding("p", "unsafe", "agse", trace=schedule_json(test)))
    assert made["lanes"] == ["main", "thread 1"]
    assert made["steps"][1]["changes"] == [{"name": "x", "value": "8"}]
    assert made["steps"][-1] == {"lane": 1, "line": 3, "text": LINES[2], "changes": [], "note": "waits for m"}


def test_a_lasso_goes_back() -> None:
    states = tuple(State((("x", str(i)),), ("p",) if i else ()) for i in range(3))
    how = Interpretation("overwrite", "implicit", False, 100)
    found = Counterexample("m.m", "alw(p)", (Proposition("p", "x>0"),), how, (), "lasso", states, None, 1)
    made = shown(Finding("p", "unsafe", "dse", trace=counterexample_json(found)))
    assert made["loop_from"] == 1
    assert [step.get("loop", False) for step in made["steps"]] == [False, True, True]
    assert made["steps"][2]["note"] == "holds: p"
