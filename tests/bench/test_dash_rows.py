"""The rows of `bench dash` come from our own benchmarks, from tasks, and from comments."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.bench.dash_rows import FAMILIES, commented_rows, own_rows, suite_rows
from pincer.bench.rows import CQuestion, Row, matching
from pincer.errors import PincerError

UNREACH = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n"
TASK = """\
format_version: "2.0"
input_files: "p.c"
properties:
  - property_file: unreach-call.prp
    expected_verdict: false
  - property_file: coverage.prp
    expected_verdict: true
options:
  language: C
  data_model: ILP32
"""


def asked(row: Row) -> CQuestion:
    assert isinstance(row.question, CQuestion)
    return row.question


def program(row: Row) -> Path:
    return asked(row).source or row.file


def test_every_own_row_has_a_program_a_verdict_and_a_name_of_its_own(tmp_path: Path) -> None:
    rows = own_rows(tmp_path)
    groups = {
        "paper",
        "loops",
        "procedures",
        "memory",
        "drivers",
        "floats",
        "overflow",
        "leaks",
        "uninitialised",
        *FAMILIES,
    }
    assert groups == {row.group for row in rows}
    assert len({row.name for row in rows}) == len(rows)
    for row in rows:
        assert program(row).is_file(), row
        assert row.expected is not None


def test_families_have_the_sizes_that_must_be_shown(tmp_path: Path) -> None:
    sizes = {family: [asked(row).size for row in matching(own_rows(tmp_path), family)] for family in FAMILIES}
    assert sizes["fig3"] == [2, 4, 8, 16, 32, 64]
    assert (sizes["fig6"][0], sizes["fig6"][-1]) == (2, 20)


def test_properties_of_numbers_are_of_both_kinds(tmp_path: Path) -> None:
    expected = [row.expected for row in own_rows(tmp_path) if row.group == "floats"]
    assert len(expected) >= 60
    assert min(expected.count("safe"), expected.count("unsafe")) >= 30


def test_drivers_stand_beside_the_published_figures(tmp_path: Path) -> None:
    rows = {row.name: row for row in own_rows(tmp_path) if row.group == "drivers"}
    correct, buggy = rows["floppy SpinLock"], rows["floppy-buggy SpinLock"]
    assert (correct.expected, buggy.expected) == ("safe", "unsafe")
    printed = correct.published["pincer"]
    assert (printed["iterations"], printed["time_s"]) == (826, 14.17)
    assert buggy.published["pincer"]["iterations"] == 493
    assert asked(correct).kind == "rule"


def test_the_tasks_of_a_suite_become_rows_for_what_can_be_checked(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    for name, text in (("p.c", ""), ("unreach-call.prp", UNREACH), ("t.yml", TASK)):
        (tmp_path / "sub" / name).write_text(text, encoding="utf-8")
    [row] = suite_rows(tmp_path)
    assert (row.name, row.expected, asked(row).data_model, asked(row).kind) == (
        "sub/t",
        "unsafe",
        "ILP32",
        "assertions",
    )
    assert program(row) == tmp_path / "sub" / "p.c"


@pytest.mark.parametrize("name", ["", "gone"])
def test_a_suite_without_tasks_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(PincerError):
        suite_rows(tmp_path / name)


def test_rows_are_chosen_by_name_or_group(tmp_path: Path) -> None:
    rows = own_rows(tmp_path)
    assert [row.name for row in matching(rows, "fig3(?), fig6(20)")] == ["fig3(2)", "fig3(4)", "fig3(8)", "fig6(20)"]
    assert {row.group for row in matching(rows, "loops")} == {"loops"}
    with pytest.raises(PincerError, match="no row matches"):
        matching(rows, "nothing*")


def write(folder: Path, name: str, text: str) -> None:
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")


def test_verdicts_can_stand_in_comments(tmp_path: Path) -> None:
    write(tmp_path, "a/good.c", "// @expect verified\n")
    write(tmp_path, "a/bad.c", "/* @expect error */\n")
    write(tmp_path, "a/none.c", "int x;\n")
    write(tmp_path, "b/config.yml", "flags: [--check=memory-safety]\n")
    write(tmp_path, "b/memory.c", "// @expect error\n")
    rows = {row.name: row for row in commented_rows(tmp_path)}
    assert {name: row.expected for name, row in rows.items()} == {
        "a/bad": "unsafe",
        "a/good": "safe",
        "b/memory": "unsafe",
    }
    assert (asked(rows["b/memory"]).kind, asked(rows["b/memory"]).options) == (
        "memory",
        ("--property", "valid-memsafety.prp"),
    )
    assert rows["a/bad"].group == "a"


def test_what_a_suite_skips_or_checks_differently_is_left_out(tmp_path: Path) -> None:
    write(tmp_path, "a/config.yml", "skip: true\n")
    write(tmp_path, "a/skipped.c", "// @expect error\n")
    write(tmp_path, "b/overflow.c", "// @flag --check=integer-overflow\n// @expect error\n")
    write(tmp_path, "b/later.c", "// @skip\n// @expect error\n")
    write(tmp_path, "b/strange.c", "// @expect timeout\n")
    assert list(commented_rows(tmp_path)) == []


def test_what_gives_no_row_is_named_with_the_reason(tmp_path: Path) -> None:
    files = {"p.c": "", "unreach-call.prp": UNREACH, "t.yml": TASK, "broken.yml": "input_files: []\n"}
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    left_out: list[str] = []
    assert len(suite_rows(tmp_path, left_out.append)) == 1
    assert len(left_out) == 2
    assert "broken.yml" in left_out[0]
    assert "coverage" in left_out[1]


def test_none_of_our_own_tasks_is_left_out(tmp_path: Path) -> None:
    left_out: list[str] = []
    own_rows(tmp_path, left_out.append)
    assert left_out == []


def test_overflow_leaks_and_uninitialised_reads_have_forty_programs_each_half_of_them_wrong(tmp_path: Path) -> None:
    for group in ("overflow", "leaks", "uninitialised"):
        expected = [row.expected for row in own_rows(tmp_path) if row.group == group]
        assert len(expected) >= 40
        assert 0.4 <= expected.count("unsafe") / len(expected) <= 0.6
