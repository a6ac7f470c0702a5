"""Calls as they stand in a source file, before macros are replaced: `LIMIT > 3`, not `2 > 3`."""

from __future__ import annotations

import re
from pathlib import Path

from pincer.errors import PincerError, Position
from pincer.frontends.c.preprocessing.source import read_source

_CALL = re.compile(r"([A-Za-z_]\w*)\s*\(")
_PART = re.compile(r"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|[()]""", re.DOTALL)
_UNSHIFTED = re.compile(r"(?:\W|\b(?:if|else|do|for|while|switch|case|default|return)\b)*")
_LONGEST = 200


def written_call(position: Position) -> tuple[str, str] | None:
    """The name and the arguments of the call that begins at a place of a file; None where that cannot be said.

    Columns count in the text after macros were replaced, so a name before the call on its line makes them unsure."""
    if position.file.startswith("<"):
        return None
    try:
        text, _ = read_source(Path(position.file))
    except PincerError:
        return None
    start = _offset(text, position)
    sure = start is not None and _UNSHIFTED.fullmatch(text, text.rfind("\n", 0, start) + 1, start)
    found = _CALL.match(text, start) if start is not None and sure else None
    end = None if found is None else _closing(text, found.end())
    if found is None or end is None:
        return None
    arguments = " ".join(text[found.end() : end].split())
    return (found[1], arguments) if len(arguments) <= _LONGEST and arguments.isprintable() else None


def _offset(text: str, position: Position) -> int | None:
    lines = text.split("\n")
    if not 0 < position.line <= len(lines):
        return None
    return sum(len(line) + 1 for line in lines[: position.line - 1]) + position.column - 1


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
