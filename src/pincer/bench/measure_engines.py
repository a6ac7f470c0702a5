"""Engines for threads and for temporal properties on one row, in this process, and whether what they found holds."""

from __future__ import annotations

import tempfile
from pathlib import Path

from pincer.bench.agse_rows import load_threaded
from pincer.bench.measurement import Evidence, Job, Measurement, known, present
from pincer.bench.rows import TemporalQuestion, ThreadQuestion
from pincer.engines.dse.options import CheckOptions
from pincer.engines.dse.verify import check as check_temporal
from pincer.engines.task import EngineTask, Refuted
from pincer.engines.threads.front import check as check_threads
from pincer.engines.threads.task import ThreadOptions
from pincer.evidence.msvl.counterexample import Counterexample
from pincer.evidence.msvl.replay import replay
from pincer.evidence.threads.execution import confirm
from pincer.evidence.threads.trace import ThreadedTest
from pincer.execution.trees import SearchBounds
from pincer.frontends.msvl import load
from pincer.runtime.run import Run
from pincer.temporal.property import parse_properties


def measure_threads(job: Job) -> Measurement:
    """A search over schedules; a violation is compiled and run."""
    question = job.row.question
    assert isinstance(question, ThreadQuestion)
    options = ThreadOptions(engines=(job.tool,), seed=job.seed, paper=job.paper)  # type: ignore[arg-type]
    evidence: Evidence = ""
    with tempfile.TemporaryDirectory(prefix="pincer-") as folder:
        program = load_threaded(job.row, Path(folder))
        [claim] = check_threads(EngineTask(program, (question.kind,), options), Run(timeout=job.timeout))
        if isinstance(claim, Refuted) and isinstance(claim.run, ThreadedTest):
            status = confirm(claim.run, Path(program.file), preprocessor=(f"-I{job.row.file.parent}",)).status
            evidence = "confirmed" if status == "confirmed" else "not confirmed"
    figures = known(claim.statistics, "states", "memory_mb", "trace_length", "refinements")
    verdict, seconds = claim.verdict, claim.time_s
    return Measurement(job.row.name, job.tool, verdict, job.row.expected, seconds, figures, claim.said, evidence)


def measure_temporal(job: Job) -> Measurement:
    """A temporal property; its counterexample is replayed."""
    row, question = job.row, job.row.question
    assert isinstance(question, TemporalQuestion)
    program, run = load(row.file), Run(timeout=job.timeout)
    asked = parse_properties(row.file.read_text(encoding="utf-8"), str(row.file))[question.number - 1]
    bounds = SearchBounds() if question.max_runs is None else SearchBounds(max_runs=question.max_runs)
    [claim] = check_temporal(EngineTask(program, (asked,), CheckOptions(bounds=bounds)), run)
    evidence: Evidence = ""
    if isinstance(claim, Refuted) and isinstance(claim.run, Counterexample):
        evidence = "replayed" if replay(program, claim.run).confirmed else "rejected"
    numbers = claim.statistics
    figures = present(
        runs=numbers["coverage"]["runs"],
        tree_nodes=numbers["tree"]["nodes"],
        product=numbers["product_states"],
        solver_calls=numbers["solver"]["calls"],
    )
    return Measurement(row.name, job.tool, claim.verdict, row.expected, claim.time_s, figures, claim.said, evidence)
