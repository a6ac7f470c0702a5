"""One tool on one row: the verdict, what it cost, and whether its evidence holds.

The verdict and the check of its evidence are two phases of the same child process, timed apart. Loading the
model and starting Python are not counted, for no tool.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from pincer.bench.isolation import Outcome, peak_memory_mb, run_isolated
from pincer.bench.rows import Figures, Row
from pincer.bench.spacer import solve_horn
from pincer.errors import UnsupportedError
from pincer.runtime.run import Run, Stopped

if TYPE_CHECKING:
    from pincer.engines.task import PropertyResult
    from pincer.program.guarded import GuardedProgram

Tool = Literal["ase", "ur", "spacer"]
TOOLS: tuple[Tool, ...] = ("ase", "ur", "spacer")

Status = Literal["safe", "unsafe", "unknown", "refused", "time", "memory", "crash"]
Evidence = Literal["certified", "replayed", "rejected", "unchecked"]

SHORT_CHECKS = {
    "exhaustion": "EX",
    "safe-fragment": "SF",
    "inductive-invariant": "II",
    "over-approximation": "OA",
    "strengthening": "ST",
}

GRACE = 2.0
NOTHING = Figures()


@dataclass(frozen=True, slots=True)
class Job:
    """What a child is asked; `timeout` holds for the verdict and again for the check of its evidence."""

    row: Row
    tool: Tool
    timeout: float = 60.0
    memory_mb: int = 4096
    paper: bool = False
    check: bool = True


@dataclass(frozen=True, slots=True)
class Measurement:
    """What came out. `figures.time_s` is the time to the verdict, `solver_s` the solver's part of it."""

    row: str
    tool: Tool
    status: Status
    expected: str
    figures: Figures = NOTHING
    reason: str = ""
    solver_s: float | None = None
    cpu_s: float | None = None
    memory_mb: float | None = None
    evidence: Evidence = "unchecked"
    evidence_s: float | None = None
    evidence_reason: str = ""

    @property
    def decided(self) -> bool:
        return self.status in ("safe", "unsafe")

    @property
    def wrong(self) -> bool:
        """A verdict against the truth, or one whose evidence does not hold."""
        return self.decided and (self.status != self.expected or self.evidence == "rejected")

    @property
    def solver_share(self) -> float | None:
        """The share of the time to the verdict that was spent inside the solver."""
        if self.solver_s is None or not self.figures.time_s:
            return None
        return min(1.0, self.solver_s / self.figures.time_s)


def measure(job: Job) -> Measurement:
    """Run the job in a fresh process and say how it went, whatever happens to that process."""
    limits = (job.timeout + GRACE, job.timeout + GRACE)
    work = _spacer_phases if job.tool == "spacer" else _engine_phases
    return _measurement(job, run_isolated(work, job, limits, job.memory_mb))


def _measurement(job: Job, outcome: Outcome[Measurement]) -> Measurement:
    if outcome.results:
        latest = outcome.results[-1]
        unchecked = latest.decided and latest.evidence == "unchecked" and outcome.ending != "finished"
        return replace(latest, evidence_reason=outcome.reason) if unchecked else latest
    status: Status = "unknown" if outcome.ending == "finished" else outcome.ending
    return Measurement(job.row.name, job.tool, status, job.row.expected, reason=outcome.reason)


def _engine_phases(job: Job) -> Iterator[Measurement]:
    from pincer.engines.guarded.analysis import GuardedOptions
    from pincer.engines.guarded.verify import verify
    from pincer.frontends.gcl import load

    program = load(job.row.model, job.row.defines)
    run = Run(timeout=job.timeout)
    clock = _Clock()
    try:
        results = verify(program, GuardedOptions(job.tool, [job.row.property], paper=job.paper), run)
    except UnsupportedError as error:
        yield Measurement(job.row.name, job.tool, "refused", job.row.expected, reason=error.message)
        return
    result = next(result for result in results if result.name == job.row.property)
    measured = _measured(job, result, clock)
    yield measured
    if job.check and measured.decided:
        yield _with_evidence(measured, program, result, Run(timeout=job.timeout))


def _measured(job: Job, result: PropertyResult, clock: _Clock) -> Measurement:
    statistics = result.statistics
    out_of_time = result.verdict == "unknown" and "time limit" in result.reason
    return Measurement(
        row=job.row.name,
        tool=job.tool,
        status="time" if out_of_time else result.verdict,
        expected=job.row.expected,
        figures=Figures(
            iterations=statistics.get("iterations"),
            queries=statistics.get("prover_queries" if job.paper else "queries"),
            predicates=statistics.get("predicates"),
            states=statistics.get("states"),
            abstract_states=statistics.get("abstract_states"),
            check=SHORT_CHECKS.get(result.check, result.check) if result.check else None,
            time_s=clock.wall(),
        ),
        reason=result.reason,
        solver_s=statistics.get("solver_time_s"),
        cpu_s=clock.cpu(),
        memory_mb=peak_memory_mb(),
    )


def _with_evidence(measured: Measurement, program: GuardedProgram, result: PropertyResult, run: Run) -> Measurement:
    """The measurement after its counterexample was replayed or its proof was checked."""
    from pincer.evidence.gcl.checker import check_certificate
    from pincer.evidence.gcl.replay import replay

    clock = _Clock()
    if result.verdict == "unsafe" and result.trace is not None:
        replayed = replay(program, result.trace)
        accepted, kind, reason = replayed.ok, "replayed", replayed.reason
    elif result.verdict == "safe" and result.certificate is not None:
        try:
            checked = check_certificate(program, result.certificate, run=run)
        except Stopped as stopped:
            return replace(measured, evidence_reason=stopped.reason)
        accepted, kind, reason = checked.ok, "certified", checked.reason
    else:
        accepted, kind, reason = False, "", "the engine gave no evidence"
    evidence: Evidence = ("replayed" if kind == "replayed" else "certified") if accepted else "rejected"
    return replace(measured, evidence=evidence, evidence_s=clock.wall(), evidence_reason=reason)


def _spacer_phases(job: Job) -> Iterator[Measurement]:
    from pincer.evidence.gcl.smtlib import horn_script
    from pincer.frontends.gcl import load

    script = horn_script(load(job.row.model, job.row.defines), job.row.property)
    clock = _Clock()
    verdict, reason = solve_horn(script, job.timeout)
    out_of_time = verdict == "unknown" and clock.wall() >= 0.95 * job.timeout
    yield Measurement(
        row=job.row.name,
        tool=job.tool,
        status="time" if out_of_time else verdict,
        expected=job.row.expected,
        figures=Figures(time_s=clock.wall()),
        reason=reason,
        cpu_s=clock.cpu(),
        memory_mb=peak_memory_mb(),
    )


class _Clock:
    """Wall and processor time since its creation."""

    def __init__(self) -> None:
        self._wall, self._cpu = time.perf_counter(), time.process_time()

    def wall(self) -> float:
        return time.perf_counter() - self._wall

    def cpu(self) -> float:
        return time.process_time() - self._cpu
