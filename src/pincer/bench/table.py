"""The measurements of a run as a table for people, beside what was published, with a summary below."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from pincer.bench.measure import Measurement, Tool
from pincer.bench.rows import Figures, Row

NOT_COMPARED = ("time_s",)

DEFAULT_NOTE = (
    "ASE here explores breadth first and beyond matched states, and knows three more proofs (EX exhaustion, "
    "OA over-approximation, ST strengthening): fewer iterations and predicates than published, more states. "
    "--paper follows the authors' rules."
)
PAPER_NOTE = (
    "queries: one per edge and undecided pre-image, the count that gives RAX its 6; how the other rows were counted "
    "is not known. Proofs rest on closedness instead of exactness, so some rows read SF where the paper has II."
)


def print_table(console: Console, rows: Sequence[Row], measurements: Sequence[Measurement], paper: bool) -> None:
    """One line per row and tool; published figures stand in parentheses."""
    by_row = {row.name: row for row in rows}
    title = "ours (published)" if any(row.published for row in rows) else None
    table = Table(header_style="bold", title=title, title_style="dim", pad_edge=False, box=SIMPLE_HEAD)
    table.add_column("row", no_wrap=True)
    table.add_column("tool", no_wrap=True)
    table.add_column("verdict", no_wrap=True)
    for heading in ("iter", "preds", "con/abs", "queries", "check", "time s", "solver"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("evidence", no_wrap=True)
    if paper:
        table.add_column("counts", no_wrap=True)
    previous = ""
    for measurement in measurements:
        row = by_row[measurement.row]
        first = measurement.row != previous
        if first and previous:
            table.add_section()
        previous = measurement.row
        label = f"{row.name} [dim]{row.tag or ''}[/dim]" if first else ""
        cells = _cells(row, measurement)
        table.add_row(label, measurement.tool, *cells, *([_counts_mark(row, measurement)] if paper else []))
    console.print(table)
    _print_notes(console, rows, paper)


def _print_notes(console: Console, rows: Sequence[Row], paper: bool) -> None:
    """Why figures differ from the published ones: in general, then row by row."""
    if not any(row.published for row in rows):
        return
    console.print(PAPER_NOTE if paper else DEFAULT_NOTE, style="dim")
    by_note: dict[str, list[str]] = {}
    for row in rows:
        if row.note:
            by_note.setdefault(row.note, []).append(row.name)
    for note, names in by_note.items():
        label = ", ".join(names) if len(names) <= 4 else f"{names[0]} ... {names[-1]}"
        console.print(f"{label}: {note}", style="dim")


def _cells(row: Row, measurement: Measurement) -> list[Text | str]:
    ours, printed = measurement.figures, row.published.get(measurement.tool, Figures())
    share = measurement.solver_share
    return [
        _verdict(measurement),
        _pair(ours.iterations, printed.iterations),
        _pair(ours.predicates, printed.predicates),
        _pair(_states(ours), _states(printed)),
        _pair(ours.queries, printed.queries),
        _pair(ours.check, printed.check),
        _pair(_seconds(ours.time_s), _seconds(printed.time_s)),
        "" if share is None else f"{share:.0%}",
        _evidence(measurement),
    ]


def _verdict(measurement: Measurement) -> Text:
    text = f"{measurement.status} WRONG" if measurement.wrong else measurement.status
    style = "bold red" if measurement.wrong else "green" if measurement.decided else "yellow"
    return Text(text, style=style)


def _evidence(measurement: Measurement) -> Text | str:
    if not measurement.decided or measurement.tool == "spacer":
        return ""
    if measurement.evidence == "unchecked":
        return Text(measurement.evidence_reason or "not checked", style="dim")
    cost = "" if measurement.evidence_s is None else f" {_seconds(measurement.evidence_s)} s"
    return Text(measurement.evidence + cost, style="red" if measurement.evidence == "rejected" else "")


def _states(figures: Figures) -> str | None:
    if figures.states is None:
        return None
    return f"{figures.states}/{figures.abstract_states}"


def _seconds(seconds: float | None) -> str | None:
    if seconds is None:
        return None
    return f"{seconds:.3f}" if seconds < 10 else f"{seconds:.1f}"


def _pair(ours: object, printed: object) -> Text:
    text = Text("" if ours is None else str(ours))
    if printed is not None:
        text.append(f" ({printed})", style="dim")
    return text


def count_differences(row: Row, measurement: Measurement) -> list[str]:
    """Where the counts leave those expected of the paper mode, for example `states 81 instead of 80`."""
    expected = row.expected_counts.get(measurement.tool)
    if expected is None:
        return []
    differences = []
    for field in fields(Figures):
        wanted, got = getattr(expected, field.name), getattr(measurement.figures, field.name)
        if field.name not in NOT_COMPARED and wanted is not None and got != wanted:
            differences.append(f"{field.name.replace('_', ' ')} {got} instead of {wanted}")
    return differences


def _counts_mark(row: Row, measurement: Measurement) -> Text | str:
    if measurement.tool not in row.expected_counts:
        return ""
    if count_differences(row, measurement):
        return Text("differ", style="red" if row.tag == "EXACT" else "yellow")
    return Text("same", style="green")


def print_summary(console: Console, rows: Sequence[Row], measurements: Sequence[Measurement], paper: bool) -> None:
    """Solved rows, time on the rows that several tools solve, and everything that should not be."""
    tools = list(dict.fromkeys(measurement.tool for measurement in measurements))
    for tool in tools:
        own = [m for m in measurements if m.tool == tool]
        solved = [m for m in own if m.decided and not m.wrong]
        evidence = sum(m.evidence in ("certified", "replayed") for m in own)
        checked = "" if tool == "spacer" else f", evidence checked for {evidence}"
        console.print(f"{tool}: {len(solved)} of {len(own)} rows solved in {_total(solved)} s{checked}")
    for index, first in enumerate(tools):
        for second in tools[index + 1 :]:
            _print_common(console, measurements, first, second)
    for measurement in measurements:
        if measurement.wrong:
            why = measurement.evidence_reason or f"{measurement.expected} is true"
            console.print(
                f"WRONG: {measurement.row}, {measurement.tool}: {measurement.status} ({why})",
                style="bold red",
            )
    if paper:
        _print_counts(console, rows, measurements)


def _print_common(console: Console, measurements: Sequence[Measurement], first: Tool, second: Tool) -> None:
    solved = {
        tool: {m.row: m for m in measurements if m.tool == tool and m.decided and not m.wrong}
        for tool in (first, second)
    }
    common = solved[first].keys() & solved[second].keys()
    if common:
        times = [_total(solved[tool][name] for name in common) for tool in (first, second)]
        console.print(f"on the {len(common)} rows that both solve: {first} {times[0]} s, {second} {times[1]} s")


def _total(measurements: Iterable[Measurement]) -> str:
    return f"{sum(m.figures.time_s or 0.0 for m in measurements):.2f}"


def _print_counts(console: Console, rows: Sequence[Row], measurements: Sequence[Measurement]) -> None:
    by_row = {row.name: row for row in rows}
    compared = [m for m in measurements if m.tool in by_row[m.row].expected_counts]
    exact = [m for m in compared if by_row[m.row].tag == "EXACT"]
    reproduced = sum(not count_differences(by_row[m.row], m) for m in exact)
    console.print(f"EXACT rows whose counts are reproduced: {reproduced} of {len(exact)}")
    for measurement in compared:
        row = by_row[measurement.row]
        differences = count_differences(row, measurement)
        if differences:
            console.print(f"  {row.name} ({row.tag}), {measurement.tool}: {', '.join(differences)}")
