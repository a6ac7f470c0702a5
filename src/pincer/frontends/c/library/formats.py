"""Formats of printf and its relatives, read when they are known: pieces of text, and what is put between them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias

_CONVERSION = re.compile(
    r"%(?P<flags>[-+ #0']*)(?P<width>\*|\d+)?(?:\.(?P<precision>\*|-?\d*))?"
    r"(?P<length>hh|h|ll|l|j|z|t|q|L)?(?P<letter>.)",
    re.DOTALL,
)
STAR = "*"


@dataclass(frozen=True, slots=True)
class Conversion:
    """`%-8.3ld`: flags `-`, width 8, precision 3, length `l`, letter `d`. A `*` is the next argument's value."""

    flags: str
    width: int | str | None
    precision: int | str | None
    length: str
    letter: str

    @property
    def arguments(self) -> int:
        """How many arguments it takes."""
        return [self.width, self.precision].count(STAR) + 1


Piece: TypeAlias = str | Conversion


def pieces(format: str) -> list[Piece] | None:
    """The pieces of a format in order, up to its end; None for one that C leaves undefined."""
    format = format.partition("\0")[0]
    found: list[Piece] = []
    at = 0
    while at < len(format):
        start = format.find("%", at)
        if start < 0:
            return [*found, format[at:]]
        if start > at:
            found.append(format[at:start])
        match = _CONVERSION.match(format, start)
        if match is None:
            return None
        found.append("%" if match["letter"] == "%" else _conversion(match))
        at = match.end()
    return found


def _conversion(match: re.Match[str]) -> Conversion:
    width, precision = match["width"], match["precision"]
    return Conversion(
        match["flags"],
        width if width in (None, STAR) else int(width),
        precision if precision in (None, STAR) else int(precision or 0),
        match["length"] or "",
        match["letter"],
    )
