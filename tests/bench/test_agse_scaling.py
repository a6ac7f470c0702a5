"""Families of threaded programs that grow: who climbs how far, and what is printed."""

from __future__ import annotations

from io import StringIO

import pytest
from rich.console import Console

from pincer.bench.agse_scaling import FAMILIES, by_family, climbs, families_named, print_climbs
from pincer.bench.measurement import Measurement
from pincer.bench.rows import Row
from pincer.errors import PincerError
from pincer.frontends.c.load import load


def up_to(limits: dict[str, int]) -> object:
    def measure(row: Row, tool: str) -> Measurement:
        size = int(row.name.partition("(")[2].rstrip(")"))
        verdict = "unsafe" if size <= limits[tool] else "unknown"
        return Measurement(row.name, tool, verdict, "unsafe", 0.5, {"states": 10 * size}, "")  # type: ignore[arg-type]

    return measure


def test_a_search_stops_where_it_is_too_slow() -> None:
    tools = ("agse", "random")
    climbed = list(climbs(FAMILIES[:1], tools, up_to({"agse": 6, "random": 2}), (2, 4, 6, 8)))  # type: ignore[arg-type]
    assert [(point.measured.tool, point.size) for point in climbed] == [
        ("agse", 2), ("agse", 4), ("agse", 6), ("agse", 8), ("random", 2), ("random", 4),
    ]  # fmt: skip
    assert [size for size, _ in by_family(climbed)["reorder"]] == [2, 4, 6, 8, 2, 4]
    out = StringIO()
    print_climbs(Console(file=out, width=120), climbed, tools)
    lines = [line.split() for line in out.getvalue().splitlines()]
    assert ["reorder", "2", "20", "0.5", "20", "0.5"] in lines and ["reorder", "6", "60", "0.5", "-"] in lines


def test_families_are_chosen_by_name() -> None:
    assert [family.name for family in families_named("air*,twostage")] == ["twostage", "airline"]
    with pytest.raises(PincerError, match="no family is called nobody"):
        families_named("nobody")


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_the_programs_of_all_families_are_there(family: object) -> None:
    row = family.row(2)  # type: ignore[attr-defined]
    assert load(row.file).procedures
