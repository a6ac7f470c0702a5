"""The measurements of a run as a table for people, beside what was published, with a summary below."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations

from msgspec import Struct
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from pincer.bench.measurement import ACCEPTED, Measurement
from pincer.bench.rows import Figures, GuardedQuestion, Row

NOT_COMPARED = ("time_s",)
_LONGEST_REMARK = 70


class Column(Struct, frozen=True):
    """A figure of the table: its heading, and where it stands among figures, ours or published."""

    heading: str
    of: Callable[[Figures], object]

    @staticmethod
    def named(heading: str, name: str) -> Column:
        return Column(heading, lambda figures: figures.get(name))


class TableLayout(Struct, frozen=True):
    """What a table shows between the verdict and the evidence, and what is to be known about published figures."""

    columns: tuple[Column, ...]
    note: str = ""
    counts: bool = False
    """Whether counts are compared with those that are expected of the paper mode."""


def print_table(
    console: Console, rows: Sequence[Row], measurements: Sequence[Measurement], layout: TableLayout
) -> None:
    """One line per row and tool, one section per group; published figures stand in parentheses."""
    by_name = {row.name: row for row in rows}
    published = any(row.published for row in rows)
    title = "ours (published)" if published else None
    table = Table(header_style="bold", title=title, title_style="dim", pad_edge=False, box=SIMPLE_HEAD)
    for heading in ("row", "tool", "verdict"):
        table.add_column(heading, no_wrap=True)
    for heading in (*(column.heading for column in layout.columns), "time s"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("evidence", no_wrap=True)
    if layout.counts:
        table.add_column("counts", no_wrap=True)
    previous: Row | None = None
    for measured in measurements:
        row = by_name[measured.row]
        if previous is not None and row.group != previous.group:
            table.add_section()
        label = Text("") if row is previous else _label(row)
        previous = row
        counts = [_counts_mark(row, measured)] if layout.counts else []
        table.add_row(label, measured.tool, _verdict(measured), *_figures(row, measured, layout), *counts)
    console.print(table)
    if published:
        _print_notes(console, rows, layout.note)


def _print_notes(console: Console, rows: Sequence[Row], note: str) -> None:
    """Why figures differ from the published ones: in general, then row by row."""
    console.print(note, style="dim")
    by_note: dict[str, list[str]] = {}
    for row in rows:
        if row.note:
            by_note.setdefault(row.note, []).append(row.name)
    for text, names in by_note.items():
        label = ", ".join(names) if len(names) <= 4 else f"{names[0]} ... {names[-1]}"
        console.print(f"{label}: {text}", style="dim")


def _label(row: Row) -> Text:
    tag = row.question.tag if isinstance(row.question, GuardedQuestion) else None
    return Text(row.name) if tag is None else Text(f"{row.name} ").append(tag, style="dim")


def _verdict(measured: Measurement) -> Text:
    if measured.wrong:
        return Text(f"{measured.status} WRONG", style="bold red")
    return Text(measured.status, style="green" if measured.right else "" if measured.decided else "yellow")


def _figures(row: Row, measured: Measurement, layout: TableLayout) -> list[Text]:
    printed = row.published.get(measured.tool, {})
    figures = [_pair(column.of(measured.figures), column.of(printed)) for column in layout.columns]
    return [*figures, _pair(measured.time_s, printed.get("time_s")), _evidence(measured)]


def _pair(ours: object, printed: object) -> Text:
    text = Text(_shown(ours))
    return text if printed is None else text.append(f" ({_shown(printed)})", style="dim")


def _shown(figure: object) -> str:
    """Seconds are the only fractions."""
    if isinstance(figure, float):
        return f"{figure:.{3 if figure < 1 else 2 if figure < 10 else 1}f}"
    return "" if figure is None else str(figure)


def _evidence(measured: Measurement) -> Text:
    if not measured.decided:
        return Text(_cut(measured.reason), style="dim")
    if measured.evidence in ("not confirmed", "unchecked"):
        return Text(_cut(measured.remark or measured.evidence), style="yellow")
    cost = "" if measured.evidence_s is None else f" {_shown(measured.evidence_s)} s"
    return Text(measured.evidence + cost, style="red" if measured.evidence == "rejected" else "")


def _cut(text: str) -> str:
    """A sentence in the room of a table; `--json` keeps it whole."""
    return text if len(text) <= _LONGEST_REMARK else f"{text[: _LONGEST_REMARK - 3]}..."


def count_differences(row: Row, measured: Measurement) -> list[str] | None:
    """Where the counts leave those expected of the paper mode, for example `states 81 instead of 80`; None where none
    are expected."""
    question = row.question
    expected = question.expected_counts.get(measured.tool) if isinstance(question, GuardedQuestion) else None
    if expected is None:
        return None
    return [
        f"{name.replace('_', ' ')} {measured.figures.get(name)} instead of {wanted}"
        for name, wanted in expected.items()
        if name not in NOT_COMPARED and measured.figures.get(name) != wanted
    ]


def _is_exact(row: Row) -> bool:
    return isinstance(row.question, GuardedQuestion) and row.question.tag == "EXACT"


def _counts_mark(row: Row, measured: Measurement) -> Text:
    differences = count_differences(row, measured)
    if differences is None:
        return Text("")
    return Text("differ", style="red" if _is_exact(row) else "yellow") if differences else Text("same", style="green")


def print_summary(
    console: Console,
    measurements: Sequence[Measurement],
    startup: Mapping[str, float] | None = None,
    processor: Mapping[str, float] | None = None,
) -> None:
    """Totals for each tool, tools side by side on the rows both decide, and everything that should not be.

    `startup` is what each tool needs for a program with nothing to decide, `processor` the same of the processor."""
    started = startup or {}
    tools = list(dict.fromkeys(measured.tool for measured in measurements))
    for tool in tools:
        own = [measured for measured in measurements if measured.tool == tool]
        console.print(_totals(tool, own, started.get(tool)))
    for first, second in combinations(tools, 2):
        _print_common(console, measurements, (first, second), started, processor or {})
    for measured in measurements:
        if measured.wrong:
            why = f"but {measured.expected} is expected" if measured.status != measured.expected else measured.remark
            console.print(f"WRONG: {measured.row}, {measured.tool}: {measured.status}, {why}", style="bold red")
        elif measured.evidence == "not confirmed":
            console.print(f"not confirmed: {measured.row}: {measured.remark}", style="yellow")


def _totals(tool: str, own: Sequence[Measurement], startup: float | None) -> str:
    right = [measured for measured in own if measured.right]
    wrong = sum(measured.wrong for measured in own)
    unjudged = sum(measured.decided and not measured.right and not measured.wrong for measured in own)
    undecided = len(own) - len(right) - wrong - unjudged
    text = f"{tool}: {len(own)} rows, {len(right)} right, {wrong} wrong, {undecided} undecided"
    if unjudged:
        text += f", {unjudged} decided without an expected verdict"
    text += f"; {sum(measured.cost_s for measured in right):.1f} s for those that are right"
    if startup is not None:
        text += f", of which starting up {startup:.2f} s each"
    for status, what in (("unsafe", "violations"), ("safe", "proofs")):
        found = [measured for measured in own if measured.status == status]
        if any(measured.evidence for measured in found):
            text += f"; {sum(measured.evidence in ACCEPTED for measured in found)} of {len(found)} {what} checked"
    return text


def _print_common(
    console: Console,
    measurements: Sequence[Measurement],
    tools: tuple[str, str],
    startup: Mapping[str, float],
    processor: Mapping[str, float],
) -> None:
    """Two tools side by side, starting up not counted."""
    first, second = (
        {measured.row: measured for measured in measurements if measured.tool == tool and measured.right}
        for tool in tools
    )
    common = sorted(first.keys() & second.keys())
    only = ", ".join(
        f"only {tool} {len(mine.keys() - others.keys())}"
        for tool, mine, others in zip(tools, (first, second), (second, first), strict=True)
    )
    text = f"right by both {tools[0]} and {tools[1]} {len(common)}, {only}"
    if common:
        both = [[found[name] for name in common] for found in (first, second)]
        costs = [[m.cost_s - startup.get(tool, 0.0) for m in own] for tool, own in zip(tools, both, strict=True)]
        text += f"; on those of both {_compared(tools, costs)}"
        if all(m.cpu_s is not None for own in both for m in own):
            costs = [
                [(m.cpu_s or 0) - processor.get(tool, 0) for m in own] for tool, own in zip(tools, both, strict=True)
            ]
            text += f"; of processor time {_compared(tools, costs)}"
    console.print(text)


def _compared(tools: tuple[str, str], costs: Sequence[Sequence[float]]) -> str:
    """The sums of two tools, and how many times as long the first one takes, in sum and in the mean."""
    ours, theirs = ([max(seconds, 0.001) for seconds in times] for times in costs)
    mean = math.exp(sum(math.log(one / other) for one, other in zip(ours, theirs, strict=True)) / len(ours))
    sums = f"{tools[0]} {sum(ours):.2f} s, {tools[1]} {sum(theirs):.2f} s, in sum {sum(ours) / sum(theirs):.2f} times"
    return f"{sums}: in the mean {tools[0]} takes {mean:.2f} times as long"


def print_counts(console: Console, rows: Sequence[Row], measurements: Sequence[Measurement]) -> None:
    """How far the paper mode reproduces the published counts."""
    by_name = {row.name: row for row in rows}
    compared = [(by_name[m.row], m, count_differences(by_name[m.row], m)) for m in measurements]
    exact = [differences for row, _, differences in compared if differences is not None and _is_exact(row)]
    reproduced = sum(not differences for differences in exact)
    console.print(f"EXACT rows whose counts are reproduced: {reproduced} of {len(exact)}")
    for row, measured, differences in compared:
        if differences and isinstance(row.question, GuardedQuestion):
            console.print(f"  {row.name} ({row.question.tag}), {measured.tool}: {', '.join(differences)}")
