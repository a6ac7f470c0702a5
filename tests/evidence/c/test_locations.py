"""Places in a program's text: tokens by both ways of counting lines, statements, calls, and names in scope."""

from __future__ import annotations

import pytest

from pincer.errors import Position
from pincer.evidence.c.locations import Locator

TEXT = """\
int limit = 3;
int twice(int n) { return n + n; }
int main(void) {
  int x = 1;
  for (int i = 0; i < 3; i++) { int inner = i; x += inner; }
  if (x > limit) x = twice(x) + 1; else x--;
  switch (x) { case 1: x = x ? 1 : 2; }
  return x;
}
"""
LOCATOR = Locator(TEXT, "program.c")


def at(line: int, needle: str) -> Position:
    return Position("program.c", line, TEXT.splitlines()[line - 1].index(needle) + 1)


def shown(index: int | None) -> tuple[int, int] | None:
    if index is None:
        return None
    place = LOCATOR.place(index)
    return place.line, place.column


def test_markers_count_for_positions_and_not_for_places() -> None:
    locator = Locator('# 40 "program.c"\nint main(void) {\n  return 7;\n}\n', "program.c")
    index = locator.token_at(Position("program.c", 41, 3))
    assert index is not None
    place = locator.place(index)
    assert (place.line, place.column, place.function) == (3, 3, "main")
    assert locator.physical(3, 3) == index and locator.physical(41, 3) is None


@pytest.mark.parametrize(
    ("line", "needle", "start"),
    [
        (4, "1;", (4, 3)),
        (5, "i = 0", None),
        (5, "i < 3", None),
        (5, "i++", None),
        (5, "inner;", (5, 48)),
        (6, "twice", (6, 18)),
        (6, "x--", (6, 41)),
        (7, "2;", (7, 24)),
        (8, "x;", (8, 3)),
    ],
)
def test_a_statement_begins_after_what_precedes_it(line: int, needle: str, start: tuple[int, int] | None) -> None:
    assert shown(LOCATOR.statement(at(line, needle))) == start


def test_keywords_and_calls_are_found_when_they_are_the_only_ones_on_their_line() -> None:
    assert shown(LOCATOR.keyword(at(6, "if"))) == (6, 3)
    assert shown(LOCATOR.keyword(Position("program.c", 6, 99))) == (6, 3)
    assert LOCATOR.keyword(at(6, "limit")) is None and LOCATOR.keyword(Position("program.c", 8, 99)) is None
    assert shown(LOCATOR.call_end("twice", Position("program.c", 6, 99))) == (6, 29)
    assert LOCATOR.call_end("twice", at(8, "x")) is None


@pytest.mark.parametrize(
    ("name", "line", "needle", "visible"),
    [
        ("limit", 4, "int x", True),
        ("n", 8, "return", False),
        ("n", 2, "return", True),
        ("x", 8, "return", True),
        ("inner", 5, "x += inner", True),
        ("inner", 6, "if", False),
        ("i", 6, "if", False),
        ("nowhere", 8, "return", False),
    ],
)
def test_names_are_visible_until_their_block_ends(name: str, line: int, needle: str, visible: bool) -> None:
    index = LOCATOR.token_at(at(line, needle))
    assert index is not None
    assert LOCATOR.is_visible(name, LOCATOR.place(index)) == visible
