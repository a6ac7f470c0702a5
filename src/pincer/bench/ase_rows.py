"""The rows of `pincer bench ase`, from the published tables, and families of models that grow."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
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
    """A safe model with a constant N, and the sizes worth measuring. With `mistaken` the model has a constant MISTAKE
    that makes it unsafe, at this size at the latest."""

    name: str
    model: str
    property: str
    sizes: Sequence[int]
    mistaken: int | None = None

    def row(self, size: int) -> Row:
        return Row(f"{self.name}{size}", self.name, self._file(), "safe", GuardedQuestion(self.property, {"N": size}))

    def mistake(self) -> Row | None:
        if self.mistaken is None:
            return None
        question = GuardedQuestion(self.property, {"N": self.mistaken, "MISTAKE": 1})
        return Row(f"{self.name}{self.mistaken}-mistake", self.name, self._file(), "unsafe", question)

    def _file(self) -> Path:
        folder, name = self.model.split("/")
        return benchmarks_directory(folder) / name


def _protocol(name: str, safety: str = "mutex") -> Family:
    return Family(name, f"families/{name}.gcl", safety, range(2, 13), 3)


GROWING = (
    Family("elev", "ase/elev.gcl", "onefloor", range(4, 11)),
    _protocol("ticket"),
    _protocol("bakery"),
    _protocol("peterson"),
    _protocol("szymanski"),
    _protocol("dijkstra"),
    _protocol("token_ring", "one_token"),
    _protocol("readers_writers", "alone"),
    _protocol("barrier", "together"),
    _protocol("workers"),
)
