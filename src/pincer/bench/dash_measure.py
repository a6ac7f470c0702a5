"""One tool on one C program, as a user runs it: the verdict, what it cost, and whether its evidence holds.

Pincer is run as the command it is, in processes of its own, so its figures include everything a user waits for. What
starting up costs is measured apart, on a program with nothing to decide.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from pincer.bench.dash_rows import DashRow
from pincer.errors import PincerError

Tool = Literal["pincer", "cbmc"]
TOOLS: tuple[Tool, ...] = ("pincer", "cbmc")

Status = Literal["safe", "unsafe", "unknown", "unsupported", "error", "time", "memory", "crash"]

GRACE = 5.0
TRIVIAL = "int main(void) { return 0; }\n"


@dataclass(frozen=True, slots=True)
class DashJob:
    """A row for a tool, with its limits; `options` are further words for Pincer."""

    row: DashRow
    tool: Tool = "pincer"
    timeout: float = 30.0
    memory_mb: int = 4096
    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DashMeasurement:
    """What came out. `wall_s` is from start to end of the tool's process, `engine_s` the part that decides.

    `evidence` is "confirmed" (a test was compiled and run), "not confirmed" (`remark` says why), "certified" (by the
    checker of proofs), or empty.
    """

    row: str
    tool: Tool
    status: Status
    expected: str | None
    wall_s: float = 0.0
    engine_s: float | None = None
    iterations: int | None = None
    questions: int | None = None
    solver_calls: int | None = None
    tests: int | None = None
    regions: int | None = None
    splits: int | None = None
    evidence: Literal["", "confirmed", "not confirmed", "certified"] = ""
    reason: str = ""
    remark: str = ""

    @property
    def decided(self) -> bool:
        return self.status in ("safe", "unsafe")

    @property
    def wrong(self) -> bool:
        """A verdict against the expected one."""
        return self.decided and self.expected is not None and self.status != self.expected

    @property
    def right(self) -> bool:
        return self.decided and self.status == self.expected


def measure(job: DashJob) -> DashMeasurement:
    """Run the job's tool on its row."""
    if job.tool == "cbmc":
        from pincer.bench.cbmc import measure_cbmc

        return measure_cbmc(job)
    return _measure_pincer(job)


def pincer_command(job: DashJob) -> list[str]:
    """The call of Pincer on a row."""
    limits = ["--timeout", f"{job.timeout:g}", "--memory", str(job.memory_mb)]
    words = [str(job.row.file), *job.row.options, *job.options, *limits, "--format", "json", "--quiet"]
    return [sys.executable, "-m", "pincer.cli", "check", *words]


def _measure_pincer(job: DashJob) -> DashMeasurement:
    started = time.perf_counter()
    blank = DashMeasurement(job.row.name, "pincer", "crash", job.row.expected)
    try:
        done = subprocess.run(
            pincer_command(job),
            capture_output=True,
            text=True,
            timeout=1.1 * job.timeout + GRACE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        )
    except subprocess.TimeoutExpired:
        return replace(blank, status="time", reason="did not end in time", wall_s=time.perf_counter() - started)
    wall = time.perf_counter() - started
    try:
        result = json.loads(done.stdout)
    except ValueError:
        complaint = (done.stderr.strip().splitlines() or ["no output"])[-1]
        return replace(blank, status="error" if done.returncode == 2 else "crash", reason=complaint, wall_s=wall)
    return replace(_read(blank, result), wall_s=wall)


def _read(blank: DashMeasurement, result: dict[str, Any]) -> DashMeasurement:
    if not result["properties"]:
        error = result.get("error", {})
        kinds: dict[str, Status] = {"error": "error", "unsupported": "unsupported"}
        status = kinds.get(error.get("kind", ""), "crash")
        where = f" (line {error['line']})" if error.get("line") else ""
        return replace(blank, status=status, reason=f"{error.get('message', 'no answer')}{where}")
    found = result["properties"][0]
    numbers = found["statistics"]
    return replace(
        blank,
        status=_status(found),
        engine_s=found["time_s"],
        **{
            name: numbers.get(name)
            for name in ("iterations", "questions", "solver_calls", "tests", "regions", "splits")
        },
        evidence=_evidence(found["evidence"]),
        reason=found["reason"],
        remark=(found["evidence"] or {}).get("remark", ""),
    )


def _status(found: dict[str, Any]) -> Status:
    verdict: Status = found["verdict"]
    if verdict != "unknown":
        return verdict
    starts: dict[str, Status] = {"time limit": "time", "memory limit": "memory", "unsupported": "unsupported"}
    return next((status for start, status in starts.items() if found["reason"].startswith(start)), "unknown")


def _evidence(evidence: dict[str, Any] | None) -> Literal["", "confirmed", "not confirmed", "certified"]:
    match evidence:
        case {"kind": "execution"}:
            return "confirmed"
        case {"kind": "interpreter"}:
            return "not confirmed"
        case {"kind": "proof"}:
            return "certified"
    return ""


def startup_seconds(tool: Tool, times: int = 3) -> float:
    """The median time a tool needs for a program with nothing to decide."""
    with tempfile.TemporaryDirectory(prefix="pincer-") as name:
        path = Path(name) / "trivial.c"
        path.write_text(TRIVIAL, encoding="utf-8")
        job = DashJob(DashRow("trivial", "", path, "safe"), tool)
        return statistics.median(measure(job).wall_s for _ in range(times))


def measure_all(
    jobs: Sequence[DashJob], at_once: int, on_done: Callable[[DashMeasurement], None] = lambda _: None
) -> list[DashMeasurement]:
    """All jobs, several at once if wanted, in their order."""
    from concurrent.futures import ThreadPoolExecutor

    def one(job: DashJob) -> DashMeasurement:
        measured = measure(job)
        on_done(measured)
        return measured

    with ThreadPoolExecutor(max_workers=at_once) as pool:
        try:
            return list(pool.map(one, jobs))
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def require(tool: Tool) -> None:
    """Say at once when a tool is not there."""
    import shutil

    if tool == "cbmc" and shutil.which("cbmc") is None:
        raise PincerError("cbmc is not on the PATH; leave it out with --tools pincer")
