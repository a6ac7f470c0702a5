"""What an editor is given about a program: lines count from 0, and nothing in them steers a terminal."""

from __future__ import annotations

from pathlib import Path

from lsprotocol.types import DiagnosticSeverity

from pincer.cli.editing.remarks import remarks_on_mistake
from pincer.errors import PincerError, Position


def test_a_mistake_is_shown_where_it_is() -> None:
    [found] = remarks_on_mistake(PincerError("odd \x1b name", Position("p.c", 4, 7))).diagnostics
    assert (found.range.start.line, found.range.start.character) == (3, 6)
    assert found.severity is DiagnosticSeverity.Error
    assert found.message == "odd \\x1b name"


def test_a_mistake_without_a_place_is_shown_at_the_top() -> None:
    [found] = remarks_on_mistake(PincerError(f"cannot read {Path('p.c')}")).diagnostics
    assert found.range.start.line == 0
