"""Saved evidence once more: counterexamples are run again, proofs are checked against the program as it is now."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pincer.checking.evidence_files import (
    ENDLESS_RUN,
    MSVL_COUNTEREXAMPLE,
    THREADED_TEST,
    CEvidence,
    find_program,
    read_certificates,
    read_witnesses,
)
from pincer.checking.load import TRANSLATED
from pincer.checking.messages import Certify, ProofChecked, Replay, Replayed
from pincer.checking.task import language_of
from pincer.errors import PincerError
from pincer.evidence.gcl.certificate import Certificate
from pincer.evidence.gcl.checker import CertificateReport, check_certificate
from pincer.evidence.gcl.replay import Witness, replay
from pincer.evidence.live.certificate import LiveCertificate
from pincer.evidence.live.checker import check_live
from pincer.evidence.live.recurrence import RecurrenceFile, check_recurrence
from pincer.evidence.live.replay import replay_run
from pincer.evidence.live.witness import LiveWitness, property_of
from pincer.evidence.msvl import counterexample
from pincer.evidence.msvl.proofs import MsvlProof, check_proof
from pincer.evidence.msvl.replay import replay as replay_states
from pincer.evidence.msvl.rounds import MsvlRounds, check_rounds
from pincer.evidence.run_conversions import (
    run_of_live_trace,
    run_of_recurrence,
    run_of_rounds,
    run_of_states,
    run_of_trace,
)
from pincer.frontends import gcl, msvl
from pincer.frontends.msvl.from_c import translation
from pincer.program.guarded import GuardedProgram
from pincer.runtime.run import Run, Stopped


def replayed(request: Replay, run: Run) -> Iterator[Replayed]:
    """Execute the counterexamples of a witness or of a JSON result again."""
    for witness in read_witnesses(Path(request.file)):
        if isinstance(witness, Witness):
            yield _replayed_trace(witness, request)
        elif isinstance(witness, LiveWitness):
            yield _replayed_live(witness, request)
        elif isinstance(witness, RecurrenceFile):
            yield _replayed_recurrence(witness, request, run)
        elif isinstance(witness, MsvlRounds):
            yield _replayed_rounds(witness, request, run)
        elif witness.data.get("format") == MSVL_COUNTEREXAMPLE:
            yield _replayed_states(witness, request, run)
        else:
            from pincer.checking import recheck_c

            if witness.data.get("format") == ENDLESS_RUN:
                yield recheck_c.replayed_rounds(witness, request, run)
                continue
            threads = witness.data.get("format") == THREADED_TEST
            if threads:
                yield recheck_c.replayed_schedule(witness, request, run)
            else:
                yield recheck_c.replayed_test(witness, request)


def _replayed_trace(witness: Witness, request: Replay) -> Replayed:
    source = find_program(request.program, witness.file, Path(request.file))
    program = gcl.load(source, dict(witness.constants))
    trace = witness.of(program)
    outcome = replay(program, trace)
    shown = run_of_trace(program, trace) if outcome.ok else None
    return Replayed(outcome.ok, outcome.reason, str(source), witness.property, shown, outcome.failed_step)


def _replayed_live(witness: LiveWitness, request: Replay) -> Replayed:
    """Execute a run that violates a temporal property, and judge it."""
    source = find_program(request.program, witness.file, Path(request.file))
    program = gcl.load(source, dict(witness.constants))
    wanted, found = property_of(witness, program), witness.of(program)
    outcome = replay_run(program, wanted, found)
    shown = run_of_live_trace(program, wanted, found) if outcome.ok else None
    return Replayed(outcome.ok, outcome.reason, str(source), witness.property, shown, outcome.failed_step)


def _replayed_recurrence(witness: RecurrenceFile, request: Replay, run: Run) -> Replayed:
    """Execute the beginning of a run and some rounds, and show again that they go on for ever."""
    source = find_program(request.program, witness.file, Path(request.file))
    program = gcl.load(source, dict(witness.constants))
    wanted, found = property_of(witness, program), witness.of(program)
    outcome = check_recurrence(program, wanted, found, run=run)
    shown = run_of_recurrence(program, wanted, found) if outcome.ok else None
    return Replayed(outcome.ok, outcome.reason, str(source), witness.property, shown, outcome.failed_step)


def _replayed_rounds(witness: MsvlRounds, request: Replay, run: Run) -> Replayed:
    """Follow an MSVL program along a run that goes on for ever, and show again that it does."""
    source = find_program(request.program, witness.file, Path(request.file))
    file = msvl.load_file(source)
    judged, followed = check_rounds(file.program, file.sha256, witness, run=run)
    if followed is None:
        return Replayed(False, judged.reason, str(source), witness.property)
    shown = run_of_rounds(witness, followed)
    return Replayed(True, shown.why, str(source), witness.property, shown)


def _replayed_states(evidence: CEvidence, request: Replay, run: Run) -> Replayed:
    """Run the program of a saved counterexample again, and judge the run."""
    found = counterexample.from_json(evidence.data)
    source = find_program(request.program, found.file.removesuffix(TRANSLATED), evidence.path)
    translated = language_of(str(source)) == "c"
    program = msvl.parse_program(translation(source).text, found.file) if translated else msvl.load(source)
    judged = replay_states(program, found, run)
    shown = run_of_states(found)
    reason = shown.why if judged.confirmed else judged.reason
    return Replayed(judged.confirmed, reason, str(source), evidence.property or "property", shown)


def certified(request: Certify, run: Run) -> Iterator[ProofChecked]:
    """Check the proofs of a certificate or of a JSON result; those about models with each of the solvers asked for."""
    for certificate in read_certificates(Path(request.file)):
        if isinstance(certificate, Certificate | LiveCertificate | MsvlProof):
            yield from _certified_model(certificate, request, run)
        else:
            from pincer.checking.recheck_c import certified_program

            yield certified_program(certificate, request, run)


def _certified_model(
    certificate: Certificate | LiveCertificate | MsvlProof, request: Certify, run: Run
) -> Iterator[ProofChecked]:
    source = find_program(request.program, certificate.file, Path(request.file))
    constants = {} if isinstance(certificate, MsvlProof) else dict(certificate.constants)
    program = msvl.load_file(source) if isinstance(certificate, MsvlProof) else gcl.load(source, constants)
    if program.sha256 != certificate.sha256:
        raise PincerError(f"the proof was made for another version of {source} (its hash differs)")
    names = tuple(certificate.properties) if isinstance(certificate, Certificate) else (certificate.property,)
    about = (str(source), names, constants)
    for solver in ("cvc5", "z3") if request.solver == "both" else (request.solver,):
        run.publish(solver, "checking the proof")
        try:
            report = _report(program, certificate, solver, run)
        except Stopped as stopped:
            yield ProofChecked(None, solver, *about, reason=stopped.reason.text)
        else:
            yield ProofChecked(
                report.ok,
                solver,
                *about,
                reason=report.reason,
                solver=report.solver,
                obligations=report.obligations,
                time_s=report.time_s,
                remark=report.remark,
            )


def _report(
    program: GuardedProgram | msvl.ProgramFile,
    certificate: Certificate | LiveCertificate | MsvlProof,
    solver: str,
    run: Run,
) -> CertificateReport:
    match certificate, program:
        case MsvlProof(), msvl.ProgramFile(read, _, sha256):
            return check_proof(read, sha256, certificate, solver, run)
        case LiveCertificate(), GuardedProgram():
            return check_live(program, certificate, solver, run)
        case Certificate(), GuardedProgram():
            return check_certificate(program, certificate, solver=solver, run=run)
    raise PincerError("the proof is not about such a program")
