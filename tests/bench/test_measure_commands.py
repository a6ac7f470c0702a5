"""A row is measured by running the command a user would run, whatever becomes of it."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from pincer.bench import measure_commands
from pincer.bench.measure_commands import measure_command, startup
from pincer.bench.measurement import Job
from pincer.bench.rows import CQuestion, Row

SAFE = "int main(void) { int x = __VERIFIER_nondet_int(); if (x != x + 0) reach_error(); return 0; }\n"
UNSAFE = "int main(void) { int x = __VERIFIER_nondet_int(); if (x == 7) reach_error(); return 0; }\n"


def row(tmp_path: Path, text: str, expected: Any = "safe") -> Row:
    path = tmp_path / "p.c"
    path.write_text(text, encoding="utf-8")
    return Row("p", "", path, expected, CQuestion())


def test_a_proof_is_certified(tmp_path: Path) -> None:
    measured = measure_command(Job(row(tmp_path, SAFE), "pincer"))
    assert (measured.status, measured.evidence, measured.right) == ("safe", "certified", True)
    assert measured.figures["iterations"] == measured.figures["questions"]
    assert measured.time_s is not None
    assert measured.time_s < measured.cost_s


def test_a_violation_is_unsafe_and_wrong_where_safe_is_expected(tmp_path: Path) -> None:
    measured = measure_command(Job(row(tmp_path, UNSAFE), "pincer"))
    assert (measured.status, measured.wrong) == ("unsafe", True)
    assert measured.evidence in ("confirmed", "not confirmed")


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("int main(void) { return", "error"),
        ('int main(void) { int x; __asm__("cpuid" : "=a"(x)); return x > 0; }', "unsupported"),
    ],
)
def test_a_file_that_cannot_be_used_is_told_apart(text: str, status: str, tmp_path: Path) -> None:
    measured = measure_command(Job(row(tmp_path, text), "pincer"))
    assert (measured.status, measured.decided) == (status, False)
    assert measured.reason


@pytest.mark.parametrize(
    ("script", "status"), [("raise SystemExit(3)", "crash"), ("import time; time.sleep(60)", "time")]
)
def test_a_tool_that_falls_over_or_hangs_is_a_result_too(
    script: str, status: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(measure_commands, "GRACE", 0.5)
    monkeypatch.setattr(measure_commands, "pincer_command", lambda job: [sys.executable, "-c", script])
    assert measure_command(Job(row(tmp_path, SAFE), "pincer", timeout=0.5)).status == status


@pytest.mark.parametrize(
    ("verdicts", "decisive"),
    [(["safe", "safe"], "safe"), (["safe", "unknown"], "unknown"), (["unknown", "unsafe"], "unsafe")],
)
def test_of_several_properties_the_worst_decides(verdicts: list[str], decisive: str) -> None:
    assert measure_commands._decisive([{"verdict": verdict} for verdict in verdicts])["verdict"] == decisive


def test_the_processor_time_of_a_command_is_known_where_it_runs_alone(tmp_path: Path) -> None:
    job = Job(row(tmp_path, SAFE), "pincer")
    alone = measure_command(job)
    assert alone.cpu_s is not None and alone.cpu_s > 0
    with ThreadPoolExecutor(1) as pool:
        beside = pool.submit(measure_command, job).result()
    assert (beside.status, beside.cpu_s) == ("safe", None)


def test_starting_takes_time_of_the_clock_and_of_the_processor() -> None:
    start = startup("pincer", 1)
    assert start.wall_s > 0 and start.cpu_s > 0
