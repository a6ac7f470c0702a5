"""Coverage is counted on real runs of all cases together."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.errors import PincerError
from pincer.evidence.c.coverage import measure_coverage
from pincer.evidence.c.test_suite import SuiteCase
from tests.evidence.c.recorded_tests import integer, needs_compiler, value
from tests.evidence.c.small_suites import suite


@needs_compiler
def test_coverage_counts_the_branches_that_runs_take(tmp_path: Path) -> None:
    nothing = measure_coverage(suite(tmp_path))
    assert (nothing.branches_covered, nothing.branches_total) == (0, 4)
    one = measure_coverage(suite(tmp_path, SuiteCase((integer(5),))))
    assert (one.branches_covered, one.branches_total) == (1, 4)
    full = measure_coverage(suite(tmp_path, *(SuiteCase((integer(n),)) for n in (5, -5, 0))))
    assert full.branches_covered == 4
    assert full.lines_covered == full.lines_total
    assert full.branch_percentage == 100


@needs_compiler
def test_coverage_joins_runs_whose_programs_are_instrumented_differently(tmp_path: Path) -> None:
    program = "int main(void) {\n  int x;\n  if (x)\n    return 1;\n  return 0;\n}\n"
    cases = [SuiteCase((value("uninitialised variable x", n, "undefined", line=2),)) for n in (0, 1)]
    assert measure_coverage(suite(tmp_path, cases[0], SuiteCase(()), program=program)).branches_covered == 1
    assert measure_coverage(suite(tmp_path, cases[1], SuiteCase(()), program=program)).branches_covered == 2


@needs_compiler
def test_runs_without_end_are_counted(tmp_path: Path) -> None:
    endless = suite(tmp_path, SuiteCase(()), program="int main(void) { for (;;) ; }\n")
    assert measure_coverage(endless, timeout=0.3).timeouts == 1


def test_without_gcc_coverage_says_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CC", raising=False)
    with pytest.raises(PincerError, match="gcc and gcov"):
        measure_coverage(suite(tmp_path))
