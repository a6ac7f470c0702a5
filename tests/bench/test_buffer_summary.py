"""What the table of buffers answers, line by line."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from rich.console import Console

from pincer.bench.buffer_rows import Harness
from pincer.bench.buffer_summary import Earlier, print_targets, read_earlier
from pincer.bench.climb import Climb
from pincer.bench.measurement import Measurement
from pincer.bench.rows import CQuestion, Row, benchmarks_directory
from pincer.errors import PincerError


def climb(name: str, tool: str, *sizes: int, greatest: int = 64) -> Climb:
    harness = Harness(name, "own", Path("h.c"), 1, greatest, 4)
    points = tuple((n, Measurement(f"{name}({n})", tool, "safe", "safe", 1.0, {"wall_s": 1.0})) for n in sizes)
    return Climb(harness, tool, points)


def lines(climbs: list[Climb], others: list[Measurement], earlier: Earlier, rows: dict[str, Row]) -> list[str]:
    console = Console(file=io.StringIO(), width=200)
    print_targets(console, climbs, rows, others, {}, earlier)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue().splitlines()


def test_sizes_stand_beside_those_of_cbmc_and_of_an_earlier_run() -> None:
    climbs = [
        climb("a", "pincer", 1, 2, 4),
        climb("b", "pincer", 1),
        climb("a", "cbmc", 1, 2),
        climb("b", "cbmc", 1, 2),
    ]
    printed = lines(climbs, [], Earlier({"a": 2, "b": 1}), {})
    assert printed == [
        "N at least CBMC's on 1 of 2 harnesses",
        "sizes that both decide: pincer 3.0 s, cbmc 3.0 s, starting up apart",
        "N twice that of the earlier run, or the greatest asked for, on 1 of 2 harnesses",
    ]


def test_a_harness_whose_greatest_size_is_reached_cannot_grow_any_more() -> None:
    (line,) = lines([climb("a", "pincer", 1, 2, greatest=2)], [], Earlier({"a": 2}), {})
    assert line.endswith("on 1 of 1 harnesses")


def test_mistakes_and_buffers_of_any_length_are_counted_with_their_evidence() -> None:
    rows = {
        "a broken": Row("a broken", "broken", Path("a.c"), "unsafe", CQuestion()),
        "b broken": Row("b broken", "broken", Path("b.c"), "unsafe", CQuestion()),
        "walk": Row("walk", "unbounded", Path("walk.yml"), "safe", CQuestion()),
    }
    others = [
        Measurement("a broken", "pincer", "unsafe", "unsafe", evidence="confirmed"),
        Measurement("b broken", "pincer", "time", "unsafe"),
        Measurement("walk", "pincer", "safe", "safe", evidence="certified"),
    ]
    assert lines([], others, Earlier(), rows) == [
        "pincer: broken variants found 1 of 2, with evidence that was checked 1",
        "pincer: buffers of any length decided 1 of 1, with evidence that was checked 1",
    ]


def test_an_earlier_run_is_read_from_what_was_written(tmp_path: Path) -> None:
    path = tmp_path / "before.json"
    entry = {"row": "a(2)", "tool": "pincer", "status": "safe", "expected": "safe", "time_s": 1.5, "figures": {}}
    broken = {**entry, "row": "a broken", "status": "unsafe"}
    data = {"reached": {"a": {"pincer": 2, "cbmc": 4}}, "measurements": [entry, {**entry, "tool": "cbmc"}, broken]}
    path.write_text(json.dumps(data), encoding="utf-8")
    earlier = read_earlier(path)
    assert earlier.reached == {"a": 2}
    ((size, measured),) = earlier.points["a"]
    assert (size, measured.time_s, measured.right) == (2, 1.5, True)


@pytest.mark.parametrize("text", ["{", "[]", '{"reached": {}}'])
def test_another_file_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "before.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(PincerError, match="--json"):
        read_earlier(path)


def test_what_is_recorded_of_an_earlier_state_names_harnesses_that_there_are() -> None:
    folder = benchmarks_directory("buffers")
    recorded = read_earlier(folder / "before.json")
    files = {file.stem for file in folder.rglob("*.c")}
    assert recorded.reached.keys() <= files
    assert recorded.points.keys() <= recorded.reached.keys()
