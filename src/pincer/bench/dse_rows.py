"""The rows of `pincer bench dse`: MSVL programs with temporal properties, and what is true of them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Literal

import pincer
from pincer.errors import PincerError

Expected = Literal["safe", "unsafe", "unknown"]
"""`unknown` where the method cannot conclude: infinitely many ways, or runs that fail."""


@dataclass(frozen=True, slots=True)
class DseRow:
    """One property of one program; `number` counts the property blocks of the file from one.

    `max_runs` bounds the exploration where it would not end, None is the usual bound.
    """

    name: str
    group: str
    file: Path
    number: int
    expected: Expected
    max_runs: int | None = None


def benchmarks_directory() -> Path:
    """Our MSVL benchmarks: inside an installed package, or beside `src` in a checkout."""
    package = Path(pincer.__file__).parent
    for candidate in (package / "benchmarks" / "dse", package.parents[1] / "benchmarks" / "dse"):
        if candidate.is_dir():
            return candidate
    raise PincerError("the benchmark programs are not installed; run this from a checkout or reinstall the package")


def rows(folder: Path | None = None) -> list[DseRow]:
    """All rows of a folder with an `expected.json`; without a folder, our own."""
    root = benchmarks_directory() if folder is None else folder
    found: list[DseRow] = []
    for stem, entry in _entries(root / "expected.json"):
        group, _, program = stem.rpartition("/")
        verdicts = entry["verdicts"]
        for number, expected in enumerate(verdicts, 1):
            name = program if len(verdicts) == 1 else f"{program} {number}"
            found.append(DseRow(name, group, root / f"{stem}.m", number, expected, entry.get("max_runs")))
    return found


def _entries(path: Path) -> list[tuple[str, dict[str, Any]]]:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise PincerError(f"{path} cannot be read: {error}") from None
    for stem, entry in data.items():
        if not set(entry["verdicts"]) <= {"safe", "unsafe", "unknown"}:
            raise PincerError(f"{path}: the verdicts of {stem} must be safe, unsafe or unknown")
    return list(data.items())


def matching(chosen: Sequence[DseRow], pattern: str) -> list[DseRow]:
    """The rows whose name or group matches a shell pattern (several patterns: separate them by commas)."""
    patterns = [part.strip() for part in pattern.split(",")]
    found = [row for row in chosen if any(fnmatchcase(name, one) for one in patterns for name in (row.name, row.group))]
    if not found:
        examples = ", ".join(row.name for row in chosen[:5])
        raise PincerError(f"no row matches {pattern!r}; rows are named as in {examples}")
    return found
