"""Errors a user can cause, each with the place and a sentence that says what to do, and how they are told."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

from msgspec import Struct


class Position(NamedTuple):
    """A place in a source file; lines and columns count from one."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


class PincerError(Exception):
    """A mistake in the input or the call. The command line prints it and exits with status 2."""

    def __init__(self, message: str, position: Position | None = None, excerpt: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.position = position
        self.excerpt = excerpt

    def __str__(self) -> str:
        return f"{self.position}: {self.message}" if self.position else self.message


class UnsupportedError(PincerError):
    """The input is well-formed but Pincer does not model it exactly: undecided, exit status 3."""


class Mistake(Struct, frozen=True):
    """Why a file got no verdicts, as data. `internal` is our fault and carries a traceback."""

    kind: Literal["error", "unsupported", "internal"]
    message: str
    file: str
    line: int | None = None
    column: int | None = None
    excerpt: str | None = None
    traceback: str | None = None

    def to_json(self) -> dict[str, Any]:
        """The `error` member of the JSON output."""
        return {"kind": self.kind, "message": self.message, "line": self.line, "column": self.column}


def mistake_of(error: PincerError, file: str) -> Mistake:
    """What is said about an error in a file, or where it says itself."""
    position: Position | None = error.position
    return Mistake(
        kind="unsupported" if isinstance(error, UnsupportedError) else "error",
        message=error.message,
        file=position.file if position else file,
        line=position.line if position else None,
        column=position.column if position else None,
        excerpt=error.excerpt,
    )
