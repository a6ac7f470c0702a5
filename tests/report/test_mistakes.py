"""A mistake is shown with its place, a sentence and a caret under the offending text."""

from __future__ import annotations

import pytest

from pincer.errors import Mistake, PincerError, Position, UnsupportedError, mistake_of
from pincer.report.mistakes import mistake_lines
from pincer.report.terminal import Look


def lines_of(excerpt: str, column: int) -> list[str]:
    error = PincerError("unknown name 'y'", Position("p.gcl", 4, column), excerpt)
    return mistake_lines(mistake_of(error, "p.gcl"), Look())


def test_the_caret_points_at_the_column() -> None:
    first, source, caret = lines_of("x := y + 1;", 6)
    assert first == "p.gcl:4:6: error: unknown name 'y'"
    assert source[caret.index("^")] == "y"


@pytest.mark.parametrize("prefix", ["\t\t", "\x07 ", "é "])
def test_the_caret_survives_tabs_and_control_characters(prefix: str) -> None:
    _, source, caret = lines_of(f"{prefix}y", len(prefix) + 1)
    assert source[caret.index("^")] == "y"
    assert source.isprintable()


def test_a_very_long_line_is_shown_in_part() -> None:
    _, source, caret = lines_of("a" * 5000 + "y" + "b" * 5000, 5001)
    assert len(source) <= 80
    assert source[caret.index("^")] == "y"


def test_a_column_beyond_the_line_points_at_its_end() -> None:
    _, source, caret = lines_of("x :=", 99)
    assert len(caret) == len(source) + 1


def test_a_mistake_without_a_place_names_the_file() -> None:
    assert mistake_lines(mistake_of(PincerError("empty"), "odd\nname.gcl"), Look()) == ["odd\\nname.gcl: error: empty"]


def test_unsupported_input_is_not_called_wrong() -> None:
    mistake = mistake_of(UnsupportedError("nondet is not supported by ur"), "p.gcl")
    assert mistake.kind == "unsupported"
    assert mistake_lines(mistake, Look())[0].startswith("p.gcl: unsupported: ")


def test_an_internal_error_asks_for_a_report_in_one_line() -> None:
    mistake = Mistake("internal", "KeyError: 'x'", "p.gcl", traceback="Traceback\n  somewhere\n")
    [line] = mistake_lines(mistake, Look())
    assert "internal error" in line
    assert "please report" in line
    assert mistake_lines(mistake, Look(), verbose=True)[1:] == ["Traceback", "  somewhere"]
