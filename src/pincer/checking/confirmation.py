"""No verdict leaves unconfirmed: counterexamples are replayed, proofs are checked; both can be saved."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pincer.program.guarded import RANGE_PROPERTY
from pincer.report.finding import Evidence, Finding, finding_of, so_far, undecided
from pincer.runtime.run import Run, Stopped

if TYPE_CHECKING:
    from pincer.checking.worker import Emit
    from pincer.engines.task import PropertyResult
    from pincer.evidence.gcl.certificate import Certificate
    from pincer.program.guarded import GuardedProgram


class Confirmation:
    """Checks the evidence of every result once and saves it where the user wants it."""

    def __init__(self, program: GuardedProgram, request: Mapping[str, Any], run: Run, emit: Emit) -> None:
        self._program = program
        self._request = request
        self._run = run
        self._emit = emit
        self._reported: set[str] = set()
        self._proofs: dict[int, tuple[Certificate, Evidence | str]] = {}
        self._saved: dict[str, int] = {}

    def report(self, result: PropertyResult) -> None:
        if result.name in self._reported or (result.name == RANGE_PROPERTY and result.verdict == "safe"):
            return
        self._reported.add(result.name)
        finding = finding_of(result)
        if result.verdict == "unsafe":
            finding = self._replayed(finding, result)
        elif result.verdict == "safe":
            finding = self._certified(finding, result)
        elif not result.statistics and self._run.latest is not None:
            numbers = so_far(self._run.latest.numbers)
            finding = replace(finding, statistics=numbers, time_s=self._run.elapsed())
        self._emit("finding", finding.to_wire())

    def _replayed(self, finding: Finding, result: PropertyResult) -> Finding:
        from pincer.evidence.gcl.replay import replay, save_witness, trace_to_json
        from pincer.evidence.run_conversions import run_of_trace

        trace = result.trace
        if trace is None:
            return undecided(finding, "internal: the engine gave no counterexample")
        outcome = replay(self._program, trace)
        if not outcome.ok:
            return undecided(finding, f"internal: counterexample did not replay ({outcome.reason})")
        saved = self._save("witness", result.name, lambda path: save_witness(path, self._program, trace))
        return replace(
            finding,
            evidence=Evidence("replay"),
            run=run_of_trace(self._program, trace),
            trace=trace_to_json(self._program, trace),
            saved=saved,
        )

    def _certified(self, finding: Finding, result: PropertyResult) -> Finding:
        certificate = result.certificate
        if certificate is None:
            return undecided(finding, "internal: the engine gave no proof")
        evidence = self._checked(certificate)
        if isinstance(evidence, str):
            return undecided(finding, evidence)
        if result.name not in certificate.properties:
            return undecided(finding, "internal: the proof is about other properties")
        saved = self._save("certificate", result.name, certificate.save)
        return replace(finding, evidence=evidence, certificate=certificate.to_json(), saved=saved)

    def _checked(self, certificate: Certificate) -> Evidence | str:
        """The checker's consent, or why there is none. A proof of several properties is checked once."""
        if not self._request["certify"]:
            return Evidence("unchecked proof")
        known = self._proofs.get(id(certificate))
        if known is not None:
            return known[1]
        from pincer.evidence.gcl.checker import check_certificate

        solver = self._request["solver"]
        self._run.publish("checker", "checking the proof")
        try:
            report = check_certificate(self._program, certificate, solver=solver, run=self._run)
        except Stopped as stopped:
            return f"{stopped.reason} while the proof was being checked"
        outcome: Evidence | str
        if report.ok:
            outcome = Evidence("proof", report.solver, report.obligations, report.time_s, report.remark)
        else:
            outcome = f"internal: the proof checker does not accept the proof ({report.reason})"
        self._proofs[id(certificate)] = (certificate, outcome)
        return outcome

    def _save(self, option: str, name: str, write: Callable[[Path], None]) -> str | None:
        """The first piece goes to the file the user named, further ones beside it under their names."""
        if self._request[option] is None:
            return None
        path = Path(self._request[option])
        if option in self._saved:
            path = path.with_name(f"{path.stem}.{name}{path.suffix}")
        self._saved[option] = self._saved.get(option, 0) + 1
        try:
            write(path)
        except OSError as error:
            self._emit(
                "mistake",
                {"kind": "error", "message": f"cannot write it: {error.strerror}", "file": str(path)},
            )
            return None
        return str(path)
