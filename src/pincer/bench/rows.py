"""The rows of the published tables: which model stands for each program, what was printed, what is true."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Literal

import pincer
from pincer.errors import PincerError

Tag = Literal["EXACT", "SHAPE", "SOURCE", "GUESS"]


@dataclass(frozen=True, slots=True)
class Figures:
    """What one tool needed for one program; a column is None where it is not known or does not apply."""

    iterations: int | None = None
    queries: int | None = None
    predicates: int | None = None
    states: int | None = None
    abstract_states: int | None = None
    check: str | None = None
    time_s: float | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """One program and property.

    `published` and `expected_counts` are keyed by tool; the latter are the counts the paper mode must
    reproduce (rows tagged EXACT) or is known to come near to. `tag` says how far the model is known to be
    the authors'.
    """

    name: str
    model: Path
    defines: Mapping[str, int]
    property: str
    expected: Literal["safe", "unsafe"]
    tag: Tag | None = None
    figure: str | None = None
    published: Mapping[str, Figures] = field(default_factory=dict)
    expected_counts: Mapping[str, Figures] = field(default_factory=dict)
    note: str = ""


def models_directory() -> Path:
    """The models: inside an installed package, or beside `src` in a checkout."""
    package = Path(pincer.__file__).parent
    for candidate in (package / "benchmarks" / "ase", package.parents[1] / "benchmarks" / "ase"):
        if (candidate / "published.json").is_file():
            return candidate
    raise PincerError("the benchmark models are not installed; run this from a checkout or reinstall the package")


def load_rows(pattern: str = "*") -> list[Row]:
    """The rows whose name matches a shell pattern (several patterns: separate them by commas)."""
    directory = models_directory()
    table = json.loads((directory / "published.json").read_text(encoding="utf-8"))
    rows = [_row(entry, directory) for entry in table["rows"]]
    patterns = [part.strip() for part in pattern.split(",")]
    chosen = [row for row in rows if any(fnmatchcase(row.name, part) for part in patterns)]
    if not chosen:
        names = ", ".join(row.name for row in rows)
        raise PincerError(f"no row matches {pattern!r}; the rows are: {names}")
    return chosen


def _row(entry: Mapping[str, Any], directory: Path) -> Row:
    published = {tool: Figures(**entry[tool]) for tool in ("ase", "ur") if entry[tool] is not None}
    if "ase" in published and entry["check"] is not None:
        published["ase"] = Figures(**entry["ase"], check=entry["check"])
    counts = entry.get("expect_paper_mode", {})
    return Row(
        name=entry["name"],
        model=directory / entry["model"],
        defines=entry["defines"],
        property=entry["property"],
        expected=entry["expected"],
        tag=entry["tag"],
        figure=entry["figure"],
        published=published,
        expected_counts={tool: Figures(**figures) for tool, figures in counts.items()},
        note=entry.get("note", ""),
    )
