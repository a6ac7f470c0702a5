"""A witness that does not fit its program is found out before anyone else reads it."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from pincer.evidence.c.witness import violation_witness
from pincer.evidence.c.witness_check import problems
from tests.evidence.c.witnessed_program import PROGRAM, metadata, violation


def edited(*path: Any, to: Any) -> list[str]:
    data = yaml.safe_load(violation_witness(violation(), metadata()))
    place = data
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = to
    return problems(yaml.safe_dump(data), PROGRAM)


FIRST = (0, "content", 0, "segment", 0, "waypoint")


BRANCH = (0, "content", 3, "segment", 0, "waypoint")


@pytest.mark.parametrize(
    ("path", "to", "complaint"),
    [
        ((0, "metadata", "format_version"), 2.0, "format_version"),
        ((0, "metadata", "task", "data_model"), "64bit", "data_model"),
        ((0, "metadata", "task", "input_file_hashes"), {}, "input_file_hashes"),
        ((0, "metadata", "producer"), {"name": "x"}, "version"),
        ((0, "entry_type"), "other", "unknown entry type"),
        ((0, "content"), [], "target"),
        ((*FIRST, "location", "line"), 99, "nothing begins at line 99"),
        ((*FIRST, "location", "function"), "twice", "in the function main"),
        ((*FIRST, "location", "file_name"), "other.c", "not an input file"),
        ((*FIRST, "constraint", "value"), "inner == 1", "not in scope"),
        ((*FIRST, "type"), "target", "constraint"),
        ((*BRANCH, "location", "column"), 10, "no branching keyword"),
        ((*BRANCH, "constraint", "value"), "maybe", "true or false"),
    ],
)
def test_what_does_not_fit_the_program_is_found(path: tuple[Any, ...], to: Any, complaint: str) -> None:
    found = edited(*path, to=to)
    assert any(complaint in problem for problem in found), found


@pytest.mark.parametrize("text", ["", "[]", "{", "- 3", "- entry_type: invariant_set"])
def test_what_is_no_witness_is_refused_without_a_crash(text: str) -> None:
    assert problems(text, PROGRAM) != []
