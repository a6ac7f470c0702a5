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

    @property
    def said(self) -> str:
        """Where it is, in a sentence; places in text that we have added have no numbers for readers."""
        return "in a library function" if self.is_added else f"at {self}"

    @property
    def is_added(self) -> bool:
        """Whether it lies in text that we have added to the program, as the bodies of library functions."""
        return self.file.startswith("<")


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
    """Why a file got no verdicts, as data. `internal` is our fault and carries a traceback; `undecided` is what was
    stopped too early."""

    kind: Literal["error", "unsupported", "undecided", "internal"]
    message: str
    file: str
    line: int | None = None
    column: int | None = None
    excerpt: str | None = None
    traceback: str | None = None

    def to_json(self) -> dict[str, Any]:
        """The `error` member of the JSON output."""
        return {"kind": self.kind, "message": self.message, "line": self.line, "column": self.column}


def mistake_of(error: BaseException, file: str) -> Mistake:
    """What is said about whatever went wrong with a file, or where it says itself."""
    match error:
        case PincerError(position=None):
            return Mistake(_kind(error), error.message, file, excerpt=error.excerpt)
        case PincerError(position=Position(where, line, column)):
            return Mistake(_kind(error), error.message, where, line, column, error.excerpt)
        case RecursionError():
            return Mistake("error", "the input is nested too deeply", file)
        case MemoryError():
            return Mistake("unsupported", "out of memory", file)
        case OSError():
            return Mistake("error", f"{error.strerror or error}", str(error.filename or file))
    return Mistake("internal", f"{type(error).__name__}: {error}", file, traceback=_traceback(error))


def _kind(error: PincerError) -> Literal["error", "unsupported"]:
    return "unsupported" if isinstance(error, UnsupportedError) else "error"


def _traceback(error: BaseException) -> str:
    import traceback

    return "".join(traceback.format_exception(error))
