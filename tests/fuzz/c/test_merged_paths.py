"""Some generated programs, in every run of the tests; `make fuzz-merged` tries many."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.fuzz.c.merged_paths import Truth, disagreement, truth
from tests.fuzz.c.nibble_programs import ProgramWriter

pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")


@pytest.mark.parametrize("seed", range(1, 9))
def test_verdicts_agree_with_exhaustive_runs(tmp_path: Path, seed: int) -> None:
    assert disagreement(seed, tmp_path, []) is None


def test_the_runs_see_what_goes_wrong(tmp_path: Path) -> None:
    text = """
        struct { int x; } globals;
        int FUZZ_MAIN(void) {
            int a[4] = {0}; unsigned x = FUZZ_NIBBLE();
            FUZZ_ASSERT(%s); FUZZ_AT(a, 4, x & %s) = 1; return 0;
        }
        """
    assert truth(tmp_path, text % ("x != 16", "3u"), 1) == Truth(False, False)
    assert truth(tmp_path, text % ("x != 3", "7u"), 1) == Truth(True, True)


def test_programs_are_the_same_for_the_same_seed() -> None:
    assert ProgramWriter(5).text() == ProgramWriter(5).text() != ProgramWriter(6).text()
