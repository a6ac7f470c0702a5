"""Verdicts together with the trial of their evidence: no test here takes an engine's word for anything."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pincer.engines.guarded.analysis import GuardedOptions
from pincer.engines.guarded.verify import verify
from pincer.engines.task import PropertyResult
from pincer.evidence.gcl.checker import check_certificate
from pincer.evidence.gcl.replay import replay
from pincer.frontends.gcl import parse_program
from pincer.program.guarded import GuardedProgram
from pincer.runtime.run import Run

BENCHMARKS = Path(__file__).resolve().parents[3] / "benchmarks" / "ase"


def judge(
    program: GuardedProgram,
    engine: str = "ase",
    properties: Sequence[str] | None = None,
    paper: bool = False,
    max_iterations: int | None = None,
    run: Run | None = None,
    solvers: Sequence[str] = ("cvc5", "z3"),
) -> dict[str, PropertyResult]:
    """The results by property, every one of them with evidence that was found good."""
    options = GuardedOptions(engine, properties, paper, max_iterations)
    results = verify(program, options, run or Run(timeout=30))
    for result in results:
        assert_evidence(program, result, solvers)
    return {result.name: result for result in results}


def judge_text(text: str, engine: str = "ase", paper: bool = False) -> dict[str, PropertyResult]:
    return judge(parse_program(text, "judged.gcl"), engine, paper=paper)


def verdicts(results: dict[str, PropertyResult]) -> dict[str, str]:
    return {name: result.verdict for name, result in results.items()}


def assert_evidence(program: GuardedProgram, result: PropertyResult, solvers: Sequence[str]) -> None:
    """An unsafe verdict has a trace that replays, a safe one a proof the solvers accept, an unknown one a reason."""
    if result.verdict == "unsafe":
        assert result.trace is not None and result.certificate is None
        assert result.trace.violates == result.name
        report = replay(program, result.trace)
        assert report.ok, report.reason
    elif result.verdict == "safe":
        assert result.certificate is not None and result.trace is None
        assert result.name in result.certificate.properties
        assert result.check == result.certificate.check
        for solver in solvers:
            checked = check_certificate(program, result.certificate, solver)
            assert checked.ok, (solver, checked.reason)
    else:
        assert result.trace is None and result.certificate is None
        assert result.reason and not result.reason.startswith("internal")
