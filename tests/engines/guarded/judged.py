"""Verdicts together with the trial of their evidence: no test here takes an engine's word for anything."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from pincer.engines.guarded.analysis import GuardedSettings
from pincer.engines.task import Claim, Open
from pincer.evidence.gcl.checker import check_certificate
from pincer.evidence.gcl.replay import replay
from pincer.frontends.gcl import parse_program
from pincer.program.guarded import GuardedProgram
from pincer.runtime.reasons import Cause
from pincer.runtime.run import Run
from tests.engines.claims import certificate_of, check_of, guarded_claims, trace_of

Engine = Literal["ase", "ur"]
BENCHMARKS = Path(__file__).resolve().parents[3] / "benchmarks" / "ase"


def judge(
    program: GuardedProgram,
    engine: Engine = "ase",
    properties: Sequence[str] = (),
    paper: bool = False,
    max_iterations: int | None = None,
    run: Run | None = None,
    solvers: Sequence[str] = ("cvc5", "z3"),
) -> dict[str, Claim]:
    """The results by property, every one of them with evidence that was found good."""
    settings = GuardedSettings(engine, paper, max_iterations)
    claims = guarded_claims(program, settings, properties, run or Run(timeout=30))
    for claim in claims:
        assert_evidence(program, claim, solvers)
    order = [one.name for one in program.properties]
    known = [name for name in order if any(claim.name == name for claim in claims)]
    by_name = {claim.name: claim for claim in claims}
    return {name: by_name[name] for name in (*known, *(name for name in by_name if name not in known))}


def judge_text(text: str, engine: Engine = "ase", paper: bool = False) -> dict[str, Claim]:
    return judge(parse_program(text, "judged.gcl"), engine, paper=paper)


def verdicts(results: dict[str, Claim]) -> dict[str, str]:
    return {name: result.verdict for name, result in results.items()}


def assert_evidence(program: GuardedProgram, result: Claim, solvers: Sequence[str]) -> None:
    """An unsafe verdict has a trace that replays, a safe one a proof the solvers accept, an unknown one a reason."""
    if result.verdict == "unsafe":
        trace = trace_of(result)
        assert trace is not None and trace.violates == result.name
        report = replay(program, trace)
        assert report.ok, report.reason
    elif result.verdict == "safe":
        certificate = certificate_of(result)
        assert certificate is not None and result.name in certificate.properties
        assert check_of(result) == certificate.check
        for solver in solvers:
            checked = check_certificate(program, certificate, solver)
            assert checked.ok, (solver, checked.reason)
    else:
        assert isinstance(result, Open) and result.reason.text
        assert result.reason.cause is not Cause.INTERNAL
