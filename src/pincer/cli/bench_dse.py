"""`pincer bench dse`: MSVL programs with temporal properties."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table

from pincer.cli.arguments import seconds

if TYPE_CHECKING:
    from pincer.bench.dse_rows import DseRow


@dataclass(frozen=True, slots=True)
class DseMeasurement:
    """What was said about one property, and at what cost; `replayed` says whether its counterexample was confirmed."""

    row: str
    verdict: str
    expected: str
    time_s: float
    replayed: bool | None
    statistics: dict[str, Any] = field(default_factory=dict)

    @property
    def wrong(self) -> bool:
        return self.verdict != self.expected and "unknown" not in (self.verdict, self.expected)


def add_dse_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--rows", default="*", metavar="GLOB", help="rows or groups to run, as in 'paper,euclid*'")
    parser.add_argument("--timeout", type=seconds, default=60.0, metavar="S", help="seconds per row; default: 60")
    parser.add_argument("--json", type=Path, metavar="OUT", help="write all measurements to a file")


def run_dse(args: argparse.Namespace, console: Console) -> int:
    """Exit status 0, or 1 when some verdict was wrong."""
    from pincer.bench.dse_rows import matching, rows

    measurements: list[DseMeasurement] = []
    with console.status("") as status:
        for row in matching(rows(), args.rows):
            status.update(row.name)
            measurements.append(_measured(row, args.timeout))
    _print(console, measurements)
    if args.json is not None:
        data = [asdict(measurement) | {"wrong": measurement.wrong} for measurement in measurements]
        args.json.write_text(json.dumps(data, indent=1, default=str) + "\n", encoding="utf-8")
    return int(any(measurement.wrong for measurement in measurements))


def _measured(row: DseRow, timeout: float) -> DseMeasurement:
    from pincer.engines.dse.options import CheckOptions
    from pincer.engines.dse.verify import check
    from pincer.evidence.msvl.replay import replay
    from pincer.execution.trees import Bounds
    from pincer.frontends.msvl import load
    from pincer.runtime.run import Run
    from pincer.temporal.property import parse_properties

    program, run = load(row.file), Run(timeout=timeout)
    asked = parse_properties(row.file.read_text(encoding="utf-8"), str(row.file))[row.number - 1]
    bounds = Bounds() if row.max_runs is None else Bounds(max_runs=row.max_runs)
    [result] = check(program, [asked], CheckOptions(bounds=bounds), run)
    found = result.counterexample
    replayed = None if found is None else replay(program, found).confirmed
    return DseMeasurement(row.name, result.verdict, row.expected, result.time_s, replayed, dict(result.statistics))


def _print(console: Console, measurements: Sequence[DseMeasurement]) -> None:
    table = Table(box=None, pad_edge=False)
    for heading in ("row", "verdict", "expected"):
        table.add_column(heading)
    for heading in ("time s", "runs", "tree nodes", "product", "solver"):
        table.add_column(heading, justify="right")
    table.add_column("replayed")
    for item in measurements:
        numbers = item.statistics
        cells = [numbers["coverage"]["runs"], numbers["tree"]["nodes"], numbers["product_states"]]
        mark = f"{item.verdict} WRONG" if item.wrong else item.verdict
        shown = "" if item.replayed is None else "yes" if item.replayed else "NO"
        figures = [f"{item.time_s:.2f}", *map(str, cells), str(numbers["solver"]["calls"])]
        table.add_row(item.row, mark, item.expected, *figures, shown)
    console.print(table)
    same = sum(item.verdict == item.expected for item in measurements)
    wrong = sum(item.wrong for item in measurements)
    found = [item for item in measurements if item.replayed is not None]
    console.print(
        f"{len(measurements)} properties: {same} as expected, {wrong} wrong; "
        f"{sum(bool(item.replayed) for item in found)} of {len(found)} counterexamples replayed"
    )
