"""A counterexample as typed steps, the same for every engine: lanes, places in the source, what changed.

It is made from a finding alone, whose trace is plain data: tests of C programs (with threads or without), runs of
guarded commands, and runs of MSVL programs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pincer.errors import Position

if TYPE_CHECKING:
    from pincer.evidence.c.trace import CTest
    from pincer.evidence.msvl.counterexample import Counterexample
    from pincer.evidence.threads.trace import Point, ThreadedTest, ThreadStep
    from pincer.report.finding import Finding

_STOPS = {"race": "stands before this: it", "deadlock": "waits for ever: it"}


@dataclass(frozen=True, slots=True)
class Change:
    """A variable with its value after a step; `old` is the one before, None where it is not known."""

    name: str
    value: str
    old: str | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """`lane` is the thread it belongs to, `text` what is done, `note` what else there is to say.

    A place is a file, mostly with a line, sometimes with a column.
    """

    file: str
    line: int | None = None
    column: int | None = None
    lane: int = 0
    text: str = ""
    changes: tuple[Change, ...] = ()
    note: str = ""

    def __str__(self) -> str:
        """What happens, in one line."""
        changes = ", ".join(f"{change.name} = {change.value}" for change in self.changes)
        return "; ".join(part for part in (self.text, changes, self.note) if part)


@dataclass(frozen=True, slots=True)
class Violation:
    """The execution from its start to what goes wrong.

    `failure` is the place of the violation, `related` are the places where other threads stand by then. The run of a
    lasso goes from its last step back to step `loop_from`, for ever.
    """

    lanes: tuple[str, ...]
    steps: tuple[Step, ...]
    failure: Step
    related: tuple[Step, ...] = ()
    loop_from: int | None = None


@dataclass
class _Values:
    """What variables had before: by lane, since threads have variables of the same name."""

    known: dict[tuple[int, str], str] = field(default_factory=dict)

    def changes(self, lane: int, pairs: Iterable[tuple[str, str]]) -> tuple[Change, ...]:
        found = []
        for name, value in pairs:
            found.append(Change(name, value, self.known.get((lane, name))))
            self.known[lane, name] = value
        return tuple(found)


def violation_of(finding: Finding, file: str) -> Violation | None:
    """The counterexample of a finding about `file`; None where there is none."""
    if finding.verdict != "unsafe":
        return None
    if isinstance(finding.trace, Mapping):
        return _from_data(finding.trace, file)
    return _from_rows(finding, file) if finding.rows else None


def _from_data(trace: Mapping[str, Any], file: str) -> Violation | None:
    """The violation in a trace that names its format."""
    from pincer.evidence.c import trace as c
    from pincer.evidence.msvl import counterexample as msvl
    from pincer.evidence.threads import trace as threads

    match trace.get("format"):
        case c.FORMAT:
            return _from_test(c.from_json(trace))
        case threads.FORMAT:
            return _from_schedule(threads.from_json(trace))
        case msvl.FORMAT:
            return _from_states(msvl.from_json(trace), file)
    return None


def _from_rows(finding: Finding, file: str) -> Violation:
    """The run of a program of guarded commands; its step 0 is the initial state."""
    values = _Values()
    steps = tuple(
        Step(
            file,
            row.line,
            text=row.transition or "initial state",
            changes=values.changes(0, row.changes),
            note=f"process {row.process}" if row.process else "",
        )
        for row in finding.rows
    )
    return Violation(("run",), steps, steps[-1])


def _from_test(test: CTest) -> Violation:
    """The execution of a C program."""
    values = _Values()
    steps = tuple(
        _step(step.position, 0, step.text or f"in {step.procedure}", values.changes(0, step.changes), step.branch)
        for step in test.steps
    )
    failure = _step(test.failure.position, 0, test.failure.message)
    return Violation((test.entry,), (*steps, failure), failure)


def _from_schedule(test: ThreadedTest) -> Violation:
    """The execution of a program with threads; at its end every thread that matters has a step more."""
    stops = test.failure.stops
    threads = sorted({0, *(step.thread for step in test.steps), *(stop.thread for stop in stops)})
    lane = {thread: number for number, thread in enumerate(threads)}
    values = _Values()
    steps = tuple(
        _step(
            step.position,
            lane[step.thread],
            _thread_text(step),
            values.changes(step.thread, step.changes),
            step.branch,
        )
        for step in test.steps
    )
    ends = tuple(_step(stop.position, lane[stop.thread], _stop_text(test, stop)) for stop in stops)
    failing = lane[stops[0].thread] if stops else 0
    return Violation(
        tuple(f"thread {thread}" if thread else test.entry for thread in threads),
        steps + ends,
        _step(test.failure.position, failing, test.failure.message),
        tuple(end for end, stop in zip(ends, stops, strict=True) if stop.position != test.failure.position),
    )


def _thread_text(step: ThreadStep) -> str:
    parts = [step.text] if step.text else []
    if step.creates is not None:
        parts.append(f"thread {step.creates} begins")
    parts += [f"reads {name} ({value})" for name, value in step.reads]
    return ", ".join(parts) or f"in {step.procedure}"


def _stop_text(test: ThreadedTest, stop: Point) -> str:
    if not stop.name:
        return test.failure.message
    return f"{_STOPS.get(test.kind, 'goes wrong here: it')} {stop}"


def _from_states(found: Counterexample, file: str) -> Violation:
    """The states of an MSVL program, which belong to no line."""
    values = _Values()
    steps = []
    for number, state in enumerate(found.states):
        changed = [pair for pair in state.values if values.known.get((0, pair[0])) != pair[1]]
        note = f"holds: {', '.join(state.holds)}" if state.holds else ""
        steps.append(Step(file, text=f"state s{number}", changes=values.changes(0, changed), note=note))
    at = len(steps) - 1 if found.violating_state is None else found.violating_state
    return Violation(("run",), tuple(steps), steps[at], loop_from=found.lasso_start)


def _step(
    place: Position, lane: int, text: str, changes: tuple[Change, ...] = (), branch: bool | None = None
) -> Step:  # fmt: skip
    note = "" if branch is None else f"the condition is {str(branch).lower()}"
    return Step(place.file, max(place.line, 1), max(place.column, 1), lane, text, changes, note)
