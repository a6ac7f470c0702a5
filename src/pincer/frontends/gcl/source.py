"""A source text and the places in it: offsets become positions, mistakes become errors that show the line."""

from __future__ import annotations

import sys
from bisect import bisect_right
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property

from pincer.errors import PincerError, Position, UnsupportedError

_RECURSION_LIMIT = 50_000


class MisreadError(Exception):
    """A mistake at an offset, raised where the source itself is not at hand."""

    def __init__(self, at: int, message: str) -> None:
        super().__init__(message)
        self.at = at
        self.message = message


@dataclass(frozen=True)
class Source:
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

    def error(self, offset: int, message: str) -> PincerError:
        position = self.position(offset)
        return PincerError(message, position, self.line(position.line))

    def unsupported(self, offset: int, message: str) -> UnsupportedError:
        position = self.position(offset)
        return UnsupportedError(message, position, self.line(position.line))


@contextmanager
def generous_limits() -> Iterator[None]:
    """Room for deeply nested text and for integers of any length, which Python limits by default.

    Recursion here goes from Python function to Python function: a high limit costs heap, not C stack.
    """
    depth, digits = sys.getrecursionlimit(), sys.get_int_max_str_digits()
    sys.setrecursionlimit(max(depth, _RECURSION_LIMIT))
    sys.set_int_max_str_digits(0)
    try:
        yield
    except RecursionError:
        raise PincerError("the text is nested too deeply; split it into smaller formulas") from None
    finally:
        sys.setrecursionlimit(depth)
        sys.set_int_max_str_digits(digits)
