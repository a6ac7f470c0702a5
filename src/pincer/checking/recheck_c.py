"""Saved evidence about C programs once more, against the program as it is now."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import cast

from msgspec import Struct
from msgspec.structs import replace

from pincer.checking.confirm_c import endless_remark, executed, executed_schedule
from pincer.checking.evidence_files import THREAD_PROOF, CEvidence, find_program
from pincer.checking.load import CSource, hash_of, hash_of_all, with_arguments
from pincer.checking.messages import Certify, ProofChecked, Replay, Replayed
from pincer.checking.properties import (
    WHAT_CAN_GO_WRONG,
    CProperty,
    asked_together,
    formula_property,
    rule_property,
)
from pincer.errors import PincerError
from pincer.evidence.c import trace as c_trace
from pincer.evidence.c_proof import endless_claim
from pincer.evidence.c_proof.certificate import ProofCertificate
from pincer.evidence.c_proof.checker import check_proof
from pincer.evidence.c_proof.endless_check import check_endless
from pincer.evidence.run_conversions import SourceFiles, run_of_endless, run_of_schedule, run_of_test
from pincer.evidence.thread_proof.certificate import ThreadCertificate
from pincer.evidence.thread_proof.checker import check_thread_proof
from pincer.evidence.thread_proof.endless_check import check_endless_threads
from pincer.evidence.threads import trace as threads_trace
from pincer.frontends.c.formulas import c_formula
from pincer.frontends.svcomp import kinds_of_part
from pincer.program.c_file import NO_FLAGS, CFile, CFlags
from pincer.program.property import EVERY_KIND, DataModel, PropertyKind
from pincer.runtime.codec import typed
from pincer.runtime.run import Run, Stopped


def replayed_test(evidence: CEvidence, request: Replay) -> Replayed:
    """Compile and run a saved test again."""
    test = c_trace.from_json(evidence.data)
    wanted = replace(_property_of(evidence, test.kind), name=evidence.property or test.property)
    source, others = _program_of(evidence, test.file, request.program)
    subject = CSource(test.file, source, test.data_model, test.entry, _flags(evidence), others, (wanted,))
    subject = _given_arguments(subject, evidence)
    answer, _ = executed(test, subject, wanted, None)
    shown = run_of_test(test, SourceFiles(source, test.file).line)
    ok = answer.kind == "execution"
    return Replayed(ok, answer.remark, str(source), wanted.name, shown, evidence=answer)


def replayed_rounds(evidence: CEvidence, request: Replay, run: Run) -> Replayed:
    """Show again that a saved run stays where it is for ever, and have compiled code go some rounds."""
    found = endless_claim.from_json(evidence.data)
    test, wanted = found.test, _property_of(evidence, found.test.kind)
    source, others = _program_of(evidence, test.file, request.program)
    subject = CSource(test.file, source, test.data_model, test.entry, _flags(evidence), others, (wanted,))
    subject = _given_arguments(subject, evidence)
    shown = run_of_endless(found, SourceFiles(source, test.file).line, wanted.name)
    checked = check_endless(subject.program(wanted), found, run=run)
    if not checked.accepted:
        return Replayed(False, "; ".join(checked.refused), str(source), wanted.name, shown)
    answer, _ = executed(test, subject, wanted, None, found.rounds)
    ok = answer.kind == "execution"
    told = endless_remark(found, ", ".join(checked.solver_calls) or "no solver needed") if ok else answer.remark
    return Replayed(ok, told, str(source), wanted.name, shown, evidence=replace(answer, remark=told))


def replayed_schedule(evidence: CEvidence, request: Replay, run: Run) -> Replayed:
    """Compile a program with threads and run it under a saved schedule again; where the run has no end, or violates a
    formula, that is shown again first."""
    test = threads_trace.from_json(evidence.data)
    source, others = _program_of(evidence, test.file, request.program)
    subject = CSource(test.file, source, test.data_model, test.entry, _flags(evidence), others)
    subject = _given_arguments(subject, evidence)
    shown = run_of_schedule(test, SourceFiles(source, test.file).line)
    if test.rounds is not None:
        wanted = _property_of(evidence, "temporal" if evidence.loading().get("formula") else "termination")
        program = subject.program(wanted)
        checked = check_endless_threads(program, test.rounds, run=run)
        if not checked.accepted:
            return Replayed(False, "; ".join(checked.refused), str(source), test.property, shown)
    answer = executed_schedule(test, subject, None)
    return Replayed(answer.kind == "execution", answer.remark, str(source), test.property, shown)


def certified_program(evidence: CEvidence, request: Certify, run: Run) -> ProofChecked:
    """Check a saved proof against its program."""
    threads = evidence.data.get("format") == THREAD_PROOF
    proof = ThreadCertificate.from_json(evidence.data) if threads else ProofCertificate.from_json(evidence.data)
    wanted = _property_of(evidence, proof.property)
    if isinstance(proof, ProofCertificate) and wanted.proved_as != proof.property:
        raise PincerError(f"malformed evidence {evidence.path}: it proves {proof.property}, not {wanted.name}")
    source, others = _program_of(evidence, proof.file, request.program)
    model: DataModel = "ILP32" if proof.data_model == "ILP32" else "LP64"
    whole = CSource(proof.file, source, model, proof.entry, _flags(evidence), others, (wanted,))
    program = _given_arguments(whole, evidence).program(wanted)
    sha256 = hash_of_all([source, *(Path(other.path) for other in others)])
    run.publish("checker", "checking the proof")
    entry = str(evidence.loading().get("entry", proof.entry))
    settings = _unusual_settings(entry, model, (_flags(evidence), *(other.flags for other in others)))
    about = ("the checker", str(source), (wanted.name,), settings)
    try:
        if isinstance(proof, ThreadCertificate):
            checked = check_thread_proof(program, proof, sha256=sha256, run=run)
        else:
            checked = check_proof(program, proof, sha256=sha256, run=run)
    except Stopped as stopped:
        return ProofChecked(None, *about, reason=stopped.reason.text)
    remarks = (*checked.remarks, *(f"assumes that {assumption}" for assumption in checked.assumptions))
    return ProofChecked(
        checked.accepted,
        *about,
        reason="; ".join(checked.refused),
        solver=", ".join(checked.solver_calls) or "no solver needed",
        obligations=checked.obligations,
        time_s=checked.time_s,
        remark="; ".join(remarks),
    )


def _given_arguments(source: CSource, evidence: CEvidence) -> CSource:
    """The program with the arguments of its entry, which evidence only names: the harness is made again."""
    entry = evidence.loading().get("entry")
    if entry is None:
        return source
    if not isinstance(entry, str):
        raise PincerError(f"malformed evidence {evidence.path}: its `entry` is no text")
    return with_arguments(source, entry)


def _unusual_settings(entry: str, model: DataModel, flags: Sequence[CFlags]) -> dict[str, int | str]:
    """What a proof is about beside the file and the property, where it is not the default: it may be forged."""
    options = dict.fromkeys(shlex.join(given.words()) for given in flags if given.words())
    settings = {"entry": entry, "data model": model, "options": "; ".join(options)}
    return {name: value for name, value in settings.items() if value not in ("main", "LP64", "")}


def _joint_property(evidence: CEvidence, together: Sequence[str]) -> CProperty:
    """What a proof of several properties is about."""
    asked = asked_together([wanted for wanted in WHAT_CAN_GO_WRONG if wanted.kind in together])
    if asked is None or len(asked.together) != len(together):
        raise PincerError(f"malformed evidence {evidence.path}: its `together` must be names of properties")
    return replace(asked, name=", ".join(asked.together))


def _asked_kind(evidence: CEvidence, shown: PropertyKind) -> PropertyKind:
    """The property whose pass leaves what was shown to be shown; several leave failures that are not reached."""
    asked = evidence.loading().get("kind", shown)
    if asked not in EVERY_KIND or shown not in (asked, CProperty(asked, asked).proved_as):
        raise PincerError(f"malformed evidence {evidence.path}: its `kind` is no property that it could be about")
    return cast(PropertyKind, asked)


def _property_of(evidence: CEvidence, kind: PropertyKind) -> CProperty:
    """The property that a test or a proof of a kind is about, named after what it covers: evidence may be forged."""
    rule, categories = evidence.loading().get("rule"), evidence.texts("categories")
    kind = _asked_kind(evidence, kind)
    if kind == "temporal":
        defines = typed(evidence.loading().get("defines", {}), dict[str, str], "evidence")
        return formula_property(c_formula(typed(evidence.loading().get("formula"), str, "evidence"), defines))
    together = evidence.texts("together")
    if together:
        return _joint_property(evidence, together)
    if rule is not None:
        if not isinstance(rule, str) or kind != "assertions" or categories:
            raise PincerError(f"malformed evidence {evidence.path}: its `rule` must be a file, without categories")
        return rule_property(Path(rule))
    for part in categories:
        if kind not in kinds_of_part(part):
            raise PincerError(f"malformed evidence {evidence.path}: {part!r} is no part of the property {kind}")
    return CProperty("+".join(sorted(categories)) or kind, kind, categories=frozenset(categories))


def _flags(evidence: CEvidence) -> CFlags:
    """How the program of a piece of evidence was read."""
    found = evidence.loading()
    return typed(
        {
            name: found[name]
            for name in ("include", "macros", "forced", "malloc_may_fail", "externals")
            if name in found
        },
        CFlags,
        "evidence",
    )


class _Other(Struct, frozen=True):
    """A further file of a program, as evidence names it."""

    path: str
    flags: CFlags = NO_FLAGS
    sha256: str = ""


def _program_of(evidence: CEvidence, recorded: str, given: str | None) -> tuple[Path, tuple[CFile, ...]]:
    """The files of the program of a piece of evidence, in the version it was made for."""
    source = find_program(given, recorded, evidence.path)
    others = typed(evidence.loading().get("others", []), tuple[_Other, ...], "evidence")
    files = [CFile(str(find_program(None, other.path, evidence.path)), other.flags) for other in others]
    for file, other in zip(files, others, strict=True):
        if other.sha256 != hash_of(Path(file.path)):
            raise PincerError(f"the evidence was made for another version of {file.path} (its hash differs)")
    digest = evidence.loading().get("sha256")
    if digest is not None and digest != hash_of_all([source, *(Path(file.path) for file in files)]):
        raise PincerError(f"the evidence was made for another version of {source} (its hash differs)")
    return source, tuple(files)
