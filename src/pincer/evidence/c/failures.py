"""The ways in which a program goes wrong, as the model says it and as a compiled program shows it."""

from __future__ import annotations

from enum import StrEnum
from pathlib import PurePath

from msgspec import Struct

from pincer.program.control_flow import Check, Fail


class FailureKind(StrEnum):
    """What goes wrong: one for each kind of failure and of check in a program."""

    ASSERTION = "assertion"
    ERROR_FUNCTION = "error function"
    LABEL = "label"
    RULE = "rule"
    DEREFERENCE = "dereference"
    BOUNDS = "bounds"
    FREE = "free"
    DIVISION = "division"
    SHIFT = "shift"
    OVERFLOW = "overflow"
    CONVERSION = "conversion"
    OVERLAP = "overlap"
    CALL = "call"
    READ_ONLY = "read-only"
    ARGUMENTS = "arguments"
    CHARACTER = "character"
    TRUTH = "truth"
    POINTER = "pointer"
    JUMP = "jump"
    UNREACHABLE = "unreachable"
    LEAK = "leak"
    UNFREED = "unfreed"
    UNINITIALISED = "uninitialised"


STATED = frozenset({FailureKind.ASSERTION, FailureKind.ERROR_FUNCTION, FailureKind.LABEL, FailureKind.RULE})
"""Failures that the program or a rule states itself; all others are undefined behaviour, or leaks."""


def kind_of(label: Fail | Check) -> FailureKind:
    """What goes wrong at a step of the program."""
    return FailureKind(label.kind.value if isinstance(label, Fail) else label.kind)


class Place(Struct, frozen=True):
    """A line of a file; folders do not count, because compilers are given other paths than users write."""

    file: str
    line: int

    @classmethod
    def of(cls, path: str, line: int) -> Place:
        return cls(PurePath(path).name, line)

    def told(self, main: str) -> str:
        """The place in words; the file is named when it is not the `main` one."""
        return f"line {self.line}" if self.file in ("", PurePath(main).name) else f"{self.file}:{self.line}"


class Observed(Struct, frozen=True):
    """How a compiled program went wrong: the `kinds` that this can be, what was said of it, and where.

    A failure whose place nobody told has none: one that the program states itself, in a call through a pointer. Memory
    that leaks may have been allocated at several places."""

    kinds: frozenset[FailureKind]
    text: str
    place: Place | None = None
    others: tuple[Place, ...] = ()
