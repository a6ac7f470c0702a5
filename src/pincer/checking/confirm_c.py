"""No verdict about a C program leaves unconfirmed: tests are compiled and run, proofs are checked.

What only violations and witnesses need is loaded when there are some: most of the time of a small check is starting.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from pincer import __version__
from pincer.checking.confirm import Saver, account, internal, open_result, stopped_while_checking, unwritten
from pincer.checking.load import CSource, hash_of
from pincer.checking.properties import (
    CProperty,
    check_witness_can_state,
    instrumentation,
    violated,
)
from pincer.checking.result import Evidence, Result, Safe, Unknown, Unsafe
from pincer.checking.task import Task
from pincer.engines.task import Claim, Exhaustion, Open, Proved, Refuted, Triples
from pincer.errors import PincerError
from pincer.evidence.c.trace import CTest, to_json
from pincer.evidence.c_proof import checker
from pincer.evidence.c_proof.asking import Budget
from pincer.evidence.c_proof.certificate import ProofCertificate
from pincer.evidence.c_proof.checker import CheckResult
from pincer.evidence.c_proof.cut_point_claim import CutPointProof
from pincer.evidence.c_proof.endless_claim import EndlessRun
from pincer.evidence.c_proof.merged_claim import MergedProof
from pincer.evidence.c_proof.paths import Paths
from pincer.evidence.thread_proof.certificate import CertifiedKind, ThreadCertificate
from pincer.evidence.threads import trace as threads_trace
from pincer.evidence.threads.trace import ThreadedTest, ThreadRounds
from pincer.program.control_flow import ControlFlowProgram
from pincer.program.property import Assumption, PropertyKind
from pincer.runtime.codec import plain
from pincer.runtime.reasons import Reason
from pincer.runtime.run import Run, Stopped

if TYPE_CHECKING:
    from pincer.evidence.c.execution import Confirmation, Status
    from pincer.evidence.c.rounds import WatchedRounds
    from pincer.evidence.c.witness import Metadata

EXECUTION_SECONDS = 10.0
PROOF_SECONDS = 300.0
WRAPPING_SECONDS = 10.0
"""For the question where an accepted proof rests on wrap-around, which changes no verdict."""
PART_FOR_MERGED_PROOFS = 0.6
"""Of the time that is left: few but hard questions, after which others may still find a proof easier to check."""
MOST_WARNINGS = 5
_OF_A_PROOF = "the proof checker does not accept the proof"
_OF_A_RUN = "a run was found that seems to violate the property, but the checker does not accept it"
_PLACE = re.compile(r" \([^()]*:\d+:\d+\)")
_PLACES = re.compile(rf"(?:{_PLACE.pattern})+$")
_SCHEDULES: Mapping[PropertyKind, str] = {
    "assertions": "unreach-call",
    "memory": "valid-deref",
    "overflow": "no-overflow",
    "leaks": "valid-memtrack",
    "uninitialised": "uninitialised-read",
    "race": "no-data-race",
    "deadlock": "no-deadlock",
    "termination": "termination",
    "temporal": "temporal",
}
"""What a schedule violates, in the words of SV-COMP."""


class Viewed(Struct, frozen=True):
    """A program as one of its properties sees it."""

    program: ControlFlowProgram
    wanted: CProperty


@dataclass
class CConfirmation:
    """Checks the evidence about a C program, and saves it where the user wants it."""

    source: CSource
    task: Task
    run: Run
    patience: float | None = None
    """Seconds that the proof checker may take, where that is less than all there is."""
    saver: Saver = field(init=False)

    def __post_init__(self) -> None:
        self.saver = Saver(self.source.properties[0].name)

    def result(self, claim: Claim, viewed: Viewed) -> Result:
        """The answer about a program in which schedules play no part."""
        told = replace(claim, name=viewed.wanted.name, warnings=_with_concerns(claim.warnings, viewed.program))
        match told:
            case Refuted(run=CTest() as test):
                return self._executed(told, viewed, replace(test, kind=viewed.wanted.kind))
            case Refuted(run=EndlessRun() as found):
                return self._endless(told, viewed, found)
            case Proved(proof=Triples() | Paths() | MergedProof() | CutPointProof()):
                return self._certified(told, viewed)
            case Open(reason=reason):
                return open_result(told, self.run, reason=replace(reason, text=with_few_places(reason.text)))
        return Unknown(**account(told, reason=internal("the engine gave no evidence")))

    def _executed(self, claim: Refuted, viewed: Viewed, test: CTest) -> Result:
        from pincer.evidence.run_conversions import SourceFiles, failure_text, run_of_test

        self.run.publish("compiler", "running the test")
        data = to_json(test) | self._loading(viewed.wanted)
        folder = self._folder(viewed.wanted)
        evidence, status = executed(test, self.source, viewed.wanted, folder)
        if status in ("contradicted", "not confirmed"):
            what = f"{failure_text(test)} was found, but compiled code does not show it ({evidence.remark})"
            misread = status == "contradicted" and all(item.compiled for item in viewed.program.assumptions)
            hint = "; one of the two misreads the program, please report it" if misread else ""
            return Unknown(**account(claim, reason=Reason(what + hint)))
        if folder is not None and folder.is_dir():
            _write(folder / "test.json", json.dumps(data, indent=1) + "\n")

        def write(path: Path) -> None:
            from pincer.evidence.c.witness import violation_witness

            check_witness_can_state(viewed.wanted, test)
            _write(path, violation_witness(test, self._metadata(viewed.wanted)))

        return Unsafe(
            **account(claim, svcomp=violated(viewed.wanted, test)),
            run=run_of_test(test, SourceFiles(self.source.source, test.file).line),
            trace=data,
            evidence=evidence,
            witness=self.saver.save(self.task.outputs.witness, viewed.wanted.name, write),
        )

    def _endless(self, claim: Refuted, viewed: Viewed, found: EndlessRun) -> Result:
        """A run that never ends is shown to stay where it is, and compiled to go some rounds."""
        from pincer.evidence.c_proof import endless_claim
        from pincer.evidence.c_proof.endless_check import check_endless
        from pincer.evidence.run_conversions import SourceFiles, run_of_endless

        consent, _ = self._consent(lambda budget, _, run: check_endless(viewed.program, found, budget, run), _OF_A_RUN)
        if isinstance(consent, Reason):
            return Unknown(**account(claim, reason=consent))
        self.run.publish("compiler", "running the test")
        folder = self._folder(viewed.wanted)
        evidence, _ = executed(found.test, self.source, viewed.wanted, folder, found.rounds)
        if evidence.kind != "execution":
            what = "a loop that never ends" if found.points else "a run that violates the property"
            text = f"{what} was found, but compiled code does not show it ({evidence.remark})"
            return Unknown(**account(claim, reason=Reason(text)))
        data = endless_claim.to_json(found) | self._loading(viewed.wanted)

        def write(path: Path) -> None:
            """A witness of the form that the name asks for: SV-COMP's, or our own .json."""
            from pincer.evidence.c.witness import endless_witness

            if path.suffix == ".json":
                _write(path, json.dumps(data, indent=1) + "\n")
                return
            if viewed.wanted.kind != "termination":
                raise PincerError("no witness is written: witnesses say nothing about temporal formulas")
            metadata = self._metadata(viewed.wanted)
            _write(path, endless_witness(found.test, found.loop_from, found.rounds, metadata))

        if folder is not None and folder.is_dir():
            _write(folder / "test.json", json.dumps(data, indent=1) + "\n")
        return Unsafe(
            **account(claim, svcomp=f"false({viewed.wanted.kind})"),
            run=run_of_endless(found, SourceFiles(self.source.source, found.test.file).line, viewed.wanted.name),
            trace=data,
            evidence=replace(evidence, remark=endless_remark(found, consent.solver or "")),
            witness=self.saver.save(self.task.outputs.witness, viewed.wanted.name, write),
        )

    def _certified(self, claim: Proved, viewed: Viewed) -> Result:
        reason = holds_not(viewed)
        if reason is not None:
            return Unknown(**account(claim, reason=reason))
        proof = self._certificate(claim, viewed.wanted)
        evidence: Evidence | Reason = Evidence("unchecked proof")
        assumptions = claim.assumptions
        if self.task.options.certify:
            evidence, more = self._checked(viewed.program, proof)
            assumptions = tuple(dict.fromkeys((*assumptions, *more)))
        if isinstance(evidence, Reason):
            return Unknown(**account(claim, assumptions=assumptions, reason=evidence))
        warnings = (*claim.warnings, *self._wraps(viewed.program, proof))
        data = proof.to_json() | self._loading(viewed.wanted)

        def write_invariants(path: Path) -> None:
            from pincer.checking.proof_invariants import source_invariants, transition_invariants
            from pincer.evidence.c.witness import invariant_witness, ranking_witness

            metadata = self._metadata(viewed.wanted)
            if viewed.wanted.kind == "temporal":
                raise PincerError("no witness is written: witnesses say nothing about temporal formulas")
            if viewed.wanted.kind == "termination":
                if proof.cuts is None:
                    raise PincerError("no witness is written: the proof has no ranks; --certificate keeps it")
                entries = transition_invariants(viewed.program, proof.cuts, metadata.text)
                _write(path, ranking_witness(list(entries), metadata))
                return
            _write(path, invariant_witness(source_invariants(viewed.program, proof, metadata.text), metadata))

        outputs, name = self.task.outputs, viewed.wanted.name
        return Safe(
            **account(claim, assumptions=assumptions, warnings=warnings, svcomp="true"),
            check=claim.check,
            undefined=claim.undefined,
            proof=data,
            evidence=evidence,
            saved=self.saver.save(outputs.certificate, name, lambda path: _write(path, json.dumps(data) + "\n")),
            witness=self.saver.save(outputs.witness, name, write_invariants),
        )

    def _wraps(self, program: ControlFlowProgram, proof: ProofCertificate) -> tuple[str, ...]:
        """A warning where a proof that runs end needs signed arithmetic that wraps around."""
        if not self.task.options.certify or proof.property not in ("termination", "temporal"):
            return ()
        remaining = self.run.remaining()
        budget = Budget(seconds=WRAPPING_SECONDS if remaining is None else min(WRAPPING_SECONDS, remaining / 2))
        try:
            places = checker.wrapping_places(program, proof, budget, self.run)
        except Stopped:
            return ()
        if not places:
            return ()
        lines = list(dict.fromkeys(f"{place.file}:{place.line}" for place in places))
        named = ", ".join(lines[:3]) + (", ..." if len(lines) > 3 else "")
        return (f"the proof needs wrap-around at {named}; compilers may assume that it does not happen",)

    def _certificate(self, claim: Proved, wanted: CProperty) -> ProofCertificate:
        proofs = claim.proof.proofs if isinstance(claim.proof, Triples) else ()
        return ProofCertificate(
            file=str(self.source.source),
            sha256=self.source.sha256,
            data_model=self.source.data_model,
            entry=self.source.entry,
            property=wanted.proved_as,
            version=__version__,
            main=proofs[0].id if proofs else "",
            proofs=proofs,
            paths=claim.proof if isinstance(claim.proof, Paths) else None,
            merged=claim.proof if isinstance(claim.proof, MergedProof) else None,
            cuts=claim.proof if isinstance(claim.proof, CutPointProof) else None,
        )

    def _checked(
        self, program: ControlFlowProgram, proof: ProofCertificate
    ) -> tuple[Evidence | Reason, tuple[Assumption, ...]]:
        """The checker's consent, or why there is none; and what it assumes."""
        part = 1.0 if proof.merged is None else PART_FOR_MERGED_PROOFS
        return self._consent(partial(checker.check_proof, program, proof), part=part)

    def _consent(
        self, check: Callable[..., CheckResult], refusal: str = _OF_A_PROOF, part: float = 1.0
    ) -> tuple[Evidence | Reason, tuple[Assumption, ...]]:
        """What a checker says of a proof within a part of the time that is left."""
        self.run.publish("checker", "checking the proof")
        remaining = self.run.remaining()
        seconds = PROOF_SECONDS if remaining is None else max(part * remaining, 0.1)
        budget = Budget(seconds=seconds if self.patience is None else min(seconds, self.patience))
        try:
            answer = check(budget, self.source.sha256, self.run)
        except Stopped as stopped:
            return stopped_while_checking(stopped), ()
        if not answer.accepted:
            more = f" (the first of {len(answer.refused)} objections)" if len(answer.refused) > 1 else ""
            return Reason(f"{refusal}: {answer.refused[0]}{more}"), ()
        solvers = ", ".join(answer.solver_calls) or "no solver needed"
        remark = "; ".join(answer.remarks)
        return Evidence("proof", solvers, answer.obligations, answer.time_s, remark), answer.assumptions

    def schedules_result(self, claim: Claim, viewed: Viewed) -> Result:
        """The answer about a program with threads: what a search over schedules has found is compiled and run."""
        spurious, wanted = self.task.options.spurious_wakeups, viewed.wanted
        assumptions = tuple(
            assumption
            for assumption in claim.assumptions
            if wanted.kind in assumption.concerns and not (assumption.waking and spurious)
        )
        warnings = _with_concerns(_suspicions(claim, self.task.options.verbose), viewed.program)
        told = replace(claim, name=wanted.name, assumptions=assumptions, warnings=warnings)
        match told:
            case Refuted(run=ThreadedTest(rounds=ThreadRounds() as rounds) as test):
                return self._going_round(told, viewed, test, rounds)
            case Refuted(run=ThreadedTest() as test):
                return self._scheduled(told, wanted, replace(test, property=wanted.name))
            case Proved(proof=ThreadCertificate() as proof):
                return self._outlined(told, viewed, proof)
            case Proved(proof=Exhaustion()):
                return self._explored(told, viewed)
            case Open():
                return Unknown(**account(told, reason=told.reason))
        return Unknown(**account(told, reason=internal("the engine gave no evidence")))

    def _going_round(self, claim: Refuted, viewed: Viewed, test: ThreadedTest, rounds: ThreadRounds) -> Result:
        """A run of threads without an end: the checker finds one by itself, and compiled code goes the rounds."""
        from pincer.evidence.thread_proof.endless_check import check_endless_threads

        options = self.task.options
        if (rounds.fairness, rounds.spurious) != (options.scheduler, options.spurious_wakeups):
            return Unknown(**account(claim, reason=internal("the run is about another scheduler")))
        consent, _ = self._consent(
            lambda budget, _, run: check_endless_threads(viewed.program, rounds, budget, run), _OF_A_RUN
        )
        if isinstance(consent, Reason):
            return Unknown(**account(claim, reason=consent))
        return self._scheduled(claim, viewed.wanted, replace(test, property=viewed.wanted.name))

    def _scheduled(self, claim: Refuted, wanted: CProperty, test: ThreadedTest) -> Result:
        from pincer.evidence.run_conversions import SourceFiles, run_of_schedule

        self.run.publish("compiler", "running the schedule")
        evidence = executed_schedule(test, self.source, self._folder(wanted))
        run = run_of_schedule(test, SourceFiles(self.source.source, test.file).line)
        if evidence.kind != "execution":
            return Unknown(**account(claim, reason=Reason(f"{run.why} was found, but {evidence.remark}")))
        data = threads_trace.to_json(test) | self._loading(wanted)

        def write(path: Path) -> None:
            """A witness of the form that the name asks for: .graphml, .yml, or our own .json."""
            from pincer.evidence.threads.witness_graphml import graphml_witness
            from pincer.evidence.threads.witness_yaml import threaded_witness

            if path.suffix == ".json":
                _write(path, json.dumps(data, indent=1) + "\n")
            elif test.rounds is not None:
                raise PincerError("no witness is written: none states runs of threads without an end; FILE.json does")
            else:
                form = graphml_witness if path.suffix == ".graphml" else threaded_witness
                _write(path, form(test, self._metadata(wanted)))

        return Unsafe(
            **account(claim, svcomp=f"false({_SCHEDULES[wanted.kind]})"),
            run=run,
            trace=data,
            evidence=evidence,
            witness=self.saver.save(self.task.outputs.witness, wanted.name, write),
        )

    def _outlined(self, claim: Proved, viewed: Viewed, proof: ThreadCertificate) -> Result:
        """An outline is checked like every proof."""
        wanted = viewed.wanted
        claim = replace(claim, assumptions=_without_refusals(claim.assumptions))
        missing = left_open(wanted.kind, claim.assumptions)
        if missing:
            return Unknown(**account(claim, reason=Reason(f"all else holds, but it is not known that {missing}")))
        if (proof.property, proof.spurious_wakeups) != (_certified_kind(wanted), self.task.options.spurious_wakeups):
            return Unknown(**account(claim, reason=internal("the proof is about another property")))
        if wanted.kind in ("termination", "temporal") and (
            proof.explored is None or proof.explored.fairness != self.task.options.scheduler
        ):
            return Unknown(**account(claim, reason=internal("the proof is about other runs")))
        proof = self._signed(proof)
        evidence: Evidence | Reason = Evidence("unchecked proof")
        assumptions = claim.assumptions
        if self.task.options.certify:
            from pincer.evidence.thread_proof.checker import check_thread_proof

            evidence, more = self._consent(partial(check_thread_proof, viewed.program, proof))
            assumptions = tuple(dict.fromkeys((*assumptions, *more)))
        told = replace(claim, assumptions=assumptions)
        if isinstance(evidence, Reason):
            return Unknown(**account(told, reason=evidence))
        return self._with_proof(told, wanted, proof, evidence)

    def _signed(self, proof: ThreadCertificate) -> ThreadCertificate:
        """A certificate that says which version of the file it is about, and who wrote it."""
        source = self.source
        return replace(proof, file=str(source.source), sha256=source.sha256, entry=source.entry, version=__version__)

    def _with_proof(self, claim: Proved, wanted: CProperty, proof: ThreadCertificate, evidence: Evidence) -> Result:
        """The property holds, with a certificate that is written where the user wants it."""
        data = self._signed(proof).to_json() | self._loading(wanted)
        outputs = self.task.outputs
        why = "witnesses cannot state what holds at places of threads"
        unwritten = () if outputs.witness is None else (f"{outputs.witness} is not written: {why}",)
        told = account(claim, svcomp="true", warnings=(*claim.warnings, *unwritten))
        saved = self.saver.save(outputs.certificate, wanted.name, lambda path: _write(path, json.dumps(data) + "\n"))
        return Safe(**told, check=claim.check, proof=data, evidence=evidence, saved=saved)

    def _explored(self, claim: Proved, viewed: Viewed) -> Result:
        """All schedules were explored; the checker explores them once more, as far as it can. What it has not visited
        rests on the engine's exploration, and the verdict says so."""
        wanted = viewed.wanted
        unknown = f"all else was explored, but it is not known that {left_open(wanted.kind, claim.assumptions)}"
        certain = _without_refusals(claim.assumptions)
        if left_open(wanted.kind, certain):
            return Unknown(**account(claim), reason=Reason(unknown))
        found = self._explored_again(viewed.program, _certified_kind(wanted))
        if certain != claim.assumptions:
            # The engine has explored refusals of locks that are held only; the checker takes all to be possible.
            if isinstance(found, Reason) or found[1] is None:
                return Unknown(**account(claim), reason=Reason(unknown))
            claim = replace(claim, assumptions=certain)
        if isinstance(found, Reason):
            return Unknown(**account(claim, reason=found))
        evidence, proof = found
        if proof is None or wanted.targets:
            warnings = (*claim.warnings, *unwritten(self.task, "schedules"))
            return Safe(**account(claim, svcomp="true", warnings=warnings), check=claim.check, evidence=evidence)
        return self._with_proof(claim, wanted, proof, evidence)

    def _explored_again(
        self, program: ControlFlowProgram, kind: CertifiedKind
    ) -> tuple[Evidence, ThreadCertificate | None] | Reason:
        """What the checker says of all schedules, with the certificate if it has visited all states."""
        if not self.task.options.certify:
            return Evidence("unchecked proof"), None
        from pincer.evidence.thread_proof.checker import check_thread_proof, explored_certificate

        spurious = self.task.options.spurious_wakeups
        self.run.publish("checker", "exploring once more")
        remaining = self.run.remaining()
        budget = Budget(seconds=PROOF_SECONDS if remaining is None else max(remaining, 0.1))
        try:
            answer = check_thread_proof(program, explored_certificate(program, kind, spurious), budget, run=self.run)
        except Stopped as stopped:
            return Evidence("exploration", remark=stopped.reason.text), None
        if answer.unfinished:
            return Evidence("exploration", remark=answer.refused[0]), None
        if not answer.accepted:
            return Reason(f"the checker does not agree with the exploration: {answer.refused[0]}")
        solvers = ", ".join(answer.solver_calls) or "no solver needed"
        states, moves = answer.visited
        remark = "; ".join((f"it has visited {states} states by itself", *answer.remarks))
        certificate = explored_certificate(program, kind, spurious, (states, moves))
        return Evidence("proof", solvers, answer.obligations, answer.time_s, remark), certificate

    def _loading(self, wanted: CProperty) -> dict[str, Any]:
        """What it takes to load the program for this property again."""
        flags = plain(self.source.flags)
        others = [{**plain(file), "sha256": hash_of(Path(file.path))} for file in self.source.others]
        files: dict[str, Any] = {"others": others} if others else {}
        if self.source.arguments:
            files["entry"] = self.source.arguments
        return {"loading": {"sha256": self.source.sha256, **flags, **files, **wanted.to_json()}}

    def _folder(self, wanted: CProperty) -> Path | None:
        """Where the test's files stay: the folder the user named, one below it for each of several properties."""
        if self.task.outputs.test_out is None:
            return None
        folder = Path(self.task.outputs.test_out)
        return self.saver.folder(folder if len(self.source.properties) == 1 else folder / wanted.name)

    def _metadata(self, wanted: CProperty) -> Metadata:
        from pincer.evidence.c.witness import Metadata

        source = self.source
        specification = wanted.specification_for(source.entry)
        call = self.task.outputs.call
        found = Metadata.of(source.source, specification, source.data_model, __version__, call)
        if any(Path(other.path).name == source.source.name for other in source.others):
            raise PincerError("no witness is written for a program in which two files have the same name")
        return replace(found, others={other.path: hash_of(Path(other.path)) for other in source.others})


def _certified_kind(wanted: CProperty) -> CertifiedKind:
    """What a proof about threads that shows a property is about."""
    return wanted.kind if wanted.kind in ("race", "deadlock", "termination", "temporal") else wanted.looked_for


def holds_not(viewed: Viewed) -> Reason | None:
    """Why a property is not said to hold although all that was looked at does."""
    missing = left_open(viewed.wanted.kind, _without_refusals(viewed.program.assumptions))
    return Reason(f"all else holds, but it is not known that {missing}") if missing else None


def _without_refusals(assumptions: tuple[Assumption, ...]) -> tuple[Assumption, ...]:
    """What is assumed where locks may be refused at any time."""
    return tuple(assumption for assumption in assumptions if not assumption.refusing)


def left_open(kind: PropertyKind, assumptions: Iterable[Assumption]) -> str:
    """The first assumption under which nothing is said to hold of a kind; empty if there is none."""
    return next((assumption.text for assumption in assumptions if kind in assumption.leaves_open), "")


def _with_concerns(warnings: Iterable[str], program: ControlFlowProgram) -> tuple[str, ...]:
    """What is warned of beside a verdict: what the program's text gives cause for, then what its analysis found."""
    return (*map(str, program.concerns), *warnings)


def _suspicions(claim: Claim, verbose: bool) -> tuple[str, ...]:
    """What analysis suspects and no execution has shown."""
    shown = claim.warnings if verbose else claim.warnings[:MOST_WARNINGS]
    more = len(claim.warnings) - len(shown)
    rest = [f"{more} more suspicions that are not confirmed (--verbose lists them)"] if more else []
    return (*(f"not confirmed: {text}" for text in shown), *rest)


def with_few_places(reason: str) -> str:
    """A reason that ends with a chain of places in parentheses, cut down to the first and the last of them."""
    chain = _PLACES.search(reason)
    places = _PLACE.findall(chain[0]) if chain else []
    if chain is None or len(places) < 3:
        return reason
    return f"{reason[: chain.start()]}{places[0]} ...{places[-1]}"


def endless_remark(found: EndlessRun, solvers: str) -> str:
    """What was shown of a run that never ends."""
    if not found.points:
        return "executed up to its end" if found.ended else "executed up to where the property is lost"
    return f"executed: stem and {found.rounds.count} rounds; closed under the loop ({solvers})"


def executed(
    test: CTest, source: CSource, wanted: CProperty, folder: Path | None, rounds: WatchedRounds | None = None
) -> tuple[Evidence, Status]:
    """What compiling and running a test shows. The folder keeps the test's files, with what `replay` needs."""
    from pincer.evidence.c import execution

    rule = None if wanted.rule is None else instrumentation(wanted.rule, test.entry)
    try:
        answer = execution.confirm(
            test, source.source, folder, EXECUTION_SECONDS, source.preprocessor, rule, source.files, rounds
        )
    except OSError as error:
        return _not_run(error), "not confirmed"
    return _ran(answer, folder), answer.status


def executed_schedule(test: ThreadedTest, source: CSource, folder: Path | None) -> Evidence:
    """What compiling a program with threads and running it under a schedule shows."""
    from pincer.evidence.threads import execution

    try:
        answer = execution.confirm(test, source.source, folder, EXECUTION_SECONDS, source.preprocessor, source.files)
    except OSError as error:
        return _not_run(error)
    return _ran(answer, folder)


def _ran(answer: Confirmation, folder: Path | None) -> Evidence:
    script = None if folder is None else folder / "build.sh"
    command = shlex.join(["sh", str(script)]) if script is not None and script.is_file() else ""
    kind: Literal["execution", "interpreter"] = "execution" if answer.status == "confirmed" else "interpreter"
    return Evidence(kind, remark=answer.detail, command=command)


def _not_run(error: OSError) -> Evidence:
    return Evidence("interpreter", remark=f"not confirmed: {error.strerror or error}")


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
