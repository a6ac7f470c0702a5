"""Random threaded programs in every test run: the exhaustive search against brute force, fixed seeds.

`python -m tests.fuzz.threads.run_threads --cases 1000` runs more of the same.
"""

from __future__ import annotations

import pytest

from .comparison import compare
from .generator import generate
from .interpreter import Interpreter
from .loading import load_all
from .printing import BUILTINS, CALLS, body
from .run_threads import judge
from .sampling import Sample
from .syntax import Add, Assert, Assign, Binary, Constant, Create, Join, Local, Operate, Program, Shared


def test_a_seed_determines_its_program() -> None:
    assert [generate(seed) for seed in range(30)] == [generate(seed) for seed in range(30)]


def test_every_call_and_builtin_is_generated() -> None:
    written = "".join(body(generate(seed)) for seed in range(1500))
    assert [name for name in CALLS.values() if name.partition("(")[0] not in written] == []
    assert [name for name in BUILTINS.values() if name.rpartition("(&")[0].split()[-1] not in written] == []


def test_brute_force_finds_the_lost_update() -> None:
    x = Shared("x")
    add = (Add(x, Constant(1)),)
    main = (Create(1), Create(2), Join(1), Join(2), Assert(Binary("==", x, Constant(2))))
    outcomes = Interpreter(Program(((x, 0),), (), (), (), (), (), (main, add, add))).run()
    assert outcomes.finals == {(2,)}
    assert outcomes.fails and outcomes.races and not outcomes.deadlocks


@pytest.mark.parametrize("start", [1, 31, 61])
def test_everybody_agrees_about_random_programs(start: int) -> None:
    for sample, found in judge(range(start, start + 20), seconds=20):
        assert found.outcome == "agrees", f"seed {sample.seed}: {found.detail}"


def test_a_barrier_that_opens_again_does_not_forget_whom_it_chose() -> None:
    chosen, other, result = Shared("g0"), Shared("g1"), Local("l0")
    wait = Operate("barrier", "b0", result=result)
    first = (wait, Assign(chosen, result))
    second = (wait, Assign(other, result), Create(3), Operate("barrier", "b0"), Join(3))
    threads = ((Create(1), Create(2), Join(1), Join(2)), first, second, (Operate("barrier", "b0"),))
    program = Program(((chosen, 0), (other, 0)), (), (), (), (), (("b0", 2),), threads)
    sample = Sample(0, program, Interpreter(program).run(), 0)
    assert sample.outcomes.finals == {(-1, 0), (0, -1)}
    assert compare(sample, next(load_all([program]))).detail == ""
