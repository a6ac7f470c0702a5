"""The data behind the HTML report: one object about all files of a call, in plain JSON.

All strings are text as it came from programs and files; whoever shows them must treat them so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pincer import __version__
from pincer.report.checked import CheckedProgram
from pincer.report.code_rows import SourceFiles
from pincer.report.finding import Finding
from pincer.report.timeline import timeline
from pincer.report.verdicts import WORDS, Context, evidence_text, next_command, why_text

VERSION = 1


@dataclass(frozen=True, slots=True)
class ReportedFile:
    """One file as the report shows it.

    `details` come by property from the analysis; `history` are its numbers, for properties without details.
    """

    checked: CheckedProgram
    context: Context
    details: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    history: Sequence[Mapping[str, Any]] = ()


def report_data(call: str, files: Sequence[ReportedFile], elapsed: float) -> dict[str, Any]:
    return {
        "version": VERSION,
        "tool": f"pincer {__version__}",
        "call": call,
        "elapsed_s": round(elapsed, 3),
        "files": [_file_data(reported) for reported in files],
    }


def _file_data(reported: ReportedFile) -> dict[str, Any]:
    checked = reported.checked
    source = Path(checked.source)
    sources = SourceFiles(source, checked.source)
    data: dict[str, Any] = {
        "file": checked.file,
        "language": checked.language,
        "source": _text_of(source),
        "properties": [_property_data(finding, reported, sources) for finding in checked.findings],
    }
    return {**data, "error": checked.mistakes[-1].to_json()} if checked.mistakes else data


def _text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _property_data(finding: Finding, reported: ReportedFile, sources: SourceFiles) -> dict[str, Any]:
    members = {
        "why": why_text(finding),
        "reason": finding.reason,
        "check": finding.check,
        "warnings": list(finding.warnings),
        "assumptions": list(finding.assumptions),
        "evidence": evidence_text(finding, run="the counterexample"),
        "next": next_command(finding, reported.context),
        "inputs": [_input(text) for text in finding.inputs],
        "timeline": timeline(finding, sources.line),
        "queries": _queries(finding.statistics),
        "history": list(reported.history),
        **_confirmed(reported.details.get(finding.name, {}), finding),
    }
    _cover(members)
    return {
        "name": finding.name,
        "verdict": finding.verdict,
        "word": WORDS[finding.verdict],
        "engine": finding.engine,
        "time_s": round(finding.time_s, 6),
        "statistics": {
            name: value for name, value in finding.statistics.items() if isinstance(value, int | float | str)
        },
        **{name: value for name, value in members.items() if value},
    }


def _confirmed(details: Mapping[str, Any], finding: Finding) -> dict[str, Any]:
    """The details without what only a proof gives, unless the proof was accepted."""
    kept = dict(details)
    if finding.verdict != "safe":
        kept.pop("invariants", None)
        if "coverage" in kept:
            kept["coverage"] = {**kept["coverage"], "proof": []}
    return kept


def _cover(members: dict[str, Any]) -> None:
    """The lines of the counterexample were run, too."""
    coverage, shown = members.get("coverage"), members["timeline"]
    if coverage and shown:
        passed = {step["line"] for step in shown["steps"] if "line" in step} & set(coverage["all"])
        members["coverage"] = {**coverage, "tests": sorted(passed.union(coverage["tests"]))}


def _input(text: str) -> list[str]:
    name, _, value = text.partition(" = ")
    return [name, value]


def _queries(statistics: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """How many questions went to a solver for each purpose, and how long that took."""
    if "queries_by_purpose" not in statistics:
        asked = statistics.get("queries")
        return {"all purposes": {"count": asked}} if isinstance(asked, int) and asked else {}
    return {
        str(purpose): {"count": numbers["solver_calls"], "time_s": round(numbers["solver_time_s"], 6)}
        for purpose, numbers in statistics["queries_by_purpose"].items()
        if numbers["solver_calls"]
    }
