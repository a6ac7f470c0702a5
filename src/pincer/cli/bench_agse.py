"""`pincer bench agse`: programs with threads, the guided search beside the baselines and the paper's figures."""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table

from pincer.cli.arguments import seconds
from pincer.errors import PincerError

if TYPE_CHECKING:
    from pincer.bench.agse_rows import AgseRow

ENGINES = ("agse", "exhaustive", "contexts", "random")


@dataclass(frozen=True, slots=True)
class AgseMeasurement:
    """What one engine said about one row, and at what cost."""

    row: str
    engine: str
    verdict: str
    expected: str
    time_s: float
    statistics: dict[str, Any] = field(default_factory=dict)
    confirmed: str = ""

    @property
    def wrong(self) -> bool:
        return self.verdict != "unknown" and self.verdict != self.expected


def add_agse_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--rows", default="*", metavar="GLOB", help="rows to run, as in 'airline*,philosophers(3)'")
    parser.add_argument("--engines", default="agse", help=f"of {', '.join(ENGINES)}; default: agse")
    parser.add_argument("--timeout", type=seconds, default=60.0, metavar="S", help="seconds per row; default: 60")
    parser.add_argument("--seed", type=int, default=0, help="default: 0")
    parser.add_argument("--json", type=Path, metavar="OUT", help="write all measurements to a file")


def run_agse(args: argparse.Namespace, console: Console) -> int:
    """Exit status 0, or 1 when some verdict was wrong."""
    from pincer.bench.agse_rows import agse_rows

    engines = args.engines.split(",")
    for name in engines:
        if name not in ENGINES:
            raise PincerError(f"there is no engine {name!r} for threads; choose from {', '.join(ENGINES)}")
    patterns = args.rows.split(",")
    rows = [row for row in agse_rows() if any(fnmatchcase(row.name, pattern) for pattern in patterns)]
    if not rows:
        raise PincerError(f"no row matches {args.rows!r}; rows are {', '.join(row.name for row in agse_rows())}")
    measurements: list[AgseMeasurement] = []
    with tempfile.TemporaryDirectory(prefix="pincer-") as folder, console.status("") as status:
        for row in rows:
            for engine in engines:
                status.update(f"{row.name} {engine}")
                measurements.append(_measured(row, engine, args, Path(folder)))
    _print(console, rows, measurements)
    if args.json is not None:
        data = [asdict(measurement) | {"wrong": measurement.wrong} for measurement in measurements]
        args.json.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    return int(any(measurement.wrong for measurement in measurements))


def _measured(row: AgseRow, engine: str, args: argparse.Namespace, folder: Path) -> AgseMeasurement:
    from pincer.bench.agse_rows import sources
    from pincer.engines.threads.front import check
    from pincer.engines.threads.task import ThreadOptions
    from pincer.engines.threads.threaded_test import threaded_test
    from pincer.evidence.threads.execution import confirm
    from pincer.execution.threads.interleaving import Interleaver
    from pincer.runtime.run import Run

    program = row.load(folder)
    name = next(known for known in ENGINES if known == engine)
    options = ThreadOptions(engines=(name,), seed=args.seed)  # type: ignore[arg-type]
    [result] = check(program, [row.kind], Run(timeout=args.timeout), options)
    confirmed = ""
    if result.violation is not None:
        test = threaded_test(Interleaver(program, options.execution_limits), result.violation, row.kind)
        confirmed = confirm(test, Path(program.file), preprocessor=(f"-I{sources()}",)).status
    return AgseMeasurement(
        row.name, engine, result.verdict, row.expected, result.time_s, dict(result.statistics), confirmed
    )


_COUNTS = ("states", "time_s", "memory_mb", "trace_length", "refinements")


def _print(console: Console, rows: Sequence[AgseRow], measurements: Sequence[AgseMeasurement]) -> None:
    table = Table(title="ours (published)", box=None, pad_edge=False)
    for heading in ("row", "engine", "verdict"):
        table.add_column(heading)
    for heading in ("states", "time s", "MB", "trace", "refined"):
        table.add_column(heading, justify="right")
    table.add_column("native")
    published = {row.name: row.published for row in rows}
    for item in measurements:
        known = published[item.row] if item.engine == "agse" else None
        cells = [_cell(item.statistics.get(name), getattr(known, name, None)) for name in _COUNTS]
        cells[1] = _cell(item.time_s, known.time_s if known else None)
        mark = f"{item.verdict} WRONG" if item.wrong else item.verdict
        table.add_row(item.row, item.engine, mark, *cells, item.confirmed)
    console.print(table)
    right = sum(not item.wrong and item.verdict != "unknown" for item in measurements)
    wrong = sum(item.wrong for item in measurements)
    found = [item for item in measurements if item.verdict == "unsafe"]
    native = sum(item.confirmed == "confirmed" for item in found)
    console.print(
        f"{len(measurements)} measurements: {right} right, {wrong} wrong, "
        f"{len(measurements) - right - wrong} undecided; "
        f"{native} of {len(found)} violations confirmed by native execution"
    )
    console.print(
        "published: Table 2 of the paper, on Java programs; its states are those of another machine", style="dim"
    )


def _cell(ours: Any, theirs: Any) -> str:
    text = "" if ours is None else f"{ours:.2f}" if isinstance(ours, float) else str(ours)
    return text if theirs is None else f"{text} ({theirs})"
