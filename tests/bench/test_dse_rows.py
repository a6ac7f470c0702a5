"""Rows of temporal benchmarks, read from what a folder expects."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pincer.bench.dse_rows import dse_rows
from pincer.bench.rows import TemporalQuestion
from pincer.errors import PincerError


def test_each_property_has_a_row_with_its_number(tmp_path: Path) -> None:
    entries = {"paper/one": {"verdicts": ["safe"]}, "two": {"verdicts": ["unsafe", "unknown"], "max_runs": 7}}
    (tmp_path / "expected.json").write_text(json.dumps(entries))
    found = [(row.group, row.name, row.expected, row.question) for row in dse_rows(tmp_path)]
    assert found == [
        ("paper", "one", "safe", TemporalQuestion(1, None)),
        ("", "two 1", "unsafe", TemporalQuestion(1, 7)),
        ("", "two 2", "unknown", TemporalQuestion(2, 7)),
    ]
    assert dse_rows(tmp_path)[0].file == tmp_path / "paper" / "one.m"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "cannot be read"),
        ("{", "cannot be read"),
        ('{"p": {"verdicts": ["maybe"]}}', "the verdicts of p must be safe, unsafe or unknown"),
    ],
)
def test_a_mistake_in_the_folder_is_told(tmp_path: Path, text: str | None, message: str) -> None:
    if text is not None:
        (tmp_path / "expected.json").write_text(text)
    with pytest.raises(PincerError, match=message):
        dse_rows(tmp_path)
