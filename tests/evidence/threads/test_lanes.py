"""Schedules as people see them: lanes, what changed, and how it ends."""

from __future__ import annotations

from pathlib import Path

from pincer.errors import Position
from pincer.evidence.threads.lanes import SHOWN_ROWS, LaneRow, lane_rows, lane_table
from pincer.evidence.threads.trace import ThreadedTest, ThreadStep
from tests.evidence.threads.written_schedules import (
    LOST_UPDATE,
    LOST_UPDATE_POINTS,
    TWO_LOCKS,
    TWO_LOCKS_POINTS,
    TWO_LOCKS_STOPS,
    Written,
)


def _update(tmp_path: Path) -> tuple[ThreadedTest, Written]:
    program = Written(tmp_path, LOST_UPDATE)
    increment = program.at("counter++")
    steps = (
        ThreadStep(0, program.at("pthread_create(&a"), "main", "pthread_create", creates=1),
        ThreadStep(1, increment, "worker", "", reads=(("counter", "0"),)),
        ThreadStep(2, increment, "worker", "", reads=(("counter", "0"),)),
        ThreadStep(2, increment, "worker", "", (("counter", "1"),)),
        ThreadStep(1, increment, "worker", "", (("counter", "1"),)),
        ThreadStep(0, Position("elsewhere.h", 3, 1), "helper", ""),
        ThreadStep(0, program.at("assert("), "main", "", reads=(("counter", "1"),)),
    )
    return program.test("assertion", LOST_UPDATE_POINTS, "0 reads counter @ assert(", steps=steps), program


def _lines(program: Written, position: Position) -> str | None:
    if position.file != str(program.source):
        return None
    return program.source.read_text().splitlines()[position.line - 1].strip()


def test_each_thread_has_its_lane_and_only_changes_are_shown(tmp_path: Path) -> None:
    test, program = _update(tmp_path)
    rows = lane_rows(test, lambda position: _lines(program, position))
    assert lane_table(rows, 110) == [
        "                thread 0                        thread 1                        thread 2",
        "  program.c:10  pthread_create(&a, 0, worke...",
        "                    thread 1 begins",
        "  program.c:5                                   counter++;",
        "                                                    reads counter (0)",
        "  program.c:5                                                                   counter++;",
        "                                                                                    counter = 1",
        "  program.c:5                                   counter++;",
        "                                                    counter = 1",
        "  program.c:14  assert(counter == 2);",
        "                    reads counter (1)",
        "                    goes wrong",
    ]


def test_where_lanes_have_no_room_a_rail_shows_the_thread(tmp_path: Path) -> None:
    test, program = _update(tmp_path)
    lines = lane_table(lane_rows(test, lambda position: _lines(program, position)), 60)
    assert lines[2:6] == [
        "  program.c:5   . 1 .  counter++;",
        "                           reads counter (0)",
        "  program.c:5   . . 2  counter++;",
        "                           counter = 1",
    ]
    assert max(map(len, lines)) <= 60


def test_the_end_of_a_deadlock_says_who_waits_for_what(tmp_path: Path) -> None:
    program = Written(tmp_path, TWO_LOCKS)
    test = program.test("deadlock", TWO_LOCKS_POINTS, TWO_LOCKS_STOPS)
    notes = [(row.thread, row.note) for row in lane_rows(test, lambda position: "")]
    assert notes == [(1, "waits for second"), (2, "waits for first")]


def test_the_end_of_a_race_shows_both_accesses(tmp_path: Path) -> None:
    program = Written(tmp_path, LOST_UPDATE)
    stops = "1 writes counter @ counter++\n2 reads counter @ counter++"
    test = program.test("race", "0 calls pthread_create @ pthread_create(&a", stops)
    notes = [row.note for row in lane_rows(test, lambda position: "")]
    assert notes == ["is about to write counter", "is about to read counter"]


def test_the_middle_of_a_long_schedule_is_left_out_unless_asked_for() -> None:
    rows = [LaneRow(0, f"p.c:{number}", "x++;") for number in range(SHOWN_ROWS + 10)]
    assert any("10 lines left out" in line for line in lane_table(rows))
    assert len(lane_table(rows, verbose=True)) == SHOWN_ROWS + 11


def test_text_from_a_program_cannot_steer_the_terminal() -> None:
    assert "\x1b" not in "".join(lane_table([LaneRow(0, "p.c:1", "a \x1b[31m b", (("s", "\x1b[2J"),))]))


def test_nothing_has_no_lanes() -> None:
    assert lane_table([]) == []
