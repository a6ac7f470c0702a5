"""What a run leaves behind besides its states."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pincer.execution.msvl.errors import ExecutionError
from pincer.logic.terms import Term


@dataclass(frozen=True, slots=True)
class PathConstraint:
    """A condition over the inputs that this run satisfied at `state`; `site` is the offset of the condition.

    `taken` says whether the condition itself held; `condition` is already negated where it did not.
    """

    site: int
    state: int
    condition: Term
    taken: bool


@dataclass(frozen=True, slots=True)
class InputRead:
    """A value from outside. `low` and `high` bound the values its type allows, None where nothing does."""

    name: str
    value: int
    low: int | None
    high: int | None
    site: int
    state: int


@dataclass(frozen=True, slots=True)
class OutputText:
    text: str
    state: int


@dataclass(frozen=True, slots=True)
class Concretised:
    """A symbolic value was replaced by its concrete one: conclusions about other inputs end here."""

    site: int
    state: int
    reason: str


EndingKind = Literal["terminated", "cut", "lasso", "inconsistent", "error"]


@dataclass(frozen=True, slots=True)
class Ending:
    """How a run ended.

    A lasso goes from its last state back to the configuration (remaining program and store) before state `start`;
    `symbolic` says that the symbolic values repeat as well and the loop added no constraint.
    """

    kind: EndingKind
    reason: str = ""
    error: ExecutionError | None = None
    start: int | None = None
    symbolic: bool = False
