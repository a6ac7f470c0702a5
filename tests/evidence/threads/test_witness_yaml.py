"""Witnesses of threaded violations: threads are told apart, and everything is found in the program."""

from __future__ import annotations

import hashlib
import xml.etree.ElementTree as ET
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import yaml

from pincer.errors import PincerError, Position
from pincer.evidence.c.witness import Metadata
from pincer.evidence.threads.trace import ThreadedTest, ThreadStep
from pincer.evidence.threads.witness_graphml import NAMESPACE, graphml_witness
from pincer.evidence.threads.witness_yaml import threaded_witness
from tests.evidence.threads.written_schedules import (
    LOST_UPDATE,
    LOST_UPDATE_POINTS,
    Written,
)

GIVEN = """\
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    return x;
}
"""
SPECIFICATION = "CHECK( init(main()), LTL(G ! call(reach_error())) )"


def metadata(program: Written) -> Metadata:
    text = program.source.read_text()
    digest = hashlib.sha256(text.encode()).hexdigest()
    created = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    return Metadata(str(program.source), text, digest, SPECIFICATION, "LP64", "Pincer", "1.0", "", "some-uuid", created)


def steps_of_update(program: Written) -> tuple[ThreadStep, ...]:
    increment = program.at("counter++")
    return (
        ThreadStep(0, program.at("pthread_create(&a"), "main", "pthread_create", creates=1),
        ThreadStep(0, program.at("pthread_create(&b"), "main", "pthread_create", creates=2),
        ThreadStep(1, increment, "worker", "", reads=(("counter", "0"),)),
        ThreadStep(2, increment, "worker", "", reads=(("counter", "0"),)),
        ThreadStep(1, increment, "worker", "", (("counter", "1"),)),
        ThreadStep(2, increment, "worker", "", (("counter", "1"),)),
        ThreadStep(0, program.at("pthread_join(a"), "main", "pthread_join"),
    )


@pytest.fixture
def program(tmp_path: Path) -> Written:
    return Written(tmp_path, LOST_UPDATE)


@pytest.fixture
def update(program: Written) -> ThreadedTest:
    stops = "0 reads counter @ assert("
    return program.test("assertion", LOST_UPDATE_POINTS, stops, steps=steps_of_update(program))


@pytest.fixture
def race(program: Written) -> ThreadedTest:
    stops = "1 writes counter @ counter++\n2 reads counter @ counter++"
    points = "\n".join(LOST_UPDATE_POINTS.splitlines()[:4])
    return program.test("race", points, stops, steps=steps_of_update(program)[:3])


def edges(witness: str) -> list[dict[str, str]]:
    graph = ET.fromstring(witness).find(f"{{{NAMESPACE}}}graph")
    assert graph is not None
    return [
        {data.attrib["key"]: data.text or "" for data in edge.findall(f"{{{NAMESPACE}}}data")}
        for edge in graph.findall(f"{{{NAMESPACE}}}edge")
    ]


def waypoints(witness: str) -> list[list[dict[str, Any]]]:
    content = yaml.safe_load(witness)[0]["content"]
    return [[item["waypoint"] for item in segment["segment"]] for segment in content]


def test_graphml_names_the_thread_of_every_edge_and_where_threads_begin(program: Written, update: ThreadedTest) -> None:
    found = edges(graphml_witness(update, metadata(program)))
    assert all("threadId" in edge for edge in found)
    assert [edge["createThread"] for edge in found if "createThread" in edge] == ["1", "2"]
    entered = [(edge["threadId"], edge["enterFunction"]) for edge in found if "enterFunction" in edge]
    assert entered == [("0", "main"), ("1", "worker"), ("2", "worker")]
    assert found[-1] == {"threadId": "0", "startline": "14", "endline": "14"}


def test_graphml_is_one_path_from_the_entry_to_the_violation(program: Written, update: ThreadedTest) -> None:
    root = ET.fromstring(graphml_witness(update, metadata(program)))
    name = {key: f"{{{NAMESPACE}}}{key}" for key in ("graph", "node", "edge", "data", "key")}
    graph = root.find(name["graph"])
    assert graph is not None
    nodes = graph.findall(name["node"])
    marks = [{data.attrib["key"] for data in node.findall(name["data"])} for node in nodes]
    assert marks[0] == {"entry"} and marks[-1] == {"violation"} and not any(marks[1:-1])
    for number, edge in enumerate(graph.findall(name["edge"])):
        assert (edge.attrib["source"], edge.attrib["target"]) == (f"N{number}", f"N{number + 1}")
    declared = {key.attrib["id"] for key in root.findall(name["key"])}
    assert {data.attrib["key"] for data in root.iter(name["data"])} <= declared


def test_graphml_states_inputs_as_results_of_their_function(tmp_path: Path) -> None:
    program = Written(tmp_path, GIVEN)
    place = "__VERIFIER_nondet_int();"
    step = ThreadStep(0, program.at(place), "main", "", (("x", "-3"),), inputs=1)
    test = program.test("assertion", "0 ends @ return", "0 ends @ return", ((0, place, -3),), (step,))
    found = edges(graphml_witness(test, metadata(program)))[1]
    assert found["assumption"] == "\\result == -3;"
    assert found["assumption.resultfunction"] == "__VERIFIER_nondet_int"
    constraints = [w.get("constraint") for [w] in waypoints(threaded_witness(test, metadata(program)))]
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
