from __future__ import annotations

import hashlib
import zipfile
from datetime import UTC, datetime
from pathlib import Path
from xml.etree import ElementTree

import pytest

from pincer.errors import PincerError
from pincer.evidence.c.coverage import measure_coverage
from pincer.evidence.c.test_suite import Case, Suite, input_literal, suite_files, write_suite
from pincer.program.property import DataModel
from tests.evidence.c.recorded_tests import integer, needs_compiler, recorded, value, written

PROGRAM = """\
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x > 3)
    return 1;
  if (x < 0)
    abort();
  return 0;
}
"""


def suite(folder: Path, *cases: Case, data_model: DataModel = "LP64", program: str = PROGRAM) -> Suite:
    created = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    return Suite(written(folder, program), cases, "COVER( <x> )", "pincer & friends 1.0", created, data_model)


def fields(text: str) -> list[tuple[str, str]]:
    return [(child.tag, child.text or "") for child in ElementTree.fromstring(text)]


def test_metadata_has_the_elements_of_the_dtd_in_their_order(tmp_path: Path) -> None:
    text = suite_files(suite(tmp_path, data_model="ILP32"))["metadata.xml"]
    assert fields(text) == [
        ("sourcecodelang", "C"),
        ("producer", "pincer & friends 1.0"),
        ("specification", "COVER( <x> )"),
        ("programfile", str(tmp_path / "program.c")),
        ("programhash", hashlib.sha256(PROGRAM.encode()).hexdigest()),
        ("entryfunction", "main"),
        ("architecture", "32bit"),
        ("creationtime", "2026-01-02T03:04:05+00:00"),
    ]
    assert "test-metadata-1.1.dtd" in text


def test_inputs_are_literals_in_call_order(tmp_path: Path) -> None:
    inputs = (integer(-7), value("__VERIFIER_nondet_uint", -7), value("external f", 1, "external"), integer(3))
    files = suite_files(suite(tmp_path, Case(inputs)))
    assert fields(files["testcase-1.xml"]) == [("input", "-7"), ("input", str(2**32 - 7)), ("input", "3")]


def test_a_violating_case_says_so(tmp_path: Path) -> None:
    files = suite_files(suite(tmp_path, Case.of(recorded(integer(1))), Case(())))
    assert ElementTree.fromstring(files["testcase-1.xml"]).get("coversError") == "true"
    assert ElementTree.fromstring(files["testcase-2.xml"]).get("coversError") is None


@pytest.mark.parametrize(
    ("function", "bits", "width", "literal"),
    [("char", 255, 8, "-1"), ("uchar", 255, 8, "255"), ("bool", 1, 8, "1"), ("longlong", 2**64 - 1, 64, "-1")],
)
def test_literals_follow_the_type_of_the_function(function: str, bits: int, width: int, literal: str) -> None:
    assert input_literal(value(f"__VERIFIER_nondet_{function}", bits, width=width)) == literal


def test_a_suite_is_a_folder_or_an_archive(tmp_path: Path) -> None:
    made = suite(tmp_path, Case((integer(1),)))
    names = {"metadata.xml", "testcase-1.xml"}
    assert {path.name for path in write_suite(made, tmp_path / "out")} == names
    assert {path.name for path in (tmp_path / "out").iterdir()} == names
    (archive,) = write_suite(made, tmp_path / "out.zip")
    with zipfile.ZipFile(archive) as content:
        assert set(content.namelist()) == names


@needs_compiler
def test_coverage_counts_the_branches_that_runs_take(tmp_path: Path) -> None:
    nothing = measure_coverage(suite(tmp_path))
    assert (nothing.branches_covered, nothing.branches_total) == (0, 4)
    one = measure_coverage(suite(tmp_path, Case((integer(5),))))
    assert (one.branches_covered, one.branches_total) == (1, 4)
    full = measure_coverage(suite(tmp_path, *(Case((integer(n),)) for n in (5, -5, 0))))
    assert full.branches_covered == 4
    assert full.lines_covered == full.lines_total
    assert full.branch_percentage == 100


@needs_compiler
def test_coverage_joins_runs_whose_programs_are_instrumented_differently(tmp_path: Path) -> None:
    program = "int main(void) {\n  int x;\n  if (x)\n    return 1;\n  return 0;\n}\n"
    cases = [Case((value("uninitialised variable x", n, "undefined", line=2),)) for n in (0, 1)]
    assert measure_coverage(suite(tmp_path, cases[0], Case(()), program=program)).branches_covered == 1
    assert measure_coverage(suite(tmp_path, cases[1], Case(()), program=program)).branches_covered == 2


@needs_compiler
def test_runs_without_end_are_counted(tmp_path: Path) -> None:
    endless = suite(tmp_path, Case(()), program="int main(void) { for (;;) ; }\n")
    assert measure_coverage(endless, timeout=0.3).timeouts == 1


def test_without_gcc_coverage_says_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CC", raising=False)
    with pytest.raises(PincerError, match="gcc and gcov"):
        measure_coverage(suite(tmp_path))
