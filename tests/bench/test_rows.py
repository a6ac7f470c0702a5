"""Rows are chosen by patterns, and found where the package is."""

from __future__ import annotations

import pytest

from pincer.bench.ase_rows import ase_rows
from pincer.bench.rows import benchmarks_directory, matching
from pincer.errors import PincerError

ROWS = ase_rows()


def test_patterns_choose_rows_and_an_unmatched_one_is_an_error_that_lists_them() -> None:
    assert [row.name for row in matching(ROWS, "ticket[23],RAX")] == ["RAX", "ticket2", "ticket3"]
    with pytest.raises(PincerError, match="ticket4"):
        matching(ROWS, "nothing*")


def test_a_pattern_may_name_a_group() -> None:
    assert {row.group for row in matching(ROWS, "figure 8")} == {"figure 8"}


def test_benchmarks_that_are_not_there_say_so() -> None:
    assert (benchmarks_directory("ase") / "published.json").is_file()
    with pytest.raises(PincerError, match="not installed"):
        benchmarks_directory("none")
