"""What processes tell each other: requests to the one that works, events back. One message is one line of JSON.

A worker reads an `Order`, then perhaps `StopWish`; the end of its input means that nobody listens any more. It answers
with events, the last of which is `Done`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Literal, TypeAlias, cast

from msgspec import Struct

from pincer.checking.result import Evidence, Result
from pincer.checking.task import Source, Task
from pincer.errors import Mistake
from pincer.evidence.violating_run import ViolatingRun
from pincer.runtime.codec import plain, typed
from pincer.runtime.reasons import Reason
from pincer.runtime.run import Progress


class Check(Struct, frozen=True, tag=True):
    """Decide the properties of a program: `ProgramRead`, then `Decided` for each, perhaps with `Explored`."""

    task: Task

    @property
    def file(self) -> str:
        return self.task.source.file


class Replay(Struct, frozen=True, tag=True):
    """Run saved counterexamples again: one `Replayed` for each."""

    file: str
    program: str | None = None


class Certify(Struct, frozen=True, tag=True):
    """Check saved proofs: one `ProofChecked` for each, and for each of the solvers asked for."""

    file: str
    program: str | None = None
    solver: Literal["cvc5", "z3", "both"] = "cvc5"


class Draw(Struct, frozen=True, tag=True):
    """Draw the control flow of a C program, or what the analysis of another one explored: `Drawn` or `Text`."""

    source: Source
    what: str
    iteration: int | None = None
    limit: int = 200
    function: str | None = None
    text: bool = False

    @property
    def file(self) -> str:
        return self.source.file


class WriteTests(Struct, frozen=True, tag=True):
    """Write a test suite for a C program: `TestsWritten`."""

    source: Source
    output: str

    @property
    def file(self) -> str:
        return self.source.file


class Execute(Struct, frozen=True, tag=True):
    """Execute an MSVL program once: `Executed`. Inputs are by their names."""

    file: str
    inputs: Mapping[str, int] = {}
    seed: int = 0
    max_states: int = 10_000
    int32: bool = False
    framing: Literal["implicit", "strict"] = "implicit"
    same_state: Literal["overwrite", "reject"] = "overwrite"


class Judge(Struct, frozen=True, tag=True):
    """Decide whether a temporal formula is satisfiable and valid: `Judged`."""

    formula: str
    ltl: bool = False
    normal_form: bool = False
    file: str = "formula"


class Translate(Struct, frozen=True, tag=True):
    """Translate a C program to MSVL, with a property over C variables in front: `Text`."""

    file: str
    property: str | None = None


Request: TypeAlias = Check | Replay | Certify | Draw | WriteTests | Execute | Judge | Translate


class Order(Struct, frozen=True):
    """A request with its limit in seconds, counted from `started` on the clock that all processes share."""

    request: Request
    timeout: float | None
    started: float


class StopWish(Struct, frozen=True):
    """The supervisor wants the worker to hand over what it has."""

    reason: Reason


class ProgramRead(Struct, frozen=True, tag=True):
    """A program has been read; `program` describes it in the JSON output. These properties will be decided."""

    program: Mapping[str, Any]
    properties: tuple[str, ...]


class Decided(Struct, frozen=True, tag=True):
    result: Result


class Explored(Struct, frozen=True, tag=True):
    """What the analysis of a property explored, for the HTML report."""

    name: str
    details: Mapping[str, Any]


class MistakeMade(Struct, frozen=True, tag=True):
    mistake: Mistake


class Working(Struct, frozen=True, tag=True):
    """What is being done now, None before anything was said, and the memory in use."""

    progress: Progress | None
    memory_mb: float


class Replayed(Struct, frozen=True, tag=True):
    """Whether a counterexample was reproduced; if not, `reason` says why, perhaps at which `step`."""

    ok: bool
    reason: str
    program: str
    property: str
    run: ViolatingRun | None = None
    step: int | None = None
    evidence: Evidence | None = None


class ProofChecked(Struct, frozen=True, tag=True):
    """Whether a proof was accepted, None if there was no time to say; `asked` is who was asked."""

    ok: bool | None
    asked: str
    program: str
    properties: tuple[str, ...]
    constants: Mapping[str, int | str] = {}
    reason: str = ""
    solver: str = ""
    obligations: int = 0
    time_s: float = 0.0
    remark: str = ""


class Drawn(Struct, frozen=True, tag=True):
    svg: str
    states: int
    note: str


class Text(Struct, frozen=True, tag=True):
    text: str


class TestsWritten(Struct, frozen=True, tag=True):
    """How many tests there are, how many sides of decisions they take, and what gcov says."""

    __test__ = False

    tests: int
    covered: int
    sides: int
    reason: str
    measured: str


class Executed(Struct, frozen=True, tag=True):
    """One run of an MSVL program; the fields are those of the JSON output."""

    names: tuple[str, ...]
    states: tuple[Mapping[str, str], ...]
    inputs: Mapping[str, int]
    outputs: tuple[Mapping[str, Any], ...]
    constraints: tuple[str, ...]
    ending: str
    reason: str
    warnings: tuple[str, ...]


class Judged(Struct, frozen=True, tag=True):
    """What is known about a formula; the members are those of the JSON output."""

    answer: Mapping[str, Any]


class Done(Struct, frozen=True, tag=True):
    """Nothing follows."""


Answer: TypeAlias = Replayed | ProofChecked | Drawn | Text | TestsWritten | Executed | Judged
Event: TypeAlias = ProgramRead | Decided | Explored | MistakeMade | Working | Answer | Done


def encoded(message: Struct) -> bytes:
    """A message as a line. Names of files may hold bytes that are no text, so it is all ASCII."""
    return json.dumps(plain(message)).encode("ascii") + b"\n"


def order_of(line: bytes) -> Order:
    return typed(json.loads(line), Order, "order")


def stop_of(line: bytes) -> StopWish:
    return typed(json.loads(line), StopWish, "message")


def event_of(line: bytes) -> Event:
    found: Event = typed(json.loads(line), cast(Any, Event), "message")
    return found
