"""A counterexample as a timeline: steps in their lanes, each with what it changed and what was there before."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pincer.errors import Position
from pincer.report.finding import Finding, TraceRow

SourceLine = Callable[[Position], str | None]

MOST_STEPS = 2_000


@dataclass
class _Timeline:
    """Steps under construction; a variable's value is known from the step before that changed it.

    Threads have variables of the same name: what another lane has changed says nothing."""

    lanes: list[str] = field(default_factory=list)
    steps: list[dict[str, Any]] = field(default_factory=list)
    _values: dict[str, tuple[str, str]] = field(default_factory=dict)

    def add(self, lane: str, line: int | None, text: str, changes: Iterable[tuple[str, str]], note: str = "") -> None:
        if lane not in self.lanes:
            self.lanes.append(lane)
        step: dict[str, Any] = {"lane": self.lanes.index(lane), "text": text, "changes": self._changed(lane, changes)}
        step |= {name: value for name, value in (("line", line), ("note", note)) if value}
        self.steps.append(step)

    def _changed(self, lane: str, changes: Iterable[tuple[str, str]]) -> list[dict[str, str]]:
        found = []
        for name, value in changes:
            by, old = self._values.get(name, ("", ""))
            self._values[name] = lane, value
            found.append({"name": name, "old": old, "value": value} if by == lane else {"name": name, "value": value})
        return found

    def to_json(self) -> dict[str, Any]:
        return {"lanes": self.lanes, "steps": _elided(self.steps)}


def _elided(steps: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The steps, the middle of very many replaced by one that says so."""
    if len(steps) <= MOST_STEPS:
        return list(steps)
    half = MOST_STEPS // 2
    gap = {"lane": 0, "text": f"({len(steps) - 2 * half} steps left out)", "changes": []}
    return [*steps[:half], gap, *steps[-half:]]


def timeline(finding: Finding, source_line: SourceLine) -> dict[str, Any] | None:
    """The counterexample of a finding, None if it has none; `source_line` gives the program's text at a position."""
    if finding.verdict != "unsafe":
        return None
    if finding.rows:
        return _of_rows(finding.rows)
    match finding.trace:
        case {"format": "pincer-c-test-1"}:
            return _of_test(finding.trace, source_line)
        case {"format": "pincer-threaded-test-1"}:
            return _of_schedule(finding.trace, source_line)
        case {"format": "pincer-msvl-counterexample-1"}:
            return _of_states(finding.trace)
    return None


def _of_rows(rows: Sequence[TraceRow]) -> dict[str, Any]:
    made = _Timeline(lanes=list(dict.fromkeys(row.process for row in rows if row.process)))
    only = "run" if len(made.lanes) < 2 else ""
    if only:
        made.lanes = [only]
    for row in rows:
        lane = only or row.process or made.lanes[0]
        made.add(lane, row.line, row.transition or "initial state", row.changes)
    return made.to_json()


def _line_of(place: str) -> int | None:
    digits = place.rpartition(":")[2]
    return int(digits) if digits.isdigit() else None


def _of_test(data: Mapping[str, Any], source_line: SourceLine) -> dict[str, Any]:
    from pincer.evidence.c.trace import from_json
    from pincer.report.code_rows import code_rows

    test = from_json({**data})
    made = _Timeline()
    for row in code_rows(test, source_line, verbose=True):
        made.add(test.entry, _line_of(row.place), row.text, row.changes, row.note)
    return made.to_json()


def _of_schedule(data: Mapping[str, Any], source_line: SourceLine) -> dict[str, Any]:
    from pincer.evidence.threads.lanes import lane_rows
    from pincer.evidence.threads.trace import from_json

    test = from_json({**data})
    rows = lane_rows(test, source_line)
    names = [f"thread {number}" if number else test.entry for number in range(1 + max(row.thread for row in rows))]
    made = _Timeline(lanes=names)
    for row in rows:
        read = [f"reads {name} ({value})" for name, value in row.reads] if not row.changes else []
        note = "; ".join([*read, *([row.note] if row.note else [])])
        made.add(names[row.thread], _line_of(row.place), row.text, row.changes, note)
    return made.to_json()


def _of_states(data: Mapping[str, Any]) -> dict[str, Any]:
    """The states of a temporal counterexample, only what changed; a lasso goes back from its last state."""
    made = _Timeline()
    before: dict[str, str] = {}
    for number, state in enumerate(data["states"]):
        values: dict[str, str] = state["values"]
        changes = [(name, value) for name, value in values.items() if before.get(name) != value]
        notes = [f"holds: {', '.join(state['holds'])}"] if state["holds"] else []
        if number == data["violating_state"]:
            notes.append("the property is violated for good")
        made.add("run", None, f"state s{number}", changes, "; ".join(notes))
        before = values
    start = data["lasso_start"]
    if start is None:
        return made.to_json()
    for step in made.steps[start:]:
        step["loop"] = True
    return {**made.to_json(), **({"loop_from": start} if len(made.steps) <= MOST_STEPS else {})}
