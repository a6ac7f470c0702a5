"""Reading C source files, whatever their encoding, and joining their continued lines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from pincer.errors import PincerError
from pincer.runtime.files import content_of, no_such_file

_CONTINUED = re.compile(r"[^\n]*\\[ \t]*\n(?:[^\n]*\\[ \t]*\n)*[^\n]*\n?")
_BREAK = re.compile(r"\\[ \t]*\n")


def read_source(path: Path) -> tuple[str, Literal["utf-8", "latin-1"]]:
    """The text of a file and its encoding; bytes that are not UTF-8 are read one character each."""
    try:
        data = content_of(path)
    except OSError as error:
        raise PincerError(no_such_file(path, error.strerror)) from None
    data = data.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n")
    try:
        return data.decode("utf-8"), "utf-8"
    except UnicodeDecodeError:
        return data.decode("latin-1"), "latin-1"


def spliced(text: str) -> tuple[str, Sequence[int]]:
    """The text with each continued line in one piece, and the places in it where lines were joined.

    Blank lines after a joined one keep the numbers of those that follow.
    """
    if not _BREAK.search(text):
        return text, ()
    parts: list[str] = []
    joints: list[int] = []
    length = end = 0
    for lines in _CONTINUED.finditer(text):
        parts.append(text[end : lines.start()])
        length += len(parts[-1])
        *pieces, last = _BREAK.split(lines.group())
        for piece in pieces:
            parts.append(piece)
            length += len(piece)
            joints.append(length)
        parts.append(last.removesuffix("\n") + "\n" * (len(pieces) + last.endswith("\n")))
        length += len(parts[-1])
        end = lines.end()
    parts.append(text[end:])
    return "".join(parts), joints
