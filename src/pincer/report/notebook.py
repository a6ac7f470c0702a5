"""Verdicts and runs as pieces of HTML, for notebooks: text from programs stays text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from pincer.evidence.violating_run import RunStep, ViolatingRun
from pincer.program.property import Verdict
from pincer.report import terminal
from pincer.report.run_text import Rounds, folded, gathered
from pincer.report.verdicts import WORDS

MOST_STEPS = 60
_COLOURS = {"safe": "#1a7f37", "unsafe": "#cf222e", "unknown": "#9a6700"}


def badge(verdict: Verdict) -> str:
    """The verdict as everybody writes it, in its colour."""
    return f'<strong style="color: {_COLOURS[verdict]}">{WORDS[verdict]}</strong>'


def verdict_html(verdict: Verdict, name: str, why: str, run: ViolatingRun | None = None) -> str:
    """A verdict in a line, and below it the run that violates the property."""
    line = f"<div>{badge(verdict)} <strong>{_text(name)}</strong>: {_text(why)}</div>"
    return line if run is None else line + run_html(run)


def run_html(run: ViolatingRun) -> str:
    """The steps of a run as a table; loops are folded, and of many steps the middle is left out."""
    rows = list(folded(run.steps))
    half = MOST_STEPS // 2
    shown = [_row(run, row) for row in (rows if len(rows) <= MOST_STEPS else rows[:half])]
    if len(rows) > MOST_STEPS:
        shown.append(_cells(["", "", f"({len(rows) - 2 * half} rows left out)", ""]))
        shown += (_row(run, row) for row in rows[-half:])
    inputs = ", ".join(map(str, run.inputs))
    told = f"<div>inputs: {_text(inputs)}</div>" if inputs else ""
    head = _cells(["step", "place", "what", "changes"], "th")
    return f"{told}<table>{head}{''.join(shown)}</table>"


def drawing_html(svg: str, note: str = "") -> str:
    """A drawing as part of a page, and what was left out of it; it shrinks with the page, and does not grow."""
    start = svg.find("<svg")
    told = f"<div>{_text(note)}</div>" if note else ""
    return f'<div style="max-width: 100%; overflow: auto">{svg[start:] if start >= 0 else ""}</div>{told}'


def _row(run: ViolatingRun, row: RunStep | Rounds) -> str:
    if isinstance(row, Rounds):
        return _cells(["", "", f"({row.count} more {'round' if row.count == 1 else 'rounds'})", ""])
    place = " ".join(part for part in (row.place, run.lane_of(row)) if part)
    cells = [str(row.number), place, row.text, ", ".join(gathered(row.remarks))]
    return _cells(cells, indent=f"; padding-left: {row.depth + 1}em" if row.depth else "")


def _cells(texts: Sequence[str], kind: str = "td", indent: str = "") -> str:
    """A row; what is done can be indented."""
    styles = ["text-align: left" + (indent if column == 2 else "") for column in range(len(texts))]
    cells = (f'<{kind} style="{style}">{_text(text)}</{kind}>' for style, text in zip(styles, texts, strict=True))
    return f"<tr>{''.join(cells)}</tr>"


def joined_html(parts: Iterable[str]) -> str:
    return f"<div>{''.join(parts)}</div>"


def _text(text: str) -> str:
    """Text that cannot be taken for markup, or turn the direction of its line."""
    return escape(terminal.escape(text))
