"""Lines at which threads are not to be at the same time."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.errors import PincerError, Position
from pincer.program.passes import LinesApart
from pincer.program.thread_labels import Meet
from tests.program.passes.passed_programs import FAILING, failures, seen_by


def test_a_mark_precedes_the_first_statement_of_each_line(tmp_path: Path) -> None:
    lines = tuple(Position("p.c", line, 1) for line in (5, 9, 9))
    program = seen_by(tmp_path, FAILING, LinesApart(lines))
    marks = [edge for edge in program.edges() if isinstance(edge.label, Meet)]
    assert [edge.position.line for edge in marks] == [5, 9]
    for edge in marks:
        assert isinstance(edge.label, Meet)
        assert edge.label.needed == (1, 2)
        assert len(program.procedures["main"].outgoing[edge.source]) == 1
        assert all(
            later.position.line == edge.position.line for later in program.procedures["main"].outgoing[edge.target]
        )


def test_other_failures_end_the_program(tmp_path: Path) -> None:
    assert not failures(seen_by(tmp_path, FAILING, LinesApart((Position("p.c", 5, 1),))))


def test_a_line_without_a_statement_is_the_users_mistake(tmp_path: Path) -> None:
    with pytest.raises(PincerError, match="nothing that is executed") as caught:
        seen_by(tmp_path, FAILING, LinesApart((Position("p.c", 999, 1),)))
    assert caught.value.position == Position("p.c", 999, 1)
