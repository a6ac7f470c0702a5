"""Text for people: colour only where it is wanted, lines that fit, no way for input to steer the terminal."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TextIO

_CODES = {"green": "32;1", "red": "31;1", "yellow": "33;1", "bold": "1", "dim": "2"}


@dataclass(frozen=True, slots=True)
class Look:
    """How text may look on one stream. Meaning never rests on colour alone."""

    colour: bool = False
    width: int = 80

    def paint(self, text: str, colour: str) -> str:
        return f"\x1b[{_CODES[colour]}m{text}\x1b[0m" if self.colour else text


def look_of(stream: TextIO) -> Look:
    """The look a stream supports: colour on a terminal unless NO_COLOR is set; 80 columns elsewhere."""
    width = max(shutil.get_terminal_size((80, 24)).columns, 40)
    if not stream.isatty():
        return Look(colour=False, width=80)
    wanted = not os.environ.get("NO_COLOR") and os.environ.get("TERM", "") != "dumb"
    return Look(colour=wanted, width=width)


def escape(text: str) -> str:
    """The text with everything that is not printable written as an escape (file names may hold anything)."""
    return "".join(char if char.isprintable() else _escaped(char) for char in text)


def _escaped(char: str) -> str:
    if "\udc80" <= char <= "\udcff":
        return f"\\x{ord(char) - 0xDC00:02x}"
    return char.encode("unicode_escape", "backslashreplace").decode("ascii")


def wrap(text: str, width: int, first: str, rest: str) -> list[str]:
    """Lines of at most `width` columns: `first` before the first one, `rest` before the others."""
    lines = textwrap.wrap(
        text,
        width,
        initial_indent=first,
        subsequent_indent=rest,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return lines or [first.rstrip()]


def join_items(items: Iterable[str], width: int, first: str, rest: str) -> list[str]:
    """`items` separated by commas, broken between items only."""
    lines = [first]
    for index, item in enumerate(items):
        if index:
            lines[-1] += ","
            fits = len(lines[-1]) + 1 + len(item) + 1 <= width
            if fits:
                lines[-1] += " "
            else:
                lines.append(rest)
        lines[-1] += item
    return [line.rstrip() for line in lines]


def write_lines(stream: TextIO, lines: Iterable[str]) -> None:
    """Write and flush whole lines, so that what was said survives whatever comes next."""
    stream.write("".join(f"{line}\n" for line in lines))
    stream.flush()


def prepare_streams() -> None:
    """Characters the terminal's encoding lacks are escaped; integers of any size can be printed."""
    sys.set_int_max_str_digits(0)
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # the caller closed it
            setattr(sys, name, open(os.devnull, "w"))  # noqa: PTH123, SIM115
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")
