"""From a result that was kept to the claim that it came from, so that its evidence is confirmed like any other.

What is kept may be old, damaged or forged. Here it is made sure that the evidence is about the question that is asked;
whether it holds is said where claims are confirmed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from pincer.checking.evidence_files import ENDLESS_RUN, THREAD_PROOF, THREADED_TEST
from pincer.checking.relocation import Outline, SequentialProof, relocation
from pincer.checking.result import Safe, Unsafe
from pincer.engines.task import Claim, FailingRun, Proof, Proved, Refuted, Triples
from pincer.errors import PincerError, Position
from pincer.evidence.c import trace as c_trace
from pincer.evidence.c.failures import STATED, FailureKind
from pincer.evidence.c.trace import InputVector
from pincer.evidence.c_proof import endless_claim
from pincer.evidence.c_proof.certificate import ProofCertificate
from pincer.evidence.gcl.certificate import FORMAT as MODEL_PROOF
from pincer.evidence.gcl.replay import trace_from_json
from pincer.evidence.live.certificate import FORMAT as LIVE_PROOF
from pincer.evidence.live.recurrence import FORMAT as RECURRENCE
from pincer.evidence.live.witness import FORMAT as LIVE_RUN
from pincer.evidence.msvl import counterexample
from pincer.evidence.msvl.proofs import FORMAT as MSVL_PROOF
from pincer.evidence.msvl.proofs import MsvlProof
from pincer.evidence.msvl.rounds import FORMAT as MSVL_ROUNDS
from pincer.evidence.msvl.rounds import MsvlRounds
from pincer.evidence.thread_proof.certificate import ThreadCertificate
from pincer.evidence.threads import trace as threads_trace
from pincer.program.guarded import GuardedProgram
from pincer.program.passes.leaks import LEAKS
from pincer.program.passes.overflow import ARITHMETIC
from pincer.program.property import FAIRLY, SEQUENTIALLY, Assumption

if TYPE_CHECKING:
    from pincer.checking.confirm_c import Viewed
    from pincer.checking.load import CSource
    from pincer.checking.properties import CProperty
    from pincer.temporal.property import Property


class Kept(Struct, frozen=True):
    """A result, with what its claim said before it was confirmed: `warnings`, where a test met `undefined` behaviour,
    and inputs worth trying again. `outline` is that of the program it is about."""

    result: Safe | Unsafe
    warnings: tuple[str, ...] = ()
    undefined: Position | None = None
    tests: tuple[InputVector, ...] = ()
    outline: Outline = {}


class Recollection(Struct, frozen=True):
    """What is known about a question: `same` says that it was asked about the program as it is now."""

    kept: Kept
    same: bool

    def claim(self, evidence: Proof | FailingRun, assumptions: tuple[Assumption, ...] = ()) -> Claim:
        """The claim that the result came from; what it assumes is said by the program, not by what was kept."""
        result = self.kept.result
        told: dict[str, Any] = {
            "name": result.name,
            "engine": result.engine,
            "summary": result.summary,
            "statistics": result.statistics,
            "warnings": self.kept.warnings,
            "assumptions": assumptions,
            "tests": self.kept.tests,
        }
        if isinstance(result, Safe):
            return Proved(**told, check=result.check, undefined=self.kept.undefined, proof=evidence)  # type: ignore[arg-type]
        return Refuted(**told, run=evidence)  # type: ignore[arg-type]


def guarded_claim(known: Recollection, program: GuardedProgram) -> Claim:
    """What is known about a property of guarded commands, also of an earlier version of them."""

    result, here = known.kept.result, {"file": program.file, "sha256": program.sha256, "constants": program.constants}
    if isinstance(result, Safe):
        if _format(result.proof) == LIVE_PROOF.tag:
            return known.claim(replace(LIVE_PROOF.value(result.proof), **here))
        return known.claim(replace(MODEL_PROOF.value(result.proof), **here))
    form = _format(result.trace)
    if form in (LIVE_RUN.tag, RECURRENCE.tag):
        kept = LIVE_RUN.value(result.trace) if form == LIVE_RUN.tag else RECURRENCE.value(result.trace)
        return known.claim(kept.of(program))
    return known.claim(trace_from_json(program, result.name, result.trace))


def temporal_claim(known: Recollection, wanted: Property, int32: bool) -> Claim:
    """What is known about a property of an MSVL program; proofs and endless runs only of the program as it is."""

    result = known.kept.result
    found: counterexample.Counterexample | MsvlProof | MsvlRounds
    if isinstance(result, Safe):
        found = MSVL_PROOF.value(result.proof)
    elif _format(result.trace) == MSVL_ROUNDS.tag:
        found = MSVL_ROUNDS.value(result.trace)
    else:
        found = counterexample.from_json(result.trace)
    defined = {(define.name, define.text) for define in wanted.defines}
    same = found.formula == wanted.text and found.propositions.items() <= defined
    how = found.interpretation.int32 if isinstance(found, counterexample.Counterexample) else False
    if not same or how != int32:
        raise PincerError("the run is about another property")
    return known.claim(found)


def sequential_claim(known: Recollection, viewed: Viewed, source: CSource) -> Claim:
    """What is known about a property of a C program in which schedules play no part."""

    result, assumptions = known.kept.result, viewed.program.assumptions
    if isinstance(result, Safe):
        proof = _proof(result.proof)
        if not known.same:
            proof = relocation(known.kept.outline, viewed.program).proof(proof)
        return known.claim(proof, assumptions)
    here = {"file": viewed.program.file, "data_model": source.data_model, "entry": source.entry}
    if _format(result.trace) == ENDLESS_RUN:
        found = endless_claim.from_json(result.trace)
        if viewed.wanted.kind != "termination":
            raise PincerError("the run is about another property")
        return known.claim(replace(found, test=replace(found.test, **here)), assumptions)
    test = c_trace.from_json(result.trace)
    if test.failure.kind is None or not _violates(test.failure.kind, viewed.wanted):
        raise PincerError("the test is about another property")
    return known.claim(replace(test, **here), assumptions)


def scheduled_claim(known: Recollection, viewed: Viewed, source: CSource) -> Claim:
    """What is known about a property of a C program with threads."""
    result, assumptions = known.kept.result, (*viewed.program.assumptions, SEQUENTIALLY)
    if isinstance(result, Safe) and _format(result.proof) == THREAD_PROOF:
        return known.claim(ThreadCertificate.from_json(result.proof), assumptions)
    if isinstance(result, Unsafe) and _format(result.trace) == THREADED_TEST:
        test = threads_trace.from_json(result.trace)
        if _shows(test, viewed.wanted):
            fair = None if test.rounds is None else FAIRLY.get(test.rounds.fairness)
            assumptions = assumptions if fair is None else (*assumptions, fair)
            here = {"file": viewed.program.file, "data_model": source.data_model, "entry": source.entry}
            return known.claim(replace(test, **here), assumptions)
    raise PincerError("the evidence is about another property")


def _shows(test: threads_trace.ThreadedTest, wanted: CProperty) -> bool:
    """Whether the run of a schedule is one that violates a property."""
    if wanted.kind in ("termination", "temporal"):
        return test.rounds is not None
    if test.kind == "undefined":
        return test.failure.kind is not None and _violates(test.failure.kind, wanted)
    return test.kind == ("assertion" if wanted.kind == "assertions" else wanted.kind)


def _proof(data: Any) -> SequentialProof:
    certificate = ProofCertificate.from_json(data)
    found = certificate.paths or certificate.merged or certificate.cuts
    return Triples(certificate.proofs) if found is None else found


def _violates(kind: FailureKind, wanted: CProperty) -> bool:
    """Whether a failure of a kind violates a property."""
    if kind in STATED:
        return wanted.kind == "assertions"
    if kind in (FailureKind.LEAK, FailureKind.UNFREED):
        return wanted.kind == "leaks" or not wanted.categories.isdisjoint(LEAKS)
    if kind is FailureKind.UNINITIALISED:
        return wanted.kind == "uninitialised"
    return wanted.kind == ("overflow" if kind.value in ARITHMETIC else "memory")


def _format(data: Any) -> Any:
    return data.get("format") if isinstance(data, dict) else None
