"""The live line appears on terminals only and leaves nothing behind."""

from __future__ import annotations

import io

import pytest

from pincer.report.progress import ProgressLine, progress_text
from pincer.runtime.run import Progress

NUMBERS = Progress("ase", "exploring", {"iteration": 3, "abstract_states": 120})


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_the_line_names_what_is_going_on() -> None:
    assert progress_text("p.gcl", NUMBERS, 85.4, 12.3, width=80) == (
        "p.gcl  12 s  85 MB  ase exploring  iteration 3  abstract states 120"
    )


def test_nothing_is_said_of_an_engine_that_has_not_begun() -> None:
    idle = Progress("", "", {})
    assert progress_text("p.gcl", idle, 15.0, 0.4, width=80) == "p.gcl  0 s  15 MB  starting"
    assert progress_text("p.gcl", None, 0.0, 0.4, width=80) == "p.gcl  0 s  0 MB  starting"


@pytest.mark.parametrize(
    ("width", "line"),
    [
        (60, "p.gcl  12 s  85 MB  ase exploring  it 3  abstract 120"),
        (50, "12 s  85 MB  ase exploring  it 3  abstract 120"),
        (40, "12 s  85 MB  ase  it 3  abstract 120"),
        (25, "12 s  85 MB  ase  it 3"),
    ],
)
def test_a_narrow_line_says_the_same_in_fewer_words(width: int, line: str) -> None:
    assert progress_text("p.gcl", NUMBERS, 85.4, 12.3, width) == line


def test_a_narrow_line_has_no_room_for_nothing_and_rounds_what_is_large() -> None:
    progress = Progress("dash", "testing", {"frontier": 0, "questions": 123_456})
    assert progress_text("program.c", progress, 85.0, 12.0, width=42) == "12 s  85 MB  dash testing  queries 123k"


@pytest.mark.parametrize(("stream", "enabled"), [(io.StringIO(), True), (Terminal(), False)])
def test_pipes_and_quiet_runs_see_nothing(stream: io.StringIO, enabled: bool) -> None:
    line = ProgressLine(stream, "p.gcl", enabled)
    line.draw(NUMBERS, 10.0, 5.0)
    line.clear()
    assert stream.getvalue() == ""


def test_short_runs_do_not_flicker() -> None:
    stream = Terminal()
    ProgressLine(stream, "p.gcl").draw(NUMBERS, 10.0, 0.1)
    assert stream.getvalue() == ""


def test_the_line_fits_and_is_wiped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "50")
    stream = Terminal()
    line = ProgressLine(stream, "p" * 100)
    line.draw(None, 10.0, 5.0)
    assert stream.getvalue() == "\r\x1b[K" + "p" * 46
    line.clear()
    assert stream.getvalue().endswith("\r\x1b[K")


def test_redrawing_is_bounded() -> None:
    stream = Terminal()
    line = ProgressLine(stream, "p.gcl")
    for tick in range(100):
        line.draw(NUMBERS, 10.0, 1.0 + tick / 100)
    assert stream.getvalue().count("\r") <= 11
