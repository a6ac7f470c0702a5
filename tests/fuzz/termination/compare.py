"""Answers about random small loops against a search through all their states, with the evidence confirmed."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from msgspec import Struct, field

from pincer.checking.confirm_c import CConfirmation, Viewed
from pincer.checking.load import CSource, hash_of
from pincer.checking.properties import CProperty, formula_property
from pincer.checking.result import Unknown
from pincer.checking.task import Options, Source, Task
from pincer.engines.task import Claim, EngineTask, Open, Proved, Refuted
from pincer.engines.termination.verify import TerminationSettings, check
from pincer.evidence.c_proof.cut_point_claim import CutPointProof
from pincer.evidence.c_proof.endless_check import check_endless
from pincer.evidence.c_proof.endless_claim import EndlessRun
from pincer.frontends.c.formulas import c_formula
from pincer.runtime.reasons import Cause, Reason
from pincer.runtime.run import Run
from tests.fuzz.termination.formulas import random_case
from tests.fuzz.termination.small_loops import random_program, random_turns, runs_for_ever

WANTED = CProperty("termination", "termination")


class Findings(Struct):
    """What came out: counts of verdicts, why programs were left open, and what is wrong, one text each."""

    counts: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = []


def compare(
    seed: int, folder: Path, findings: Findings, compiled: bool = False, seconds: float = 10, turns: bool = False
) -> None:
    """Decide the program of a seed, have the evidence confirmed, and compare; with compiled code if that is wanted."""
    program = random_turns(seed) if turns else random_program(seed)
    expected = runs_for_ever(program)
    if expected is None:
        findings.counts["too large"] += 1
        return
    path = folder / f"loop{seed}.c"
    path.write_text(program.text(), encoding="utf-8")
    source = CSource(str(path), path, properties=(WANTED,), sha256=hash_of(path))
    viewed = Viewed(source.program(WANTED), WANTED)
    run = Run(timeout=seconds)
    [claim] = check(EngineTask(viewed.program, ("termination",), TerminationSettings()), run)
    verdict, reason = _confirmed(claim, viewed, source, compiled)
    findings.counts[verdict] += 1
    proof = claim.proof if isinstance(claim, Proved) else None
    by_visits = isinstance(proof, CutPointProof) and any(point.words for point in proof.points)
    findings.counts["by visits"] += by_visits
    findings.counts["expected endless" if expected else "expected ending"] += 1
    if verdict == "unknown":
        findings.reasons[reason.text.split(str(path))[0] + ("endless" if expected else "ending")] += 1
        if not isinstance(claim, Open) and reason.cause is not Cause.TIME:
            findings.wrong.append(f"seed {seed}: evidence for {claim.verdict} is refused: {reason}")
    elif verdict != ("unsafe" if expected else "safe"):
        findings.wrong.append(f"seed {seed}: {verdict}, but a run {'does not end' if expected else 'always ends'}")


def compare_formula(seed: int, folder: Path, findings: Findings, compiled: bool = False, seconds: float = 10) -> None:
    """Decide a random formula about the program of a seed, have the evidence confirmed, and compare."""
    case = random_case(seed)
    if case is None:
        findings.counts["too large"] += 1
        return
    path = folder / f"loop{seed}.c"
    path.write_text(case.program.text(), encoding="utf-8")
    wanted = formula_property(c_formula(case.formula))
    source = CSource(str(path), path, properties=(wanted,), sha256=hash_of(path))
    viewed = Viewed(source.program(wanted), wanted)
    assert wanted.formula is not None
    settings = TerminationSettings(dict(wanted.formula.predicates))
    [claim] = check(EngineTask(viewed.program, ("temporal",), settings), Run(timeout=seconds))
    verdict, reason = _confirmed(claim, viewed, source, compiled)
    findings.counts[verdict] += 1
    findings.counts["expected violated" if case.violated else "expected to hold"] += 1
    if verdict == "unknown":
        findings.reasons[reason.text.split(str(path))[0] + ("violated" if case.violated else "holds")] += 1
        if not isinstance(claim, Open) and reason.cause is not Cause.TIME:
            findings.wrong.append(f"seed {seed}: evidence for {claim.verdict} is refused: {reason}")
    elif verdict != ("unsafe" if case.violated else "safe"):
        findings.wrong.append(f"seed {seed}: {verdict}, but {case.formula} {'fails' if case.violated else 'holds'}")


def _confirmed(claim: Claim, viewed: Viewed, source: CSource, compiled: bool) -> tuple[str, Reason]:
    if isinstance(claim, Open):
        return "unknown", claim.reason
    if isinstance(claim, Refuted) and isinstance(claim.run, EndlessRun) and not compiled:
        checked = check_endless(viewed.program, claim.run)
        return "unsafe" if checked.accepted else "unknown", Reason("; ".join(checked.refused))
    task = Task(Source(source.file), options=Options())
    result = CConfirmation(source, task, Run(timeout=60)).result(claim, viewed)
    return result.verdict, result.reason if isinstance(result, Unknown) else Reason("")
