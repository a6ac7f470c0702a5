"""What the table of buffers answers, line by line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pincer.bench.buffer_rows import Harness
from pincer.bench.buffer_summary import Earlier, read_earlier, read_measured, read_startup, target_lines
from pincer.bench.climb import Climb
from pincer.bench.measurement import Measurement
from pincer.bench.rows import CQuestion, Row, benchmarks_directory
from pincer.errors import PincerError


def climb(name: str, tool: str, *sizes: int, greatest: int = 64) -> Climb:
    harness = Harness(name, "own", Path("h.c"), 1, greatest, 4)
    points = tuple((n, Measurement(f"{name}({n})", tool, "safe", "safe", 1.0, {"wall_s": 1.0})) for n in sizes)
    return Climb(harness, tool, points)


def lines(climbs: list[Climb], others: list[Measurement], earlier: Earlier, rows: dict[str, Row]) -> list[str]:
    return target_lines(climbs, rows, others, {}, earlier)


def test_sizes_stand_beside_those_of_cbmc_and_of_an_earlier_run() -> None:
    climbs = [
        climb("a", "pincer", 1, 2, 4),
        climb("b", "pincer", 1),
        climb("a", "cbmc", 1, 2),
        climb("b", "cbmc", 1, 2),
    ]
    printed = lines(climbs, [], Earlier({"a": 2, "b": 1}), {})
    assert printed == [
        "N at least CBMC's on 1 of 2 harnesses (target: 80 %)",
        "N twice that of the earlier run, or the greatest asked for, on 1 of 2 harnesses (target: all)",
        "sizes that both decide: pincer 3.0 s, cbmc 3.0 s, starting up apart (target: at most CBMC's)",
        "wrong verdicts: none (target: none)",
        "the 4 slowest rows, 4.0 s: 0% in the solver, 100% in the rest of deciding,"
        " 0% in checking, loading and starting up",
    ]


def test_a_harness_whose_greatest_size_is_reached_cannot_grow_any_more() -> None:
    line, *_ = lines([climb("a", "pincer", 1, 2, greatest=2)], [], Earlier({"a": 2}), {})
    assert "on 1 of 1 harnesses" in line


def test_mistakes_and_buffers_of_any_length_are_counted_with_their_evidence() -> None:
    rows = {
        "a broken": Row("a broken", "broken", Path("a.c"), "unsafe", CQuestion()),
        "b broken": Row("b broken", "broken", Path("b.c"), "unsafe", CQuestion()),
        "walk": Row("walk", "unbounded", Path("walk.yml"), "safe", CQuestion()),
        "fall": Row("fall", "unbounded", Path("fall.yml"), "unsafe", CQuestion()),
    }
    others = [
        Measurement("a broken", "pincer", "unsafe", "unsafe", evidence="confirmed"),
        Measurement("b broken", "pincer", "time", "unsafe"),
        Measurement("walk", "pincer", "safe", "safe", evidence="certified"),
        Measurement("fall", "pincer", "safe", "unsafe", evidence="certified"),
    ]
    assert lines([], others, Earlier(), rows) == [
        "pincer: broken variants found 1 of 2, with evidence that was checked 1 (target: 95 %, all confirmed)",
        "pincer: loops over buffers of any length, right, proved 1 of 1, with evidence that was checked 1"
        " (target: three of four, certified)",
        "pincer: loops over buffers of any length, broken, found 0 of 1 (target: all)",
        "wrong verdicts: fall (target: none)",
    ]


def test_sizes_that_a_harness_names_are_counted() -> None:
    harness = Harness("sort", "own", Path("h.c"), 1, 16, 4, also=(7,))
    points = tuple(
        (n, Measurement(f"sort({n})", "pincer", "safe" if n < 8 else "time", "safe", 1.0)) for n in (8, 6, 7)
    )
    printed = lines([Climb(harness, "pincer", points)], [], Earlier(), {})
    assert printed[0] == "pincer: sizes that harnesses name decided 1 of 1: sort(7) (target: all)"


def test_the_time_of_the_slowest_rows_is_divided() -> None:
    harness = Harness("h", "own", Path("h.c"), 1, 64, 4)
    figures = {"wall_s": 8.0, "solver_s": 2.0}
    points = tuple((n, Measurement(f"h({n})", "pincer", "safe", "safe", 4.0, figures)) for n in range(1, 12))
    *_, line = lines([Climb(harness, "pincer", points)], [], Earlier(), {})
    told = "25% in the solver, 25% in the rest of deciding, 50% in checking, loading and starting up"
    assert line == f"the 10 slowest rows, 80.0 s: {told}"


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


def test_what_was_measured_holds_for_another_limit_where_it_was_decided_within_it(tmp_path: Path) -> None:
    path = tmp_path / "out.json"
    outcomes = [("a(1)", "safe", 2.0), ("a(2)", "safe", 9.0), ("a(4)", "time", 10.0)]
    entries = [
        {"row": row, "tool": "pincer", "status": status, "expected": "safe", "figures": {"cpu_s": seconds}}
        for row, status, seconds in outcomes
    ]
    path.write_text(
        json.dumps({"limit_s": 10.0, "startup_s": {"pincer": 0.5}, "measurements": entries}), encoding="utf-8"
    )
    assert [row for row, _ in read_measured([path], 10.0)] == ["a(1)", "a(2)", "a(4)"]
    assert [row for row, _ in read_measured([path], 60.0)] == ["a(1)", "a(2)"]
    assert [row for row, _ in read_measured([path], 5.0)] == ["a(1)"]
    assert read_startup([path]) == {"pincer": 0.5}


def test_a_file_of_another_kind_is_no_measurement(tmp_path: Path) -> None:
    path = tmp_path / "other.json"
    path.write_text("{}", encoding="utf-8")
    with pytest.raises(PincerError, match="is not what --json"):
        read_measured([path], 10.0)
