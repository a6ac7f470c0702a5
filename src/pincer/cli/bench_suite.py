"""What all suites of `pincer bench` have in common: their options, running the jobs, writing the measurements."""

from __future__ import annotations

import argparse
import json
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct
from rich.console import Console

from pincer.bench.measurement import Job, Measure, Measurement, measure_all
from pincer.bench.rows import Row
from pincer.bench.table import count_differences
from pincer.cli.arguments import add_places, positive, seconds
from pincer.errors import PincerError

COMMANDS = ("pincer", "cbmc")
"""The tools for C programs, each run as the command it is."""


class BenchSuite(Struct, frozen=True):
    """A suite: its one-line help, its own options, and the function that runs it and gives the exit code."""

    help: str
    add_arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace, Console], int]


def common_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--timeout", type=seconds, default=60.0, metavar="S", help="seconds per row; default: 60")
    parser.add_argument("--json", type=Path, metavar="OUT", help="write all measurements to a file")
    add_places(parser)


def rows_argument(parser: argparse.ArgumentParser, example: str) -> None:
    parser.add_argument("--rows", default="*", metavar="GLOB", help=f"rows or groups to run, as in {example!r}")


def command_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of suites whose tools are commands."""
    parser.add_argument("--tools", help="which of pincer, cbmc to run; default: those that are installed")
    parser.add_argument("--memory", type=positive, default=4096, metavar="MB", help="per row; default: 4096")
    parser.add_argument("-I", dest="include", metavar="DIR", action="append", default=[], help="look for headers here")


def chosen(names: str, tools: Sequence[str]) -> list[str]:
    chosen = names.split(",")
    for name in chosen:
        if name not in tools:
            raise PincerError(f"there is no tool {name!r}; choose from {', '.join(tools)}")
    return chosen


def command_tools(args: argparse.Namespace) -> list[str]:
    """The tools for C programs that are wanted, or those that are installed."""
    from pincer.bench.measure_commands import require

    if args.tools is None:
        return [tool for tool in COMMANDS if tool == "pincer" or shutil.which(tool)]
    tools = chosen(args.tools, COMMANDS)
    for tool in tools:
        require(tool)
    return tools


def run_jobs(
    console: Console, jobs: Sequence[Job], measure: Measure, at_once: int = 1, args: argparse.Namespace | None = None
) -> list[Measurement]:
    """All jobs, while the console says how far they are; on a cluster if the arguments say so."""
    done = 0
    with console.status(f"0 of {len(jobs)}") as status:

        def count(measured: Measurement) -> None:
            nonlocal done
            done += 1
            status.update(f"{done} of {len(jobs)}, last {measured.row} {measured.tool}: {measured.status}")
            if measured.wrong:
                console.print(f"WRONG: {measured.row}, {measured.tool}: {measured.status}", style="bold red")

        if args is not None and args.on == "ray":
            from pincer.bench.on_ray import measure_on_ray

            return measure_on_ray(jobs, measure, args.ray_address, count)
        return measure_all(jobs, measure, at_once, count)


def jobs_of(rows: Iterable[Row], tools: Sequence[str], template: Callable[[Row, str], Job]) -> list[Job]:
    return [template(row, tool) for row in rows for tool in tools]


def told(
    args: argparse.Namespace, rows: Sequence[Row], measurements: Sequence[Measurement], extra: Mapping[str, Any]
) -> int:
    """Write the measurements where they are wanted; the exit status."""
    by_name = {row.name: row for row in rows}
    if args.json is not None:
        data = [_entry(by_name[measured.row], measured, extra.get("paper_mode", False)) for measured in measurements]
        try:
            args.json.write_text(json.dumps({**extra, "measurements": data}, indent=1) + "\n", encoding="utf-8")
        except OSError as error:
            raise PincerError(f"cannot write {args.json}: {error.strerror}") from error
    return int(any(measured.wrong for measured in measurements))


def _entry(row: Row, measured: Measurement, paper: bool) -> dict[str, Any]:
    return measured.to_json(row) | {"count_differences": count_differences(row, measured) if paper else None}
