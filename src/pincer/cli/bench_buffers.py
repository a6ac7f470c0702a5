"""`pincer bench buffers`: harnesses that grow until the time does not suffice, tool beside tool."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace
from rich.console import Console

from pincer.bench import buffer_rows
from pincer.bench.climb import Climb, climbed
from pincer.bench.measurement import Job, Measure, Measurement
from pincer.bench.plot import plot_climbs, require_matplotlib
from pincer.bench.rows import Row, matching
from pincer.bench.table import Column, TableLayout, print_summary, print_table
from pincer.cli.bench_suite import (
    command_arguments,
    command_tools,
    common_arguments,
    jobs_of,
    rows_argument,
    run_jobs,
    told,
)
from pincer.errors import PincerError

_BUFFERS = TableLayout(
    (
        Column.named("N", "N"),
        Column.named("before", "before"),
        Column.named("formula", "formula"),
        Column.named("solver s", "solver_s"),
        Column.named("processor s", "cpu_s"),
        Column.named("ended by", "ended_by"),
    )
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of this suite."""
    common_arguments(parser)
    rows_argument(parser, "json*,broken")
    command_arguments(parser)
    parser.add_argument(
        "--suite",
        dest="folder",
        type=Path,
        metavar="DIR",
        help="harnesses for libraries that lie below this folder, ours and those in it, instead of our own programs",
    )
    parser.add_argument(
        "--measured",
        type=Path,
        action="append",
        default=[],
        metavar="JSON",
        help="what --json wrote: what holds with this limit as well is not run again",
    )
    parser.add_argument("--before", type=Path, metavar="JSON", help="what --json wrote in an earlier run, to compare")
    parser.add_argument("--plot", type=Path, metavar="OUT.svg", help="draw time and size of the formula against N")


def run(args: argparse.Namespace, console: Console) -> int:
    """Each harness grows until the time does not suffice; what has no size is run once."""
    from pincer.bench.buffer_summary import Earlier, read_earlier, read_measured, read_startup, target_lines
    from pincer.bench.measure_commands import startup as startup_of

    if args.plot is not None:
        require_matplotlib()
    earlier = Earlier() if args.before is None else read_earlier(args.before)
    tools = command_tools(args)
    left_out: list[str] = []
    harnesses, single = _buffer_rows(args, left_out)
    folders = buffer_rows.include_folders(args.folder)
    options = tuple(word for folder in (*folders, *args.include) for word in ("-I", str(folder)))

    def job(row: Row, tool: str) -> Job:
        return Job(row, tool, args.timeout, args.memory, options, processor=True)

    measure = _Measuring(read_measured(args.measured, args.timeout))
    known = read_startup(args.measured)
    startup = {tool: known[tool] if tool in known else startup_of(tool).cpu_s for tool in tools}
    climbs = [_climb(console, harness, tool, job, measure) for harness in harnesses for tool in tools]
    others = run_jobs(console, jobs_of(single, tools, job), measure)
    summaries = [_beside(climb.summary(), earlier.reached) for climb in climbs]
    rows = [*(harness.row() for harness in harnesses), *single]
    print_table(console, rows, [*summaries, *others], _BUFFERS)
    print_summary(console, [*summaries, *others], processor=startup)
    for line in target_lines(climbs, {row.name: row for row in rows}, others, startup, earlier):
        console.print(line, highlight=False, markup=False)
    for reason in left_out:
        console.print(f"left out: {reason}", style="yellow", highlight=False, markup=False)
    if args.plot is not None:
        plot_climbs(_growth_lines(climbs, earlier.points), args.plot)
    extra = {"limit_s": args.timeout, "startup_s": startup, "left_out": left_out}
    return _told_climbs(args, climbs, single, others, extra)


def _buffer_rows(args: argparse.Namespace, left_out: list[str]) -> tuple[list[buffer_rows.Harness], list[Row]]:
    """The harnesses that are wanted, and the rows without a size: broken variants, buffers of any length."""
    if args.folder is None:
        found, unbounded = buffer_rows.own_harnesses(), buffer_rows.unbounded_rows()
    else:
        found, unbounded = buffer_rows.suite_harnesses(args.folder, left_out.append), []
    rows = [*(harness.row() for harness in found), *(harness.broken() for harness in found), *unbounded]
    wanted = {row.name for row in matching(rows, args.rows)}
    single = [row for row in rows[len(found) :] if row.name in wanted]
    return [harness for harness in found if harness.name in wanted], single


class _Measuring(Struct):
    """What has been measured is not measured again."""

    known: Mapping[tuple[str, str], Measurement]

    def __call__(self, job: Job) -> Measurement:
        from pincer.bench.cbmc import measure_smallest
        from pincer.bench.measure_commands import measure_command

        if (job.row.name, job.tool) in self.known:
            return self.known[job.row.name, job.tool]
        return measure_smallest(job) if job.tool == "cbmc" else measure_command(job)


def _climb(
    console: Console, harness: buffer_rows.Harness, tool: str, job: Callable[[Row, str], Job], measure: Measure
) -> Climb:
    """Sizes that grow; how many unwindings CBMC needs follows those of the sizes before."""
    needed: list[tuple[int, int]] = []

    def at(size: int) -> Measurement:
        [measured] = run_jobs(
            console, [replace(job(harness.sized(size), tool), unwinding=_next(needed, size))], measure
        )
        if measured.right and "iterations" in measured.figures:
            needed.append((size, int(measured.figures["iterations"])))
        return measured

    return climbed(harness, tool, at)


def _next(needed: Sequence[tuple[int, int]], size: int) -> int:
    """How many unwindings a size may need: they often grow with it in a line."""
    if not needed:
        return size + 1
    last, most = needed[-1]
    before, fewer = needed[-2] if len(needed) > 1 else (last - 1, most - 1)
    return max(1, most + (size - last) * (most - fewer) // (last - before))


def _beside(measured: Measurement, reached: Mapping[str, int]) -> Measurement:
    """Our own sizes with those of the earlier run beside them."""
    if measured.tool != "pincer" or measured.row not in reached:
        return measured
    return replace(measured, figures={**measured.figures, "before": reached[measured.row]})


def _growth_lines(
    climbs: Sequence[Climb], earlier: Mapping[str, Sequence[tuple[int, Measurement]]]
) -> dict[str, dict[str, Sequence[tuple[int, Measurement]]]]:
    """The points to draw, by harness and line."""
    lines: dict[str, dict[str, Sequence[tuple[int, Measurement]]]] = {}
    for climb in climbs:
        lines.setdefault(climb.harness.name, {})[climb.tool] = climb.points
    for name in lines.keys() & earlier.keys():
        lines[name]["pincer before"] = earlier[name]
    if not lines:
        raise PincerError("there is nothing to plot: no harness with a size was run")
    return lines


def _told_climbs(
    args: argparse.Namespace,
    climbs: Sequence[Climb],
    single: Sequence[Row],
    others: Sequence[Measurement],
    extra: Mapping[str, Any],
) -> int:
    """All sizes of all harnesses, and the largest that was reached."""
    reached: dict[str, dict[str, int]] = {}
    for climb in climbs:
        reached.setdefault(climb.harness.name, {})[climb.tool] = climb.reached
    sized = [climb.harness.sized(size) for climb in climbs for size, _ in climb.points]
    points = [measured for climb in climbs for _, measured in climb.points]
    return told(args, [*sized, *single], [*points, *others], {**extra, "reached": reached})
