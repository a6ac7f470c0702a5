"""Random formulas about threaded programs in every test run. Fixed seeds, against a tableau.

`python -m tests.fuzz.threads.run_formulas --cases 1000` runs more of the same.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from .endings import Instruction, Model
from .formulas import Proposition, Runs, judge_formulas


def test_answers_agree_with_the_tableau(tmp_path: Path) -> None:
    tally: Counter[str] = Counter()
    problems = [judge_formulas(seed, tmp_path, tally) for seed in range(1, 31)]
    assert [problem for problem in problems if problem is not None] == []
    assert tally["holds"] > 8 and tally["violated (ended)"] > 3
    assert tally.total() - tally["holds"] - sum(n for what, n in tally.items() if what.startswith("violated")) < 8


def test_the_last_state_of_a_run_is_that_before_its_end() -> None:
    program = Model("", ((Instruction("store", "a", 1), Instruction("exit")),))
    runs = Runs(program, "weak", {"p": Proposition("", "a", 1)})
    [(_, stored)] = runs.steps(runs.initial_states()[0])
    [(_, last)] = runs.steps(stored)
    assert runs.letter(stored) == runs.letter(last) == {"p"}
    assert list(runs.steps(last)) == []
