"""Where the time of one row goes: states per second, the share of the solver, the busiest functions."""

from __future__ import annotations

import cProfile
import io
import pstats
import time

from rich.console import Console

from pincer.bench.rows import GuardedQuestion, Row
from pincer.engines.guarded.analysis import GuardedSettings
from pincer.engines.guarded.verify import verify
from pincer.engines.task import Claim, EngineTask
from pincer.frontends.gcl import load
from pincer.runtime.run import Run

FUNCTIONS_SHOWN = 25


def print_profile(console: Console, row: Row, timeout: float, paper: bool) -> None:
    """Run the row twice in this process: plainly for the speed, then under the profiler for the shares."""
    result, seconds = _run(row, timeout, paper)
    statistics = result.statistics
    states = statistics.get("states", 0)
    console.print(f"{row.name}: {result.verdict} in {seconds:.2f} s, {states} states in the last iteration")
    console.print(f"{states / seconds:,.0f} states per second")
    if "solver_time_s" in statistics:
        console.print(f"{statistics['solver_time_s'] / seconds:.0%} of the time inside the solver")
    profiler = cProfile.Profile()
    profiler.enable()
    _run(row, timeout, paper)
    profiler.disable()
    text = io.StringIO()
    pstats.Stats(profiler, stream=text).strip_dirs().sort_stats("tottime").print_stats(FUNCTIONS_SHOWN)
    console.print(text.getvalue(), markup=False, highlight=False)


def _run(row: Row, timeout: float, paper: bool) -> tuple[Claim, float]:
    question = row.question
    assert isinstance(question, GuardedQuestion)
    task = EngineTask(load(row.file, question.defines), (question.property,), GuardedSettings(paper=paper))
    started = time.perf_counter()
    claims = list(verify(task, Run(timeout=timeout)))
    seconds = time.perf_counter() - started
    return next(claim for claim in claims if claim.name == question.property), seconds
