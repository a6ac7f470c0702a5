"""Suites of tests for one small program."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from pincer.evidence.c.test_suite import Suite, SuiteCase
from pincer.program.property import DataModel
from tests.evidence.c.recorded_tests import written

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


def suite(folder: Path, *cases: SuiteCase, data_model: DataModel = "LP64", program: str = PROGRAM) -> Suite:
    created = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    return Suite(written(folder, program), cases, "COVER( <x> )", "pincer & friends 1.0", created, data_model)
