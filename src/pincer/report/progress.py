"""The live line: what the analysis is doing now, redrawn in place on a terminal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TextIO

from pincer.report.terminal import escape, look_of
from pincer.runtime.run import Progress

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


class ProgressLine:
    """Draws on a terminal only; on anything else, or when told to be quiet, it does nothing."""

    def __init__(self, stream: TextIO, label: str, enabled: bool = True) -> None:
        self._stream = stream
        self._label = label
        self._enabled = enabled and stream.isatty()
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
