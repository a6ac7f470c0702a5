"""One tool on one model: the verdict, what it cost, and whether its evidence holds.

The verdict and the check of its evidence are two phases of the same child process, timed apart. Loading the
model and starting Python are not counted, for no tool.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from pincer.bench.isolation import Outcome, peak_memory_mb, run_isolated
from pincer.bench.measurement import Evidence, Job, Measurement, Status, Stopwatch, known, present
from pincer.bench.rows import GuardedQuestion
from pincer.bench.spacer import solve_horn
from pincer.errors import UnsupportedError
from pincer.runtime.run import Run, Stopped

if TYPE_CHECKING:
    from pincer.engines.task import PropertyResult
    from pincer.program.guarded import GuardedProgram

SHORT_CHECKS = {
    "exhaustion": "EX",
    "safe-fragment": "SF",
    "inductive-invariant": "II",
    "over-approximation": "OA",
    "strengthening": "ST",
}

GRACE = 2.0


def measure_model(job: Job) -> Measurement:
    """Run the job in a fresh process and say how it went, whatever happens to that process."""
    limits = (job.timeout + GRACE, job.timeout + GRACE)
    work = _spacer_phases if job.tool == "spacer" else _engine_phases
    return _measurement(job, run_isolated(work, job, limits, job.memory_mb))


def _measurement(job: Job, outcome: Outcome[Measurement]) -> Measurement:
    if outcome.results:
        latest = outcome.results[-1]
        unchecked = latest.evidence == "unchecked" and outcome.ending != "finished"
        return replace(latest, remark=outcome.reason) if unchecked else latest
    status: Status = "unknown" if outcome.ending == "finished" else outcome.ending
    return Measurement(job.row.name, job.tool, status, job.row.expected, reason=outcome.reason)


def _engine_phases(job: Job) -> Iterator[Measurement]:
    from pincer.engines.guarded.analysis import GuardedOptions
    from pincer.engines.guarded.verify import verify
    from pincer.frontends.gcl import load

    question = job.row.question
    assert isinstance(question, GuardedQuestion)
    program = load(job.row.file, question.defines)
    run = Run(timeout=job.timeout)
    clock = Stopwatch()
    try:
        results = verify(program, GuardedOptions(job.tool, [question.property], paper=job.paper), run)
    except UnsupportedError as error:
        yield Measurement(job.row.name, job.tool, "refused", job.row.expected, reason=error.message)
        return
    result = next(result for result in results if result.name == question.property)
    measured = _measured(job, result, clock)
    yield measured
    if job.check and measured.decided:
        yield _with_evidence(measured, program, result, Run(timeout=job.timeout))


def _measured(job: Job, result: PropertyResult, clock: Stopwatch) -> Measurement:
    statistics = result.statistics
    out_of_time = result.verdict == "unknown" and "time limit" in result.reason
    seconds, solver_s = clock.wall(), statistics.get("solver_time_s")
    check = SHORT_CHECKS.get(result.check, result.check) if result.check else None
    figures = {
        **known(statistics, "iterations", "predicates", "states", "abstract_states"),
        **present(
            queries=statistics.get("prover_queries" if job.paper else "queries"),
            check=check,
            solver=None if solver_s is None else f"{min(1.0, solver_s / seconds):.0%}",
            solver_s=solver_s,
            cpu_s=clock.cpu(),
            memory_mb=peak_memory_mb(),
        ),
    }
    status: Status = "time" if out_of_time else result.verdict
    evidence: Evidence = "unchecked" if status in ("safe", "unsafe") else ""
    return Measurement(
        job.row.name,
        job.tool,
        status,
        job.row.expected,
        seconds,
        figures,
        result.reason,
        evidence,
        remark="not checked",
    )


def _with_evidence(measured: Measurement, program: GuardedProgram, result: PropertyResult, run: Run) -> Measurement:
    """The measurement after its counterexample was replayed or its proof was checked."""
    from pincer.evidence.gcl.checker import check_certificate
    from pincer.evidence.gcl.replay import replay

    clock = Stopwatch()
    if result.verdict == "unsafe" and result.trace is not None:
        replayed = replay(program, result.trace)
        accepted, kind, reason = replayed.ok, "replayed", replayed.reason
    elif result.verdict == "safe" and result.certificate is not None:
        try:
            checked = check_certificate(program, result.certificate, run=run)
        except Stopped as stopped:
            return replace(measured, remark=stopped.reason)
        accepted, kind, reason = checked.ok, "certified", checked.reason
    else:
        accepted, kind, reason = False, "", "the engine gave no evidence"
    evidence: Evidence = ("replayed" if kind == "replayed" else "certified") if accepted else "rejected"
    return replace(measured, evidence=evidence, evidence_s=clock.wall(), remark=reason)


def _spacer_phases(job: Job) -> Iterator[Measurement]:
    from pincer.evidence.gcl.smtlib import horn_script
    from pincer.frontends.gcl import load

    question = job.row.question
    assert isinstance(question, GuardedQuestion)
    script = horn_script(load(job.row.file, question.defines), question.property)
    clock = Stopwatch()
    verdict, reason = solve_horn(script, job.timeout)
    status: Status = "time" if verdict == "unknown" and clock.wall() >= 0.95 * job.timeout else verdict
    figures = present(cpu_s=clock.cpu(), memory_mb=peak_memory_mb())
    yield Measurement(job.row.name, job.tool, status, job.row.expected, clock.wall(), figures, reason)
