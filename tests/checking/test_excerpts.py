"""Messages show the line they are about."""

from __future__ import annotations

from pathlib import Path

from pincer.checking.excerpts import with_excerpt
from pincer.errors import Mistake


def test_a_mistake_with_a_place_shows_its_line(tmp_path: Path) -> None:
    path = tmp_path / "a.c"
    path.write_text("int x;\n  y = 3;\n")
    assert with_excerpt(Mistake("error", "no", str(path), 2, 3)).excerpt == "  y = 3;"


def test_a_line_that_is_known_is_kept_and_the_beginning_stands_for_the_file(tmp_path: Path) -> None:
    path = tmp_path / "a.c"
    path.write_text("int x;\n")
    known = Mistake("error", "no", str(path), 1, 5, "before macros")
    assert with_excerpt(known) == known
    for place in ((1, 1), (9, 1), (None, None)):
        assert with_excerpt(Mistake("error", "no main", str(path), *place)).excerpt is None
    assert with_excerpt(Mistake("error", "no", str(tmp_path / "gone.c"), 2, 3)).excerpt is None
