"""Reading C source files, whatever their encoding, and joining their continued lines."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal

from pincer.errors import PincerError

_CONTINUED = re.compile(r"[^\n]*\\[ \t]*\n(?:[^\n]*\\[ \t]*\n)*[^\n]*\n?")
_BREAK = re.compile(r"\\[ \t]*\n")


def read_source(path: Path) -> tuple[str, Literal["utf-8", "latin-1"]]:
    """The text of a file and its encoding; bytes that are not UTF-8 are read one character each."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise PincerError(f"cannot read {path}: {error.strerror}; check the name and the permissions") from None
    data = data.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n")
    try:
        return data.decode("utf-8"), "utf-8"
    except UnicodeDecodeError:
        return data.decode("latin-1"), "latin-1"


def spliced(text: str) -> str:
    """The text with each continued line in one piece; blank lines after it keep the numbers of those that follow."""
    return _CONTINUED.sub(_joined, text) if _BREAK.search(text) else text


def _joined(lines: re.Match[str]) -> str:
    joined, breaks = _BREAK.subn("", lines.group())
    return joined.removesuffix("\n") + "\n" * (breaks + joined.endswith("\n"))
