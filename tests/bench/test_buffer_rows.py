"""Harnesses with symbolic bytes: every one has sizes, a mistake that can be switched on, and what it includes."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.bench import buffer_rows
from pincer.bench.buffer_rows import (
    LIBRARIES,
    Harness,
    include_folders,
    own_harnesses,
    suite_harnesses,
    unbounded_rows,
)
from pincer.bench.rows import CQuestion, Row, benchmarks_directory
from pincer.errors import PincerError

LIBRARY = """\
// A library.
// @sizes 2 8
// @broken 4
// @folder wanted/include
#include "symbolic.h"
#include "wanted/wanted.c"
"""
TASK = """\
format_version: "2.0"
input_files: "walk.c"
properties:
  - property_file: unreach-call.prp
    expected_verdict: true
  - property_file: valid-deref.prp
    expected_verdict: false
options: {language: C, data_model: ILP32}
"""


def words(row: Row) -> tuple[str, ...]:
    assert isinstance(row.question, CQuestion)
    return row.question.options


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder instead of our benchmarks."""
    own = tmp_path / "benchmarks"
    own.mkdir()
    (own / "symbolic.h").write_text("", encoding="utf-8")
    monkeypatch.setattr(buffer_rows, "benchmarks_directory", lambda _: own)
    return own


def test_every_harness_of_ours_can_be_broken_and_grows() -> None:
    harnesses = own_harnesses()
    assert len(harnesses) >= 24
    libraries = list(buffer_rows.harnesses_below(benchmarks_directory("buffers") / LIBRARIES, LIBRARIES))
    assert len(libraries) >= 12
    for harness in (*harnesses, *libraries):
        text = harness.file.read_text(encoding="utf-8")
        assert "BROKEN" in text and "int main(void)" in text, harness.name
        assert 1 <= harness.least <= harness.broken_at <= harness.greatest, harness.name


def test_size_and_mistake_are_macros_of_one_program() -> None:
    harness = Harness("h", "own", Path("h.c"), 1, 8, 4)
    assert words(harness.sized(2))[-2:] == ("-D", "N=2")
    assert (harness.sized(2).name, harness.sized(2).expected) == ("h(2)", "safe")
    assert words(harness.broken())[-4:] == ("-D", "N=4", "-D", "BROKEN")
    assert (harness.broken().name, harness.broken().expected) == ("h broken", "unsafe")


def test_a_harness_without_sizes_is_a_mistake(folder: Path) -> None:
    (folder / "h.c").write_text("// @broken 4\nint main(void) { return 0; }\n", encoding="utf-8")
    with pytest.raises(PincerError, match="@sizes"):
        own_harnesses()


def test_a_harness_of_a_suite_is_left_out_where_it_includes_what_is_missing(folder: Path, tmp_path: Path) -> None:
    suite = tmp_path / "suite"
    (suite / "wanted").mkdir(parents=True)
    (suite / "wanted" / "wanted.c").write_text("", encoding="utf-8")
    (suite / "wanted.c").write_text(LIBRARY, encoding="utf-8")
    (suite / "other.c").write_text(LIBRARY.replace("wanted.c", "other.c"), encoding="utf-8")
    left_out: list[str] = []
    (harness,) = suite_harnesses(suite, left_out.append)
    assert (harness.name, harness.least, harness.greatest, harness.broken_at) == ("wanted", 2, 8, 4)
    assert words(harness.row())[-2:] == ("-I", str(suite / "wanted" / "include"))
    assert left_out == [f"other: there is no wanted/other.c below {suite}"]
    assert include_folders(suite) == (folder, suite)


def test_a_suite_without_harnesses_is_refused(folder: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(PincerError, match="no harness in"):
        suite_harnesses(empty, lambda _: None)
    with pytest.raises(PincerError, match="no folder"):
        suite_harnesses(tmp_path / "gone", lambda _: None)


def test_buffers_of_any_length_are_tasks_with_a_row_for_each_property(folder: Path) -> None:
    assert unbounded_rows() == []
    unbounded = folder / "unbounded"
    unbounded.mkdir()
    (unbounded / "walk.c").write_text("int main(void) { return 0; }\n", encoding="utf-8")
    (unbounded / "walk.yml").write_text(TASK, encoding="utf-8")
    for name, formula in (("unreach-call", "G ! call(reach_error())"), ("valid-deref", "G valid-deref")):
        (unbounded / f"{name}.prp").write_text(f"CHECK( init(main()), LTL({formula}) )\n", encoding="utf-8")
    first, second = unbounded_rows()
    assert (first.name, first.expected) == ("walk unreach-call", "safe")
    assert (second.name, second.expected) == ("walk valid-deref", "unsafe")
    assert isinstance(first.question, CQuestion) and isinstance(second.question, CQuestion)
    assert (first.question.data_model, first.question.source) == ("ILP32", unbounded / "walk.c")
    assert (first.question.kind, second.question.kind) == ("assertions", "memory")
