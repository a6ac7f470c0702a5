"""One tool on one model: the verdict, what it cost, and whether its evidence holds.

The verdict and the check of its evidence are two phases of the same child process, timed apart. Loading the
model and starting Python are not counted, for no tool.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from pincer.bench.measurement import Evidence, Job, Measurement, PhaseClock, Status, known, present
from pincer.bench.rows import GuardedQuestion
from pincer.bench.spacer import spacer_phases
from pincer.engines.guarded.analysis import GuardedSettings
from pincer.engines.guarded.verify import verify
from pincer.engines.task import Claim, EngineTask, Open, Proved, Refuted
from pincer.errors import UnsupportedError
from pincer.evidence.gcl.certificate import Certificate
from pincer.evidence.gcl.checker import check_certificate
from pincer.evidence.gcl.replay import replay
from pincer.evidence.gcl.trace import Trace
from pincer.frontends.gcl import load
from pincer.program.guarded import GuardedProgram
from pincer.runtime.isolation import IsolatedOutcome, run_isolated
from pincer.runtime.memory_use import own_peak_mb
from pincer.runtime.reasons import Cause
from pincer.runtime.run import Run, Stopped

SHORT_CHECKS = {
    "exhaustion": "EX",
    "safe-fragment": "SF",
    "inductive-invariant": "II",
    "over-approximation": "OA",
    "strengthening": "ST",
    "spacer": "SP",
    "clauses": "CL",
    "backward": "BW",
}

GRACE = 2.0


def measure_model(job: Job) -> Measurement:
    """Run the job in a fresh process and say how it went, whatever happens to that process."""
    limits = (job.timeout + GRACE, job.timeout + GRACE)
    work = spacer_phases if job.tool == "spacer" else _engine_phases
    return _measurement(job, run_isolated(work, job, limits, job.memory_mb))


def _measurement(job: Job, outcome: IsolatedOutcome[Measurement]) -> Measurement:
    if outcome.results:
        latest = outcome.results[-1]
        unchecked = latest.evidence == "unchecked" and outcome.ending != "finished"
        return replace(latest, remark=outcome.reason) if unchecked else latest
    status: Status = "unknown" if outcome.ending == "finished" else outcome.ending
    return Measurement(job.row.name, job.tool, status, job.row.expected, reason=outcome.reason)


def _engine_phases(job: Job) -> Iterator[Measurement]:
    question = job.row.question
    assert isinstance(question, GuardedQuestion)
    program = load(job.row.file, question.defines)
    settings = GuardedSettings("ur" if job.tool == "ur" else "ase", job.paper)
    clock = PhaseClock()
    try:
        claims = list(verify(EngineTask(program, (question.property,), settings), Run(timeout=job.timeout)))
    except UnsupportedError as error:
        yield Measurement(job.row.name, job.tool, "refused", job.row.expected, reason=error.message)
        return
    claim = next(claim for claim in claims if claim.name == question.property)
    measured = _measured(job, claim, clock)
    yield measured
    if job.check and measured.decided:
        yield _with_evidence(measured, program, claim, Run(timeout=job.timeout))


def _measured(job: Job, claim: Claim, clock: PhaseClock) -> Measurement:
    statistics = claim.statistics
    out_of_time = isinstance(claim, Open) and claim.reason.cause is Cause.TIME
    seconds, solver_s = clock.wall(), statistics.get("solver_time_s")
    check = SHORT_CHECKS.get(claim.check, claim.check) if isinstance(claim, Proved) else None
    figures = {
        **known(statistics, "iterations", "predicates", "states", "abstract_states"),
        **present(
            queries=statistics.get("prover_queries" if job.paper else "queries"),
            check=check,
            solver=None if solver_s is None else f"{min(1.0, solver_s / seconds):.0%}",
            solver_s=solver_s,
            cpu_s=clock.cpu(),
            memory_mb=own_peak_mb(),
        ),
    }
    status: Status = "time" if out_of_time else claim.verdict
    evidence: Evidence = "unchecked" if status in ("safe", "unsafe") else ""
    return Measurement(
        job.row.name,
        job.tool,
        status,
        job.row.expected,
        seconds,
        figures,
        claim.said,
        evidence,
        remark="not checked",
    )


def _with_evidence(measured: Measurement, program: GuardedProgram, claim: Claim, run: Run) -> Measurement:
    """The measurement after its counterexample was replayed or its proof was checked."""
    clock = PhaseClock()
    if isinstance(claim, Refuted) and isinstance(claim.run, Trace):
        replayed = replay(program, claim.run)
        accepted, kind, reason = replayed.ok, "replayed", replayed.reason
    elif isinstance(claim, Proved) and isinstance(claim.proof, Certificate):
        try:
            checked = check_certificate(program, claim.proof, run=run)
        except Stopped as stopped:
            return replace(measured, remark=stopped.reason.text)
        accepted, kind, reason = checked.ok, "certified", checked.reason
    else:
        accepted, kind, reason = False, "", "the engine gave no evidence"
    evidence: Evidence = ("replayed" if kind == "replayed" else "certified") if accepted else "rejected"
    return replace(measured, evidence=evidence, evidence_s=clock.wall(), remark=reason)
