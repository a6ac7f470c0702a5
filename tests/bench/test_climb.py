"""Sizes are doubled until one is not decided; the one halfway back is the last that is tried."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from pincer.bench.buffer_rows import Harness
from pincer.bench.climb import Climb, climbed, common_seconds
from pincer.bench.measurement import Measurement, Status

HARNESS = Harness("h", "own", Path("h.c"), 1, 40, 4)


def outcome(size: int, status: Status = "safe", seconds: float = 1.0) -> Measurement:
    return Measurement(f"h({size})", "pincer", status, "safe", seconds, {"wall_s": seconds})


def climb_to(last: int, harness: Harness = HARNESS) -> Climb:
    return climbed(harness, "pincer", lambda size: outcome(size, "safe" if size <= last else "time"))


@pytest.mark.parametrize(
    ("last", "sizes", "reached"),
    [
        (0, [1], 0),
        (2, [1, 2, 4, 3], 2),
        (3, [1, 2, 4, 3], 3),
        (11, [1, 2, 4, 8, 16, 12], 8),
        (39, [1, 2, 4, 8, 16, 32, 40, 36], 36),
        (40, [1, 2, 4, 8, 16, 32, 40], 40),
    ],
)
def test_the_largest_size_is_found_by_doubling(last: int, sizes: list[int], reached: int) -> None:
    climb = climb_to(last)
    assert [size for size, _ in climb.points] == sizes
    assert (climb.reached, climb.exhausted) == (reached, reached == 40)


def test_sizes_that_are_wanted_besides_are_asked_about_once() -> None:
    also = replace(HARNESS, also=(4, 7))
    assert [size for size, _ in climb_to(4, also).points] == [1, 2, 4, 8, 6, 7]


def test_the_line_of_the_table_is_the_largest_size_and_why_it_ended() -> None:
    summary = climb_to(8).summary()
    assert (summary.row, summary.status) == ("h", "safe")
    assert (summary.figures["N"], summary.figures["ended_by"]) == (8, "time")


def test_where_nothing_is_decided_the_reason_is_told() -> None:
    summary = climb_to(0).summary()
    assert (summary.status, summary.figures["N"]) == ("time", 0)


def test_a_wrong_verdict_ends_the_climb_and_is_shown() -> None:
    climb = climbed(HARNESS, "pincer", lambda size: outcome(size, "safe" if size < 4 else "unsafe"))
    assert [size for size, _ in climb.points] == [1, 2, 4]
    assert climb.reached == 2
    assert climb.summary().wrong
    assert climb.summary().figures["N"] == 4


def test_times_are_compared_where_both_decide() -> None:
    ours = Climb(HARNESS, "pincer", ((1, outcome(1, seconds=3.0)), (2, outcome(2, seconds=9.0))))
    theirs = Climb(HARNESS, "cbmc", ((1, outcome(1, seconds=2.0)), (2, outcome(2, "time", 60.0))))
    assert common_seconds([ours, theirs], ("pincer", "cbmc"), {"pincer": 1.0}) == (2.0, 2.0)
