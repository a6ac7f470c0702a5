"""Random threaded programs in every test run: explorations of the checker against brute force, fixed seeds.

`python -m tests.fuzz.threads.run_explored --cases 1000` runs more of the same.
"""

from __future__ import annotations

from collections import Counter

import pytest

from .explored import judge_explorations


@pytest.mark.parametrize("start", [1, 4001])
def test_the_explorer_agrees_with_brute_force(start: int) -> None:
    tally: Counter[str] = Counter()
    assert list(judge_explorations(range(start, start + 25), tally)) == []
    assert tally["accepted, right"] > 25 and tally["refused, wrong"] > 10
