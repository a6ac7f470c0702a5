"""SV-COMP witnesses, format 2.2: violation sequences whose waypoints name their thread.

Thread 0 is the first; thread k is the one that the k-th creating call begins, so each of those calls has a waypoint. A
data race ends with two targets in one segment.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

import yaml

from pincer.errors import PincerError, Position
from pincer.evidence.c.locations import Locator
from pincer.evidence.c.trace import InputValue, input_literal
from pincer.evidence.c.witness import Metadata, invariant_witness
from pincer.evidence.c.witness_check import problems
from pincer.evidence.threads.trace import ThreadedTest, ThreadStep

FORMAT_VERSION = "2.2"

Waypoint: TypeAlias = dict[str, Any]


def threaded_witness(test: ThreadedTest, metadata: Metadata) -> str:
    """The execution of a test as a sequence of waypoints; it is checked against the program before it is returned."""
    locator = Locator(metadata.text, metadata.file)
    segments = [[waypoint] for waypoint in _ThreadedWaypoints(test, locator, metadata.file).sequence()]
    segments.append(_targets(test, locator, metadata.file))
    for only in range(len(segments[-1])):
        found = problems(_text(_sequential(segments, only), metadata, None), metadata.text)
        if found:
            raise PincerError(f"no witness can be written for {metadata.file}: {found[0]}")
    return _text(segments, metadata, FORMAT_VERSION)


def _text(segments: Sequence[Sequence[Waypoint]], metadata: Metadata, version: str | None) -> str:
    """The witness; its head is that of any other about the same program."""
    entry = yaml.safe_load(invariant_witness((), metadata))[0]
    entry["entry_type"] = "violation_sequence"
    if version is not None:
        entry["metadata"]["format_version"] = version
    entry["content"] = [{"segment": [{"waypoint": waypoint} for waypoint in segment]} for segment in segments]
    return yaml.safe_dump([entry], sort_keys=False, width=1000, allow_unicode=True)


def _sequential(segments: Sequence[Sequence[Waypoint]], only: int) -> list[list[Waypoint]]:
    """The same waypoints as the format without threads has them, with one of the targets."""
    kept = [*segments[:-1], [segments[-1][only]]]
    return [
        [{key: value for key, value in waypoint.items() if key != "thread_id"} for waypoint in segment]
        for segment in kept
    ]


def _waypoint(locator: Locator, file: str, type_: str, thread: int, index: int) -> Waypoint:
    place = locator.place(index)
    location: dict[str, Any] = {"file_name": file, "line": place.line, "column": place.column}
    if place.function is not None:
        location["function"] = place.function
    return {"type": type_, "action": "follow", "thread_id": thread, "location": location}


def _targets(test: ThreadedTest, locator: Locator, file: str) -> list[Waypoint]:
    stops = test.failure.stops if test.kind == "race" else test.failure.stops[:1]
    places = [(stop.thread, stop.position) for stop in stops]
    if not places:
        places = [(test.points[-1].thread if test.points else 0, test.failure.position)]
    return [_target(locator, file, thread, position) for thread, position in places]


def _target(locator: Locator, file: str, thread: int, position: Position) -> Waypoint:
    index = locator.statement(position)
    if index is None:
        index = next(iter(locator.on_line(position)), None)
    if index is None:
        raise PincerError("no witness can be written: the violation is not in the program's own file", position)
    return _waypoint(locator, file, "target", thread, index)


class _ThreadedWaypoints:
    """Turns the steps of a test into waypoints over one source text."""

    def __init__(self, test: ThreadedTest, locator: Locator, file: str) -> None:
        self._test = test
        self._locator = locator
        self._file = file
        self._left: dict[int, list[InputValue]] = {}
        for item in test.inputs:
            self._left.setdefault(item.thread, []).append(item)

    def sequence(self) -> Iterator[Waypoint]:
        running = 0
        stands: dict[int, int | None] = {}
        steps = self._test.steps
        for number, step in enumerate(steps):
            following = next((later for later in steps[number + 1 :] if later.thread == step.thread), None)
            found = list(self._said(step, following))
            statement = self._locator.statement(step.position)
            if step.thread != running and not found and statement is not None and statement != stands.get(step.thread):
                found = [self._passes(step, statement)]
            running, stands[step.thread] = step.thread, statement
            yield from found

    def _said(self, step: ThreadStep, following: ThreadStep | None) -> Iterator[Waypoint]:
        yield from self._inputs(step)
        if step.creates is not None:
            end = self._locator.call_end(step.text, step.position)
            if end is None:
                message = f"no witness can be written: the call that creates thread {step.creates} is not found"
                raise PincerError(message, step.position)
            yield self._make("function_enter", step, end)
        if step.branch is not None and not _is_part(step, following):
            index = self._locator.keyword(step.position)
            if index is not None and self._locator.source.text(index) != "switch":
                yield self._make("branching", step, index, {"value": "true" if step.branch else "false"})

    def _inputs(self, step: ThreadStep) -> Iterator[Waypoint]:
        left = self._left.get(step.thread, [])
        values, self._left[step.thread] = left[: step.inputs], left[step.inputs :]
        for value in values:
            end = self._locator.call_end(value.name, value.position)
            if end is not None and value.is_returned and not value.floating:
                constraint = {"value": f"\\result == {input_literal(value)}", "format": "acsl_expression"}
                yield self._make("function_return", step, end, constraint)

    def _passes(self, step: ThreadStep, index: int) -> Waypoint:
        """A waypoint that says no more than that this thread begins this statement now: the schedule passes to it."""
        return self._make("assumption", step, index, {"value": "1", "format": "c_expression"})

    def _make(self, type_: str, step: ThreadStep, index: int, constraint: Any = None) -> Waypoint:
        made = _waypoint(self._locator, self._file, type_, step.thread, index)
        return made if constraint is None else {**made, "constraint": constraint}


def _is_part(step: ThreadStep, following: ThreadStep | None) -> bool:
    """Whether a decision goes on: its parts (`&&`, `||`) are steps at the same place, and the last one decides."""
    return following is not None and following.branch is not None and following.position == step.position
