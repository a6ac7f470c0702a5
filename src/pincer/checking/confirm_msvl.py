"""No verdict about an MSVL program leaves unconfirmed: counterexamples are run again and judged, proofs are checked.

This loads the front ends of MSVL and of guarded commands, which checks of other programs do without.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct, field

from pincer.checking.confirm import Saver, account, internal, stopped_while_checking, unwritten
from pincer.checking.result import Evidence, Result, Safe, Unknown, Unsafe
from pincer.checking.task import Task
from pincer.engines.task import Claim, Open, Proved, Refuted
from pincer.evidence.msvl.counterexample import FORMAT, Counterexample
from pincer.evidence.msvl.proofs import TRANSLATED_HERE, MsvlEvidence, MsvlProof, check_proof
from pincer.evidence.msvl.replay import replay
from pincer.evidence.msvl.rounds import FORMAT as RUNS
from pincer.evidence.msvl.rounds import MsvlRounds, check_rounds
from pincer.evidence.run_conversions import run_of_rounds, run_of_states
from pincer.frontends.msvl import Program
from pincer.runtime.reasons import Cause, Reason
from pincer.runtime.run import Run, Stopped
from pincer.temporal.property import Property

_SVCOMP = {"safe": "true", "unsafe": "false", "unknown": "unknown"}


class TemporalConfirmation(Struct):
    """Checks the evidence about an MSVL program: an evaluator of its own runs counterexamples again and judges them."""

    program: Program
    task: Task
    run: Run
    saver: Saver = field(default_factory=Saver)
    sha256: str = ""

    def result(self, claim: Claim, wanted: Property | None = None) -> Result:
        """The answer; evidence about a translation must be about the property that is `wanted`."""
        told = account(claim, statistics=_numbers(claim.statistics), svcomp=_SVCOMP[claim.verdict])
        match claim:
            case Proved(proof=MsvlProof() as about) | Refuted(run=MsvlRounds() as about) if not _is_about(
                about, wanted
            ):
                reason = internal("the evidence is about another property")
                return Unknown(**{**told, "svcomp": "unknown", "reason": reason})
            case Proved(proof=MsvlProof() as proof):
                return self._argued(claim, proof, told)
            case Refuted(run=MsvlRounds() as rounds):
                return self._going_round(claim, rounds, told)
            case Proved():
                warnings = (*claim.warnings, *unwritten(self.task, "ways of the program"))
                return Safe(**{**told, "warnings": warnings}, check="runs")
            case Refuted(run=Counterexample() as found):
                return self._replayed(claim, found, told)
            case Open():
                return Unknown(**told, reason=claim.reason)
        return Unknown(**{**told, "svcomp": "unknown", "reason": internal("the engine gave no evidence")})

    def _argued(self, claim: Proved, proof: MsvlProof, told: dict[str, Any]) -> Result:
        """A proof about guarded commands, into which the checker translates the program by itself."""
        evidence = Evidence("unchecked proof")
        if self.task.options.certify:
            self.run.publish("checker", "checking the proof")
            try:
                report = check_proof(self.program, self.sha256, proof, self.task.options.solver, self.run)
            except Stopped as stopped:
                return Unknown(**{**told, "svcomp": "unknown", "reason": stopped_while_checking(stopped)})
            if not report.ok:
                reason = internal(f"the proof checker does not accept the proof ({report.reason})")
                return Unknown(**{**told, "svcomp": "unknown", "reason": reason})
            evidence = Evidence("proof", report.solver, report.obligations, report.time_s, TRANSLATED_HERE)
        saved = self.saver.save(self.task.outputs.certificate, claim.name, proof.save)
        return Safe(**told, check=claim.check, proof=proof.to_json(), evidence=evidence, saved=saved)

    def _going_round(self, claim: Refuted, rounds: MsvlRounds, told: dict[str, Any]) -> Result:
        self.run.publish("checker", "checking the run")
        try:
            judged, followed = check_rounds(self.program, self.sha256, rounds, self.task.options.solver, self.run)
        except Stopped as stopped:
            return Unknown(**{**told, "svcomp": "unknown", "reason": stopped_while_checking(stopped)})
        if followed is None:
            reason = internal(f"counterexample was not confirmed ({judged.reason})")
            return Unknown(**{**told, "svcomp": "unknown", "reason": reason})
        saved = self.saver.save(self.task.outputs.witness, claim.name, lambda path: RUNS.save(path, rounds))
        evidence = Evidence("recurrence", self.task.options.solver)
        shown = run_of_rounds(rounds, followed)
        return Unsafe(**told, run=shown, trace=RUNS.data(rounds), evidence=evidence, saved=saved)

    def _replayed(self, claim: Refuted, found: Counterexample, told: dict[str, Any]) -> Result:
        judged = replay(self.program, found, self.run)
        if not judged.confirmed:
            reason = Reason(f"a counterexample was found, but does not replay: {judged.reason}", Cause.INTERNAL)
            return Unknown(**{**told, "svcomp": "unknown", "reason": reason})
        saved = self.saver.save(self.task.outputs.witness, claim.name, lambda path: FORMAT.save(path, found))
        trace = FORMAT.data(found)
        return Unsafe(**told, run=run_of_states(found), trace=trace, evidence=Evidence("replay"), saved=saved)


def _is_about(evidence: MsvlEvidence, wanted: Property | None) -> bool:
    if wanted is None:
        return False
    defined = {(define.name, define.text) for define in wanted.defines}
    return evidence.formula == wanted.text and evidence.propositions.items() <= defined


def _numbers(statistics: Any) -> dict[str, Any]:
    """What is shown first, and all the rest."""
    if "tree" not in statistics:
        return dict(statistics)
    tree, seen = statistics["tree"], statistics["coverage"]
    shown = {"paths": sum(tree["paths"].values()), "runs": seen["runs"], "tree_nodes": tree["nodes"]}
    return {**shown, **statistics}
