"""Witnesses of format 1.0: one path of edges, each of one thread."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from pincer.evidence.threads.trace import ThreadedTest
from pincer.evidence.threads.witness_graphml import NAMESPACE, graphml_witness
from tests.evidence.threads.witnessed_schedules import GIVEN, given_input, lost_update, metadata
from tests.evidence.threads.written_schedules import (
    LOST_UPDATE,
    Written,
)


@pytest.fixture
def program(tmp_path: Path) -> Written:
    return Written(tmp_path, LOST_UPDATE)


@pytest.fixture
def update(program: Written) -> ThreadedTest:
    return lost_update(program)


def edges(witness: str) -> list[dict[str, str]]:
    graph = ET.fromstring(witness).find(f"{{{NAMESPACE}}}graph")
    assert graph is not None
    return [
        {data.attrib["key"]: data.text or "" for data in edge.findall(f"{{{NAMESPACE}}}data")}
        for edge in graph.findall(f"{{{NAMESPACE}}}edge")
    ]


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


def test_inputs_are_results_of_their_function(tmp_path: Path) -> None:
    program = Written(tmp_path, GIVEN)
    found = edges(graphml_witness(given_input(program), metadata(program)))[1]
    assert found["assumption"] == "\\result == -3;"
    assert found["assumption.resultfunction"] == "__VERIFIER_nondet_int"
