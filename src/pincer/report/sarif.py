"""Verdicts as a SARIF 2.1.0 log: what is violated with its execution, what is undecided, what could not be read."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePath
from typing import Any
from urllib.parse import quote

from pincer import __version__
from pincer.errors import Mistake
from pincer.evidence.violating_run import RunStep, ViolatingRun
from pincer.report.file_report import FileReport, Finding
from pincer.report.terminal import escape
from pincer.report.verdicts import why_text

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
MOST_STEPS = 5_000
"""Viewers refuse flows of more locations; of a longer execution the middle is left out."""

_ROOT = "%SRCROOT%"
_LANGUAGES = {"gcl": "guarded commands", "c": "C", "msvl": "MSVL"}
_RULES: Mapping[str, str] = {
    "gcl/safety": "A safety property of a program of guarded commands holds in every state that can be reached.",
    "gcl/range": "No step gives a variable a value outside its type.",
    "msvl/temporal": "A temporal property holds on every run of the program.",
    "c/assertions": "No assertion fails and no error function is called, for any input.",
    "c/memory": "No access outside an object, after its lifetime or through an invalid pointer, and no invalid free.",
    "c/race": "No two threads access the same object at once, one of them writing.",
    "c/deadlock": "Threads never wait for each other for ever.",
}


def sarif_log(programs: Sequence[FileReport], exit_status: int) -> dict[str, Any]:
    """The log of one call; what holds leaves no result."""
    rules = sorted({rule_of(program, finding) for program in programs for finding in program.ordered()})
    index = {rule: number for number, rule in enumerate(rules)}
    results = [
        {**_result(program, finding), "ruleIndex": index[rule_of(program, finding)]}
        for program in programs
        for finding in program.ordered()
        if finding.verdict != "safe"
    ]
    driver = {
        "name": "Pincer",
        "version": __version__,
        "semanticVersion": __version__,
        "rules": [_rule(rule) for rule in rules],
    }
    run = {
        "tool": {"driver": driver},
        "invocations": [_invocation(programs, exit_status)],
        "originalUriBaseIds": {_ROOT: {"description": {"text": "The folder in which Pincer was called."}}},
        "artifacts": [_artifact(program) for program in programs],
        "columnKind": "unicodeCodePoints",
        "results": results,
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def rule_of(program: FileReport, finding: Finding) -> str:
    """Properties of models have names of their own, but are of one kind; those of C programs are kinds."""
    if program.language == "gcl":
        return "gcl/range" if finding.name == "range" else "gcl/safety"
    return "msvl/temporal" if program.language == "msvl" or finding.engine == "dse" else f"c/{escape(finding.name)}"


def _rule(identifier: str) -> dict[str, Any]:
    name = identifier.partition("/")[2]
    text = _RULES.get(identifier, f"The property {name} of C programs holds on every execution.")
    help_text = f"{text} A violation comes with an execution that was run again; `pincer check --help` tells more."
    return {
        "id": identifier,
        "shortDescription": {"text": text},
        "fullDescription": {"text": text},
        "help": {"text": help_text},
        "defaultConfiguration": {"level": "error"},
        "properties": {"tags": ["correctness", *(["security"] if identifier == "c/memory" else [])]},
    }


def _result(program: FileReport, finding: Finding) -> dict[str, Any]:
    run = finding.run
    failure = run.failure if run else RunStep(0, program.source)
    rule = rule_of(program, finding)
    violated = finding.verdict == "unsafe"
    text = f"{finding.name} is {'violated' if violated else 'undecided'}: {why_text(finding)}"
    result: dict[str, Any] = {
        "ruleId": rule,
        "kind": "fail" if violated else "open",
        "level": "error" if violated else "none",
        "message": {"text": escape(text)},
        "locations": [_location(failure)],
        "partialFingerprints": {"pincer/v1": _fingerprint(rule, finding, program.source)},
        "properties": {
            "property": escape(finding.name),
            "engine": finding.engine,
            "assumptions": list(map(escape, finding.assumptions)),
            "warnings": list(map(escape, finding.warnings)),
        },
    }
    if run is not None:
        result["codeFlows"] = [_code_flow(run)]
        if run.related:
            result["relatedLocations"] = [
                {"id": number, **_location(step, str(step))} for number, step in enumerate(run.related, 1)
            ]
    return result


def _code_flow(run: ViolatingRun) -> dict[str, Any]:
    """One thread flow for each thread; `executionOrder` is the number of the step, over all of them."""
    flows: dict[int, list[dict[str, Any]]] = {}
    half = MOST_STEPS // 2
    left_out = max(len(run.steps) - MOST_STEPS, 0)
    for step in (*run.steps[:half], *run.steps[half + left_out :]):
        location = {"location": _location(step, str(step)), "executionOrder": step.number}
        flows.setdefault(step.lane or 0, []).append(location)
    text = f"an execution of {run.length}"
    if left_out:
        text += f", of which {left_out} in the middle are left out"
    if run.loop_from is not None:
        text += f"; from the last one the run goes back to step {run.loop_from}"
    return {
        "message": {"text": text},
        "threadFlows": [
            {"id": str(lane), "message": {"text": escape(run.lanes[lane])}, "locations": locations}
            for lane, locations in sorted(flows.items())
        ],
    }


def _location(step: RunStep, text: str | None = None) -> dict[str, Any]:
    place: dict[str, Any] = {"artifactLocation": _artifact_location(step.file)}
    if step.line is not None:
        place["region"] = {"startLine": step.line, **({"startColumn": step.column} if step.column else {})}
    location: dict[str, Any] = {"physicalLocation": place}
    return location if text is None else {**location, "message": {"text": escape(text)}}


def _artifact_location(file: str) -> dict[str, Any]:
    """Relative to the folder of the call for what is below it, absolute for the rest."""
    path = PurePath(os.path.normpath(file))
    if path.is_absolute() and path.is_relative_to(Path.cwd()):
        path = path.relative_to(Path.cwd())
    text = quote(os.fsencode(path.as_posix()))
    return {"uri": f"file://{text}"} if path.is_absolute() else {"uri": text, "uriBaseId": _ROOT}


def _artifact(program: FileReport) -> dict[str, Any]:
    artifact: dict[str, Any] = {"location": _artifact_location(program.source)}
    artifact["sourceLanguage"] = _LANGUAGES[program.language]
    return {**artifact, "hashes": {"sha-256": program.sha256}} if program.sha256 else artifact


def _invocation(programs: Sequence[FileReport], exit_status: int) -> dict[str, Any]:
    mistakes = [mistake for program in programs for mistake in program.mistakes]
    return {
        "executionSuccessful": exit_status in (0, 1),
        "exitCode": exit_status,
        "toolExecutionNotifications": [_notification(mistake) for mistake in mistakes],
    }


def _notification(mistake: Mistake) -> dict[str, Any]:
    return {
        "level": "error",
        "message": {"text": escape(mistake.message)},
        "descriptor": {"id": f"pincer/{mistake.kind}"},
        "locations": [_location(RunStep(0, mistake.file, mistake.line, mistake.column))],
    }


def _fingerprint(rule: str, finding: Finding, file: str) -> str:
    """The same wherever the lines move to and whatever execution leads there: C is told by what goes wrong."""
    words = [rule, finding.name, PurePath(file).name]
    if finding.run is not None and rule.startswith("c/"):
        words += [finding.run.failure.text, *sorted(step.text for step in finding.run.related)]
    return hashlib.sha256("|".join(words).encode("utf-8", "replace")).hexdigest()[:32]
