"""A counterexample as a table people can follow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pincer.report.finding import TraceRow
from pincer.report.terminal import Look, escape, join_items

_SHOWN_ROWS = 40


def trace_table(rows: Sequence[TraceRow], look: Look, verbose: bool = False) -> list[str]:
    """Step, process (where there are several), transition, line, and only what changed."""
    rows = [_plain(row) for row in rows]
    if not rows:
        return []
    columns = _Columns.of(rows)
    lines = ["", look.paint(columns.cells("step", "process", "transition", "line") + "changes", "dim")]
    shown, hidden = _elide(rows, verbose)
    for row in shown:
        if row is None:
            lines.append(f"  {'...':>{columns.step}}  {hidden} steps left out, --verbose shows them")
        else:
            lines += _row_lines(row, columns, look)
    return [*lines, ""]


def _plain(row: TraceRow) -> TraceRow:
    changes = tuple((escape(name), escape(value)) for name, value in row.changes)
    return replace(row, process=escape(row.process), transition=escape(row.transition), changes=changes)


@dataclass(frozen=True, slots=True)
class _Columns:
    """The widths of the narrow columns; `process` is 0 when there is at most one process."""

    step: int
    process: int
    transition: int
    line: int

    @staticmethod
    def of(rows: Sequence[TraceRow]) -> _Columns:
        processes = {row.process for row in rows if row.process}
        return _Columns(
            step=max(len("step"), len(str(rows[-1].step))),
            process=max(map(len, [*processes, "process"])) if len(processes) > 1 else 0,
            transition=max(len("transition"), *(len(row.transition) for row in rows)),
            line=max(len("line"), *(len(str(row.line or "")) for row in rows)),
        )

    def cells(self, step: str, process: str, transition: str, line: str) -> str:
        who = [f"{process:<{self.process}}"] if self.process else []
        cells = [
            f"  {step:>{self.step}}",
            *who,
            f"{transition:<{self.transition}}",
            f"{line:>{self.line}}",
            "",
        ]
        return "  ".join(cells)


def _row_lines(row: TraceRow, columns: _Columns, look: Look) -> list[str]:
    start = columns.cells(str(row.step), row.process, row.transition or "(initial)", str(row.line or ""))
    changes = [f"{name} = {value}" for name, value in row.changes] or ["nothing"]
    if len(start) <= look.width // 2:
        return join_items(changes, look.width, start, " " * len(start))
    indent = " " * (columns.step + 6)
    return [start.rstrip(), *join_items(changes, look.width, indent, indent)]


def _elide(rows: Sequence[TraceRow], verbose: bool) -> tuple[list[TraceRow | None], int]:
    """The middle of a long run is left out; None marks the place."""
    if verbose or len(rows) <= _SHOWN_ROWS:
        return list(rows), 0
    half = _SHOWN_ROWS // 2
    return [*rows[:half], None, *rows[-half:]], len(rows) - 2 * half
