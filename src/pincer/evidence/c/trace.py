"""A violation of a C program as data: the inputs that lead to it and the steps between, with source positions."""

from __future__ import annotations

from typing import Any, TypeAlias

from msgspec import Struct

from pincer.errors import Position
from pincer.evidence.c.failures import FailureKind
from pincer.evidence.c.numbers import number_text
from pincer.evidence.c.words import return_type
from pincer.program.control_flow import InputKind
from pincer.program.property import DataModel, PropertyKind
from pincer.runtime.codec import Format

__all__ = [
    "CALL_OF",
    "FORMAT",
    "FREES",
    "CStep",
    "CTest",
    "Failure",
    "InputKind",
    "InputValue",
    "InputVector",
    "from_json",
    "to_json",
]


class InputValue(Struct, frozen=True):
    """One value the program received, as unsigned bits of `width`.

    `source` says from where: the function's name ("__VERIFIER_nondet_int"), "external f", "number read by f" for one
    that f stores, "uninitialised variable x", or "argument EXPR" with an lvalue over the entry function's parameters.
    `position` is that of the call, or of the declaration of the variable. People read the value of a `signed` one as
    two's complement, of a `floating` one as an IEEE number; `word` is the enumerator that has this value.
    """

    source: str
    kind: InputKind
    width: int
    value: int
    position: Position
    signed: bool = False
    floating: bool = False
    word: str = ""

    def __post_init__(self) -> None:
        if self.width < 1 or not 0 <= self.value < 1 << self.width:
            raise ValueError(f"{self.value} is no unsigned value of {self.width} bits")

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
        return self.kind in ("nondet", "external", "library") and self.source in (self.name, f"external {self.name}")

    @property
    def signed_value(self) -> int:
        """The value read as two's complement."""
        return self.value - (1 << self.width) if self.value >> (self.width - 1) & 1 else self.value


InputVector: TypeAlias = tuple[InputValue, ...]
"""The inputs of one test, in the order they are consumed."""


def input_literal(value: InputValue) -> str:
    """An input as the plain literal a test executor passes on, signed when its type is."""
    if value.floating:
        return number_text(value.value, value.width)
    _, signed = return_type(value.name, value.width)
    return str(value.signed_value if signed or value.signed else value.value)


CALL_OF = "call of "
FREES = "free of "
"""How the text of a step begins that enters a function, and of one that frees an object."""


class CStep(Struct, frozen=True):
    """One statement or decision of the execution. `changes` are variables with their new values as text.

    `branch` is the side a decision took; the position is then that of its `if`, `while`, `for`, `do` or `switch`.
    `inputs` says how many of the test's inputs, in their order, this step receives, `depth` how many calls are active:
    what a call returns is received in the caller. `scopes` are, for each change, the function whose variable it is,
    empty for one of the whole program.
    """

    position: Position
    procedure: str
    text: str
    changes: tuple[tuple[str, str], ...] = ()
    branch: bool | None = None
    inputs: int = 0
    depth: int = 0
    scopes: tuple[str, ...] = ()


class Failure(Struct, frozen=True):
    """Where the execution goes wrong, and how; tests that were saved by earlier versions do not tell the `kind`."""

    position: Position
    message: str
    depth: int = 0
    kind: FailureKind | None = None


class CTest(Struct, frozen=True):
    """An execution of `entry` in `file` that violates `property`; inputs and steps in the order they happen."""

    file: str
    property: str
    kind: PropertyKind
    inputs: tuple[InputValue, ...]
    steps: tuple[CStep, ...]
    failure: Failure
    data_model: DataModel
    entry: str

    def failing_line(self) -> Position:
        """Where the program goes wrong; inside of a library function, where that was called."""
        position = self.failure.position
        if not position.is_added:
            return position
        return next((step.position for step in reversed(self.steps) if not step.position.is_added), position)


FORMAT = Format("pincer-c-test-1", "C test", CTest)


def to_json(test: CTest) -> dict[str, Any]:
    """The test as plain data; `from_json` is the inverse."""
    return FORMAT.data(test)


def from_json(data: Any) -> CTest:
    """A test from plain data; anything malformed is a `PincerError` that names the field."""
    return FORMAT.value(data)
