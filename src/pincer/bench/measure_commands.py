"""One tool on one C program, as a user runs it: the verdict, what it cost, and whether its evidence holds.

Pincer is run as the command it is, in processes of its own, so its figures include everything a user waits for. What
starting up costs is measured apart, on a program with nothing to decide.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from pincer.bench.measurement import Evidence, Job, Measurement, Status, known
from pincer.bench.rows import CQuestion, Row
from pincer.errors import PincerError
from pincer.runtime.clock import PROCESSOR, VARIABLE, seconds_of_children

GRACE = 5.0
PATIENCE = 100
"""So many times a limit of processor time is waited for by the clock."""
_FIGURES = (
    "iterations",
    "questions",
    "solver_calls",
    "solver_s",
    "tests",
    "regions",
    "splits",
    "paths",
    "formula",
)
TRIVIAL = "int main(void) { return 0; }\n"


def measure_command(job: Job) -> Measurement:
    """Run the job's tool on its row, with the processor time of all its processes where no other job runs beside it."""
    before = seconds_of_children()
    measured = _measured(job)
    if threading.current_thread() is not threading.main_thread():
        return measured
    return replace(measured, figures={**measured.figures, "cpu_s": round(seconds_of_children() - before, 3)})


def _measured(job: Job) -> Measurement:
    if job.tool == "cbmc":
        from pincer.bench.cbmc import measure_cbmc

        return measure_cbmc(job)
    return _measure_pincer(job)


def pincer_command(job: Job) -> list[str]:
    """The call of Pincer on a row."""
    limits = ["--timeout", f"{job.timeout:g}", "--memory", str(job.memory_mb)]
    assert isinstance(job.row.question, CQuestion)
    words = [str(job.row.file), *job.row.question.options, *job.options, *limits, "--format", "json", "--quiet"]
    return [sys.executable, "-m", "pincer.cli", "check", *words]


def _measure_pincer(job: Job) -> Measurement:
    started = time.perf_counter()
    clock = {VARIABLE: PROCESSOR} if job.processor else {}
    blank = Measurement(job.row.name, "pincer", "crash", job.row.expected)
    try:
        done = subprocess.run(
            pincer_command(job),
            capture_output=True,
            text=True,
            timeout=(PATIENCE if job.processor else 1.1) * job.timeout + GRACE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **clock},
        )
    except subprocess.TimeoutExpired:
        return replace(
            blank, status="time", reason="did not end in time", figures={"wall_s": time.perf_counter() - started}
        )
    wall = time.perf_counter() - started
    try:
        result = json.loads(done.stdout)
    except ValueError:
        complaint = (done.stderr.strip().splitlines() or ["no output"])[-1]
        return replace(
            blank, status="error" if done.returncode == 2 else "crash", reason=complaint, figures={"wall_s": wall}
        )
    measured = _read(blank, result)
    return replace(measured, figures={**measured.figures, "wall_s": wall})


def _read(blank: Measurement, result: dict[str, Any]) -> Measurement:
    if not result["properties"]:
        error = result.get("error", {})
        kinds: dict[str, Status] = {"error": "error", "unsupported": "unsupported", "undecided": "unknown"}
        status = kinds.get(error.get("kind", ""), "crash")
        where = f" (line {error['line']})" if error.get("line") else ""
        return replace(blank, status=status, reason=f"{error.get('message', 'no answer')}{where}")
    found = _decisive(result["properties"])
    return replace(
        blank,
        status=_status(found),
        time_s=found["time_s"],
        figures=known(found["statistics"], *_FIGURES),
        evidence=_evidence(found["evidence"]),
        reason=found["reason"],
        remark=(found["evidence"] or {}).get("remark", ""),
    )


def _decisive(properties: list[dict[str, Any]]) -> dict[str, Any]:
    """Of the properties of one call the one that decides: one that is violated, else one undecided, else the first."""
    order = {"unsafe": 0, "unknown": 1, "safe": 2}
    return min(properties, key=lambda found: order[found["verdict"]])


def _status(found: dict[str, Any]) -> Status:
    verdict: Status = found["verdict"]
    if verdict != "unknown":
        return verdict
    starts: dict[str, Status] = {"time limit": "time", "memory limit": "memory", "unsupported": "unsupported"}
    return next((status for start, status in starts.items() if found["reason"].startswith(start)), "unknown")


def _evidence(evidence: dict[str, Any] | None) -> Evidence:
    match evidence:
        case {"kind": "execution"}:
            return "confirmed"
        case {"kind": "replay" | "recurrence"}:
            return "replayed"
        case {"kind": "interpreter"}:
            return "not confirmed"
        case {"kind": "proof"}:
            return "certified"
    return ""


class Startup(Struct, frozen=True):
    """What a tool needs for a program with nothing to decide, by the clock and of the processor."""

    wall_s: float
    cpu_s: float


def startup(tool: str, times: int = 3) -> Startup:
    """The medians of some runs."""
    with tempfile.TemporaryDirectory(prefix="pincer-") as name:
        path = Path(name) / "trivial.c"
        path.write_text(TRIVIAL, encoding="utf-8")
        job = Job(Row("trivial", "", path, "safe", CQuestion()), tool)
        measured = [measure_command(job) for _ in range(times)]
    medians = (statistics.median(m.cost_s for m in measured), statistics.median(m.cpu_s or 0.0 for m in measured))
    return Startup(*medians)


def require(tool: str) -> None:
    """Say at once when a tool is not there."""
    if tool == "cbmc" and shutil.which("cbmc") is None:
        raise PincerError("cbmc is not on the PATH; leave it out with --tools pincer")
