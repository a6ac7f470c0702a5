"""Random calls of library functions in every test run: fixed seeds, our results against those of the machine.

`make fuzz-library CASES=500` runs more of the same.
"""

from __future__ import annotations

import pytest

from . import compiler
from .library_calls import checked, generate


def test_a_seed_determines_its_program() -> None:
    assert generate(7) == generate(7) != generate(8)


@pytest.mark.skipif(not compiler.available(), reason="gcc is not installed: nothing to compare with")
@pytest.mark.parametrize("seed", range(6))
def test_results_are_those_of_the_machine(seed: int) -> None:
    found = checked(seed, "ILP32" if seed % 2 else "LP64")
    assert found.outcome == "identical", found
