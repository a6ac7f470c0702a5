"""That copies do not overlap is an assumption of all properties but memory safety."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.program.passes import Assertions, CProgramProperty, Deadlocks, KeptRule, MemorySafety, Races
from pincer.program.passes.copies import COPIES_ARE_APART
from tests.program.passes.passed_programs import checks, seen_by

TEXT = """\
void *memcpy(void *, const void *, unsigned long);
extern unsigned __VERIFIER_nondet_uint(void);
char a[8];
int main(void) { unsigned n = __VERIFIER_nondet_uint(); memcpy(a + 1, a, n); return 0; }
"""
APART = TEXT.replace("a + 1, a, n", "a + n + 4, a + n, 4")


@pytest.mark.parametrize("wanted", [Assertions(), KeptRule(), Races(), Deadlocks()])
def test_it_is_an_assumption_unless_the_statements_before_show_it(tmp_path: Path, wanted: CProgramProperty) -> None:
    program = seen_by(tmp_path, TEXT, wanted)
    assert "overlap" in checks(program) and COPIES_ARE_APART in program.assumptions
    assert COPIES_ARE_APART not in seen_by(tmp_path, APART, wanted).assumptions


def test_memory_safety_decides_it(tmp_path: Path) -> None:
    assert COPIES_ARE_APART not in seen_by(tmp_path, TEXT, MemorySafety()).assumptions
