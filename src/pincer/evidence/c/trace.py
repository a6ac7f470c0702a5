"""A violation of a C program as data: the inputs that lead to it and the steps between, with source positions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, TypeVar, get_args

from pincer.errors import PincerError, Position
from pincer.program.property import DataModel, PropertyKind

FORMAT = "pincer-c-test-1"

InputKind: TypeAlias = Literal["nondet", "undefined", "external", "argument"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class InputValue:
    """One value the program received, as unsigned bits of `width`.

    `source` says from where: the function's name ("__VERIFIER_nondet_int"), "external f", "number read by f" for one
    that f stores, "uninitialised variable x", or "argument EXPR" with an lvalue over the entry function's parameters.
    `position` is that of the call, or of the declaration of the variable. People read the value of a `signed` one as
    two's complement.
    """

    source: str
    kind: InputKind
    width: int
    value: int
    position: Position
    signed: bool = False

    @property
    def name(self) -> str:
        """The function, the variable, or the argument's expression, without the words before it."""
        if self.kind == "argument":
            return self.source.removeprefix("argument ").strip()
        words = self.source.split()
        return words[-1] if words else ""

    @property
    def is_returned(self) -> bool:
        """Whether a function returns the value; others are stored by one, or are there without a call."""
        return self.kind in ("nondet", "external") and self.source in (self.name, f"external {self.name}")

    @property
    def signed_value(self) -> int:
        """The value read as two's complement."""
        return self.value - (1 << self.width) if self.value >> (self.width - 1) & 1 else self.value


InputVector: TypeAlias = tuple[InputValue, ...]
"""The inputs of one test, in the order they are consumed."""


@dataclass(frozen=True, slots=True)
class CStep:
    """One statement or decision of the execution. `changes` are variables with their new values as text.

    `branch` is the side a decision took; the position is then that of its `if`, `while`, `for`, `do` or `switch`.
    `inputs` says how many of the test's inputs, in their order, this step receives, `depth` how many calls are active:
    what a call returns is received in the caller.
    """

    position: Position
    procedure: str
    text: str
    changes: tuple[tuple[str, str], ...] = ()
    branch: bool | None = None
    inputs: int = 0
    depth: int = 0


@dataclass(frozen=True, slots=True)
class Failure:
    """Where the execution goes wrong, and how."""

    position: Position
    message: str
    depth: int = 0


@dataclass(frozen=True, slots=True)
class CTest:
    """An execution of `entry` in `file` that violates `property`; inputs and steps in the order they happen."""

    file: str
    property: str
    kind: PropertyKind
    inputs: tuple[InputValue, ...]
    steps: tuple[CStep, ...]
    failure: Failure
    data_model: DataModel
    entry: str


def to_json(test: CTest) -> dict[str, Any]:
    """The test as plain data; `from_json` is the inverse."""
    return {
        "format": FORMAT,
        "file": test.file,
        "property": test.property,
        "kind": test.kind,
        "data_model": test.data_model,
        "entry": test.entry,
        "inputs": [_input_to_json(value) for value in test.inputs],
        "steps": [_step_to_json(step) for step in test.steps],
        "failure": {
            "position": _position_to_json(test.failure.position),
            "message": test.failure.message,
            "depth": test.failure.depth,
        },
    }


def _position_to_json(position: Position) -> list[Any]:
    return [position.file, position.line, position.column]


def _input_to_json(value: InputValue) -> dict[str, Any]:
    return {
        "source": value.source,
        "kind": value.kind,
        "width": value.width,
        "value": value.value,
        "position": _position_to_json(value.position),
        "signed": value.signed,
    }


def _step_to_json(step: CStep) -> dict[str, Any]:
    return {
        "position": _position_to_json(step.position),
        "procedure": step.procedure,
        "text": step.text,
        "changes": [list(change) for change in step.changes],
        "branch": step.branch,
        "inputs": step.inputs,
        "depth": step.depth,
    }


def from_json(data: Any) -> CTest:
    """A test from plain data; anything malformed is a `PincerError` that names the field."""
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise PincerError(f'not a C test: the field "format" must be "{FORMAT}"')
    failure = _field(data, "failure", dict)
    return CTest(
        file=_field(data, "file", str),
        property=_field(data, "property", str),
        kind=_choice(data, "kind", get_args(PropertyKind)),
        inputs=_rows(data, "inputs", _input_from_json),
        steps=_rows(data, "steps", _step_from_json),
        failure=Failure(_position_from_json(failure), _field(failure, "message", str), _depth(failure)),
        data_model=_choice(data, "data_model", get_args(DataModel)),
        entry=_field(data, "entry", str),
    )


def _field(data: Mapping[str, Any], name: str, type_: type[T]) -> T:
    value = data.get(name)
    if not isinstance(value, type_) or (type_ is int and isinstance(value, bool)):
        raise PincerError(f'malformed C test: the field "{name}" is missing or is no {_TYPE_NAMES[type_]}')
    return value


_TYPE_NAMES: Mapping[type, str] = {str: "text", int: "whole number", dict: "object", list: "list"}


def _choice(data: Mapping[str, Any], name: str, choices: Sequence[str]) -> Any:
    value = data.get(name)
    if value not in choices:
        raise PincerError(f'malformed C test: the field "{name}" must be one of {", ".join(choices)}')
    return value


def _rows(data: Mapping[str, Any], name: str, read: Callable[[Mapping[str, Any]], T]) -> tuple[T, ...]:
    rows = _field(data, name, list)
    for row in rows:
        if not isinstance(row, dict):
            raise PincerError(f'malformed C test: every entry of "{name}" must be an object')
    return tuple(read(row) for row in rows)


def _position_from_json(data: Mapping[str, Any]) -> Position:
    match data.get("position"):
        case [str(file), int(line), int(column)]:
            return Position(file, line, column)
        case _:
            raise PincerError('malformed C test: a "position" must be [file, line, column]')


def _input_from_json(data: Mapping[str, Any]) -> InputValue:
    width, value = _field(data, "width", int), _field(data, "value", int)
    if width < 1 or not 0 <= value < 1 << width:
        raise PincerError(f"malformed C test: {value} is no unsigned value of {width} bits")
    source = _field(data, "source", str)
    kind, signed = _choice(data, "kind", get_args(InputKind)), data.get("signed") is True
    return InputValue(source, kind, width, value, _position_from_json(data), signed)


def _step_from_json(data: Mapping[str, Any]) -> CStep:
    branch = data.get("branch")
    if branch is not None and not isinstance(branch, bool):
        raise PincerError('malformed C test: the field "branch" must be true, false or null')
    changes = []
    for change in _field(data, "changes", list):
        match change:
            case [str(name), str(value)]:
                changes.append((name, value))
            case _:
                raise PincerError('malformed C test: an entry of "changes" must be [variable, value], both text')
    procedure, text = _field(data, "procedure", str), _field(data, "text", str)
    place, inputs = _position_from_json(data), _field(data, "inputs", int)
    return CStep(place, procedure, text, tuple(changes), branch, inputs, _depth(data))


def _depth(data: Mapping[str, Any]) -> int:
    """Tests that were saved before depths were do not say them."""
    return _field(data, "depth", int) if "depth" in data else 0
