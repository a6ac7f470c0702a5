"""Witnesses of threaded violations: threads are told apart, and everything is found in the program."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from msgspec.structs import replace

from pincer.errors import PincerError, Position
from pincer.evidence.threads.trace import ThreadedTest
from pincer.evidence.threads.witness_graphml import graphml_witness
from pincer.evidence.threads.witness_yaml import threaded_witness
from tests.evidence.threads.witnessed_schedules import GIVEN, given_input, lost_update, metadata, steps_of_update
from tests.evidence.threads.written_schedules import (
    LOST_UPDATE,
    LOST_UPDATE_POINTS,
    Written,
)


@pytest.fixture
def program(tmp_path: Path) -> Written:
    return Written(tmp_path, LOST_UPDATE)


@pytest.fixture
def update(program: Written) -> ThreadedTest:
    return lost_update(program)


@pytest.fixture
def race(program: Written) -> ThreadedTest:
    stops = "1 writes counter @ counter++\n2 reads counter @ counter++"
    points = "\n".join(LOST_UPDATE_POINTS.splitlines()[:4])
    return program.test("race", points, stops, steps=steps_of_update(program)[:3])


def waypoints(witness: str) -> list[list[dict[str, Any]]]:
    content = yaml.safe_load(witness)[0]["content"]
    return [[item["waypoint"] for item in segment["segment"]] for segment in content]


def test_yaml_states_inputs_as_results_of_their_function(tmp_path: Path) -> None:
    program = Written(tmp_path, GIVEN)
    witness = threaded_witness(given_input(program), metadata(program))
    constraints = [w.get("constraint") for [w] in waypoints(witness)]
    assert constraints[0] == {"value": "\\result == -3", "format": "acsl_expression"}


def test_yaml_waypoints_have_threads_and_creating_calls_come_in_order(program: Written, update: ThreadedTest) -> None:
    witness = threaded_witness(update, metadata(program))
    assert yaml.safe_load(witness)[0]["metadata"]["format_version"] == "2.2"
    found = [waypoint for segment in waypoints(witness) for waypoint in segment]
    assert [(w["type"], w["thread_id"], w["location"]["line"]) for w in found] == [
        ("function_enter", 0, 10),
        ("function_enter", 0, 11),
        ("assumption", 1, 5),
        ("assumption", 2, 5),
        ("assumption", 0, 12),
        ("target", 0, 14),
    ]


def test_a_data_race_ends_with_two_targets_in_one_segment(program: Written, race: ThreadedTest) -> None:
    last = waypoints(threaded_witness(race, metadata(program)))[-1]
    assert [(w["type"], w["thread_id"]) for w in last] == [("target", 1), ("target", 2)]


def test_a_thread_whose_creation_is_not_in_the_text_has_no_witness(program: Written, update: ThreadedTest) -> None:
    hidden = replace(update.steps[0], position=Position("wrapper.h", 1, 1))
    broken = replace(update, steps=(hidden, *update.steps[1:]))
    with pytest.raises(PincerError, match="creates thread 1"):
        threaded_witness(broken, metadata(program))
    with pytest.raises(PincerError, match="creates thread 1"):
        graphml_witness(broken, metadata(program))


def test_a_violation_outside_the_program_has_no_witness(program: Written, update: ThreadedTest) -> None:
    stop = replace(update.failure.stops[0], position=Position("library.c", 1, 1))
    broken = replace(update, failure=replace(update.failure, stops=(stop,)))
    with pytest.raises(PincerError, match="not in the program's own file"):
        threaded_witness(broken, metadata(program))
    with pytest.raises(PincerError, match="not in the program's own file"):
        graphml_witness(broken, metadata(program))
