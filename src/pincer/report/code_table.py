"""A counterexample of a C program as text: place, source line, and what happened there."""

from __future__ import annotations

from collections.abc import Sequence

from pincer.report.finding import CodeRow
from pincer.report.terminal import Look, escape, join_items

_SHOWN_ROWS = 40
_SHOWN_INPUTS = 12
_INDENT = "  "


def code_table(rows: Sequence[CodeRow], look: Look, verbose: bool = False) -> list[str]:
    """One line for each row: `FILE:LINE`, the source indented by calls, changed variables or the decision's side."""
    if not rows:
        return []
    place = max(len(escape(row.place)) for row in rows)
    room = look.width - place - 4
    code = min(max(len(_code(row)) for row in rows), room * 3 // 5)
    lines = [""]
    for row in _shown(rows, verbose):
        if isinstance(row, int):
            lines.append(f"  {'...':<{place}}  {row} lines left out, --verbose shows them")
        elif row.rounds:
            more = "round" if row.rounds == 1 else "rounds"
            lines.append(f"  {'...':<{place}}  {_INDENT * row.depth}({row.rounds} more {more})")
        else:
            lines += _row_lines(row, place, code, look)
    return [*lines, ""]


def shown_inputs(inputs: Sequence[str], verbose: bool = False) -> list[str]:
    """The inputs, one item each; of many, the first ones."""
    if not inputs:
        return ["none: every run goes wrong"]
    if verbose or len(inputs) <= _SHOWN_INPUTS:
        return list(inputs)
    hidden = len(inputs) - _SHOWN_INPUTS
    return [*inputs[:_SHOWN_INPUTS], f"and {hidden} more (--verbose)"]


def _code(row: CodeRow) -> str:
    return _INDENT * row.depth + escape(row.text.replace("\t", " "))


def _row_lines(row: CodeRow, place: int, code: int, look: Look) -> list[str]:
    text = _code(row)
    cut = text if len(text) <= code else f"{text[: code - 3]}..."
    start = f"  {escape(row.place):<{place}}  {cut:<{code}}  "
    items = [f"{name} = {value}" for name, value in row.changes] + ([row.note] if row.note else [])
    lines = join_items(map(escape, items), look.width, start, " " * len(start))
    if row.note == "goes wrong":
        lines[-1] = lines[-1].replace(row.note, look.paint(row.note, "red"))
    return lines


def _shown(rows: Sequence[CodeRow], verbose: bool) -> list[CodeRow | int]:
    """The rows, the middle of many replaced by its length."""
    if verbose or len(rows) <= _SHOWN_ROWS:
        return list(rows)
    half = _SHOWN_ROWS // 2
    return [*rows[:half], len(rows) - 2 * half, *rows[-half:]]
