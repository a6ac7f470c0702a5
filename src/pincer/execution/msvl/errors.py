"""What can go wrong at a state, told apart; each error carries the place in the text and the number of the state."""

from __future__ import annotations

from pincer.errors import PincerError, Position


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
