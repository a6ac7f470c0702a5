"""Overflow and leaks of a few random programs in every test run: fixed seeds, our verdicts against gcc's sanitizers.

`make fuzz-sanitized CASES=1000` runs more of the same.
"""

from __future__ import annotations

import pytest

from . import compiler
from .sanitized import COMPARISONS, compare


@pytest.mark.parametrize("kind", COMPARISONS)
def test_a_seed_determines_its_function(kind: str) -> None:
    assert COMPARISONS[kind].write(3, "f") == COMPARISONS[kind].write(3, "f")


@pytest.mark.skipif(not compiler.available(), reason="gcc is not installed: nothing to compare with")
@pytest.mark.parametrize("kind", COMPARISONS)
def test_we_say_what_the_sanitizers_say(kind: str) -> None:
    assert compare(kind, range(12)) == []
