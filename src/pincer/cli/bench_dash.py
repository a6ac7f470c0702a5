"""`pincer bench dash`: C programs, tool beside tool."""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from rich.console import Console

from pincer.bench.dash_measure import (
    TOOLS,
    DashJob,
    DashMeasurement,
    Tool,
    measure_all,
    require,
    startup_seconds,
)
from pincer.bench.dash_rows import FAMILIES, DashRow, LeaveOut, matching, own_rows, suite_rows
from pincer.bench.dash_table import print_dash_summary, print_dash_table
from pincer.bench.expect_comments import commented_rows
from pincer.bench.plot import plot_dash_families, require_matplotlib
from pincer.cli.arguments import positive, seconds
from pincer.errors import PincerError


def add_dash_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--suite", dest="folder", type=Path, metavar="DIR", help="the .yml tasks below this folder instead of our own"
    )
    parser.add_argument(
        "--expect-comments", action="store_true", help="the suite's verdicts are in `// @expect verified|error` lines"
    )
    parser.add_argument("--rows", default="*", metavar="GLOB", help="rows or groups to run, as in 'fig3*,loops'")
    parser.add_argument("--tools", help="which of pincer, cbmc to run; default: those that are installed")
    parser.add_argument("--timeout", type=seconds, default=60.0, metavar="S", help="seconds per row; default: 60")
    parser.add_argument("--memory", type=positive, default=4096, metavar="MB", help="per row; default: 4096")
    parser.add_argument("--jobs", type=positive, default=1, metavar="N", help="rows at once; default: 1")
    parser.add_argument("-I", dest="include", metavar="DIR", action="append", default=[], help="look for headers here")
    parser.add_argument("--json", type=Path, metavar="OUT", help="write all measurements to a file")
    parser.add_argument("--plot", type=Path, metavar="OUT.svg", help="draw time and iterations of the families")


def run_dash(args: argparse.Namespace, console: Console) -> int:
    """Exit status 0, or 1 when some verdict was wrong."""
    if args.plot is not None:
        require_matplotlib()
    tools = _tools(args.tools)
    with tempfile.TemporaryDirectory(prefix="pincer-") as workdir:
        left_out: list[str] = []
        rows = matching(_rows(args, Path(workdir), left_out.append), args.rows)
        startup = {tool: startup_seconds(tool) for tool in tools}
        measurements = _measured(args, console, rows, tools)
    print_dash_table(console, rows, measurements)
    print_dash_summary(console, measurements, startup)
    for reason in left_out:
        console.print(f"left out: {reason}", style="yellow", highlight=False, markup=False)
    if args.json is not None:
        _write_json(args.json, measurements, startup, left_out)
    if args.plot is not None:
        _plot(args.plot, rows, measurements)
    return int(any(measured.wrong for measured in measurements))


def _rows(args: argparse.Namespace, workdir: Path, leave_out: LeaveOut) -> list[DashRow]:
    if args.folder is None:
        if args.expect_comments:
            raise PincerError("--expect-comments needs --suite DIR: it says how that suite keeps its verdicts")
        return own_rows(workdir, leave_out)
    if not args.expect_comments:
        return suite_rows(args.folder, leave_out)
    rows = list(commented_rows(args.folder))
    if not rows:
        raise PincerError(f"there are no programs with `// @expect` lines below {args.folder}")
    return rows


def _tools(chosen: str | None) -> list[Tool]:
    if chosen is None:
        return [tool for tool in TOOLS if tool == "pincer" or shutil.which(tool)]
    tools: list[Tool] = []
    for name in chosen.split(","):
        tool = next((tool for tool in TOOLS if tool == name), None)
        if tool is None:
            raise PincerError(f"there is no tool {name!r}; choose from {', '.join(TOOLS)}")
        require(tool)
        tools.append(tool)
    return tools


def _measured(
    args: argparse.Namespace, console: Console, rows: Sequence[DashRow], tools: Sequence[Tool]
) -> list[DashMeasurement]:
    options = tuple(word for folder in args.include for word in ("-I", folder))
    jobs = [DashJob(row, tool, args.timeout, args.memory, options) for row in rows for tool in tools]
    done = 0
    with console.status(f"0 of {len(jobs)}") as status:

        def count(measured: DashMeasurement) -> None:
            nonlocal done
            done += 1
            status.update(f"{done} of {len(jobs)}, last {measured.row}: {measured.status}")
            if measured.wrong:
                console.print(f"WRONG: {measured.row}, {measured.tool}: {measured.status}", style="bold red")

        return measure_all(jobs, args.jobs, count)


def _write_json(
    path: Path, measurements: Sequence[DashMeasurement], startup: dict[Tool, float], left_out: Sequence[str]
) -> None:
    data = [{**asdict(measured), "wrong": measured.wrong} for measured in measurements]
    whole = {"startup_s": startup, "measurements": data, "left_out": list(left_out)}
    try:
        path.write_text(json.dumps(whole, indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise PincerError(f"cannot write {path}: {error.strerror}") from error


def _plot(output: Path, rows: Sequence[DashRow], measurements: Sequence[DashMeasurement]) -> None:
    sizes = {row.name: row for row in rows if row.size is not None}
    families = {
        family: [
            (size, measured)
            for measured in measurements
            if (row := sizes.get(measured.row)) and row.group == family and (size := row.size) is not None
        ]
        for family in FAMILIES
    }
    drawn = {family: points for family, points in families.items() if points}
    if not drawn:
        raise PincerError("there is nothing to plot: no row of a family (fig3, fig6) was run")
    plot_dash_families(drawn, output)
