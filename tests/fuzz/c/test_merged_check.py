"""A few random programs in every test run: the checker of merged executions against all runs of compiled code.

`make fuzz-merged-check CASES=1000` runs more of the same.
"""

from __future__ import annotations

import pytest

from . import compiler
from .merged_check import Tally, compare
from .merged_programs import program


def test_a_seed_determines_its_program() -> None:
    assert program(3) == program(3) != program(4)


@pytest.mark.skipif(not compiler.available(), reason="gcc is not installed: nothing to compare with")
def test_nothing_is_accepted_that_some_input_breaks() -> None:
    tally = Tally()
    compare(range(6), tally)
    assert tally.wrong == [] and tally.counts["correct accepted"] >= 4
