"""The preprocessed text as it grows: its lines are those of the source, or `#line` says which they are."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pincer.frontends.c.preprocessing.tokens import Token, would_merge, written

_BLANK_LINES = re.compile(r"(?:[ \t\f\v\r]*\n)+")
_MOST_BLANK_LINES = 8


class Output:
    """Text, the line of its end, and the file which that line is in."""

    def __init__(self, file: str) -> None:
        self._parts: list[str] = []
        self._file = file
        self._line = 1
        self._last = "\n"

    def text(self) -> str:
        return "".join(self._parts)

    def copy(self, text: str, file: str, line: int) -> None:
        """Add text that begins on a line of the source, with the lines it has there."""
        blank = _BLANK_LINES.match(text)
        if blank is not None:
            line += blank.group().count("\n")
            text = text[blank.end() :]
        if text:
            self._place(file, line)
            self._separate(text)
            self._add(text)
            self._line += text.count("\n")

    def expansion(self, tokens: Sequence[Token], file: str, line: int) -> None:
        """Add the tokens of a macro's expansion, all of them on the line of its use."""
        text = written(tokens)
        if text:
            self._place(file, line)
            self._separate(text)
            self._add(text)

    def directive(self, text: str, file: str, line: int) -> None:
        """Add a directive that the parser reads, on a line of its own."""
        self._place(file, line)
        if self._last != "\n":
            self._add("\n")
            self._line += 1
        self._add(f"{text}\n")
        self._line += 1

    def _place(self, file: str, line: int) -> None:
        """Go to a line: with line ends if it is near, with `#line` otherwise."""
        missing = line - self._line
        if file == self._file and 0 <= missing <= _MOST_BLANK_LINES:
            if missing:
                self._add("\n" * missing)
        else:
            name = file.replace("\\", "\\\\").replace('"', '\\"')
            start = "" if self._last == "\n" else "\n"
            self._add(f'{start}#line {line} "{name}"\n')
        self._file, self._line = file, line

    def _separate(self, text: str) -> None:
        if would_merge(self._last, text[0]):
            self._parts.append(" ")

    def _add(self, text: str) -> None:
        self._parts.append(text)
        self._last = text[-1]
