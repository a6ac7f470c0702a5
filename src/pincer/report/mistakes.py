"""Messages about input that cannot be used: place, sentence, source line, caret."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from pincer.errors import PincerError, Position, UnsupportedError
from pincer.report.terminal import Look, escape

Kind = Literal["error", "unsupported", "internal"]


@dataclass(frozen=True, slots=True)
class Mistake:
    """Why a file got no verdicts. `internal` is our fault and carries a traceback."""

    kind: Kind
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
    position: Position | None = error.position
    return Mistake(
        kind="unsupported" if isinstance(error, UnsupportedError) else "error",
        message=error.message,
        file=position.file if position else file,
        line=position.line if position else None,
        column=position.column if position else None,
        excerpt=error.excerpt,
    )


def mistake_lines(mistake: Mistake, look: Look, verbose: bool = False) -> list[str]:
    """`FILE:LINE:COL: error: sentence`, then the source line with a caret under the place."""
    place = "pincer" if mistake.line is None and mistake.file in mistake.message else escape(mistake.file)
    if mistake.line is not None:
        place += f":{mistake.line}:{mistake.column}"
    if mistake.kind == "internal":
        return _internal_lines(mistake, place, look, verbose)
    label = look.paint(mistake.kind, "yellow" if mistake.kind == "unsupported" else "red")
    lines = [f"{place}: {label}: {_one_line(mistake.message)}"]
    if mistake.excerpt is not None and mistake.column is not None:
        lines += _excerpt_lines(mistake.excerpt, mistake.column, look)
    return lines


def _internal_lines(mistake: Mistake, place: str, look: Look, verbose: bool) -> list[str]:
    label = look.paint("internal error", "red")
    hint = "please report it" if verbose else "please report it with the output of --verbose"
    lines = [f"{place}: {label}: {_one_line(mistake.message)}; {hint}"]
    if verbose and mistake.traceback:
        lines += mistake.traceback.rstrip().splitlines()
    return lines


def _excerpt_lines(excerpt: str, column: int, look: Look) -> list[str]:
    """A window of the line around the column: generated input can have lines of any length."""
    room = max(look.width - 10, 20)
    source = excerpt.rstrip("\r\n")
    index = min(max(column - 1, 0), len(source))
    start = 0 if index < room else index - room // 2
    window = source[start : start + room]
    cut_before = "..." if start else ""
    cut_after = "..." if start + room < len(source) else ""
    indent = len(cut_before + _plain(source[start:index]))
    return [f"    {cut_before}{_plain(window)}{cut_after}", f"    {' ' * indent}{look.paint('^', 'green')}"]


def _plain(text: str) -> str:
    return escape(text.replace("\t", " "))


def _one_line(message: str) -> str:
    return " ".join(escape(part) for part in message.splitlines())
