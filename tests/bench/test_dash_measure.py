"""A row is measured by running the command a user would run, whatever becomes of it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from pincer.bench import dash_measure
from pincer.bench.dash_measure import DashJob, measure, measure_all
from pincer.bench.dash_rows import DashRow

SAFE = "int main(void) { int x = __VERIFIER_nondet_int(); if (x != x + 0) reach_error(); return 0; }\n"
UNSAFE = "int main(void) { int x = __VERIFIER_nondet_int(); if (x == 7) reach_error(); return 0; }\n"


def row(tmp_path: Path, text: str, expected: Any = "safe") -> DashRow:
    path = tmp_path / "p.c"
    path.write_text(text, encoding="utf-8")
    return DashRow("p", "", path, expected)


def test_a_proof_is_certified(tmp_path: Path) -> None:
    measured = measure(DashJob(row(tmp_path, SAFE)))
    assert (measured.status, measured.evidence, measured.right) == ("safe", "certified", True)
    assert measured.iterations == measured.questions
    assert measured.engine_s is not None
    assert measured.engine_s < measured.wall_s


def test_a_violation_is_unsafe_and_wrong_where_safe_is_expected(tmp_path: Path) -> None:
    measured = measure(DashJob(row(tmp_path, UNSAFE)))
    assert (measured.status, measured.wrong) == ("unsafe", True)
    assert measured.evidence in ("confirmed", "not confirmed")


@pytest.mark.parametrize(
    ("text", "status"),
    [("int main(void) { return", "error"), ("int main(void) { double x = 1.5; return x > 1.0; }", "unsupported")],
)
def test_a_file_that_cannot_be_used_is_told_apart(text: str, status: str, tmp_path: Path) -> None:
    measured = measure(DashJob(row(tmp_path, text)))
    assert (measured.status, measured.decided) == (status, False)
    assert measured.reason


@pytest.mark.parametrize(
    ("script", "status"), [("raise SystemExit(3)", "crash"), ("import time; time.sleep(60)", "time")]
)
def test_a_tool_that_falls_over_or_hangs_is_a_result_too(
    script: str, status: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dash_measure, "GRACE", 0.5)
    monkeypatch.setattr(dash_measure, "pincer_command", lambda job: [sys.executable, "-c", script])
    assert measure(DashJob(row(tmp_path, SAFE), timeout=0.5)).status == status


def test_several_jobs_at_once_keep_their_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        dash_measure, "measure", lambda job: dash_measure.DashMeasurement(job.row.name, "pincer", "safe", "safe")
    )
    jobs = [DashJob(DashRow(str(i), "", tmp_path, "safe")) for i in range(20)]
    seen: list[str] = []
    measured = measure_all(jobs, 4, lambda done: seen.append(done.row))
    assert [done.row for done in measured] == [str(i) for i in range(20)]
    assert sorted(seen, key=int) == [str(i) for i in range(20)]
