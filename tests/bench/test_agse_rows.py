"""The rows of `bench agse` are the paper's configurations and the families, buggy and fixed."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.bench.agse_rows import FAMILIES, SIZES, agse_rows, load_threaded
from pincer.bench.rows import Row, ThreadQuestion

ROWS = agse_rows()


def test_table_2_is_complete_and_every_family_comes_buggy_and_fixed() -> None:
    published = [row.name for row in ROWS if row.published]
    assert published == [
        "reorder(9,1)", "reorder(10,1)", "airline(15,3)", "airline(20,2)", "airline(20,1)", "vec_deadlock0",
        "vec_deadlock1", "vec_race",
    ]  # fmt: skip
    for family in FAMILIES:
        verdicts = [row.expected for row in ROWS if row.group == family]
        assert verdicts == ["unsafe", "safe"] * len(SIZES)
    assert len({row.name for row in ROWS}) == len(ROWS)


@pytest.mark.parametrize("row", ROWS[:1] + ROWS[7:9], ids=lambda row: row.name)
def test_a_row_is_a_program_with_the_given_macros(row: Row, tmp_path: Path) -> None:
    program = load_threaded(row, tmp_path)
    assert "main" in program.procedures
    assert isinstance(row.question, ThreadQuestion)
    for macro, value in row.question.macros:
        assert f"#define {macro} {value}\n" in (tmp_path / f"{row.name}.c").read_text()
