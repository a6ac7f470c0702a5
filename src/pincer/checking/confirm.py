"""The one place where a claim of an engine becomes an answer: counterexamples run again, proofs are checked.

`confirm_c` is its part for C programs, which need compilers and a proof checker of their own, `confirm_msvl` that for
MSVL programs.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from pincer.checking.result import Evidence, Result, Safe, Unknown, Unsafe, so_far
from pincer.checking.task import Task
from pincer.engines.task import Claim, Open, Proved, Refuted
from pincer.errors import Mistake, PincerError
from pincer.evidence.gcl.certificate import Certificate
from pincer.evidence.gcl.trace import Trace
from pincer.evidence.live.certificate import LiveCertificate
from pincer.evidence.live.trace import LiveTrace, Recurrence
from pincer.runtime.reasons import Cause, Reason
from pincer.runtime.run import Run, Stopped

if TYPE_CHECKING:
    from pincer.program.guarded import GuardedProgram, TemporalProperty


class Saver(Struct):
    """Writes the evidence of several properties. That of the `first` property, or of whichever comes first, goes to the
    file that the user named, that of others beside it under their names. A verdict survives evidence that cannot be
    written: the `mistakes` say so."""

    first: str | None = None
    mistakes: list[Mistake] = []
    _named: set[str] = set()

    def save(self, file: str | None, name: str, write: Callable[[Path], None]) -> str | None:
        """Write the evidence of a property to a file, if there is one; its name, None when nothing was written."""
        if file is None:
            return None
        path = Path(file)
        is_first = file not in self._named if self.first is None else name == self.first
        self._named.add(file)
        if not is_first:
            path = path.with_name(f"{path.stem}.{name}{path.suffix}")
        try:
            write(path)
        except OSError as error:
            self.mistakes.append(Mistake("error", f"cannot write it: {error.strerror}", str(path)))
            return None
        except PincerError as error:
            self.mistakes.append(Mistake("error", error.message, str(path)))
            return None
        return str(path)

    def folder(self, wanted: Path) -> Path | None:
        """A folder that is made for evidence, None where that cannot be."""
        try:
            wanted.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            self.mistakes.append(Mistake("error", f"cannot make this folder: {error.strerror}", str(wanted)))
            return None
        return wanted

    def told(self) -> tuple[Mistake, ...]:
        """The mistakes since they were told last."""
        found, self.mistakes = tuple(self.mistakes), []
        return found


def account(claim: Claim, **other: Any) -> dict[str, Any]:
    """What a result tells as the engine did, but for what is different."""
    told = {
        "name": claim.name,
        "engine": claim.engine,
        "summary": claim.summary,
        "time_s": claim.time_s,
        "statistics": claim.statistics,
        "warnings": claim.warnings,
        "assumptions": claim.assumptions,
    }
    return {**told, **other}


def open_result(claim: Open, run: Run, **other: Any) -> Unknown:
    """An undecided property; an engine that was cut short has published its last numbers."""
    if not claim.statistics and run.latest is not None:
        other = {"statistics": so_far(run.latest.numbers), "time_s": run.elapsed(), **other}
    return Unknown(**account(claim, **{"reason": claim.reason, **other}))


def internal(text: str) -> Reason:
    """Evidence that does not hold is our mistake."""
    return Reason(f"internal: {text}", Cause.INTERNAL)


class GuardedConfirmation(Struct):
    """Checks the evidence about a program of guarded commands, and saves it where the user wants it."""

    program: GuardedProgram
    task: Task
    run: Run
    saver: Saver = field(default_factory=Saver)
    _proofs: dict[int, tuple[Certificate, Evidence | Reason]] = {}

    def result(self, claim: Claim) -> Result:
        match claim:
            case Refuted(run=Trace() as trace):
                return self._replayed(claim, trace)
            case Proved(proof=Certificate() as certificate):
                return self._certified(claim, certificate)
            case Open():
                return open_result(claim, self.run)
        return Unknown(**account(claim, reason=internal("the engine gave no evidence")))

    def temporal_result(self, claim: Claim, wanted: TemporalProperty) -> Result:
        """The answer to a temporal property: its run is executed and judged, its proof checked."""
        match claim:
            case Refuted(run=LiveTrace() as run):
                return self._judged(claim, wanted, run)
            case Refuted(run=Recurrence() as recurrence):
                return self._recurrent(claim, wanted, recurrence)
            case Proved(proof=LiveCertificate() as certificate):
                return self._argued(claim, wanted, certificate)
            case Open():
                return open_result(claim, self.run)
        return Unknown(**account(claim, reason=internal("the engine gave no evidence")))

    def _judged(self, claim: Refuted, wanted: TemporalProperty, run: LiveTrace) -> Result:
        from pincer.evidence.live.replay import replay_run
        from pincer.evidence.live.witness import FORMAT as RUNS
        from pincer.evidence.live.witness import witness_of
        from pincer.evidence.run_conversions import run_of_live_trace

        outcome = replay_run(self.program, wanted, run)
        if not outcome.ok:
            return Unknown(**account(claim, reason=internal(f"counterexample did not replay ({outcome.reason})")))
        witness = witness_of(self.program, wanted, run)
        return Unsafe(
            **account(claim),
            run=run_of_live_trace(self.program, wanted, run),
            trace=RUNS.data(witness),
            evidence=Evidence("replay"),
            saved=self.saver.save(self.task.outputs.witness, claim.name, lambda path: RUNS.save(path, witness)),
        )

    def _recurrent(self, claim: Refuted, wanted: TemporalProperty, found: Recurrence) -> Result:
        from pincer.evidence.live.recurrence import FORMAT as RECURRENCES
        from pincer.evidence.live.recurrence import check_recurrence, recurrence_file
        from pincer.evidence.run_conversions import run_of_recurrence

        self.run.publish("checker", "checking the run")
        try:
            outcome = check_recurrence(self.program, wanted, found, self.task.options.solver, self.run)
        except Stopped as stopped:
            return Unknown(**account(claim, reason=stopped_while_checking(stopped)))
        if not outcome.ok:
            return Unknown(**account(claim, reason=internal(f"counterexample was not confirmed ({outcome.reason})")))
        kept = recurrence_file(self.program, wanted, found)
        return Unsafe(
            **account(claim),
            run=run_of_recurrence(self.program, wanted, found),
            trace=RECURRENCES.data(kept),
            evidence=Evidence("recurrence", self.task.options.solver),
            saved=self.saver.save(self.task.outputs.witness, claim.name, lambda path: RECURRENCES.save(path, kept)),
        )

    def _argued(self, claim: Proved, wanted: TemporalProperty, certificate: LiveCertificate) -> Result:
        from pincer.evidence.live.checker import check_live
        from pincer.evidence.live.witness import propositions_text

        same = (wanted.name, wanted.text, propositions_text(self.program, wanted))
        if (certificate.property, certificate.formula, certificate.propositions) != same:
            return Unknown(**account(claim, reason=internal("the proof is about another property")))
        evidence = Evidence("unchecked proof")
        if self.task.options.certify:
            self.run.publish("checker", "checking the proof")
            try:
                report = check_live(self.program, certificate, solver=self.task.options.solver, run=self.run)
            except Stopped as stopped:
                return Unknown(**account(claim, reason=stopped_while_checking(stopped)))
            if not report.ok:
                reason = internal(f"the proof checker does not accept the proof ({report.reason})")
                return Unknown(**account(claim, reason=reason))
            evidence = Evidence("proof", report.solver, report.obligations, report.time_s, report.remark)
        saved = self.saver.save(self.task.outputs.certificate, claim.name, certificate.save)
        return Safe(**account(claim), check=claim.check, proof=certificate.to_json(), evidence=evidence, saved=saved)

    def _replayed(self, claim: Refuted, trace: Trace) -> Result:
        from pincer.evidence.gcl.replay import replay, save_witness, trace_to_json
        from pincer.evidence.run_conversions import run_of_trace

        outcome = replay(self.program, trace)
        if not outcome.ok:
            reason = internal(f"counterexample did not replay ({outcome.reason})")
            return Unknown(**account(claim, reason=reason))
        file = self.task.outputs.witness
        return Unsafe(
            **account(claim),
            run=run_of_trace(self.program, trace),
            trace=trace_to_json(self.program, trace),
            evidence=Evidence("replay"),
            saved=self.saver.save(file, claim.name, lambda path: save_witness(path, self.program, trace)),
        )

    def _certified(self, claim: Proved, certificate: Certificate) -> Result:
        evidence = self._checked(certificate)
        if not isinstance(evidence, Reason) and claim.name not in certificate.properties:
            evidence = internal("the proof is about other properties")
        if isinstance(evidence, Reason):
            return Unknown(**account(claim, reason=evidence))
        saved = self.saver.save(self.task.outputs.certificate, claim.name, certificate.save)
        return Safe(**account(claim), check=claim.check, proof=certificate.to_json(), evidence=evidence, saved=saved)

    def _checked(self, certificate: Certificate) -> Evidence | Reason:
        """The checker's consent, or why there is none. A proof of several properties is checked once."""
        if not self.task.options.certify:
            return Evidence("unchecked proof")
        known = self._proofs.get(id(certificate))
        if known is not None:
            return known[1]
        from pincer.evidence.gcl.checker import check_certificate

        self.run.publish("checker", "checking the proof")
        try:
            report = check_certificate(self.program, certificate, solver=self.task.options.solver, run=self.run)
        except Stopped as stopped:
            return stopped_while_checking(stopped)
        outcome: Evidence | Reason
        if report.ok:
            outcome = Evidence("proof", report.solver, report.obligations, report.time_s, report.remark)
        else:
            outcome = internal(f"the proof checker does not accept the proof ({report.reason})")
        self._proofs[id(certificate)] = (certificate, outcome)
        return outcome


def stopped_while_checking(stopped: Stopped) -> Reason:
    return Reason(f"{stopped.reason} while the proof was being checked", stopped.reason.cause)


def unwritten(task: Task, explored: str) -> tuple[str, ...]:
    """What is said about files that were asked for, where a property holds and there is nothing to write."""
    files = (task.outputs.witness, task.outputs.certificate)
    why = f"there is no proof object when all {explored} were explored"
    return tuple(f"{file} is not written: {why}" for file in files if file is not None)
