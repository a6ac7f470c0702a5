"""The regions of DASH as graphs: predicates in the words of the source, tests, and what is not excluded."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.report.explored_c import LOOP, explored, graph


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("details")


def test_regions_carry_predicates_in_c_and_tests(folder: Path) -> None:
    result, made = explored(folder, LOOP, True)
    assert result.verdict == "safe"
    regions = graph(made, "regions")
    assert all(node.group == "main" for node in regions.nodes if node.kind != "error")
    predicates = {predicate for node in regions.nodes for predicate in node.predicates}
    assert any("n" in predicate and "y" in predicate for predicate in predicates)
    assert not any("::" in predicate for predicate in predicates)
    assert any(node.tests for node in regions.nodes)
    assert not any("main::" in edge.label for edge in regions.edges)


def test_what_tests_crossed_is_certain_and_nothing_leads_from_the_start_to_the_error_of_a_safe_program(
    folder: Path,
) -> None:
    _, made = explored(folder, LOOP, True)
    regions = graph(made, "regions")
    assert {edge.kind for edge in regions.edges} == {"must", "may"}
    reached = {node.id for node in regions.nodes if node.kind == "initial"}
    while more := {edge.target for edge in regions.edges if edge.source in reached} - reached:
        reached |= more
    assert not [node for node in regions.nodes if node.kind == "error" and node.id in reached]


def test_regions_from_which_no_error_follows_are_closed_and_the_error_has_no_line(folder: Path) -> None:
    _, made = explored(folder, LOOP, True)
    regions = graph(made, "regions")
    assert "closed" in {node.kind for node in regions.nodes}
    [error] = [node for node in regions.nodes if node.kind == "error"]
    assert (error.label, error.line, error.group) == ("the error", None, "")
