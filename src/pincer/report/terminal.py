"""Text for people: colour only where it is wanted, lines that fit, no way for input to steer the terminal.

The live line says what the analysis is doing now, redrawn in place.
"""

from __future__ import annotations

import os
import shutil
import stat
import sys
import textwrap
from collections.abc import Iterable
from typing import TextIO

from msgspec import Struct

from pincer.runtime.run import Progress

_CODES = {"green": "32;1", "red": "31;1", "yellow": "33;1", "bold": "1", "dim": "2"}


class Look(Struct, frozen=True):
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
    """`items` separated by commas, broken between items; inside of one only where it is longer than a line."""
    lines = [first]
    room = max(width - len(rest), _NARROWEST)
    for index, item in enumerate(items):
        if index:
            lines[-1] += ","
            fits = len(lines[-1]) + 1 + len(item) + 1 <= width
            if fits:
                lines[-1] += " "
            else:
                lines.append(rest)
        begun, *more = textwrap.wrap(item, room, break_long_words=False) if len(item) > room else [item]
        lines[-1] += begun
        lines += (rest + part for part in more)
    return [line.rstrip() for line in lines]


def write_lines(stream: TextIO, lines: Iterable[str]) -> None:
    """Write and flush whole lines, so that what was said survives whatever comes next."""
    stream.write("".join(f"{line}\n" for line in lines))
    stream.flush()


_NARROWEST = 24
_REDRAW_SECONDS = 0.1
_APPEARS_AFTER_SECONDS = 0.3
_ROOM_FOR_ECHO = 4
"""Terminals print ^C behind the line; it must not wrap, or the line could not be wiped."""


_SHORT = {
    "iteration": "it",
    "iterations": "it",
    "predicates": "preds",
    "abstract_states": "abstract",
    "questions": "queries",
}
_MANY = 10_000


def progress_text(label: str, progress: Progress | None, memory_mb: float, elapsed: float, width: int) -> str:
    """One line: file, elapsed time, memory, engine and phase, then the engine's numbers.

    Where they do not fit, words become shorter, then the file's name and the phase go, and then what is left over.
    """
    usage = [f"{elapsed:.0f} s", f"{memory_mb:.0f} MB"]
    if progress is None or not progress.engine:
        return _joined([label, *usage, "starting"], width)
    engine, numbers = progress.engine, progress.numbers
    doing = [*usage, f"{engine} {progress.phase}".strip()]
    words = [f"{name.replace('_', ' ')} {value}" for name, value in numbers.items()]
    short = [f"{_SHORT.get(name, name.replace('_', ' '))} {_figure(value)}" for name, value in numbers.items() if value]
    for parts in ([label, *doing, *words], [label, *doing, *short], [*doing, *short]):
        if len("  ".join(map(escape, parts))) <= width:
            return _joined(parts, width)
    return _joined([*usage, engine, *short], width)


def _figure(value: int) -> str:
    return str(value) if value < _MANY else f"{value / 1000:.0f}k"


def _joined(parts: Iterable[str], width: int) -> str:
    """As many parts as fit."""
    line = ""
    for part in map(escape, parts):
        if line and len(line) + 2 + len(part) > width:
            break
        line += f"  {part}" if line else part
    return line[:width]


def shares_terminal(output: TextIO) -> bool:
    """Whether what goes to an output may appear on the terminal beside a progress line that knows nothing of it: a
    reader behind a pipe (`| less`) writes there when it likes."""
    try:
        return stat.S_ISFIFO(os.fstat(output.fileno()).st_mode)
    except (OSError, ValueError):
        return False


class ProgressLine:
    """Draws on a terminal only; on anything else, or when told to be quiet, it does nothing."""

    def __init__(self, stream: TextIO, label: str, enabled: bool = True) -> None:
        self._stream = stream
        self._label = label
        self._enabled = enabled and stream.isatty() and not shares_terminal(sys.stdout)
        self._drawn_at: float | None = None

    def draw(self, progress: Progress | None, memory_mb: float, elapsed: float) -> None:
        if not self._enabled or elapsed < _APPEARS_AFTER_SECONDS:
            return
        if self._drawn_at is not None and elapsed - self._drawn_at < _REDRAW_SECONDS:
            return
        self._drawn_at = elapsed
        width = look_of(self._stream).width - _ROOM_FOR_ECHO
        text = progress_text(self._label, progress, memory_mb, elapsed, width)
        self._stream.write(f"\r\x1b[K{text}")
        self._stream.flush()

    def clear(self) -> None:
        """Remove the line, so that what is printed next starts on a clean one."""
        if self._drawn_at is not None:
            self._drawn_at = None
            self._stream.write("\r\x1b[K")
            self._stream.flush()
