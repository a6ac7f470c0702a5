"""Calls as they stand in a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.errors import Position
from pincer.frontends.c.syntax.call_text import written_call


@pytest.mark.parametrize(
    ("text", "column", "call"),
    [
        ("assert(LIMIT > 3);", 1, ("assert", "LIMIT > 3")),
        ("    else CHECK ( f(x, ')') );", 10, ("CHECK", "f(x, ')')")),
        ("assert(a\n   && b);", 1, ("assert", "a && b")),
        ("x; assert(a);", 4, ("assert", "a")),
        ("FIRST; assert(a);", 4, ("assert", "a")),
        ("FIRST; CHECK(a);", 4, None),
        ("FIRST(x); assert(a);", 4, None),
        ("if (x > 1) CHECK(a);", 12, ("CHECK", "a")),
        ("assert(a /* b */);", 1, None),
        ("assert(a;", 1, None),
        ("assert;", 1, None),
        ("assert(a);", 99, ("assert", "a")),
        ("CHECK(a);", 99, None),
    ],
    ids=lambda value: None,
)
def test_a_call_is_read_where_its_place_is_sure(
    tmp_path: Path, text: str, column: int, call: tuple[str, str] | None
) -> None:
    (tmp_path / "a.c").write_text("int main(void) {\n" + text + "\n}\n")
    assert written_call(Position(str(tmp_path / "a.c"), 2, column), ["assert"]) == call


def test_what_is_not_here_has_no_text(tmp_path: Path) -> None:
    assert written_call(Position(str(tmp_path / "a.c"), 1, 1)) is None
    assert written_call(Position("<library>", 1, 1)) is None
    (tmp_path / "a.c").write_text("assert(1);")
    assert written_call(Position(str(tmp_path / "a.c"), 7, 1)) is None
