"""The data behind the HTML report: one object about all files of a call, in plain JSON.

All strings are text as it came from programs and files; whoever shows them must treat them so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path, PurePath
from typing import Any

from pincer import __version__
from pincer.evidence.violating_run import RunForm, RunStep, ValueChange, ViolatingRun
from pincer.report.file_report import FileReport, Finding
from pincer.report.lasso_graphs import lasso_graph
from pincer.report.run_text import Rounds, folded, gathered
from pincer.report.verdicts import WORDS, evidence_text, next_command, rests_on, why_text
from pincer.runtime.files import content_of

VERSION = 1
MOST_STEPS = 2_000


def report_data(call: str, files: Sequence[FileReport], elapsed: float) -> dict[str, Any]:
    return {
        "version": VERSION,
        "tool": f"pincer {__version__}",
        "call": call,
        "elapsed_s": round(elapsed, 3),
        "files": [_file_data(report) for report in files],
    }


def _file_data(report: FileReport) -> dict[str, Any]:
    texts = {name: _text_of(Path(name)) for name in report.sources}
    parts = _parts(texts)
    data: dict[str, Any] = {
        "file": report.file,
        "language": report.language,
        "source": "\n".join(texts.values()),
        "properties": [_property_data(finding, report, parts) for finding in report.ordered()],
    }
    if len(parts) > 1:
        data["parts"] = [{"name": name, "before": before} for name, before in parts.items()]
    return {**data, "error": report.mistakes[-1].to_json()} if report.mistakes else data


def _parts(texts: Mapping[str, str]) -> dict[str, int]:
    """The files of a program, whose texts stand one behind the other, with how many lines come before each."""
    parts: dict[str, int] = {}
    before = 0
    for name, text in texts.items():
        parts[name] = before
        before += text.count("\n") + 1
    return parts


def _text_of(path: Path) -> str:
    try:
        return content_of(path).decode("utf-8", "replace")
    except OSError:
        return ""


def _property_data(finding: Finding, report: FileReport, parts: Mapping[str, int]) -> dict[str, Any]:
    run = finding.run if finding.verdict == "unsafe" else None
    members = {
        "why": why_text(finding),
        "rests_on": list(rests_on(finding)),
        "reason": finding.reason,
        "check": finding.check,
        "warnings": list(finding.warnings),
        "assumptions": list(finding.assumptions),
        "evidence": evidence_text(finding, run="the counterexample"),
        "next": next_command(finding, report.context),
        "inputs": [[item.name, str(item).removeprefix(f"{item.name} = ")] for item in run.inputs] if run else [],
        "timeline": timeline(run, parts) if run else None,
        "queries": _queries(finding.statistics),
        "strategies": finding.statistics.get("strategies"),
        "history": report.history.to_json(),
        **_confirmed(report.details.get(finding.name, {}), finding),
    }
    lasso = lasso_graph(run) if run else None
    if lasso is not None:
        members["graphs"] = [lasso.to_json(), *members.get("graphs", ())]
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


def timeline(run: ViolatingRun, parts: Mapping[str, int] | None = None) -> dict[str, Any]:
    """The steps in their lanes, each with what it changed and what was there before; of very many not the middle.

    Lines count in the texts of all files of a program, one behind the other as `parts` says."""
    steps = [_step_data(step, run.loop_from) | _line(step, parts or {}) for step in run.steps]
    left_out = len(steps) - MOST_STEPS
    if left_out > 0:
        half = MOST_STEPS // 2
        steps[half:-half] = [{"lane": 0, "text": f"({left_out} steps left out)", "changes": []}]
    loop = {} if run.loop_from is None or left_out > 0 else {"loop_from": run.loop_from}
    rounds = _rounds(run) if left_out <= 0 else []
    return {"lanes": list(run.lanes), "steps": steps, **loop, **({"rounds": rounds} if rounds else {})}


def _rounds(run: ViolatingRun) -> list[dict[str, int]]:
    """The rounds of loops that are folded away: which step is the first of them, how many steps and rounds they are."""
    if run.form is not RunForm.LINES:
        return []
    found, at = list[dict[str, int]](), 0
    for row in folded(run.steps):
        if isinstance(row, Rounds):
            found.append({"at": at, "steps": row.lines, "rounds": row.count})
            at += row.lines
        else:
            at += 1
    return found


def _step_data(step: RunStep, loop_from: int | None) -> dict[str, Any]:
    changes = [{"name": change.name, "value": change.value} | _old(change) | _scope(change) for change in step.changes]
    note = "; ".join(step.remarks[len(step.changes) :])
    extras: dict[str, Any] = {"depth": step.depth, "function": step.function, "note": note}
    changed = step.remarks[: len(step.changes)]
    extras["gathered"] = found if len(found := gathered(changed)) < len(changed) else []
    extras["loop"] = loop_from is not None and step.number >= loop_from
    plain = {"number": step.number, "lane": step.lane, "text": step.text, "changes": changes}
    return plain | {name: value for name, value in extras.items() if value}


def _line(step: RunStep, parts: Mapping[str, int]) -> dict[str, Any]:
    """The line of a step; in programs of several files with its place, and none for one in a header."""
    if not step.line:
        return {}
    if len(parts) < 2:
        return {"line": step.line}
    place = {"place": f"{PurePath(step.file).name}:{step.line}"}
    return place | ({"line": step.line + parts[step.file]} if step.file in parts else {})


def _old(change: ValueChange) -> dict[str, str]:
    return {} if change.old is None else {"old": change.old}


def _scope(change: ValueChange) -> dict[str, str]:
    return {"scope": change.scope} if change.scope else {}


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
