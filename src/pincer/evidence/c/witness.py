"""SV-COMP witnesses, format 2.0: violation sequences and invariant sets as YAML; runs without an end in format 2.1.

A waypoint or an invariant that cannot be stated in the user's own text, at a place and with names a validator will
find there, is left out: a witness with fewer entries is weaker, one with wrong entries is rejected.
"""

from __future__ import annotations

import hashlib
import re
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, TypeAlias

import yaml
from msgspec import Struct, field

from pincer.errors import PincerError, Position
from pincer.evidence.c.locations import Locator, Place
from pincer.evidence.c.rounds import Round, WatchedRounds
from pincer.evidence.c.trace import CStep, CTest, InputValue, input_literal
from pincer.evidence.c.witness_check import CYCLES_SINCE, FORMAT_VERSION, expression_problem, problems
from pincer.program.property import DataModel
from pincer.runtime.files import content_of

InvariantType: TypeAlias = Literal["loop_invariant", "location_invariant", "loop_transition_invariant"]

LOOKAHEAD = 100
_VALUE = re.compile(r"-?[0-9]+|[A-Za-z_]\w*")
"""What can stand in an expression: numbers, and names such as those of enumerators."""


class Metadata(Struct, frozen=True):
    """What a witness says about its origin. `file` is the program's name as the task gives it, and the file that the
    witness speaks about; `others` are the hashes of the program's further files."""

    file: str
    text: str
    sha256: str
    specification: str
    data_model: DataModel
    producer: str
    version: str
    command_line: str = ""
    identifier: str = field(default_factory=lambda: str(uuid.uuid4()))
    created: datetime = field(default_factory=lambda: datetime.now(UTC))
    others: Mapping[str, str] = {}

    @classmethod
    def of(cls, source: Path, specification: str, data_model: DataModel, version: str, command_line: str) -> Metadata:
        """Metadata of a program on disk, for a witness that a version of Pincer writes."""
        content = content_of(source)
        digest = hashlib.sha256(content).hexdigest()
        text = content.decode("utf-8", "replace")
        return cls(str(source), text, digest, specification, data_model, "Pincer", version, command_line)


class SourceInvariant(Struct, frozen=True):
    """A side-effect-free C expression that holds whenever control is at a position.

    A loop invariant is placed at the keyword of its loop.
    """

    position: Position
    value: str
    type: InvariantType = "location_invariant"


def violation_witness(test: CTest, metadata: Metadata) -> str:
    """The execution of a test as a sequence of waypoints, the target last."""
    builder = _Waypoints(Locator(metadata.text, metadata.file), metadata.file)
    content = [{"segment": [{"waypoint": waypoint}]} for waypoint in builder.sequence(test)]
    return _checked("violation_sequence", content, metadata)


def endless_witness(test: CTest, loop_from: int, rounds: WatchedRounds, metadata: Metadata) -> str:
    """A run without an end: its beginning is followed, and then the loop that it never leaves is passed for ever."""
    builder = _Waypoints(Locator(metadata.text, metadata.file), metadata.file, "ext_c_expression")
    cycle = builder.cycle(rounds)
    if cycle is None:
        raise PincerError("no witness is written: it is not one loop of the file that is passed for ever")
    waypoints = (*builder.passed(test.steps[:loop_from], test.inputs), cycle)
    content = [{"segment": [{"waypoint": waypoint}]} for waypoint in waypoints]
    return _checked("violation_sequence", content, metadata, CYCLES_SINCE)


def ranking_witness(entries: Sequence[SourceInvariant], metadata: Metadata) -> str:
    """Why all loops end, by what has become smaller since each earlier visit; all of that must be said."""
    locator = Locator(metadata.text, metadata.file)
    content = []
    for entry in entries:
        index = locator.token_at(entry.position)
        place = None if index is None else locator.place(index)
        if place is None or place.function is None:
            raise PincerError("no witness is written: a loop of the proof is not in the file")
        problem = expression_problem(entry.value, locator, place)
        if problem is not None:
            raise PincerError(f"no witness is written: {problem}")
        location = _location(metadata.file, place)
        invariant = {"type": entry.type, "location": location, "value": entry.value, "format": "ext_c_expression"}
        content.append({"invariant": invariant})
    return _checked("invariant_set", content, metadata, CYCLES_SINCE)


def invariant_witness(entries: Iterable[SourceInvariant], metadata: Metadata) -> str:
    """The invariants of a proof; those that the program's own names cannot express are left out."""
    locator = Locator(metadata.text, metadata.file)
    content = []
    for entry in entries:
        index = locator.token_at(entry.position)
        place = None if index is None else locator.place(index)
        if place is None or place.function is None or expression_problem(entry.value, locator, place):
            continue
        location = _location(metadata.file, place)
        invariant = {"type": entry.type, "location": location, "value": entry.value, "format": "c_expression"}
        content.append({"invariant": invariant})
    return _checked("invariant_set", content, metadata)


def _checked(entry_type: str, content: Sequence[Any], metadata: Metadata, version: str = FORMAT_VERSION) -> str:
    entry = _entry(entry_type, content, metadata, version)
    text = yaml.safe_dump([entry], sort_keys=False, width=1000, allow_unicode=True)
    found = problems(text, metadata.text)
    if found:
        raise PincerError(f"no witness can be written for {metadata.file}: {found[0]}")
    return text


def _entry(entry_type: str, content: Sequence[Any], metadata: Metadata, version: str) -> dict[str, Any]:
    producer = {"name": metadata.producer, "version": metadata.version}
    if metadata.command_line:
        producer["command_line"] = metadata.command_line
    return {
        "entry_type": entry_type,
        "metadata": {
            "format_version": version,
            "uuid": metadata.identifier,
            "creation_time": metadata.created.isoformat(timespec="seconds"),
            "producer": producer,
            "task": {
                "input_files": [metadata.file, *metadata.others],
                "input_file_hashes": {metadata.file: metadata.sha256, **metadata.others},
                "specification": metadata.specification,
                "data_model": metadata.data_model,
                "language": "C",
            },
        },
        "content": list(content),
    }


def _location(file: str, place: Place) -> dict[str, Any]:
    location: dict[str, Any] = {"file_name": file, "line": place.line, "column": place.column}
    return location if place.function is None else {**location, "function": place.function}


class _Waypoints(Struct, frozen=True):
    """Turns the steps of a test into waypoints over one source text."""

    locator: Locator
    file: str
    of_results: str = "acsl_expression"

    def sequence(self, test: CTest) -> Iterator[dict[str, Any]]:
        yield from self.passed(test.steps, test.inputs)
        yield self._target(test)

    def passed(self, steps: Sequence[CStep], inputs: Sequence[InputValue]) -> Iterator[dict[str, Any]]:
        """What some steps pass, in their order."""
        stack: list[str] = []
        received = 0
        for number, step in enumerate(steps):
            following = steps[number + 1 : number + 1 + LOOKAHEAD]
            yield from self._inputs(inputs[received : received + step.inputs], step, following)
            received += step.inputs
            if step.branch is not None:
                yield from self._branching(step, following)
            yield from self._call(step, following, stack)

    def cycle(self, rounds: WatchedRounds) -> dict[str, Any] | None:
        """What is passed again and again: the statement with which the outermost loop of a run begins its rounds, or
        else its decision to go on."""
        found = self._outermost(rounds)
        if found is None:
            return None
        loop, keyword = found
        source = self.locator.source
        closing = source.partners.get(keyword + 1, keyword)
        first = closing + 2 if source.text(closing + 1) == "{" else closing + 1
        place = self.locator.place(first) if first < len(source.tokens) else None
        stands = len(rounds.loops) == 1 and place is not None and source.text(first) not in (";", "}", "{")
        if stands and place is not None and expression_problem(loop.condition, self.locator, place) is None:
            return {**self._waypoint("assumption", first, loop.condition), "action": "cycle"}
        if source.text(closing - 1) == ";" and source.text(keyword) == "for":
            return None
        return {**self._waypoint("branching", keyword, "true"), "action": "cycle"}

    def _outermost(self, rounds: WatchedRounds) -> tuple[Round, int] | None:
        """The loop around all others of its function, and its keyword."""
        known = [(loop, self.locator.keyword(loop.position)) for loop in rounds.loops if loop.place == "head"]
        loops = [(loop, index) for loop, index in known if index is not None and self._is_loop(index)]
        if not loops or len(loops) < len(rounds.loops):
            return None
        functions = {self.locator.place(index).function for _, index in loops}
        return min(loops, key=lambda found: found[1]) if len(functions) == 1 else None

    def _is_loop(self, index: int) -> bool:
        return self.locator.source.text(index) in ("while", "for")

    def _waypoint(self, type_: str, index: int, value: str | None = None, form: str = "c_expression") -> dict[str, Any]:
        waypoint: dict[str, Any] = {"type": type_, "action": "follow"}
        waypoint["location"] = _location(self.file, self.locator.place(index))
        if value is not None:
            waypoint["constraint"] = {"value": value} if type_ == "branching" else {"value": value, "format": form}
        return waypoint

    def _branching(self, step: CStep, following: Sequence[CStep]) -> Iterator[dict[str, Any]]:
        """One waypoint for a decision, whose parts (`&&`, `||`) are steps at the same place: the last one decides."""
        if following and following[0].branch is not None and following[0].position == step.position:
            return
        index = self.locator.keyword(step.position)
        if index is not None and self.locator.source.text(index) != "switch":
            yield self._waypoint("branching", index, "true" if step.branch else "false")

    def _inputs(
        self, values: Sequence[InputValue], step: CStep, following: Sequence[CStep]
    ) -> Iterator[dict[str, Any]]:
        """The inputs of a step: as values of variables before the next statement, or as results of the calls."""
        fact = self._assumption(step, following) if values else None
        if fact is not None:
            yield fact
            return
        for value in values:
            end = self.locator.call_end(value.name, value.position)
            if end is not None and value.is_returned and not value.floating:
                yield self._waypoint("function_return", end, f"\\result == {input_literal(value)}", self.of_results)

    def _assumption(self, step: CStep, following: Sequence[CStep]) -> dict[str, Any] | None:
        """What the input's line changed, stated at the start of the statement executed next."""
        changes = list(step.changes)
        if step.branch is not None:
            return None
        for later in following:
            if _same_line(later.position, step.position):
                if later.branch is not None or later.inputs or later.procedure != step.procedure:
                    return None
                changes += later.changes
            else:
                index = self.locator.statement(later.position) if later.procedure == step.procedure else None
                return None if index is None else self._fact(changes, index)
        return None

    def _fact(self, changes: Sequence[tuple[str, str]], index: int) -> dict[str, Any] | None:
        # Characters are told beside their numbers.
        latest = {name: value.partition(" '")[0] for name, value in changes}
        equalities = [f"{name} == {value}" for name, value in latest.items() if _VALUE.fullmatch(value)]
        place = self.locator.place(index)
        stated = [text for text in equalities if expression_problem(text, self.locator, place) is None]
        return self._waypoint("assumption", index, " && ".join(stated)) if stated else None

    def _call(self, step: CStep, following: Sequence[CStep], stack: list[str]) -> Iterator[dict[str, Any]]:
        """The entry of a function that is not active yet. Of recursion nothing is said: a return looks the same."""
        if step.procedure in stack:
            del stack[stack.index(step.procedure) + 1 :]
        else:
            stack.append(step.procedure)
        callee = following[0].procedure if following else step.procedure
        if callee not in stack:
            end = self.locator.call_end(callee, step.position)
            if end is not None:
                yield self._waypoint("function_enter", end)

    def _target(self, test: CTest) -> dict[str, Any]:
        position = test.failure.position
        index = self.locator.statement(position)
        if index is None:
            index = next(iter(self.locator.on_line(position)), None)
        if index is None:
            raise PincerError("no witness can be written: the violation is not in the program's own file", position)
        return self._waypoint("target", index)


def _same_line(one: Position, other: Position) -> bool:
    return one.file == other.file and one.line == other.line
