"""A C counterexample as text fits the screen and says where, what and with which result."""

from __future__ import annotations

from pincer.report.code_table import code_table, shown_inputs
from pincer.report.finding import CodeRow
from pincer.report.terminal import Look


def rows(count: int) -> list[CodeRow]:
    return [CodeRow(0, f"p.c:{i}", f"step({i});") for i in range(count)]


def test_each_row_has_place_source_and_result() -> None:
    table = [
        CodeRow(0, "p.c:1", "int n = f();", (("n", "3"),)),
        CodeRow(1, "p.c:12", "if (n)", (), "true"),
        CodeRow(0, "p.c:9", "assert(0);", note="goes wrong"),
    ]
    assert code_table(table, Look()) == [
        "",
        "  p.c:1   int n = f();  n = 3",
        "  p.c:12    if (n)      true",
        "  p.c:9   assert(0);    goes wrong",
        "",
    ]


def test_no_rows_no_table() -> None:
    assert code_table([], Look()) == []


def test_folded_rounds_are_counted() -> None:
    table = code_table([CodeRow(0, "p.c:1", "i++;"), CodeRow(1, "p.c:1", "", rounds=7)], Look())
    assert table[2] == "  ...      (7 more rounds)"
    assert "(1 more round)" in code_table([CodeRow(0, "p.c:1", "", rounds=1)], Look())[1]


def test_long_lines_are_cut_and_nothing_exceeds_the_width() -> None:
    long = CodeRow(0, "p.c:1", "x" * 300, tuple((f"variable{i}", "123") for i in range(20)))
    lines = code_table([long], Look(width=80))
    assert max(map(len, lines)) <= 80
    assert "xxx..." in lines[1]


def test_the_middle_of_a_long_run_is_left_out_unless_asked_for() -> None:
    lines = code_table(rows(100), Look())
    assert len(lines) == 43
    assert "60 lines left out, --verbose shows them" in lines[21]
    assert len(code_table(rows(100), Look(), verbose=True)) == 102


def test_text_of_the_program_cannot_steer_the_terminal() -> None:
    assert "\x1b" not in "".join(code_table([CodeRow(0, "p.c:1", "a\x1b[2J\tb", (("x", "\x07"),))], Look()))


def test_inputs_are_listed_and_many_are_cut() -> None:
    assert shown_inputs(["f() = 1 (p.c:3)"]) == ["f() = 1 (p.c:3)"]
    many = [f"f() = {i}" for i in range(20)]
    assert shown_inputs(many)[-2:] == ["f() = 11", "and 8 more (--verbose)"]
    assert shown_inputs(many, verbose=True)[-1] == "f() = 19"
    assert shown_inputs([])[0].startswith("none")
