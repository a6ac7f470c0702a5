"""Random programs of several files in every test run: fixed seeds, our linker against gcc's.

`make fuzz-linked CASES=500` runs more of the same.
"""

from __future__ import annotations

import pytest

from . import compiler
from .linked import compare, linked_texts


def test_a_seed_determines_its_files() -> None:
    assert linked_texts(3, 4) == linked_texts(3, 4)


@pytest.mark.skipif(not compiler.available(), reason="gcc is not installed: nothing to compare with")
def test_linked_programs_compute_the_checksums_that_gcc_has_them_compute() -> None:
    results = {seed: compare(seed, 3, 500_000) for seed in range(5)}
    assert {seed: result for seed, result in results.items() if result.outcome != "identical"} == {}
