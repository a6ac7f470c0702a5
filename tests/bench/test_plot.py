"""Pictures of measurements; without what draws them, that is said."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from pincer.bench.measurement import Measurement
from pincer.bench.plot import plot_climbs, plot_dash_families, plot_families, plot_rows, require_matplotlib
from pincer.errors import PincerError

MEASURED = [
    Measurement("a", "ase", "safe", "safe", 0.5, {"iterations": 2}),
    Measurement("b", "ase", "time", "safe", 60.0),
    Measurement("a", "ur", "refused", "safe"),
]


def test_what_draws_may_be_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(PincerError, match=r"pip install 'pincer\[plot\]'"):
        require_matplotlib()


def test_rows_are_named_in_the_picture_and_families_have_panels(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    output = tmp_path / "rows.svg"
    plot_rows(MEASURED, 60.0, output)
    assert "<svg" in output.read_text()
    plot_families({"f": [(1, MEASURED[0]), (2, MEASURED[1])]}, 60.0, output)
    by_time = output.read_text()
    plot_dash_families({"f": [(1, replace(MEASURED[0], tool="pincer"))]}, output)
    assert "<svg" in by_time and output.read_text() != by_time


def test_growth_is_drawn_for_each_harness_with_the_earlier_run_beside(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    output = tmp_path / "climbs.svg"
    point = Measurement("h(1)", "pincer", "safe", "safe", 0.5, {"formula": 100, "wall_s": 1.0})
    plot_climbs({"h": {"pincer": [(1, point), (2, point)], "pincer before": [(1, point)]}}, output)
    with_earlier = output.read_text()
    plot_climbs({"h": {"pincer": [(1, point), (2, point)]}}, output)
    assert "<svg" in with_earlier and with_earlier.count("<path") > output.read_text().count("<path")


def test_a_place_where_nothing_can_be_written_is_a_mistake(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    with pytest.raises(PincerError, match="cannot write the plot"):
        plot_rows(MEASURED, 60.0, tmp_path / "missing" / "rows.svg")
