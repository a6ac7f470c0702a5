"""The measurements of `pincer bench dash` as a table for people, beside the published figures, with totals below."""

from __future__ import annotations

import math
from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from pincer.bench.dash_measure import DashMeasurement, Tool
from pincer.bench.dash_rows import DashRow

_COUNTS = ("iterations", "questions", "solver_calls", "tests", "regions")
_LONGEST_REASON = 70
_HEADINGS = ("iter", "questions", "solver", "tests", "regions")


def print_dash_table(console: Console, rows: Sequence[DashRow], measurements: Sequence[DashMeasurement]) -> None:
    """One line per row and tool, one section per group; the paper's figures stand in parentheses."""
    by_name = {row.name: row for row in rows}
    published = any(row.published for row in rows)
    table = Table(
        header_style="bold",
        title="ours (published)" if published else None,
        title_style="dim",
        pad_edge=False,
        box=SIMPLE_HEAD,
    )
    for heading in ("row", "tool", "verdict"):
        table.add_column(heading, no_wrap=True)
    for heading in (*_HEADINGS, "engine s", "wall s"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("evidence", no_wrap=True)
    previous: DashRow | None = None
    for measured in measurements:
        row = by_name[measured.row]
        if previous is not None and row.group != previous.group:
            table.add_section()
        label = "" if row is previous else row.name
        previous = row
        table.add_row(label, measured.tool, *_cells(row, measured))
    console.print(table)
    if published:
        console.print(
            "published: Table 1 of the paper, on other drivers of the same kind (theirs are not public); "
            "their solver calls equal their iterations",
            style="dim",
        )


def _cells(row: DashRow, measured: DashMeasurement) -> list[Text | str]:
    printed = row.published if measured.tool == "pincer" else None
    counts: list[Text | str] = []
    for name in _COUNTS:
        beside = printed.iterations if printed and name in ("iterations", "questions") else None
        counts.append(_pair(getattr(measured, name), beside))
    return [
        _verdict(measured),
        *counts,
        _pair(_seconds(measured.engine_s), _seconds(printed.time_s) if printed else None),
        _seconds(measured.wall_s) or "",
        _evidence(measured),
    ]


def _verdict(measured: DashMeasurement) -> Text:
    if measured.wrong:
        return Text(f"{measured.status} WRONG", style="bold red")
    style = "green" if measured.right else "" if measured.decided else "yellow"
    return Text(measured.status, style=style)


def _evidence(measured: DashMeasurement) -> Text | str:
    if measured.evidence == "not confirmed":
        return Text(_cut(measured.remark or "not confirmed"), style="yellow")
    return measured.evidence if measured.decided else Text(_cut(measured.reason), style="dim")


def _cut(text: str) -> str:
    """A sentence in the room of a table; `--json` keeps it whole."""
    return text if len(text) <= _LONGEST_REASON else f"{text[: _LONGEST_REASON - 3]}..."


def _pair(ours: object, printed: object) -> Text:
    text = Text("" if ours is None else str(ours))
    if printed is not None:
        text.append(f" ({printed})", style="dim")
    return text


def _seconds(seconds: float | None) -> str | None:
    if seconds is None:
        return None
    return f"{seconds:.2f}" if seconds < 10 else f"{seconds:.1f}"


def print_dash_summary(
    console: Console, measurements: Sequence[DashMeasurement], startup: dict[Tool, float]
) -> None:  # fmt: skip
    """Totals for each tool, the comparison on rows that two tools decide, and everything that should not be."""
    tools = list(dict.fromkeys(measured.tool for measured in measurements))
    for tool in tools:
        own = [measured for measured in measurements if measured.tool == tool]
        console.print(_totals(tool, own, startup.get(tool)))
    if len(tools) > 1:
        _print_common(console, measurements, startup)
    for measured in measurements:
        if measured.wrong:
            what = f"{measured.row}, {measured.tool}: {measured.status}, but {measured.expected} is expected"
            console.print(f"WRONG: {what}", style="bold red")
        elif measured.evidence == "not confirmed":
            console.print(f"not confirmed: {measured.row}: {measured.remark}", style="yellow")


def _totals(tool: Tool, own: Sequence[DashMeasurement], startup: float | None) -> str:
    right = [measured for measured in own if measured.right]
    wrong = sum(measured.wrong for measured in own)
    unjudged = sum(measured.decided and measured.expected is None for measured in own)
    open_ = len(own) - len(right) - wrong - unjudged
    text = f"{tool}: {len(own)} rows, {len(right)} right, {wrong} wrong, {open_} undecided"
    if unjudged:
        text += f", {unjudged} decided without an expected verdict"
    text += f"; {sum(measured.wall_s for measured in right):.1f} s for those decided rightly"
    if startup is not None:
        text += f", of which starting up {startup:.2f} s each"
    if tool == "pincer":
        unsafe = [measured for measured in own if measured.status == "unsafe"]
        safe = [measured for measured in own if measured.status == "safe"]
        confirmed = sum(measured.evidence == "confirmed" for measured in unsafe)
        certified = sum(measured.evidence == "certified" for measured in safe)
        text += f"; {confirmed} of {len(unsafe)} violations confirmed, {certified} of {len(safe)} proofs certified"
    return text


def _print_common(console: Console, measurements: Sequence[DashMeasurement], startup: dict[Tool, float]) -> None:
    ours = {measured.row: measured for measured in measurements if measured.tool == "pincer" and measured.right}
    theirs = {measured.row: measured for measured in measurements if measured.tool == "cbmc" and measured.right}
    common = sorted(ours.keys() & theirs.keys())
    only = f"only pincer {len(ours.keys() - theirs.keys())}, only cbmc {len(theirs.keys() - ours.keys())}"
    console.print(f"decided rightly by both {len(common)}, {only}")
    if not common:
        return
    ratios = [
        _without(ours[name].wall_s, startup.get("pincer")) / _without(theirs[name].wall_s, startup.get("cbmc"))
        for name in common
    ]
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    console.print(f"on those both decide, starting up not counted: pincer takes {mean:.2f} times as long as cbmc")


def _without(wall: float, startup: float | None) -> float:
    return max(wall - (startup or 0.0), 0.01)
