"""`pincer bench`: run tables of models, tool beside tool."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import get_args

from rich.console import Console

from pincer.bench.growth import FAMILIES
from pincer.bench.measure import TOOLS, Job, Measurement, Tool, measure
from pincer.bench.plot import plot_families, plot_rows, require_matplotlib
from pincer.bench.rows import Row, load_rows
from pincer.bench.table import count_differences, print_summary, print_table
from pincer.cli.bench_agse import add_agse_arguments, run_agse
from pincer.cli.bench_dash import add_dash_arguments, run_dash
from pincer.cli.bench_dse import add_dse_arguments, run_dse
from pincer.errors import PincerError

TABLE_WIDTH = 180


@dataclass(frozen=True, slots=True)
class Suite:
    """A suite: its one-line help, its own options, and the function that runs it and gives the exit code."""

    help: str
    add_arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """One sub-command per suite."""
    subparsers = parser.add_subparsers(dest="suite", required=True, metavar="SUITE")
    for name, suite in SUITES.items():
        suite.add_arguments(subparsers.add_parser(name, help=suite.help, description=suite.help))


def run(args: argparse.Namespace) -> int:
    """Exit status 0, or 1 when some verdict was wrong or some evidence did not hold."""
    return SUITES[args.suite].run(args)


def _common_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--tools", default=",".join(TOOLS), help="which of ase, ur, spacer to run (default: all)")
    parser.add_argument("--timeout", type=float, default=60.0, metavar="S", help="seconds per row and tool")
    parser.add_argument("--memory", type=int, default=4096, metavar="MB", help="address space per child process")
    parser.add_argument("--json", type=Path, metavar="OUT", help="write all measurements to a file")
    parser.add_argument("--plot", type=Path, metavar="OUT.svg", help="draw the times (needs matplotlib)")
    parser.add_argument("--no-check", action="store_true", help="do not check the evidence of the verdicts")


def _ase_arguments(parser: argparse.ArgumentParser) -> None:
    _common_arguments(parser)
    parser.add_argument("--rows", default="*", metavar="GLOB", help="rows to run, for example 'ticket*,RAX'")
    parser.add_argument("--paper", action="store_true", help="explore and count by the rules of the paper's authors")
    parser.add_argument("--profile", metavar="ROW", help="profile one row instead of running the table")


def _run_ase(args: argparse.Namespace) -> int:
    console = _console()
    if args.profile is not None:
        from pincer.bench.profiling import print_profile

        for row in load_rows(args.profile):
            print_profile(console, row, args.timeout, args.paper)
        return 0
    rows = load_rows(args.rows)
    measurements = _measure_all(console, rows, replace(_template(args, rows), paper=args.paper), _tools(args))
    print_table(console, rows, measurements, args.paper)
    print_summary(console, rows, measurements, args.paper)
    _write_json(args.json, rows, measurements, args.paper)
    if args.plot is not None:
        plot_rows(measurements, args.timeout, args.plot)
    return int(any(measurement.wrong for measurement in measurements))


def _run_growth(args: argparse.Namespace) -> int:
    """A tool that fails at one size is not asked for larger ones."""
    console = _console()
    tools = _tools(args)
    sized = {family.name: [(size, family.row(size)) for size in family.sizes] for family in FAMILIES}
    rows = [row for members in sized.values() for _, row in members]
    points: dict[str, list[tuple[int, Measurement]]] = {name: [] for name in sized}
    for name, members in sized.items():
        going = list(tools)
        for size, row in members:
            for measurement in _measure_all(console, [row], _template(args, rows), going):
                points[name].append((size, measurement))
                if not measurement.decided:
                    going.remove(measurement.tool)
    measurements = [measurement for members in points.values() for _, measurement in members]
    print_table(console, rows, measurements, paper=False)
    print_summary(console, rows, measurements, paper=False)
    _write_json(args.json, rows, measurements, paper=False)
    if args.plot is not None:
        plot_families(points, args.timeout, args.plot)
    return int(any(measurement.wrong for measurement in measurements))


def _console() -> Console:
    """Standard output; into a file or a pipe the table is written as wide as it is."""
    console = Console(highlight=False)
    return console if console.is_terminal else Console(highlight=False, width=TABLE_WIDTH)


def _tools(args: argparse.Namespace) -> list[Tool]:
    chosen: list[Tool] = []
    for name in args.tools.split(","):
        if name not in get_args(Tool):
            raise PincerError(f"there is no tool {name!r}; choose from {', '.join(TOOLS)}")
        chosen.append(next(tool for tool in TOOLS if tool == name))
    return chosen


def _template(args: argparse.Namespace, rows: Sequence[Row]) -> Job:
    """The limits of every job; says at once when the plot cannot be drawn at the end."""
    if args.plot is not None:
        require_matplotlib()
    return Job(rows[0], "ase", timeout=args.timeout, memory_mb=args.memory, check=not args.no_check)


def _measure_all(console: Console, rows: Sequence[Row], template: Job, tools: Iterable[Tool]) -> list[Measurement]:
    """Every row with every tool, one after the other: nothing else of ours runs beside a measurement."""
    measurements = []
    with console.status("") as status:
        for row in rows:
            for tool in tools:
                status.update(f"{row.name} {tool}")
                measurements.append(measure(replace(template, row=row, tool=tool)))
    return measurements


def _write_json(path: Path | None, rows: Sequence[Row], measurements: Sequence[Measurement], paper: bool) -> None:
    if path is None:
        return
    by_row = {row.name: row for row in rows}
    data = []
    for measurement in measurements:
        row = by_row[measurement.row]
        published = row.published.get(measurement.tool)
        data.append(
            {
                **asdict(measurement),
                "wrong": measurement.wrong,
                "tag": row.tag,
                "published": asdict(published) if published else None,
                "count_differences": count_differences(row, measurement) if paper else None,
            }
        )
    try:
        path.write_text(json.dumps({"paper_mode": paper, "measurements": data}, indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise PincerError(f"cannot write {path}: {error.strerror}") from error


def _weak_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--timeout", type=float, default=60.0, metavar="S", help="seconds per model")


def _run_weak(args: argparse.Namespace) -> int:
    from pincer.bench.weak import print_comparison

    return print_comparison(_console(), args.timeout)


def _run_dash(args: argparse.Namespace) -> int:
    return run_dash(args, _console())


def _run_agse(args: argparse.Namespace) -> int:
    return run_agse(args, _console())


def _run_dse(args: argparse.Namespace) -> int:
    return run_dse(args, _console())


SUITES: Mapping[str, Suite] = {
    "ase": Suite("the programs of the ASE paper, beside its published figures", _ase_arguments, _run_ase),
    "agse": Suite("programs with threads: the AGSE paper's, and families of deadlocks", add_agse_arguments, _run_agse),
    "dse": Suite("MSVL programs with temporal properties: the paper's, and a dozen more", add_dse_arguments, _run_dse),
    "dash": Suite("C programs: the DASH paper's examples, drivers, or any suite", add_dash_arguments, _run_dash),
    "growth": Suite("time against size for families of models", _common_arguments, _run_growth),
    "weak-reachability": Suite(
        "what must-transitions alone reach, beside what ASE explores", _weak_arguments, _run_weak
    ),
}
