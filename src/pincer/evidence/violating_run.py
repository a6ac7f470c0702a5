"""A run that violates a property, as every reader is shown it: the same numbered steps on a terminal, on a page, in an
editor and in machine-readable reports, whatever language the program is written in.

It is plain data: text and numbers. `run_conversions` makes it from the evidence of each kind.
"""

from __future__ import annotations

from enum import StrEnum
from pathlib import PurePath

from msgspec import Struct


class RunForm(StrEnum):
    """What the steps of a run are."""

    TRANSITIONS = "transitions"
    """Of guarded commands; step 0 is the initial state."""
    LINES = "lines"
    """Lines of a C program, from step 1 on."""
    LANES = "lanes"
    """Lines of a C program with threads, from step 1 on."""
    STATES = "states"
    """Of an MSVL program, s0 first."""


class ValueChange(Struct, frozen=True):
    """A variable with its value after a step; `old` is the one before, None where it is not known. `scope` is the
    function it belongs to, empty where it is one of the whole program or that is not known."""

    name: str
    value: str
    old: str | None = None
    scope: str = ""

    @property
    def is_behind_pointer(self) -> bool:
        """Whether it is a place that is called by a pointer to it, which may point elsewhere in the next step."""
        return self.name.startswith("*") or "->" in self.name

    def __str__(self) -> str:
        return f"{self.name} = {self.value}"


class RunInput(Struct, frozen=True):
    """A value the program received: from where, and at which place where that is known."""

    name: str
    value: str
    place: str = ""

    def __str__(self) -> str:
        return f"{self.name} = {self.value}" + (f" ({self.place})" if self.place else "")


class RunStep(Struct, frozen=True):
    """`text` is what is done: a line of source, a transition, a state. `lane` is the thread or process that does it,
    None where it is the program as a whole; `depth` counts the calls that are active, `function` is the innermost one.

    `branch` is the side a decision took, `reads` are shared variables that were looked at, `holds` the propositions
    that hold; `stuck` are the processes that cannot step after it, told of rounds; `note` says what else there is to
    say. A place is a file, mostly with a line, sometimes with a column.
    """

    number: int
    file: str
    line: int | None = None
    column: int | None = None
    text: str = ""
    lane: int | None = 0
    depth: int = 0
    changes: tuple[ValueChange, ...] = ()
    reads: tuple[tuple[str, str], ...] = ()
    branch: bool | None = None
    holds: tuple[str, ...] = ()
    note: str = ""
    function: str = ""
    stuck: tuple[str, ...] = ()

    @property
    def place(self) -> str:
        """The place in short, for people who know the folder."""
        name = PurePath(self.file).name
        return name if self.line is None else f"{name}:{self.line}"

    @property
    def aside(self) -> str:
        """What a reader of the line is told beside its values."""
        return self.note or ("" if self.branch is None else str(self.branch).lower())

    @property
    def remarks(self) -> tuple[str, ...]:
        """All that is said about the step, in pieces; what it reads matters where it changes nothing."""
        values = [str(change) for change in self.changes]
        if not values:
            values = [f"reads {name} ({value})" for name, value in self.reads]
        if self.holds:
            values.append(f"holds: {', '.join(self.holds)}")
        return (*values, *([self.aside] if self.aside else []))

    def __str__(self) -> str:
        """What happens, in one line."""
        said = list(self.remarks)
        if self.branch is not None and not self.note:
            said[-1] = f"the condition is {said[-1]}"
        return "; ".join(part for part in (self.text.removesuffix(";"), *said) if part)


class ViolatingRun(Struct, frozen=True):
    """The run from its start to what goes wrong.

    `failure` is the place of the violation with the message, `why` the same as a sentence; `related` are the places
    where other threads stand by then. `lanes` are the names of the threads or processes. A lasso goes from its last
    step back to step `loop_from`, for ever. `propositions` are those the property speaks of.
    """

    form: RunForm
    steps: tuple[RunStep, ...]
    failure: RunStep
    why: str = ""
    inputs: tuple[RunInput, ...] = ()
    lanes: tuple[str, ...] = ("run",)
    related: tuple[RunStep, ...] = ()
    loop_from: int | None = None
    propositions: tuple[str, ...] = ()

    @property
    def length(self) -> str:
        """How long it is, in words."""
        count = self.steps[-1].number if self.form is RunForm.TRANSITIONS else len(self.steps)
        noun = "state" if self.form is RunForm.STATES else "step"
        return f"{count} {noun}{'s' * (count != 1)}"

    def lane_of(self, step: RunStep) -> str:
        """The name of a step's thread or process; empty where there is only one, or none in particular."""
        return self.lanes[step.lane] if step.lane is not None and len(self.lanes) > 1 else ""
