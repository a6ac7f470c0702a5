"""MSVL by reduction: every program becomes, state by state, what happens now and what remains.

`execute` runs a program on given inputs, concretely and symbolically at once; `observe` evaluates the expression of a
proposition at a state of a run.
"""

from __future__ import annotations

from pincer.execution.msvl.records import (
    Concretised,
    DivisionByZero,
    ExecutionError,
    InconsistentState,
    InputRead,
    InstantaneousLoop,
    LengthConflict,
    NullPointer,
    Options,
    OutOfBounds,
    OutputText,
    PathConstraint,
    RunEnding,
    UndefinedValue,
    WriteConflict,
    WrongType,
)
from pincer.execution.msvl.residual import remaining_text
from pincer.execution.msvl.runs import Execution, execute
from pincer.execution.msvl.snapshots import Observation, Snapshot, StateObserver
from pincer.execution.msvl.values import NIL

__all__ = [
    "NIL",
    "Concretised",
    "DivisionByZero",
    "Execution",
    "ExecutionError",
    "InconsistentState",
    "InputRead",
    "InstantaneousLoop",
    "LengthConflict",
    "NullPointer",
    "Observation",
    "Options",
    "OutOfBounds",
    "OutputText",
    "PathConstraint",
    "RunEnding",
    "Snapshot",
    "StateObserver",
    "UndefinedValue",
    "WriteConflict",
    "WrongType",
    "execute",
    "remaining_text",
]
