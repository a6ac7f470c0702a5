from __future__ import annotations

import hashlib
from typing import Any

import pytest
import yaml

from pincer.errors import PincerError
from pincer.evidence.c.trace import CStep, CTest, Failure, InputValue
from pincer.evidence.c.witness import SourceInvariant, invariant_witness, violation_witness
from pincer.evidence.c.witness_check import problems
from tests.evidence.c.recorded_tests import recorded, value
from tests.evidence.c.witnessed_program import PROGRAM, at, metadata, violation


def waypoints(test: CTest, text: str = PROGRAM) -> list[dict[str, Any]]:
    (entry,) = yaml.safe_load(violation_witness(test, metadata(text)))
    return [segment["segment"][0]["waypoint"] for segment in entry["content"]]


def brief(waypoint: dict[str, Any]) -> tuple[str, int, int, str | None]:
    location = waypoint["location"]
    return waypoint["type"], location["line"], location["column"], waypoint.get("constraint", {}).get("value")


def test_a_violation_is_a_sequence_of_waypoints_in_order_of_execution() -> None:
    assert [brief(waypoint) for waypoint in waypoints(violation())] == [
        ("assumption", 9, 3, "x == 5"),
        ("function_enter", 9, 18, None),
        ("function_return", 10, 32, "\\result == 0"),
        ("branching", 10, 3, "false"),
        ("branching", 14, 3, "true"),
        ("target", 15, 5, None),
    ]


def test_a_witness_has_the_metadata_of_its_task() -> None:
    text = violation_witness(violation(), metadata())
    (entry,) = yaml.safe_load(text)
    assert entry["entry_type"] == "violation_sequence"
    assert entry["metadata"]["format_version"] == "2.0"
    assert entry["metadata"]["creation_time"] == "2026-01-02T03:04:05+00:00"
    assert entry["metadata"]["task"]["input_file_hashes"] == {"program.c": hashlib.sha256(PROGRAM.encode()).hexdigest()}
    assert text.index("entry_type") < text.index("metadata") < text.index("content")
    assert problems(text, PROGRAM) == []


def test_a_value_without_a_name_in_scope_is_stated_as_the_result_of_the_call() -> None:
    test = violation()
    steps = (CStep(at(8, 3), "main", "input", (("main::tmp", "5"),), inputs=1), *test.steps[1:])
    changed = CTest(test.file, test.property, test.kind, test.inputs, steps, test.failure, test.data_model, test.entry)
    assert brief(waypoints(changed)[0]) == ("function_return", 8, 33, "\\result == 5")


def test_lines_are_those_of_the_file_even_after_line_markers() -> None:
    text = f'# 1 "program.c"\n\n# 1 "program.c"\n{PROGRAM}'
    assert [waypoint["location"]["line"] for waypoint in waypoints(violation(), text)] == [12, 12, 13, 13, 17, 18]


def test_a_violation_outside_the_file_has_no_witness() -> None:
    test = recorded(value("__VERIFIER_nondet_int", 1), line=400)
    with pytest.raises(PincerError, match="not in the program's own file"):
        violation_witness(test, metadata())


def invariants(*entries: SourceInvariant) -> list[dict[str, Any]]:
    (entry,) = yaml.safe_load(invariant_witness(entries, metadata()))
    assert entry["entry_type"] == "invariant_set"
    return [item["invariant"] for item in entry["content"]]


def test_invariants_are_placed_with_their_function() -> None:
    loop = SourceInvariant(at(10, 3), "y >= 0 && x <= (long)limit", "loop_invariant")
    (written,) = invariants(loop)
    assert written == {
        "type": "loop_invariant",
        "location": {"file_name": "program.c", "line": 10, "column": 3, "function": "main"},
        "value": "y >= 0 && x <= (long)limit",
        "format": "c_expression",
    }


@pytest.mark.parametrize(
    "value",
    ["inner == 0", "n == 0", "main::x == 0", "$top == 0", "x = 1", "x++ > 0", "twice(x) == 2", "later > 0", ""],
)
def test_invariants_that_validators_would_reject_are_left_out(value: str) -> None:
    assert invariants(SourceInvariant(at(14, 3), value), SourceInvariant(at(14, 3), "x == x")) != []
    assert [entry["value"] for entry in invariants(SourceInvariant(at(14, 3), value))] == []


@pytest.mark.parametrize("value", ["x == -5", "x != y", "x <= 3 || y >= 4", "(x == 1 ? y : 2) > 0", "'a' < x"])
def test_ordinary_expressions_are_kept(value: str) -> None:
    assert [entry["value"] for entry in invariants(SourceInvariant(at(14, 3), value))] == [value]


def test_a_call_is_said_to_return_its_result_and_not_what_it_stores() -> None:
    text = """\
int main(void) {
  int x;
  if (scanf("%d", &x) == 1 && x == 9)
    reach_error();
}
"""
    sources = (("scanf", 1), ("number read by scanf", 9))
    inputs = tuple(InputValue(source, "external", 32, number, at(3, 7)) for source, number in sources)
    steps = (CStep(at(3, 7), "main", "scanf", inputs=1), CStep(at(3, 7), "main", "scanf", inputs=1))
    test = CTest("program.c", "assertions", "assertions", inputs, steps, Failure(at(4, 5), "x"), "LP64", "main")
    assert [brief(waypoint) for waypoint in waypoints(test, text)] == [
        ("function_return", 3, 21, "\\result == 1"),
        ("target", 4, 5, None),
    ]
