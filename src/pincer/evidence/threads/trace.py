"""A violation of a threaded program as data: inputs, what each thread did, and the order that makes it go wrong.

Threads are numbered in the order of their creation; 0 runs the entry function.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal, TypeAlias, TypeVar, get_args

from pincer.errors import PincerError, Position
from pincer.evidence.c.trace import InputKind, InputValue
from pincer.program.property import DataModel

FORMAT = "pincer-threaded-test-1"

Kind: TypeAlias = Literal["assertion", "deadlock", "race", "memory"]
Action: TypeAlias = Literal["read", "write", "call", "end"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Point:
    """One step that other threads may notice, where the schedule may pass from thread to thread.

    `name` is the object that is read or written, or the function that is called; `object` is what the call is about (a
    mutex, a semaphore). A call with two steps (waiting for a condition, at a barrier) has two points. An atomic section
    is one point, the call `__VERIFIER_atomic_begin`. `pick` chooses whom a signal wakes: the number in the order of
    waiting.
    """

    thread: int
    action: Action
    name: str
    position: Position
    object: str = ""
    pick: int = 0

    def __str__(self) -> str:
        if self.action == "end":
            return "ends"
        if self.action == "call":
            return f"calls {self.name}({self.object})"
        return f"{self.action}s {self.name}" if self.name else f"{self.action}s memory"


@dataclass(frozen=True, slots=True)
class ThreadInput:
    """An input value and the thread that received it."""

    thread: int
    value: InputValue


@dataclass(frozen=True, slots=True)
class ThreadStep:
    """Something a thread did, for readers and witnesses; `changes` are variables with their new values as text, `reads`
    those that it shares with others and looked at.

    `branch` is the side a decision took, `creates` the number of the thread that begins here, `inputs` how many of the
    thread's inputs this step receives, in their order.
    """

    thread: int
    position: Position
    procedure: str
    text: str
    changes: tuple[tuple[str, str], ...] = ()
    branch: bool | None = None
    creates: int | None = None
    inputs: int = 0
    reads: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class ThreadedFailure:
    """How the execution goes wrong. `stops` is where threads stand at the end: the two accesses of a race, the calls in
    which threads wait for each other, or the thread of a failing assertion."""

    position: Position
    message: str
    stops: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Target:
    """A line that `count` threads are to be at, at the same time as others are at the other targets."""

    position: Position
    count: int


@dataclass(frozen=True, slots=True)
class ThreadedTest:
    """An execution that violates `property`. `points` are in the order they happen over all threads; inputs are in
    order for each thread."""

    file: str
    property: str
    kind: Kind
    data_model: DataModel
    entry: str
    inputs: tuple[ThreadInput, ...]
    steps: tuple[ThreadStep, ...]
    points: tuple[Point, ...]
    failure: ThreadedFailure
    targets: tuple[Target, ...] = ()


def to_json(test: ThreadedTest) -> dict[str, Any]:
    """The test as plain data; `from_json` is the inverse."""
    return {
        "format": FORMAT,
        "file": test.file,
        "property": test.property,
        "kind": test.kind,
        "data_model": test.data_model,
        "entry": test.entry,
        "inputs": [{"thread": item.thread} | _plain(item.value) for item in test.inputs],
        "steps": [_plain(step) for step in test.steps],
        "points": [_plain(point) for point in test.points],
        "failure": {
            "position": _place(test.failure.position),
            "message": test.failure.message,
            "stops": [_plain(stop) for stop in test.failure.stops],
        },
        "targets": [_plain(target) for target in test.targets],
    }


def _plain(item: Point | ThreadStep | InputValue | Target) -> dict[str, Any]:
    data = asdict(item) | {"position": _place(item.position)}
    if isinstance(item, ThreadStep):
        data["changes"] = [list(change) for change in item.changes]
        data["reads"] = [list(read) for read in item.reads]
    return data


def _place(position: Position) -> list[Any]:
    return [position.file, position.line, position.column]


def from_json(data: Any) -> ThreadedTest:
    """A test from plain data; anything malformed is a `PincerError` that names the field."""
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise PincerError(f'not a threaded test: the field "format" must be "{FORMAT}"')
    failure = _field(data, "failure", dict)
    test = ThreadedTest(
        file=_field(data, "file", str),
        property=_field(data, "property", str),
        kind=_choice(data, "kind", get_args(Kind)),
        data_model=_choice(data, "data_model", get_args(DataModel)),
        entry=_field(data, "entry", str),
        inputs=_rows(data, "inputs", _input),
        steps=_rows(data, "steps", _step),
        points=_rows(data, "points", _point),
        failure=ThreadedFailure(
            _position(failure), _field(failure, "message", str), _rows(failure, "stops", _point)
        ),
        targets=_rows(data, "targets", _target) if "targets" in data else (),
    )  # fmt: skip
    if test.kind == "race" and len(test.failure.stops) != 2:
        raise _malformed("a race must have two stops")
    return test


def _malformed(what: str) -> PincerError:
    return PincerError(f"malformed threaded test: {what}")


def _field(data: Mapping[str, Any], name: str, type_: type[T]) -> T:
    value = data.get(name)
    if not isinstance(value, type_) or (type_ is int and isinstance(value, bool)):
        raise _malformed(f'the field "{name}" is missing or is no {_TYPE_NAMES[type_]}')
    return value


_TYPE_NAMES: Mapping[type, str] = {str: "text", int: "whole number", dict: "object", list: "list"}


def _natural(data: Mapping[str, Any], name: str) -> int:
    value = _field(data, name, int)
    if value < 0:
        raise _malformed(f'the field "{name}" must not be negative')
    return value


def _choice(data: Mapping[str, Any], name: str, choices: tuple[str, ...]) -> Any:
    value = data.get(name)
    if value not in choices:
        raise _malformed(f'the field "{name}" must be one of {", ".join(choices)}')
    return value


def _rows(data: Mapping[str, Any], name: str, read: Callable[[Mapping[str, Any]], T]) -> tuple[T, ...]:
    rows = _field(data, name, list)
    if not all(isinstance(row, dict) for row in rows):
        raise _malformed(f'every entry of "{name}" must be an object')
    return tuple(read(row) for row in rows)


def _position(data: Mapping[str, Any]) -> Position:
    match data.get("position"):
        case [str(file), int(line), int(column)]:
            return Position(file, line, column)
        case _:
            raise _malformed('a "position" must be [file, line, column]')


def _point(data: Mapping[str, Any]) -> Point:
    return Point(
        _natural(data, "thread"),
        _choice(data, "action", get_args(Action)),
        _field(data, "name", str),
        _position(data),
        _field(data, "object", str),
        _natural(data, "pick"),
    )


def _target(data: Mapping[str, Any]) -> Target:
    return Target(_position(data), _natural(data, "count"))


def _input(data: Mapping[str, Any]) -> ThreadInput:
    width, value = _field(data, "width", int), _field(data, "value", int)
    if width < 1 or not 0 <= value < 1 << width:
        raise _malformed(f"{value} is no unsigned value of {width} bits")
    kind = _choice(data, "kind", get_args(InputKind))
    source, signed = _field(data, "source", str), data.get("signed") is True
    return ThreadInput(_natural(data, "thread"), InputValue(source, kind, width, value, _position(data), signed))


def _step(data: Mapping[str, Any]) -> ThreadStep:
    branch, creates = data.get("branch"), data.get("creates")
    if branch is not None and not isinstance(branch, bool):
        raise _malformed('the field "branch" must be true, false or null')
    return ThreadStep(
        _natural(data, "thread"),
        _position(data),
        _field(data, "procedure", str),
        _field(data, "text", str),
        _pairs(data, "changes"),
        branch,
        None if creates is None else _natural(data, "creates"),
        _natural(data, "inputs"),
        _pairs(data, "reads"),
    )


def _pairs(data: Mapping[str, Any], name: str) -> tuple[tuple[str, str], ...]:
    found = []
    for entry in _field(data, name, list):
        match entry:
            case [str(variable), str(value)]:
                found.append((variable, value))
            case _:
                raise _malformed(f'an entry of "{name}" must be [variable, value], both text')
    return tuple(found)
