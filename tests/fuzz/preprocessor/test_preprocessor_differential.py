"""Random macros in every test run: fixed seeds, our tokens against those of `gcc -E`.

`python -m tests.fuzz.preprocessor.run --cases 2000` runs more of the same.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from .generator import program
from .run import compared


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")
def test_tokens_are_those_of_the_compiler(tmp_path: Path) -> None:
    answers = {seed: compared(seed, tmp_path) for seed in range(1_000_000, 1_000_060)}
    assert [seed for seed, answer in answers.items() if not answer.agree] == []
    assert sum(answer.ours is not None for answer in answers.values()) >= 20


def test_a_seed_determines_its_program() -> None:
    assert program(7) == program(7) != program(8)
