"""Text never overflows, never steers the terminal, and needs no colour."""

from __future__ import annotations

import io

import pytest

from pincer.report.terminal import Look, escape, join_items, look_of, wrap


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
