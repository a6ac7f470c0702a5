"""Random threaded programs in every test run: the exhaustive search against brute force, fixed seeds.

`python -m tests.fuzz.threads.run_threads --cases 1000` runs more of the same.
"""

from __future__ import annotations

import pytest

from .comparison import compare
from .generator import generate
from .interpreter import Interpreter
from .syntax import Add, Assert, Binary, Constant, Create, Join, Program, Shared


def test_a_seed_determines_its_program() -> None:
    assert [generate(seed) for seed in range(30)] == [generate(seed) for seed in range(30)]


def test_brute_force_finds_the_lost_update() -> None:
    x = Shared("x")
    add = (Add(x, Constant(1)),)
    main = (Create(1), Create(2), Join(1), Join(2), Assert(Binary("==", x, Constant(2))))
    outcomes = Interpreter(Program(((x, 0),), (), (), (), (), (), (main, add, add))).run()
    assert outcomes.finals == {(2,)}
    assert outcomes.fails and outcomes.races and not outcomes.deadlocks


@pytest.mark.parametrize("start", [0, 6, 12])
def test_everybody_agrees_about_random_programs(start: int) -> None:
    for seed in range(start, start + 6):
        found = compare(generate(seed), seconds=10)
        assert found.outcome != "differs", f"seed {seed}: {found.detail}"
