"""The rows of `pincer bench dse`: MSVL programs with temporal properties, and what is true of them.

`unknown` is expected where the method cannot conclude: infinitely many ways, or runs that fail.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pincer.bench.rows import Row, TemporalQuestion, benchmarks_directory
from pincer.errors import PincerError

TOOLS = ("dse",)


def dse_rows(folder: Path | None = None) -> list[Row]:
    """All rows of a folder with an `expected.json`; without a folder, our own."""
    root = benchmarks_directory("dse") if folder is None else folder
    found: list[Row] = []
    for stem, entry in _entries(root / "expected.json"):
        group, _, program = stem.rpartition("/")
        verdicts = entry["verdicts"]
        for number, expected in enumerate(verdicts, 1):
            name = program if len(verdicts) == 1 else f"{program} {number}"
            question = TemporalQuestion(number, entry.get("max_runs"))
            found.append(Row(name, group, root / f"{stem}.m", expected, question))
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
