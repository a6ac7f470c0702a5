"""Rows of temporal benchmarks: what programs expect of themselves, and counts by family."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.bench.live_rows import GUARDED, by_family, live_rows
from pincer.bench.measurement import Measurement
from pincer.errors import PincerError


def test_each_expectation_is_a_row(tmp_path: Path) -> None:
    (tmp_path / "two.gcl").write_text("// Two.\n// expect: a[1] holds, b violated\n")
    (tmp_path / "loops").mkdir()
    (tmp_path / "loops" / "one.c").write_text("// One.\n// expect: termination violated\n")
    found = [(row.name, row.group, row.expected) for row in live_rows(tmp_path)]
    assert found == [
        ("loops: one", "loops", "unsafe"),
        (f"{GUARDED}: two a[1]", GUARDED, "safe"),
        (f"{GUARDED}: two b", GUARDED, "unsafe"),
    ]
    measured = [
        Measurement("loops: one", "pincer", "unsafe", "unsafe", 1.0, evidence="confirmed"),
        Measurement(f"{GUARDED}: two a[1]", "pincer", "unknown", "safe", 1.0),
        Measurement(f"{GUARDED}: two b", "pincer", "safe", "unsafe", 1.0, evidence="certified"),
    ]
    counts = by_family(live_rows(tmp_path), measured)
    assert (counts["loops"].right, counts["loops"].checked) == (1, 1)
    assert (counts[GUARDED].rows, counts[GUARDED].right, counts[GUARDED].wrong) == (2, 0, 1)


def test_a_program_that_expects_nothing_is_told(tmp_path: Path) -> None:
    (tmp_path / "none.gcl").write_text("var x : int;\n")
    with pytest.raises(PincerError, match="expect"):
        live_rows(tmp_path)


def test_our_own_programs_are_many_and_a_third_are_violated() -> None:
    rows = [row for row in live_rows() if row.group != GUARDED]
    assert len(rows) >= 70
    assert sum(row.expected == "unsafe" for row in rows) >= len(rows) // 3
