"""Suites of tests for C programs: what is written, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.checking.messages import WriteTests
from pincer.checking.suites import write_covering_suite
from pincer.checking.task import Source
from pincer.errors import PincerError
from pincer.runtime.run import Run

TEXT = "int main(void) { if (__VERIFIER_nondet_int() == 56) return 1; return 0; }\n"


def test_both_sides_of_a_decision_are_taken(tmp_path: Path) -> None:
    (tmp_path / "p.c").write_text(TEXT, encoding="utf-8")
    written = write_covering_suite(WriteTests(Source(str(tmp_path / "p.c")), str(tmp_path / "suite")), Run(timeout=60))
    assert (written.covered, written.sides) == (2, 2)
    assert len(list((tmp_path / "suite").glob("testcase*.xml"))) == written.tests >= 2


def test_only_c_programs_have_suites(tmp_path: Path) -> None:
    with pytest.raises(PincerError, match="for C programs"):
        write_covering_suite(WriteTests(Source("m.gcl"), str(tmp_path / "suite")), Run(timeout=60))


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "p.c").write_text(TEXT, encoding="utf-8")
    (tmp_path / "file").write_text("", encoding="utf-8")
    request = WriteTests(Source(str(tmp_path / "p.c")), str(tmp_path / "file" / "suite"))
    with pytest.raises(PincerError, match="cannot write"):
        write_covering_suite(request, Run(timeout=60))
