"""No verdict about a C program leaves unconfirmed: tests are compiled and run, proofs are checked."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pincer import __version__
from pincer.checking.c_programs import (
    CProperty,
    CTarget,
    check_witness_can_state,
    instrumentation,
    svcomp_verdict,
    undecided_part,
)
from pincer.errors import PincerError
from pincer.program.property import Assumption, PropertyKind
from pincer.report.finding import Evidence, Finding, finding_of, so_far, undecided
from pincer.runtime.run import Run, Stopped

if TYPE_CHECKING:
    from pincer.checking.worker import Emit
    from pincer.engines.task import PropertyResult

    Again = Callable[[], PropertyResult]
    from pincer.evidence.c.execution import Status
    from pincer.evidence.c.trace import CTest
    from pincer.evidence.c.witness import Metadata
    from pincer.evidence.c_proof.certificate import ProofCertificate
    from pincer.program.control_flow import ControlFlowProgram

_PLACE = re.compile(r" \([^()]*:\d+:\d+\)")
_PLACES = re.compile(rf"(?:{_PLACE.pattern})+$")
EXECUTION_SECONDS = 10.0
PROOF_SECONDS = 300.0


class CConfirmation:
    """Checks the evidence of each result and saves it where the user wants it."""

    def __init__(self, target: CTarget, request: Mapping[str, Any], run: Run, emit: Emit) -> None:
        self._target = target
        self._request = request
        self._run = run
        self._emit = emit

    def report(self, program: ControlFlowProgram, wanted: CProperty, result: PropertyResult, again: Again) -> None:
        """Check the evidence of a result and emit the finding; a proof by paths that is refused is tried otherwise."""
        finding = self._finding(program, wanted, result)
        if result.paths is not None and finding.verdict == "unknown" and not undecided_part(program, wanted):
            result = again()
            finding = self._finding(program, wanted, result)
        test = result.test if finding.verdict == "unsafe" else None
        finding = replace(finding, svcomp=svcomp_verdict(program, wanted, finding.verdict, test))
        self._emit("finding", finding.to_wire())

    def _finding(self, program: ControlFlowProgram, wanted: CProperty, result: PropertyResult) -> Finding:
        assumptions = tuple(map(str, program.assumptions))
        reason = with_few_places(result.reason)
        finding = replace(finding_of(result), name=wanted.name, assumptions=assumptions, reason=reason)
        if result.verdict == "unsafe":
            finding = self._executed(finding, program, wanted, result.test)
        elif result.verdict == "safe":
            finding = self._certified(finding, program, wanted, result)
        elif not result.statistics and self._run.latest is not None:
            finding = replace(finding, statistics=so_far(self._run.latest.numbers), time_s=self._run.elapsed())
        return finding

    def _executed(
        self, finding: Finding, program: ControlFlowProgram, wanted: CProperty, test: CTest | None
    ) -> Finding:
        from pincer.evidence.c.trace import to_json
        from pincer.evidence.run_conversions import SourceFiles, failure_text, run_of_test

        if test is None:
            return undecided(finding, "internal: the engine gave no counterexample")
        self._run.publish("compiler", "running the test")
        sources = SourceFiles(self._target.source, test.file)
        data = to_json(test) | {"loading": self._loading(wanted)}
        folder = self._folder(wanted)
        evidence, status = executed(test, self._target, wanted, folder)
        if status in ("contradicted", "not confirmed"):
            what = f"{failure_text(test)} was found, but compiled code does not show it: {evidence.remark}"
            misread = status == "contradicted" and all(assumption.compiled for assumption in program.assumptions)
            return undecided(
                finding, f"{what}; one of the two misreads the program, please report it" if misread else what
            )
        if folder is not None and folder.is_dir():
            _write(folder / "test.json", json.dumps(data, indent=1) + "\n")
        return replace(
            finding,
            evidence=evidence,
            run=run_of_test(test, sources.line),
            trace=data,
            witness=self._save("witness", wanted, lambda path: self._write_violation(path, wanted, program, test)),
        )

    def _certified(
        self, finding: Finding, program: ControlFlowProgram, wanted: CProperty, result: PropertyResult
    ) -> Finding:
        part = undecided_part(program, wanted)
        if part:
            what = f"{part} is not decided for programs that allocate memory"
            return undecided(finding, f"{what} (leaks are not checked); all else that is asked for holds")
        missing = left_open(wanted.kind, program.assumptions)
        if missing:
            return undecided(finding, f"all else holds, but it is not known that {missing}")
        if not result.proofs and result.paths is None:
            return undecided(finding, "internal: the engine gave no proof")
        proof = self._certificate(wanted, result)
        evidence: Evidence | str = Evidence("unchecked proof")
        if self._request["certify"]:
            evidence, assumptions = self._checked(program, proof)
            finding = replace(finding, assumptions=tuple(dict.fromkeys((*finding.assumptions, *map(str, assumptions)))))
        if isinstance(evidence, str):
            return undecided(finding, evidence)
        data = proof.to_json() | {"loading": self._loading(wanted)}
        return replace(
            finding,
            evidence=evidence,
            certificate=data,
            saved=self._save("certificate", wanted, lambda path: _write(path, json.dumps(data) + "\n")),
            witness=self._save("witness", wanted, lambda path: self._write_invariants(path, wanted, program, proof)),
        )

    def _certificate(self, wanted: CProperty, result: PropertyResult) -> ProofCertificate:
        from pincer.evidence.c_proof.certificate import ProofCertificate

        return ProofCertificate(
            file=str(self._target.source),
            sha256=self._target.sha256,
            data_model=self._target.data_model,
            entry=self._target.entry,
            property="memory" if wanted.kind == "memory" else "assertions",
            version=__version__,
            main=result.proofs[0].id if result.proofs else "",
            proofs=result.proofs,
            paths=result.paths,
        )

    def _checked(
        self, program: ControlFlowProgram, proof: ProofCertificate
    ) -> tuple[Evidence | str, tuple[Assumption, ...]]:
        """The checker's consent, or why there is none; and what it assumes."""
        from pincer.evidence.c_proof.checker import Budget, check_proof

        self._run.publish("checker", "checking the proof")
        remaining = self._run.remaining()
        budget = Budget(seconds=PROOF_SECONDS if remaining is None else max(remaining, 0.1))
        try:
            answer = check_proof(program, proof, budget, self._target.sha256, self._run)
        except Stopped as stopped:
            return f"{stopped.reason} while the proof was being checked", ()
        if not answer.accepted:
            more = f", and {len(answer.refused) - 1} more" if len(answer.refused) > 1 else ""
            return f"the proof checker does not accept the proof: {answer.refused[0]}{more}", ()
        solvers = ", ".join(answer.solver_calls) or "no solver needed"
        remark = "; ".join(answer.remarks)
        return Evidence("proof", solvers, answer.obligations, answer.time_s, remark), answer.assumptions

    def _loading(self, wanted: CProperty) -> dict[str, Any]:
        """What it takes to load the program for this property again."""
        include = [str(folder) for folder in self._target.include]
        return {"sha256": self._target.sha256, "include": include, **wanted.to_json()}

    def _folder(self, wanted: CProperty) -> Path | None:
        """Where the test's files stay: the folder the user named, one below it for each of several properties."""
        if self._request["test_out"] is None:
            return None
        folder = Path(self._request["test_out"])
        return folder if len(self._target.properties) == 1 else folder / wanted.name

    def _save(self, option: str, wanted: CProperty, write: Callable[[Path], None]) -> str | None:
        """The evidence of the first property goes to the file the user named, that of others beside it."""
        if self._request[option] is None:
            return None
        path = Path(self._request[option])
        if wanted is not self._target.properties[0]:
            path = path.with_name(f"{path.stem}.{wanted.name}{path.suffix}")
        try:
            write(path)
        except OSError as error:
            self._complain(f"cannot write it: {error.strerror}", path)
            return None
        except PincerError as error:
            self._complain(error.message, path)
            return None
        return str(path)

    def _complain(self, message: str, path: Path) -> None:
        self._emit("mistake", {"kind": "error", "message": message, "file": str(path)})

    def _write_violation(self, path: Path, wanted: CProperty, program: ControlFlowProgram, test: CTest) -> None:
        from pincer.evidence.c.witness import violation_witness

        check_witness_can_state(wanted, program, test)
        _write(path, violation_witness(test, self._metadata(wanted)))

    def _write_invariants(
        self, path: Path, wanted: CProperty, program: ControlFlowProgram, proof: ProofCertificate
    ) -> None:
        from pincer.checking.c_invariants import source_invariants
        from pincer.evidence.c.witness import invariant_witness

        metadata = self._metadata(wanted)
        _write(path, invariant_witness(source_invariants(program, proof, metadata.text), metadata))

    def _metadata(self, wanted: CProperty) -> Metadata:
        from pincer.evidence.c.witness import Metadata

        specification = wanted.specification_for(self._target.entry)
        command = str(self._request["call"])
        return Metadata.of(self._target.source, specification, self._target.data_model, "Pincer", __version__, command)


def left_open(kind: PropertyKind, assumptions: Iterable[Assumption]) -> str:
    """The first assumption under which nothing is said to hold of a kind; empty if there is none."""
    return next((assumption.text for assumption in assumptions if kind in assumption.leaves_open), "")


def with_few_places(reason: str) -> str:
    """A reason that ends with a chain of places in parentheses, cut down to the first and the last of them."""
    chain = _PLACES.search(reason)
    places = _PLACE.findall(chain[0]) if chain else []
    if chain is None or len(places) < 3:
        return reason
    return f"{reason[: chain.start()]}{places[0]} ...{places[-1]}"


def executed(test: CTest, target: CTarget, wanted: CProperty, folder: Path | None) -> tuple[Evidence, Status]:
    """What compiling and running a test shows.

    The folder keeps the test's files, with what `replay` needs.
    """
    from pincer.evidence.c.execution import confirm

    rule = None if wanted.rule is None else instrumentation(wanted.rule, test.entry)
    try:
        answer = confirm(test, target.source, folder, EXECUTION_SECONDS, target.preprocessor, rule)
    except OSError as error:
        return Evidence("interpreter", remark=f"not confirmed: {error.strerror or error}"), "not confirmed"
    script = None if folder is None else folder / "build.sh"
    command = shlex.join(["sh", str(script)]) if script is not None and script.is_file() else ""
    kind: Literal["execution", "interpreter"] = "execution" if answer.status == "confirmed" else "interpreter"
    return Evidence(kind, remark=answer.detail, command=command), answer.status


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
