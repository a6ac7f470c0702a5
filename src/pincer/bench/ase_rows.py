"""The rows of `pincer bench ase`, from the published tables, and families of models that grow."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from pincer.bench.rows import Figures, GuardedQuestion, Row, benchmarks_directory

TOOLS = ("ase", "ur", "spacer")


def ase_rows() -> list[Row]:
    """All rows of the published tables, and some of ours."""
    table = json.loads((benchmarks_directory("ase") / "published.json").read_text(encoding="utf-8"))
    return [_row(entry) for entry in table["rows"]]


def _row(entry: Mapping[str, Any]) -> Row:
    published = {tool: _figures(entry[tool]) for tool in ("ase", "ur") if entry[tool] is not None}
    if "ase" in published:
        published["ase"] = _figures({**entry["ase"], "check": entry["check"]})
    counts = entry.get("expect_paper_mode", {})
    question = GuardedQuestion(
        entry["property"],
        entry["defines"],
        entry["tag"],
        entry["figure"],
        {tool: _figures(figures) for tool, figures in counts.items()},
    )
    model = benchmarks_directory("ase") / entry["model"]
    group = f"figure {entry['figure']}" if entry["figure"] else "ours"
    return Row(entry["name"], group, model, entry["expected"], question, published, entry.get("note", ""))


def _figures(data: Mapping[str, Any]) -> Figures:
    return {name: value for name, value in data.items() if value is not None}


class Family(Struct, frozen=True):
    """A safe model with a constant N, and the sizes worth measuring."""

    name: str
    model: str
    property: str
    sizes: Sequence[int]

    def row(self, size: int) -> Row:
        model = benchmarks_directory("ase") / self.model
        return Row(f"{self.name}{size}", self.name, model, "safe", GuardedQuestion(self.property, {"N": size}))


GROWING = (
    Family("ticket", "ticket.gcl", "mutex", range(2, 7)),
    Family("elev", "elev.gcl", "onefloor", range(4, 11)),
)
