"""How a program is run, what can go wrong at a state, and what a run leaves behind besides its states.

Errors are told apart; each carries the place in the text and the number of the state.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from pincer.errors import PincerError, Position
from pincer.logic.terms import Term


class ExecutionError(PincerError):
    """A state of the run cannot be made; `state` counts from zero."""

    def __init__(self, message: str, position: Position | None = None, excerpt: str | None = None) -> None:
        super().__init__(message, position, excerpt)
        self.state: int | None = None

    def __str__(self) -> str:
        shown = super().__str__()
        return shown if self.state is None else f"{shown} (at state {self.state})"


class UndefinedValue(ExecutionError):
    """A variable is read that has no value."""


class InstantaneousLoop(ExecutionError):
    """A loop goes round without ever leaving its state."""


class OutOfBounds(ExecutionError):
    """An index or a pointer leaves its array, or a length is negative."""


class DivisionByZero(ExecutionError):
    """The divisor of `/` or `%` is zero."""


class NullPointer(ExecutionError):
    """A pointer is followed that is NULL, or whose target is gone."""


class WrongType(ExecutionError):
    """A value is used where its type does not fit."""


class InconsistentState(ExecutionError):
    """FALSE: no model of the program goes on from here."""


class LengthConflict(InconsistentState):
    """One conjunct ends where another continues."""


class WriteConflict(InconsistentState):
    """Two conjuncts write different values to one variable at one state."""


class Limit(Exception):
    """A bound of the run is reached: the run is cut, nothing is wrong with the program."""


class Options(Struct, frozen=True):
    """The defaults do what the MSVL tools do; `reject` with `strict` is the logic of the papers.

    `same_state`: what happens when a variable that a condition has read, or an earlier part of a sequence has
    written, gets another value in the same state. `framing`: whether variables without a frame keep their value.
    `int32` wraps integers as a 32-bit machine does. Inputs that nobody gives are drawn from `input_range`.
    """

    same_state: Literal["overwrite", "reject"] = "overwrite"
    framing: Literal["implicit", "strict"] = "implicit"
    int32: bool = False
    max_states: int = 10_000
    max_private_states: int = 100_000
    max_call_depth: int = 1_000
    max_rounds: int = 10_000
    input_range: tuple[int, int] = (-100, 100)
    seed: int = 0


DEFAULTS = Options()


class PathConstraint(Struct, frozen=True):
    """A condition over the inputs that this run satisfied at `state`; `site` is the offset of the condition.

    `taken` says whether the condition itself held; `condition` is already negated where it did not.
    """

    site: int
    state: int
    condition: Term
    taken: bool


class InputRead(Struct, frozen=True):
    """A value from outside. `low` and `high` bound the values its type allows, None where nothing does."""

    name: str
    value: int
    low: int | None
    high: int | None
    site: int
    state: int


class OutputText(Struct, frozen=True):
    text: str
    state: int


class Concretised(Struct, frozen=True):
    """A symbolic value was replaced by its concrete one: conclusions about other inputs end here."""

    site: int
    state: int
    reason: str


EndingKind = Literal["terminated", "cut", "lasso", "inconsistent", "error"]


class RunEnding(Struct, frozen=True):
    """How a run ended.

    A lasso goes from its last state back to the configuration (remaining program and store) before state `start`;
    `symbolic` says that the symbolic values repeat as well and the loop added no constraint.
    """

    kind: EndingKind
    reason: str = ""
    error: ExecutionError | None = None
    start: int | None = None
    symbolic: bool = False
