"""Random threaded programs in every test run: do they end? Fixed seeds, against brute force.

`python -m tests.fuzz.threads.run_endings --cases 1000` runs more of the same.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from .endings import Instruction, Model, has_endless_run, judge_endings


@pytest.mark.parametrize("start", [1, 6001])
def test_answers_agree_with_brute_force(tmp_path: Path, start: int) -> None:
    tally: Counter[str] = Counter()
    problems = [judge_endings(seed, tmp_path, tally) for seed in range(start, start + 20)]
    assert [problem for problem in problems if problem is not None] == []
    assert tally["holds"] > 5 and tally["violated"] > 3


def test_brute_force_knows_who_owes_a_step() -> None:
    spin = (Instruction("unless", "a", 0, 2), Instruction("jump", "", 0, 0), Instruction("end"))
    set_ = (Instruction("create", "", 1), Instruction("store", "a", 1), Instruction("join", "", 1), Instruction("exit"))
    program = Model("", (set_, spin))
    assert [has_endless_run(program, fairness) for fairness in ("none", "weak", "strong")] == [True, False, False]
