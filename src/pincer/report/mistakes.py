"""Messages about input that cannot be used: place, sentence, source line, caret."""

from __future__ import annotations

from pincer.errors import Mistake
from pincer.report.terminal import Look, escape


def mistake_lines(mistake: Mistake, look: Look, verbose: bool = False) -> list[str]:
    """`FILE:LINE:COL: error: sentence`, then the source line with a caret under the place."""
    place = "pincer" if mistake.line is None and mistake.file in mistake.message else escape(mistake.file)
    if mistake.line is not None:
        place += f":{mistake.line}:{mistake.column}"
    if mistake.kind == "internal":
        return _internal_lines(mistake, place, look, verbose)
    label = look.paint(mistake.kind, "red" if mistake.kind == "error" else "yellow")
    lines = [f"{place}: {label}: {_one_line(mistake.message)}"]
    if mistake.excerpt is not None and mistake.column is not None:
        lines += _excerpt_lines(mistake.excerpt, mistake.column, look)
    return lines


def _internal_lines(mistake: Mistake, place: str, look: Look, verbose: bool) -> list[str]:
    label = look.paint("internal error", "red")
    hint = "please report it" if verbose else "please report it with the output of --verbose"
    lines = [f"{place}: {label}: {_one_line(mistake.message)}; {hint}"]
    if verbose and mistake.traceback:
        lines += mistake.traceback.rstrip().splitlines()
    return lines


def _excerpt_lines(excerpt: str, column: int, look: Look) -> list[str]:
    """A window of the line around the column: generated input can have lines of any length."""
    room = max(look.width - 10, 20)
    source = excerpt.rstrip("\r\n")
    index = min(max(column - 1, 0), len(source))
    start = 0 if index < room else index - room // 2
    window = source[start : start + room]
    cut_before = "..." if start else ""
    cut_after = "..." if start + room < len(source) else ""
    indent = len(cut_before + _plain(source[start:index]))
    return [f"    {cut_before}{_plain(window)}{cut_after}", f"    {' ' * indent}{look.paint('^', 'green')}"]


def _plain(text: str) -> str:
    return escape(text.replace("\t", " "))


def _one_line(message: str) -> str:
    return " ".join(escape(part) for part in message.splitlines())
