"""A violation of a threaded program as data: inputs, what each thread did, and the order that makes it go wrong.

Threads are numbered in the order of their creation; 0 runs the entry function.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from msgspec import Struct

from pincer.errors import PincerError, Position
from pincer.evidence.c.failures import FailureKind
from pincer.evidence.c.trace import InputValue
from pincer.program.property import DataModel, Fairness
from pincer.runtime.codec import Format, Natural

Kind: TypeAlias = Literal["assertion", "deadlock", "race", "memory", "endless", "ended", "undefined"]
"""How an execution ends. It is `undefined` where a step has no defined result and memory is as it should be: arithmetic
that overflows, a division by zero."""
Action: TypeAlias = Literal["read", "write", "call", "end"]


class Point(Struct, frozen=True):
    """One step that other threads may notice, where the schedule may pass from thread to thread.

    `name` is the object that is read or written, or the function that is called; `object` is what the call is about (a
    mutex, a semaphore). A call with two steps (waiting for a condition, at a barrier) has two points. An atomic section
    is one point, the call `__VERIFIER_atomic_begin`. `pick` chooses whom a signal wakes: the number in the order of
    waiting. An access to a part of a variable is so many bytes (`offset`) inside the `variable`.
    `depth` says how many calls are active where a thread stands at the end.
    """

    thread: Natural
    action: Action
    name: str
    position: Position
    object: str = ""
    pick: Natural = 0
    variable: str = ""
    offset: Natural = 0
    depth: Natural = 0

    @property
    def place(self) -> tuple[str, int]:
        """The name of the whole object that is accessed, and how many bytes inside it."""
        if self.variable:
            return self.variable, self.offset
        name, plus, offset = self.name.rpartition("+")
        return (name, int(offset)) if plus and offset.isdecimal() else (self.name, 0)

    def __str__(self) -> str:
        if self.action == "end":
            return "ends"
        if self.action == "call":
            return f"calls {self.name}({self.object})"
        return f"{self.action}s {self.name}" if self.name else f"{self.action}s memory"


class ThreadInput(InputValue, frozen=True, kw_only=True):
    """An input value and the thread that received it."""

    thread: Natural


class ThreadStep(Struct, frozen=True):
    """Something a thread did, for readers and witnesses; `changes` are variables with their new values as text, `reads`
    those that it shares with others and looked at.

    `branch` is the side a decision took, `creates` the number of the thread that begins here, `inputs` how many of the
    thread's inputs this step receives, in their order. `depth` and `scopes` are as those of a `CStep`.
    """

    thread: Natural
    position: Position
    procedure: str
    text: str
    changes: tuple[tuple[str, str], ...] = ()
    branch: bool | None = None
    creates: Natural | None = None
    inputs: Natural = 0
    reads: tuple[tuple[str, str], ...] = ()
    depth: Natural = 0
    scopes: tuple[str, ...] = ()


class ThreadedFailure(Struct, frozen=True):
    """How the execution goes wrong. `stops` is where threads stand at the end: the two accesses of a race, the calls in
    which threads wait for each other, or the thread of a failing assertion. `kind` is that of the step that fails."""

    position: Position
    message: str
    stops: tuple[Point, ...]
    kind: FailureKind | None = None


class TargetLine(Struct, frozen=True):
    """A line that `count` threads are to be at, at the same time as others are at the other targets."""

    position: Position
    count: Natural


class ChosenInput(Struct, frozen=True):
    """The value of an input wherever one edge of a procedure reads it."""

    procedure: str
    edge: Natural
    value: Natural


class ThreadRounds(Struct, frozen=True):
    """A run without an end that is fair, or one that violates a formula: after the points of the `stem` those of the
    `loop` come again and again, as far as they are written down; no points where a thread goes on for ever by itself,
    all stand still, or the program ends. The steps from `loop_from` on are those of a round. Waiting may end without a
    signal if it says `spurious`."""

    stem: Natural
    loop: Natural
    loop_from: Natural
    fairness: Fairness
    spurious: bool = False
    chosen: tuple[ChosenInput, ...] = ()


class ThreadedTest(Struct, frozen=True):
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
    targets: tuple[TargetLine, ...] = ()
    rounds: ThreadRounds | None = None


FORMAT = Format("pincer-threaded-test-1", "threaded test", ThreadedTest)


def to_json(test: ThreadedTest) -> dict[str, Any]:
    """The test as plain data; `from_json` is the inverse."""
    return FORMAT.data(test)


def from_json(data: Any) -> ThreadedTest:
    """A test from plain data; anything malformed is a `PincerError` that names the field."""
    test = FORMAT.value(data)
    if test.kind == "race" and len(test.failure.stops) != 2:
        raise PincerError("malformed threaded test: a race must have two stops")
    return test
