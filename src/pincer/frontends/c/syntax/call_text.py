"""Calls as they stand in a source file, before macros are replaced: `LIMIT > 3`, not `2 > 3`."""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path

from pincer.errors import PincerError, Position
from pincer.frontends.c.preprocessing.source import read_source

_CALL = re.compile(r"([A-Za-z_]\w*)\s*\(")
_PART = re.compile(r"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|[()]""", re.DOTALL)
_UNSHIFTED = re.compile(r"(?:\W|\b(?:if|else|do|for|while|switch|case|default|return)\b)*")
_NO_FUNCTION = re.compile(r"if|for|while|switch|return|sizeof|defined")
_LONGEST = 200


def written_call(position: Position, words: Collection[str] = ()) -> tuple[str, str] | None:
    """The name and the arguments of the call that begins at a place of a file; None where that cannot be said.

    Columns count in the text after macros were replaced. So where a name stands before the call on its line, either
    the call really begins in that column, or it is the only one of the line, and one of the `words` is its name."""
    if position.file.startswith("<"):
        return None
    try:
        text, _ = read_source(Path(position.file))
    except PincerError:
        return None
    found = _found(text, position, words)
    end = None if found is None else _closing(text, found.end())
    if found is None or end is None:
        return None
    arguments = " ".join(text[found.end() : end].split())
    return (found[1], arguments) if len(arguments) <= _LONGEST and arguments.isprintable() else None


def _found(text: str, position: Position, words: Collection[str]) -> re.Match[str] | None:
    """The beginning of the call at a place."""
    line = _line_start(text, position.line)
    if line is None:
        return None
    start = line + position.column - 1
    if _UNSHIFTED.fullmatch(text, line, start):
        return _CALL.match(text, start)
    ending = text.find("\n", line)
    calls = list(_CALL.finditer(text, line, len(text) if ending < 0 else ending))
    calls = [call for call in calls if not _NO_FUNCTION.fullmatch(call[1])]
    exact = next((call for call in calls if call.start() == start), None)
    return exact or (calls[0] if len(calls) == 1 and calls[0][1] in words else None)


def _line_start(text: str, number: int) -> int | None:
    """Where a line begins, None where there is none of that number."""
    lines = text.split("\n")
    return sum(len(line) + 1 for line in lines[: number - 1]) if 0 < number <= len(lines) else None


def _closing(text: str, start: int) -> int | None:
    """Where the parenthesis closes that was opened before `start`; comments are no part of an expression."""
    depth = 1
    for part in _PART.finditer(text, start):
        if part[0].startswith("/"):
            return None
        depth += {"(": 1, ")": -1}.get(part[0], 0)
        if depth == 0:
            return part.start()
    return None
