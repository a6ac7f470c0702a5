"""Text for people, and the live line."""

from __future__ import annotations

import io
import os
import sys

import pytest

from pincer.report.terminal import Look, ProgressLine, escape, join_items, look_of, progress_text, wrap
from pincer.runtime.run import Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain name.gcl", "plain name.gcl"),
        ("a\x1b[31mb", "a\\x1b[31mb"),
        ("two\nlines", "two\\nlines"),
        ("bad\udcffbyte", "bad\\xffbyte"),
        ("grün", "grün"),
        ("right\u202eleft", "right\\u202eleft"),
    ],
)
def test_what_cannot_be_printed_is_escaped(text: str, shown: str) -> None:
    assert escape(text) == shown


def test_no_color_and_dumb_terminals_are_respected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert look_of(Terminal()).colour
    assert not look_of(io.StringIO()).colour
    monkeypatch.setenv("TERM", "dumb")
    assert not look_of(Terminal()).colour
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", "1")
    assert not look_of(Terminal()).colour


def test_painting_changes_nothing_but_colour() -> None:
    assert Look().paint("word", "red") == "word"
    assert Look(colour=True).paint("word", "red") == "\x1b[31;1mword\x1b[0m"


def test_wrapped_text_keeps_all_words_and_the_width() -> None:
    words = "the quick brown fox jumps over the lazy dog " * 5
    lines = wrap(words, 40, "  why  ", "       ")
    assert all(len(line) <= 40 for line in lines)
    assert " ".join(lines).split() == ["why", *words.split()]


def test_items_are_broken_between_items_only() -> None:
    items = [f"a[{n}] = {n * 1000}" for n in range(20)]
    lines = join_items(items, 30, "> ", "  ")
    assert all(len(line) <= 30 for line in lines)
    assert ", ".join(items) == " ".join(line[2:] for line in lines)


NUMBERS = Progress("ase", "exploring", {"iteration": 3, "abstract_states": 120})


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


def test_a_reader_behind_a_pipe_is_not_disturbed(monkeypatch: pytest.MonkeyPatch) -> None:
    """`pincer check ... | less`: both write to one terminal, so there is no line to be wiped."""
    reading, writing = os.pipe()
    with os.fdopen(reading), os.fdopen(writing, "w") as output:
        monkeypatch.setattr(sys, "stdout", output)
        stream = Terminal()
        ProgressLine(stream, "p.gcl").draw(NUMBERS, 10.0, 5.0)
    assert stream.getvalue() == ""
