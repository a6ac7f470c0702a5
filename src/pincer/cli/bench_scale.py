"""`pincer bench scale`: the targets of many files, cores, machines and times, row by row."""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from msgspec.structs import asdict
from rich.console import Console

from pincer.bench import scale
from pincer.bench.scale import ScaleRow
from pincer.cli.arguments import positive
from pincer.cli.bench_suite import BenchSuite
from pincer.errors import PincerError

Measured: TypeAlias = Callable[[Path, argparse.Namespace], Iterator[ScaleRow]]

ROWS: Mapping[str, Measured] = {
    "workers": lambda folder, args: iter([scale.two_workers(folder)]),
    "store": lambda folder, args: iter([scale.from_store(folder)]),
    "cluster": lambda folder, args: scale.on_cluster(folder, args.tasks),
    "change": lambda folder, args: iter([scale.one_line_changes(folder)]),
    "hard": lambda folder, args: scale.two_cores(folder),
    "verdicts": lambda folder, args: iter([_same_verdicts(folder, args)]),
    "trivial": lambda folder, args: iter([scale.trivial(folder)]),
    "memory": lambda folder, args: iter([scale.parent_memory(folder, args.many)]),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--rows", default=",".join(ROWS), help=f"which of {', '.join(ROWS)}; default: all")
    parser.add_argument("--tasks", type=positive, default=300, help="on the cluster; default: 300")
    parser.add_argument("--many", type=positive, default=5000, help="for the memory of the parent; default: 5000")
    parser.add_argument("--programs", default="*", metavar="GLOB", help="for the verdicts; default: all benchmarks")
    parser.add_argument("--limit", type=positive, default=30, help="seconds for a program; default: 30")
    parser.add_argument("--json", type=Path, metavar="OUT", help="write the rows to a file")


def run(args: argparse.Namespace, console: Console) -> int:
    """Print each row as soon as it is measured; exit status 1 where verdicts differ."""
    names = args.rows.split(",")
    for name in names:
        if name not in ROWS:
            raise PincerError(f"there is no row {name!r}; choose from {', '.join(ROWS)}")
    found: list[ScaleRow] = []
    console.print(_line("", "target", "ratio", "", ""), markup=False)
    for row in _measured(names, args, console):
        found.append(row)
        console.print(_shown(row), markup=False)
        if args.json is not None:
            args.json.write_text(json.dumps([asdict(row) for row in found], indent=1) + "\n", encoding="utf-8")
    return int(any(row.unlike for row in found))


def _measured(names: Sequence[str], args: argparse.Namespace, console: Console) -> Iterator[ScaleRow]:
    for name in names:
        with tempfile.TemporaryDirectory(prefix="pincer-scale-") as folder, console.status(name):
            try:
                yield from ROWS[name](Path(folder), args)
            except PincerError as error:
                yield ScaleRow(name, None, None, error.message)


def _same_verdicts(folder: Path, args: argparse.Namespace) -> ScaleRow:
    return scale.same_verdicts(folder, args.limit, scale.bench_programs(args.programs))


def _shown(row: ScaleRow) -> str:
    target = "" if row.target is None else f"{row.target:g}"
    ratio = "" if row.ratio is None else f"{row.ratio:.2f}"
    met = "" if row.target is None or row.ratio is None else "met" if row.is_met else "not met"
    return _line(row.name, target, ratio, met, row.shown_remark)


def _line(name: str, target: str, ratio: str, met: str, remark: str) -> str:
    return f"{name:<48}{target:>7}{ratio:>9}  {met:<9}{remark}".rstrip()


SCALE = BenchSuite("many files, cores, machines and times: the targets as ratios in one run", add_arguments, run)
