"""What the rest of Pincer asks of a solver.

A `Solver` is one incremental session. Nothing above this module knows which solver answers; `unknown` is an answer
of its own and never counts as unsat.
"""

from __future__ import annotations

import enum
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Generic, Protocol, TypeVar

from pincer.logic.terms import Term, unknown_first

_Handle = TypeVar("_Handle")


class Status(enum.Enum):
    SAT = "sat"
    UNSAT = "unsat"
    UNKNOWN = "unknown"


class SolverUnknown(Exception):
    """A solver gave up; the message says on what. Engines turn this into the verdict `unknown`."""


class Solver(Protocol):
    """One incremental session with a solver; terms go in, `check` answers `SAT`, `UNSAT` or `UNKNOWN`."""

    name: str

    def push(self) -> None: ...

    def pop(self) -> None: ...

    def add(self, formula: Term) -> None: ...

    def check(self, assumptions: Sequence[Term] = ()) -> Status: ...

    def model(self, variables: Sequence[Term]) -> Mapping[Term, int]:
        """Values after a `sat` answer; Booleans as 0 and 1, bit-vectors as unsigned integers."""
        ...

    def core(self) -> list[Term]:
        """After an `unsat` answer: assumptions that suffice for it."""
        ...

    def set_timeout(self, milliseconds: int) -> None: ...

    def interrupt(self) -> None:
        """Cut short a check that runs in another thread."""
        ...


class Translator(ABC, Generic[_Handle]):
    """Terms as one solver knows them, each translated once and kept by identity for the whole session."""

    def __init__(self) -> None:
        self._handles: dict[Term, _Handle] = {}

    def translate(self, term: Term) -> _Handle:
        """The solver's handle of a term."""
        if term not in self._handles:
            for part in unknown_first(term, self._handles):
                self._handles[part] = self._build(part)
        return self._handles[term]

    @abstractmethod
    def _build(self, term: Term) -> _Handle:
        """The handle of a term whose arguments are translated already."""
