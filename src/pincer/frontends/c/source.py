"""Reading C source files, whatever their encoding."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pincer.errors import PincerError


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
