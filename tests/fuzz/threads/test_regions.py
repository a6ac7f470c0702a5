"""Random threaded programs in every test run: proofs by regions against brute force, fixed seeds.

`python -m tests.fuzz.threads.run_regions --cases 1000` runs more of the same.
"""

from __future__ import annotations

from collections import Counter

from .regions import judge_regions


def test_what_is_accepted_by_regions_is_true() -> None:
    tally: Counter[str] = Counter()
    assert list(judge_regions(range(121, 127), tally)) == []
    assert tally["a found accepted, right"] > 2 and tally["forged"] > 10
