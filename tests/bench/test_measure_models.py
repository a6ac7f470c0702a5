"""One tool on one model: whatever becomes of its process is a measurement."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from pincer.bench.ase_rows import ase_rows
from pincer.bench.measure_models import _measurement, measure_model
from pincer.bench.measurement import Job, Measurement
from pincer.bench.rows import matching
from pincer.runtime.isolation import IsolatedOutcome

[ROW] = matching(ase_rows(), "ticket2")
FOUND = Measurement("ticket2", "ase", "safe", "safe", 0.5, evidence="unchecked", remark="not checked")


@pytest.mark.parametrize("tool", ["ur", "spacer"])
def test_a_verdict_comes_with_its_figures(tool: str) -> None:
    measured = measure_model(Job(ROW, tool, timeout=30))
    assert (measured.status, measured.right) == ("safe", True)
    assert measured.time_s is not None
    assert "cpu_s" in measured.figures
    assert ("states" in measured.figures, measured.evidence) == ((True, "certified") if tool == "ur" else (False, ""))


def test_a_process_that_ends_without_a_verdict_says_how() -> None:
    measured = _measurement(Job(ROW, "ase"), IsolatedOutcome((), "memory", "more than 10 MB needed"))
    assert (measured.status, measured.reason, measured.decided) == ("memory", "more than 10 MB needed", False)


def test_a_check_of_evidence_that_is_cut_short_leaves_the_verdict_unchecked() -> None:
    measured = _measurement(Job(ROW, "ase"), IsolatedOutcome((FOUND,), "time", "stopped after 3 s"))
    assert measured == replace(FOUND, remark="stopped after 3 s")


def test_a_model_that_cannot_be_read_is_a_crash_of_its_process_only(tmp_path: Path) -> None:
    (tmp_path / "bad.gcl").write_text("program")
    measured = measure_model(Job(replace(ROW, file=tmp_path / "bad.gcl"), "ase", timeout=10))
    assert measured.status == "crash"
    assert measured.reason
