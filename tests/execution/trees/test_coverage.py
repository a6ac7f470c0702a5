"""What an exploration has seen of a program, counted."""

from __future__ import annotations

from pincer.execution.trees import coverage
from pincer.frontends.msvl import parse_program
from tests.execution.trees.msvl_explorations import LITERAL, explored


def test_coverage_counts_paths_and_sides() -> None:
    found = explored(LITERAL, {"s_main_message": 7})
    seen = coverage(parse_program(LITERAL, "test.m"), found)
    assert (seen.terminated, seen.sides, seen.all_sides, seen.infeasible) == (4, 6, 6, 3)
    assert seen.exhaustive
