"""`pincer bench`: run tables of programs, tool beside tool."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from msgspec.structs import replace
from rich.console import Console

from pincer.bench import agse_rows, agse_scaling, ase_rows, dash_rows, dse_rows, live_rows, system_rows
from pincer.bench.measurement import Job, Measurement
from pincer.bench.plot import plot_dash_families, plot_families, plot_rows, require_matplotlib
from pincer.bench.rows import CQuestion, Row, matching
from pincer.bench.table import Column, TableLayout, print_counts, print_summary, print_table
from pincer.cli import bench_buffers
from pincer.cli.arguments import positive, seconds
from pincer.cli.bench_scale import SCALE
from pincer.cli.bench_suite import (
    BenchSuite,
    chosen,
    command_arguments,
    command_tools,
    common_arguments,
    jobs_of,
    rows_argument,
    run_jobs,
    told,
)
from pincer.errors import PincerError

TABLE_WIDTH = 180

_ASE_NOTE = (
    "ASE here explores breadth first and beyond matched states, and knows six more proofs (EX exhaustion, "
    "OA over-approximation, ST strengthening, BW backwards, CL clauses, SP Spacer): fewer iterations and predicates "
    "than published, more states. --paper follows the authors' rules."
)
_PAPER_NOTE = (
    "queries: one per edge and undecided pre-image, the count that gives RAX its 6; how the other rows were counted "
    "is not known. Proofs rest on closedness instead of exactness, so some rows read SF where the paper has II."
)
_ASE = TableLayout(
    (
        Column.named("iter", "iterations"),
        Column.named("preds", "predicates"),
        Column("con/abs", lambda of: f"{of['states']}/{of['abstract_states']}" if "abstract_states" in of else None),
        Column.named("queries", "queries"),
        Column.named("check", "check"),
        Column.named("solver", "solver"),
    ),
    _ASE_NOTE,
)
_DASH = TableLayout(
    (
        Column.named("iter", "iterations"),
        Column.named("questions", "questions"),
        Column.named("solver", "solver_calls"),
        Column.named("tests", "tests"),
        Column.named("regions", "regions"),
        Column.named("wall s", "wall_s"),
    ),
    "published: Table 1 of the paper, on other drivers of the same kind (theirs are not public); "
    "their solver calls equal their iterations",
)
_AGSE = TableLayout(
    (
        Column.named("states", "states"),
        Column.named("MB", "memory_mb"),
        Column.named("trace", "trace_length"),
        Column.named("refined", "refinements"),
    ),
    "published: Table 2 of the paper, on Java programs; its states are those of another machine",
)
_LIVE = TableLayout((Column.named("solver", "solver_calls"), Column.named("wall s", "wall_s")))
_DSE = TableLayout(
    (
        Column.named("runs", "runs"),
        Column.named("tree nodes", "tree_nodes"),
        Column.named("product", "product"),
        Column.named("solver", "solver_calls"),
    )
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """One sub-command per suite."""
    subparsers = parser.add_subparsers(dest="suite", required=True, metavar="SUITE")
    for name, suite in SUITES.items():
        suite.add_arguments(subparsers.add_parser(name, help=suite.help, description=suite.help))


def run(args: argparse.Namespace) -> int:
    """Exit status 0, or 1 when some verdict was wrong or some evidence did not hold."""
    return SUITES[args.suite].run(args, _console())


def _console() -> Console:
    """Standard output; into a file or a pipe the table is written as wide as it is."""
    console = Console(highlight=False)
    return console if console.is_terminal else Console(highlight=False, width=TABLE_WIDTH)


def _model_arguments(parser: argparse.ArgumentParser) -> None:
    common_arguments(parser)
    tools = ase_rows.TOOLS
    parser.add_argument("--tools", default=",".join(tools), help=f"which of {', '.join(tools)} to run; default: all")
    parser.add_argument("--memory", type=positive, default=4096, metavar="MB", help="address space per child process")
    parser.add_argument("--plot", type=Path, metavar="OUT.svg", help="draw the times (needs matplotlib)")
    parser.add_argument("--no-check", action="store_true", help="do not check the evidence of the verdicts")


def _growth_arguments(parser: argparse.ArgumentParser) -> None:
    _model_arguments(parser)
    rows_argument(parser, "ticket,bakery")


def _systems_arguments(parser: argparse.ArgumentParser) -> None:
    common_arguments(parser)
    rows_argument(parser, "moesi,petri_*")
    parser.add_argument(
        "--suite", dest="folder", type=Path, metavar="DIR", help="the programs of this folder instead of our own"
    )
    tools = system_rows.TOOLS
    parser.add_argument("--tools", default=",".join(tools), help=f"which of {', '.join(tools)} to run; default: all")
    parser.add_argument("--memory", type=positive, default=4096, metavar="MB", help="address space per child process")


def _ase_arguments(parser: argparse.ArgumentParser) -> None:
    _model_arguments(parser)
    rows_argument(parser, "ticket*,RAX")
    parser.add_argument("--paper", action="store_true", help="explore and count by the rules of the paper's authors")
    parser.add_argument("--profile", metavar="ROW", help="profile one row instead of running the table")


def _dash_arguments(parser: argparse.ArgumentParser) -> None:
    common_arguments(parser)
    rows_argument(parser, "fig3*,loops")
    parser.add_argument(
        "--suite", dest="folder", type=Path, metavar="DIR", help="the .yml tasks below this folder instead of our own"
    )
    parser.add_argument(
        "--expect-comments", action="store_true", help="the suite's verdicts are in `// @expect verified|error` lines"
    )
    command_arguments(parser)
    parser.add_argument("--jobs", type=positive, default=1, metavar="N", help="rows at once; default: 1")
    parser.add_argument("--plot", type=Path, metavar="OUT.svg", help="draw time and iterations of the families")


def _agse_arguments(parser: argparse.ArgumentParser) -> None:
    common_arguments(parser)
    rows_argument(parser, "airline*,philosophers(3)")
    parser.add_argument("--engines", default="agse", help=f"of {', '.join(agse_rows.TOOLS)}; default: agse")
    parser.add_argument("--scaling", action="store_true", help="climb families of growing programs instead")
    parser.add_argument("--plot", type=Path, metavar="OUT.svg", help="with --scaling: draw the times")
    parser.add_argument("--seed", type=int, default=0, help="default: 0")
    parser.add_argument("--paper", action="store_true", help="refine by one definition at a time, as the paper does")


def _dse_arguments(parser: argparse.ArgumentParser) -> None:
    common_arguments(parser)
    rows_argument(parser, "paper,euclid*")


def _weak_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--timeout", type=seconds, default=60.0, metavar="S", help="seconds per model; default: 60")


def _model_job(args: argparse.Namespace, paper: bool = False) -> Callable[[Row, str], Job]:
    """The limits of every job; says at once when the plot cannot be drawn at the end."""
    if args.plot is not None:
        require_matplotlib()
    return lambda row, tool: Job(
        row, tool, args.timeout, args.memory, paper=paper, check=not args.no_check
    )  # fmt: skip


def _run_ase(args: argparse.Namespace, console: Console) -> int:
    from pincer.bench.measure_models import measure_model

    if args.profile is not None:
        from pincer.bench.profiling import print_profile

        for row in matching(ase_rows.ase_rows(), args.profile):
            print_profile(console, row, args.timeout, args.paper)
        return 0
    tools = chosen(args.tools, ase_rows.TOOLS)
    rows = matching(ase_rows.ase_rows(), args.rows)
    measurements = run_jobs(console, jobs_of(rows, tools, _model_job(args, args.paper)), measure_model, 1, args)
    layout = replace(_ASE, note=_PAPER_NOTE, counts=True) if args.paper else _ASE
    print_table(console, rows, measurements, layout)
    print_summary(console, measurements)
    if args.paper:
        print_counts(console, rows, measurements)
    if args.plot is not None:
        plot_rows(measurements, args.timeout, args.plot)
    return told(args, rows, measurements, {"paper_mode": args.paper})


def _run_systems(args: argparse.Namespace, console: Console) -> int:
    from pincer.bench.measure_models import measure_model

    tools = chosen(args.tools, system_rows.TOOLS)
    rows = matching(system_rows.system_rows(args.folder), args.rows)
    jobs = jobs_of(rows, tools, lambda row, tool: Job(row, tool, args.timeout, args.memory))
    return _table_of(args, console, rows, run_jobs(console, jobs, measure_model, 1, args), replace(_ASE, note=""))


def _run_growth(args: argparse.Namespace, console: Console) -> int:
    """A tool that fails at one size is not asked for larger ones."""
    from pincer.bench.measure_models import measure_model

    tools, job = chosen(args.tools, ase_rows.TOOLS), _model_job(args)
    rows: list[Row] = []
    wrong: list[Measurement] = []
    asked = {row.group for row in matching([family.row(family.sizes[0]) for family in ase_rows.GROWING], args.rows)}
    families = [family for family in ase_rows.GROWING if family.name in asked]
    points: dict[str, list[tuple[int, Measurement]]] = {family.name: [] for family in families}
    for family in families:
        mistake = family.mistake()
        if mistake is not None:
            rows.append(mistake)
            wrong += run_jobs(console, jobs_of([mistake], tools, job), measure_model)
        going = list(tools)
        for size in family.sizes:
            rows.append(family.row(size))
            for measured in run_jobs(console, jobs_of(rows[-1:], going, job), measure_model):
                points[family.name].append((size, measured))
                if not measured.decided:
                    going.remove(measured.tool)
    measurements = [*wrong, *(measured for members in points.values() for _, measured in members)]
    print_table(console, rows, measurements, _ASE)
    print_summary(console, measurements)
    if args.plot is not None:
        plot_families(points, args.timeout, args.plot)
    return told(args, rows, measurements, {})


def _run_dash(args: argparse.Namespace, console: Console) -> int:
    from pincer.bench.measure_commands import measure_command, startup

    if args.plot is not None:
        require_matplotlib()
    tools = command_tools(args)
    options = tuple(word for folder in args.include for word in ("-I", folder))
    left_out: list[str] = []
    with tempfile.TemporaryDirectory(prefix="pincer-") as workdir:
        rows = matching(_dash_rows(args, Path(workdir), left_out), args.rows)
        started = {tool: startup(tool) for tool in tools}
        jobs = jobs_of(rows, tools, lambda row, tool: Job(row, tool, args.timeout, args.memory, options))
        measurements = run_jobs(console, jobs, measure_command, args.jobs, args)
    print_table(console, rows, measurements, _DASH)
    seconds = {tool: start.wall_s for tool, start in started.items()}
    processor = {tool: start.cpu_s for tool, start in started.items()}
    print_summary(console, measurements, seconds, processor)
    for reason in left_out:
        console.print(f"left out: {reason}", style="yellow", highlight=False, markup=False)
    if args.plot is not None:
        _plot_dash(args.plot, rows, measurements)
    return told(args, rows, measurements, {"startup_s": seconds, "startup_cpu_s": processor, "left_out": left_out})


def _dash_rows(args: argparse.Namespace, workdir: Path, left_out: list[str]) -> list[Row]:
    if args.folder is None:
        if args.expect_comments:
            raise PincerError("--expect-comments needs --suite DIR: it says how that suite keeps its verdicts")
        return dash_rows.own_rows(workdir, left_out.append)
    if not args.expect_comments:
        return dash_rows.suite_rows(args.folder, left_out.append)
    rows = list(dash_rows.commented_rows(args.folder))
    if not rows:
        raise PincerError(f"there are no programs with `// @expect` lines below {args.folder}")
    return rows


def _plot_dash(output: Path, rows: Sequence[Row], measurements: Sequence[Measurement]) -> None:
    families: dict[str, list[tuple[int, Measurement]]] = {}
    by_name = {row.name: row for row in rows}
    for measured in measurements:
        row = by_name[measured.row]
        if isinstance(row.question, CQuestion) and row.question.size is not None:
            families.setdefault(row.group, []).append((row.question.size, measured))
    if not families:
        raise PincerError("there is nothing to plot: no row of a family (fig3, fig6) was run")
    plot_dash_families(families, output)


def _run_agse(args: argparse.Namespace, console: Console) -> int:
    from pincer.bench.measure_engines import measure_threads

    tools = chosen(args.engines, agse_rows.TOOLS)
    if args.scaling:
        return _run_scaling(args, console, tools)
    if args.plot is not None:
        raise PincerError("--plot is for --scaling")
    rows = matching(agse_rows.agse_rows(), args.rows)
    jobs = jobs_of(rows, tools, lambda row, tool: Job(row, tool, args.timeout, seed=args.seed, paper=args.paper))
    return _table_of(args, console, rows, run_jobs(console, jobs, measure_threads, 1, args), _AGSE)


def _run_scaling(args: argparse.Namespace, console: Console, tools: Sequence[str]) -> int:
    from pincer.bench.measure_engines import measure_threads

    if args.plot is not None:
        require_matplotlib()
    families = agse_scaling.families_named(args.rows)

    def measure(row: Row, tool: str) -> Measurement:
        return measure_threads(Job(row, tool, args.timeout, seed=args.seed, paper=args.paper))

    climbed = list(agse_scaling.climbs(families, tools, measure))
    agse_scaling.print_climbs(console, climbed, tools)
    if args.plot is not None:
        plot_families(agse_scaling.by_family(climbed), args.timeout, args.plot, agse_scaling.NAMES)
    return told(args, [point.row for point in climbed], [point.measured for point in climbed], {})


def _run_dse(args: argparse.Namespace, console: Console) -> int:
    from pincer.bench.measure_engines import measure_temporal

    rows = matching(dse_rows.dse_rows(), args.rows)
    jobs = jobs_of(rows, dse_rows.TOOLS, lambda row, tool: Job(row, tool, args.timeout))
    return _table_of(args, console, rows, run_jobs(console, jobs, measure_temporal, 1, args), _DSE)


def _live_arguments(parser: argparse.ArgumentParser) -> None:
    common_arguments(parser)
    rows_argument(parser, "phases,bits: *")
    parser.add_argument("--memory", type=positive, default=4096, metavar="MB", help="per row; default: 4096")


def _run_live(args: argparse.Namespace, console: Console) -> int:
    from pincer.bench.measure_commands import measure_command

    rows = matching(live_rows.live_rows(), args.rows)
    jobs = jobs_of(rows, live_rows.TOOLS, lambda row, tool: Job(row, tool, args.timeout, args.memory))
    measurements = run_jobs(console, jobs, measure_command, 1, args)
    print_table(console, rows, measurements, _LIVE)
    for family, count in live_rows.by_family(rows, measurements).items():
        share = f"{count.right} of {count.rows} right, {count.wrong} wrong, {count.checked} checked"
        console.print(f"{family}: {share}, {count.seconds:.1f} s")
    print_summary(console, measurements)
    return told(args, rows, measurements, {})


def _table_of(
    args: argparse.Namespace,
    console: Console,
    rows: Sequence[Row],
    measurements: Sequence[Measurement],
    layout: TableLayout,
) -> int:
    print_table(console, rows, measurements, layout)
    print_summary(console, measurements)
    return told(args, rows, measurements, {})


def _run_weak(args: argparse.Namespace, console: Console) -> int:
    from pincer.bench.weak import print_comparison

    return print_comparison(console, args.timeout)


SUITES: Mapping[str, BenchSuite] = {
    "scale": SCALE,
    "ase": BenchSuite("the programs of the ASE paper, beside its published figures", _ase_arguments, _run_ase),
    "agse": BenchSuite(
        "programs with threads: the AGSE paper's, and families of deadlocks", _agse_arguments, _run_agse
    ),
    "dse": BenchSuite(
        "MSVL programs with temporal properties: the paper's, and a dozen more", _dse_arguments, _run_dse
    ),
    "live": BenchSuite(
        "temporal properties of guarded commands, and C programs that end or do not", _live_arguments, _run_live
    ),
    "dash": BenchSuite("C programs: the DASH paper's examples, drivers, or any suite", _dash_arguments, _run_dash),
    "buffers": BenchSuite(
        "parsers, coders and containers with more and more symbolic bytes, ours or those of a folder",
        bench_buffers.add_arguments,
        bench_buffers.run,
    ),
    "systems": BenchSuite(
        "transition systems of many kinds, ours or those of a folder, beside Spacer", _systems_arguments, _run_systems
    ),
    "growth": BenchSuite("time against size for families of models", _growth_arguments, _run_growth),
    "weak-reachability": BenchSuite(
        "what must-transitions alone reach, beside what ASE explores", _weak_arguments, _run_weak
    ),
}
