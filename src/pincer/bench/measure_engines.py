"""Engines for threads and for temporal properties on one row, in this process, and whether what they found holds."""

from __future__ import annotations

import tempfile
from pathlib import Path

from pincer.bench.agse_rows import load_threaded
from pincer.bench.measurement import Evidence, Job, Measurement, known, present
from pincer.bench.rows import TemporalQuestion, ThreadQuestion


def measure_threads(job: Job) -> Measurement:
    """A search over schedules; a violation is compiled and run."""
    from pincer.engines.threads.front import check
    from pincer.engines.threads.task import ThreadOptions
    from pincer.engines.threads.threaded_test import threaded_test
    from pincer.evidence.threads.execution import confirm
    from pincer.execution.threads.interleaving import Interleaver
    from pincer.runtime.run import Run

    question = job.row.question
    assert isinstance(question, ThreadQuestion)
    options = ThreadOptions(engines=(job.tool,), seed=job.seed)  # type: ignore[arg-type]
    evidence: Evidence = ""
    with tempfile.TemporaryDirectory(prefix="pincer-") as folder:
        program = load_threaded(job.row, Path(folder))
        [result] = check(program, [question.kind], Run(timeout=job.timeout), options)
        if result.violation is not None:
            test = threaded_test(Interleaver(program, options.execution_limits), result.violation, question.kind)
            status = confirm(test, Path(program.file), preprocessor=(f"-I{job.row.file.parent}",)).status
            evidence = "confirmed" if status == "confirmed" else "not confirmed"
    figures = known(result.statistics, "states", "memory_mb", "trace_length", "refinements")
    verdict, seconds = result.verdict, result.time_s
    return Measurement(job.row.name, job.tool, verdict, job.row.expected, seconds, figures, result.reason, evidence)


def measure_temporal(job: Job) -> Measurement:
    """A temporal property; its counterexample is replayed."""
    from pincer.engines.dse.options import CheckOptions
    from pincer.engines.dse.verify import check
    from pincer.evidence.msvl.replay import replay
    from pincer.execution.trees import Bounds
    from pincer.frontends.msvl import load
    from pincer.runtime.run import Run
    from pincer.temporal.property import parse_properties

    row, question = job.row, job.row.question
    assert isinstance(question, TemporalQuestion)
    program, run = load(row.file), Run(timeout=job.timeout)
    asked = parse_properties(row.file.read_text(encoding="utf-8"), str(row.file))[question.number - 1]
    bounds = Bounds() if question.max_runs is None else Bounds(max_runs=question.max_runs)
    [result] = check(program, [asked], CheckOptions(bounds=bounds), run)
    found = result.counterexample
    evidence: Evidence = ""
    if found is not None:
        evidence = "replayed" if replay(program, found).confirmed else "rejected"
    numbers = result.statistics
    figures = present(
        runs=numbers["coverage"]["runs"],
        tree_nodes=numbers["tree"]["nodes"],
        product=numbers["product_states"],
        solver_calls=numbers["solver"]["calls"],
    )
    return Measurement(
        row.name, job.tool, result.verdict, row.expected, result.time_s, figures, result.reason, evidence
    )
