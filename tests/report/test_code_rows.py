"""The execution of a C test is told in the user's lines: what changed, which way decisions went, loops folded."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.errors import Position
from pincer.evidence.c.trace import CStep, CTest, Failure, InputValue
from pincer.report.code_rows import SourceFiles, code_rows, folded, input_texts
from pincer.report.finding import CodeRow

LINES = ["int n = input();", "if (n)", "f(n);", "while (i < n)", "i++;", "int r = y;", "assert(0);"]


def at(line: int, file: str = "p.c", column: int = 1) -> Position:
    return Position(file, line, column)


def step(line: int, procedure: str = "main", text: str = "", branch: bool | None = None, **changes: int) -> CStep:
    return CStep(at(line), procedure, text, tuple((k, str(v)) for k, v in changes.items()), branch)


def rows_of(*steps: CStep, verbose: bool = False) -> tuple[CodeRow, ...]:
    test = CTest("p.c", "assertions", "assertions", (), steps, Failure(at(7), "fails"), "LP64", "main")
    return code_rows(test, _line, verbose)


def _line(position: Position) -> str | None:
    return LINES[position.line - 1] if position.file == "p.c" else None


def test_a_row_shows_its_line_and_what_it_changed() -> None:
    first, last = rows_of(step(1, n=3))
    assert first == CodeRow(0, "p.c:1", "int n = input();", (("n", "3"),))
    assert (last.place, last.text, last.note) == ("p.c:7", "assert(0);", "goes wrong")


def test_steps_of_one_line_are_one_row_with_the_last_values() -> None:
    first, _ = rows_of(step(5, i=1), step(5, i=2, j=4))
    assert first.changes == (("i", "2"), ("j", "4"))


def test_a_decision_says_which_side_it_took() -> None:
    assert [row.note for row in rows_of(step(2, branch=True), step(4, branch=False))] == ["true", "false", "goes wrong"]


def test_lines_of_a_callee_are_indented_until_it_returns() -> None:
    rows = rows_of(step(3, text="call of f"), step(6, "f", r=1), step(4, branch=False))
    assert [row.depth for row in rows] == [0, 1, 0, 0]


def test_a_recursive_call_goes_deeper() -> None:
    rows = rows_of(step(3, "f", text="call of f"), step(6, "f", r=1))
    assert [row.depth for row in rows][:2] == [0, 1]


def test_steps_outside_of_readable_source_are_left_out() -> None:
    hidden = CStep(at(1, "/usr/include/x.h"), "main", "", (("x", "1"),))
    assert [row.place for row in rows_of(hidden, step(1, n=1))] == ["p.c:1", "p.c:7"]


def test_a_failure_at_the_last_line_is_not_told_twice() -> None:
    rows = rows_of(step(1, n=1), step(7, x=2))
    assert [(row.place, row.note) for row in rows] == [("p.c:1", ""), ("p.c:7", "goes wrong")]
    assert rows[-1].changes == (("x", "2"),)


def test_rounds_of_a_loop_are_folded_to_the_first_and_the_last() -> None:
    steps = [s for i in range(9) for s in (step(4, branch=True), step(5, i=i))]
    rows = rows_of(*steps)
    assert [(row.place, row.rounds) for row in rows] == [
        ("p.c:4", 0),
        ("p.c:5", 0),
        ("p.c:4", 7),
        ("p.c:4", 0),
        ("p.c:5", 0),
        ("p.c:7", 0),
    ]
    assert rows[4].changes == (("i", "8"),)
    assert len(rows_of(*steps, verbose=True)) == 19


def test_three_rounds_are_shown_as_they_are() -> None:
    steps = [s for i in range(3) for s in (step(4, branch=True), step(5, i=i))]
    assert len(rows_of(*steps)) == 7


def test_loops_in_loops_are_folded_from_the_inside() -> None:
    inner = [CodeRow(0, "b", ""), CodeRow(0, "c", "")]
    rows = [row for inner_rounds in (5, 6, 7, 8, 9) for row in [CodeRow(0, "a", ""), *inner * inner_rounds]]
    assert len(folded(rows)) == 13


def test_inputs_name_their_source_value_and_place() -> None:
    inputs = (
        InputValue("__VERIFIER_nondet_int", "nondet", 32, 2**32 - 1, at(1)),
        InputValue("uninitialised variable x", "undefined", 8, 7, at(2)),
        InputValue("getchar", "external", 32, 2**32 - 1, at(3), signed=True),
    )
    test = CTest("p.c", "assertions", "assertions", inputs, (), Failure(at(7), "fails"), "LP64", "main")
    assert input_texts(test) == (
        "__VERIFIER_nondet_int() = -1 (p.c:1)",
        "uninitialised variable x = 7 (p.c:2)",
        "getchar = -1 (p.c:3)",
    )


@pytest.mark.parametrize(("line", "text"), [(1, "int x;"), (2, "y();"), (3, None), (0, None)])
def test_source_lines_are_found_wherever_the_program_is_now(line: int, text: str | None, tmp_path: Path) -> None:
    (tmp_path / "moved.c").write_text("int x;\n   y();\n", encoding="utf-8")
    assert SourceFiles(tmp_path / "moved.c", "p.c").line(at(line)) == text


def test_a_source_file_that_is_gone_has_no_lines(tmp_path: Path) -> None:
    assert SourceFiles(tmp_path / "gone.c", "p.c").line(at(1)) is None


def test_what_goes_wrong_in_a_library_function_goes_wrong_in_the_line_that_calls_it() -> None:
    failure = Failure(at(9, "<library>"), "invalid access")
    test = CTest("p.c", "memory", "memory", (), (step(1), step(3, text="call of memcpy")), failure, "LP64", "main")
    last = code_rows(test, _line)[-1]
    assert (last.place, last.note) == ("p.c:3", "goes wrong")
