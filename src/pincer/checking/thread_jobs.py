"""Checking programs with threads: the searches over schedules, and the evidence for what they find."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pincer.checking.c_confirmation import CConfirmation, left_open
from pincer.checking.c_programs import CProperty, CTarget
from pincer.program.property import Assumption
from pincer.report.finding import Evidence, Finding, undecided
from pincer.runtime.run import Run

if TYPE_CHECKING:
    from pincer.checking.report_details import DetailsCollector
    from pincer.checking.worker import Emit
    from pincer.engines.threads.task import ThreadOptions, ThreadResult
    from pincer.evidence.threads.trace import ThreadedTest
    from pincer.program.control_flow import ControlFlowProgram

EXECUTION_SECONDS = 10.0
MOST_WARNINGS = 5
_SVCOMP = {"assertions": "unreach-call", "memory": "valid-deref", "race": "no-data-race", "deadlock": "no-deadlock"}


def check(
    target: CTarget,
    program: ControlFlowProgram,
    wanted: CProperty,
    request: Mapping[str, Any],
    run: Run,
    emit: Emit,
    collector: DetailsCollector | None = None,
) -> None:
    """Decide one property of a program with threads and report it."""
    from pincer.engines.threads.front import check as decide
    from pincer.engines.threads.task import ThreadOptions

    options = ThreadOptions(seed=request["seed"], jobs=request["jobs"], spurious=request.get("spurious", False))
    [result] = decide(program, [wanted.kind], run, options)
    assumptions = _assumptions(result, options, wanted)
    finding = Finding(
        wanted.name,
        result.verdict,
        result.engine or "agse",
        reason=result.reason,
        time_s=result.time_s,
        statistics=result.statistics,
        warnings=_warnings(result, request["verbose"]),
        assumptions=tuple(map(str, assumptions)),
    )
    if result.verdict == "unsafe":
        finding = _ThreadConfirmation(target, request, run, emit).executed(finding, program, wanted, result, options)
    elif result.verdict == "safe":
        unwritten = tuple(_unwritten(option, request) for option in ("witness", "certificate") if request[option])
        finding = replace(finding, check="schedules", warnings=(*finding.warnings, *unwritten))
        missing = left_open(wanted.kind, assumptions)
        if missing:
            finding = undecided(finding, f"all else was explored, but it is not known that {missing}")
    verdicts = {"safe": "true", "unsafe": f"false({_SVCOMP[wanted.kind]})", "unknown": "unknown"}
    emit("finding", replace(finding, svcomp=verdicts[finding.verdict]).to_wire())
    if collector is not None:
        collector.searched_schedules(program, wanted.name, result, options)


def _assumptions(result: ThreadResult, options: ThreadOptions, wanted: CProperty) -> tuple[Assumption, ...]:
    """What the verdict rests on; how waiting ends is no assumption where all its ends were explored."""
    return tuple(
        assumption
        for assumption in result.assumptions
        if wanted.kind in assumption.concerns and not (assumption.waking and options.spurious)
    )


def _unconfirmed(evidence: Evidence) -> str:
    return f"compiled code does not confirm it: {evidence.remark.removeprefix('not confirmed: ')}"


def _unwritten(option: str, request: Mapping[str, Any]) -> str:
    """That all schedules were explored leaves nothing to write."""
    return f"{request[option]} is not written: there is no proof object when all schedules were explored"


def _warnings(result: ThreadResult, verbose: bool) -> tuple[str, ...]:
    """What analysis suspects and no execution has shown."""
    shown = result.warnings if verbose else result.warnings[:MOST_WARNINGS]
    more = len(result.warnings) - len(shown)
    rest = [f"{more} more suspicions that are not confirmed (--verbose lists them)"] if more else []
    return (*(f"not confirmed: {text}" for text in shown), *rest)


class _ThreadConfirmation(CConfirmation):
    """Compiles and runs what a search has found."""

    def executed(
        self,
        finding: Finding,
        program: ControlFlowProgram,
        wanted: CProperty,
        result: ThreadResult,
        options: ThreadOptions,
    ) -> Finding:
        """The finding with its evidence; a violation that compiled code does not show is undecided."""
        from pincer.engines.threads.threaded_test import threaded_test
        from pincer.evidence.run_conversions import SourceFiles, run_of_schedule
        from pincer.evidence.threads.trace import to_json
        from pincer.execution.threads.interleaving import Interleaver

        assert result.violation is not None
        test = threaded_test(Interleaver(program, options.execution_limits), result.violation, wanted.name)
        self._run.publish("compiler", "running the schedule")
        folder = self._folder(wanted)
        evidence = self._confirmed(test, folder)
        run = run_of_schedule(test, SourceFiles(self._target.source, test.file).line)
        if evidence.kind != "execution":
            return undecided(finding, f"{run.why} was found; {_unconfirmed(evidence)}")
        data = to_json(test) | {"loading": self._loading(wanted)}
        return replace(
            finding,
            evidence=evidence,
            run=run,
            trace=data,
            witness=self._save("witness", wanted, lambda path: self._write_schedule(path, wanted, test, data)),
        )

    def _confirmed(self, test: ThreadedTest, folder: Path | None) -> Evidence:
        from pincer.evidence.threads.execution import confirm

        try:
            answer = confirm(test, self._target.source, folder, EXECUTION_SECONDS, self._target.preprocessor)
        except OSError as error:
            return Evidence("interpreter", remark=f"not confirmed: {error.strerror or error}")
        command = shlex.join(["sh", str(folder / "build.sh")]) if folder is not None else ""
        if answer.status == "confirmed":
            return Evidence("execution", remark=answer.detail, command=command)
        return Evidence("interpreter", remark=answer.detail, command=command)

    def _write_schedule(self, path: Path, wanted: CProperty, test: ThreadedTest, data: Mapping[str, Any]) -> None:
        """A witness of the form that the name asks for: .graphml, .yml, or our own .json."""
        from pincer.evidence.threads.witness_graphml import graphml_witness
        from pincer.evidence.threads.witness_yaml import threaded_witness

        if path.suffix == ".json":
            text = json.dumps(data, indent=1) + "\n"
        elif path.suffix == ".graphml":
            text = graphml_witness(test, self._metadata(wanted))
        else:
            text = threaded_witness(test, self._metadata(wanted))
        path.write_text(text, encoding="utf-8")
