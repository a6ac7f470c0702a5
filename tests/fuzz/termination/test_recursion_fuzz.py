"""A few random recursive functions in every test run; `make fuzz-recursion` tries more."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from tests.fuzz.termination.recursion import Function, Value, ends, judge_recursion


def test_answers_agree_with_brute_force(tmp_path: Path) -> None:
    tally: Counter[str] = Counter()
    problems = [judge_recursion(seed, tmp_path, tally, compiled=seed == 3) for seed in range(1, 16)]
    assert [problem for problem in problems if problem is not None] == []
    assert tally["holds"] > 1 and tally["violated"] > 3


def test_brute_force_knows_calls_inside_of_themselves() -> None:
    a, b, zero = Value("parameter", 0), Value("parameter", 1), Value("number", 0)
    stop, less = Value("==", 0, (a, zero)), Value("-", 0, (a, Value("number", 1)))
    down = Value("call", 0, (less, b))
    assert ends([Function(stop, zero, stop, zero, down)])
    assert not ends([Function(stop, zero, stop, zero, Value("call", 0, (b, a)))])
