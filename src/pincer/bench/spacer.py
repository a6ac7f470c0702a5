"""Spacer, the Horn-clause engine of Z3, as the peer to compare with."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from pincer.bench.measurement import Job, Measurement, PhaseClock, Status, present
from pincer.bench.rows import GuardedQuestion
from pincer.evidence.gcl.smtlib import horn_script
from pincer.frontends.gcl import load
from pincer.runtime.memory_use import own_peak_mb


def solve_horn(script: str, timeout: float) -> tuple[Literal["safe", "unsafe", "unknown"], str]:
    """The verdict Spacer gives for a HORN script, and its reason when it has none.

    The HORN solver with its defaults: on nine rows of the ASE table, run once each, `Fixedpoint` called
    directly and `spacer.global` were each faster on some rows and slower in sum.
    """
    import z3

    solver = z3.SolverFor("HORN")
    solver.set("timeout", round(timeout * 1000))
    solver.from_string(script)
    answer = solver.check()
    if answer == z3.sat:
        return "safe", ""
    if answer == z3.unsat:
        return "unsafe", ""
    return "unknown", solver.reason_unknown()


def spacer_phases(job: Job) -> Iterator[Measurement]:
    """The verdict; there is no evidence to be checked."""
    question = job.row.question
    assert isinstance(question, GuardedQuestion)
    script = horn_script(load(job.row.file, question.defines), question.property)
    clock = PhaseClock()
    verdict, reason = solve_horn(script, job.timeout)
    status: Status = "time" if verdict == "unknown" and clock.wall() >= 0.95 * job.timeout else verdict
    figures = present(cpu_s=clock.cpu(), memory_mb=own_peak_mb())
    yield Measurement(job.row.name, job.tool, status, job.row.expected, clock.wall(), figures, reason)
