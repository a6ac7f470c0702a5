"""Source texts: how a file is read, how offsets become positions, and how mistakes show the line they stand in."""

from __future__ import annotations

import stat
import sys
from bisect import bisect_right
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TypeVar, overload

from msgspec import Struct

from pincer.errors import PincerError, Position

_Error = TypeVar("_Error", bound=PincerError)


class MisreadError(Exception):
    """A mistake at an offset, raised where the source itself is not at hand."""

    def __init__(self, at: int, message: str) -> None:
        super().__init__(message)
        self.at = at
        self.message = message


class SourceText(Struct, frozen=True, dict=True):
    """A text and the name of the file it is from; places in it are offsets."""

    file: str
    text: str

    @cached_property
    def _line_starts(self) -> list[int]:
        starts = [0]
        found = self.text.find("\n")
        while found >= 0:
            starts.append(found + 1)
            found = self.text.find("\n", found + 1)
        return starts

    def position(self, offset: int) -> Position:
        line = bisect_right(self._line_starts, offset)
        return Position(self.file, line, offset - self._line_starts[line - 1] + 1)

    def line(self, number: int) -> str:
        start = self._line_starts[number - 1]
        end = self.text.find("\n", start)
        return self.text[start : end if end >= 0 else len(self.text)].rstrip("\r")

    @overload
    def error(self, offset: int, message: str) -> PincerError: ...

    @overload
    def error(self, offset: int, message: str, kind: type[_Error]) -> _Error: ...

    def error(self, offset: int, message: str, kind: type[PincerError] = PincerError) -> PincerError:
        """A mistake at the offset, to be raised."""
        position = self.position(offset)
        return kind(message, position, self.line(position.line))


def plain_lines(text: str) -> str:
    """The text without a byte order mark, its lines ended as Python ends them."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def read_bytes(path: Path, ending: str) -> bytes:
    """The contents of a source file; `ending` is what names of such files end in."""
    try:
        if not path.is_dir() and not stat.S_ISREG(path.stat().st_mode):
            raise PincerError(f"{path} is not a regular file; save the program in one first")
        return path.read_bytes()
    except FileNotFoundError:
        raise PincerError(f"{path}: there is no such file") from None
    except IsADirectoryError:
        raise PincerError(f"{path} is a directory; name a {ending} file in it") from None
    except (OSError, ValueError) as error:
        raise PincerError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}") from None


def decoded(data: bytes, file: str) -> str:
    """The text that the bytes of a file hold; the first that are no text are named with their place."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8")
        raise PincerError(
            f"this is not a text file in UTF-8 (byte 0x{data[error.start]:02x}); save it as UTF-8",
            Position(file, before.count("\n") + 1, len(before) - before.rfind("\n")),
        ) from None
    if "\0" in text:
        raise SourceText(file, text).error(text.index("\0"), "this is not a text file: it contains a NUL byte")
    return text


@contextmanager
def generous_limits() -> Iterator[None]:
    """Room for deeply nested text and for integers of any length, which Python limits by default.

    Recursion here goes from Python function to Python function: a high limit costs heap, not C stack.
    """
    depth, digits = sys.getrecursionlimit(), sys.get_int_max_str_digits()
    sys.setrecursionlimit(max(depth, 50_000))
    sys.set_int_max_str_digits(0)
    try:
        yield
    except RecursionError:
        raise PincerError("the text is nested too deeply; split it into smaller formulas") from None
    finally:
        sys.setrecursionlimit(depth)
        sys.set_int_max_str_digits(digits)
