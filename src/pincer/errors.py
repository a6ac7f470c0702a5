"""Errors a user can cause, each with the place and a sentence that says what to do."""

from __future__ import annotations

from typing import NamedTuple


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
