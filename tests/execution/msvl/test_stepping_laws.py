"""Laws of intervals, on random programs, and a second opinion on what they do."""

from __future__ import annotations

import re
from random import Random

import pytest

from pincer.execution.msvl import Execution, Options
from tests.execution.msvl.msvl_running import run
from tests.execution.msvl.random_msvl_programs import RandomPrograms, Tree, Valuation, text, trace

SEEDS = range(40)
NAMES = ("x", "y", "z")


def begun(start: Valuation, body: str) -> Execution:
    declared = " and ".join(f"int {name}<=={value}" for name, value in start.items())
    execution = run(f"frame({','.join(start)}) and ({declared} and skip; {body})")
    assert execution.ending.kind == "terminated", execution.ending
    return execution


def valuations(execution: Execution) -> list[dict[str, object]]:
    return [dict(state.values()) for state in execution.states]


def start_of(seed: int) -> Valuation:
    random = Random(seed)
    return {name: random.randint(-4, 4) for name in NAMES}


def statement_of(seed: int, names: tuple[str, ...] = NAMES) -> Tree:
    return RandomPrograms(seed, names).statement(3)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("framing", ["implicit", "strict"])
def test_programs_do_what_a_direct_reading_says(seed: int, framing: str) -> None:
    start, tree = start_of(seed), statement_of(seed)
    declared = " and ".join(f"int {name}<=={value}" for name, value in start.items())
    options = Options(framing=framing)  # type: ignore[arg-type]
    execution = run(f"frame(x,y,z) and ({declared} and skip; {text(tree)})", options=options)
    assert valuations(execution) == [start, *trace(tree, start)]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_sequence_shares_one_state_and_never_changes_its_past(seed: int) -> None:
    start, p, q = start_of(seed), text(statement_of(seed)), text(statement_of(seed + 1000))
    first = begun(start, p)
    both = begun(start, f"{p}; {q}")
    middle = {name: value for name, value in first.states[-1].values().items() if isinstance(value, int)}
    second = begun(middle, q)
    assert len(both.states) == len(first.states) + len(second.states) - 2
    assert valuations(both)[: len(first.states) - 1] == valuations(first)[:-1]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_parallel_composition_is_as_long_as_its_longer_side(seed: int) -> None:
    start = {**start_of(seed), "u": 1, "v": 2}
    p, q = statement_of(seed, ("x", "y")), statement_of(seed + 1, ("u", "v"))
    alone = len(begun(start, text(p)).states), len(begun(start, text(q)).states)
    together = begun(start, f"(({text(p)}) || ({text(q)}))")
    assert len(together.states) == max(alone)
    left, right = trace(p, start), trace(q, start)
    for i, state in enumerate(valuations(together)[1:]):
        a, b = left[min(i, len(left) - 1)], right[min(i, len(right) - 1)]
        assert state == {**start, "x": a["x"], "y": a["y"], "u": b["u"], "v": b["v"]}


@pytest.mark.parametrize("seed", SEEDS)
def test_conjuncts_agree_on_their_length_or_there_is_no_model(seed: int) -> None:
    start = {**start_of(seed), "u": 1, "v": 2}
    p, q = statement_of(seed, ("x", "y")), statement_of(seed + 1, ("u", "v"))
    declared = " and ".join(f"int {name}<=={value}" for name, value in start.items())
    execution = run(f"frame(x,y,z,u,v) and ({declared} and skip; ({text(p)}) and ({text(q)}))")
    equal = len(trace(p, start)) == len(trace(q, start))
    assert execution.ending.kind == ("terminated" if equal else "inconsistent")


@pytest.mark.parametrize("seed", SEEDS)
def test_a_loop_that_is_never_entered_is_empty(seed: int) -> None:
    start, p, q = start_of(seed), text(statement_of(seed)), text(statement_of(seed + 1))
    looped = begun(start, f"while(false) {{{p}}}; {q}")
    assert valuations(looped) == valuations(begun(start, f"empty; {q}"))


@pytest.mark.parametrize("seed", SEEDS)
def test_the_name_of_a_local_does_not_matter(seed: int) -> None:
    body = text(statement_of(seed, ("x", "l")))
    start = start_of(seed)
    first = begun(start, f"local(l): {{frame(l) and (int l<==3 and skip; {body})}}")
    renamed = re.sub(r"\bl\b", "k", body)
    second = begun(start, f"local(k): {{frame(k) and (int k<==3 and skip; {renamed})}}")
    assert valuations(first) == valuations(second)


@pytest.mark.parametrize("seed", range(30))
def test_runs_with_recorded_inputs_repeat_themselves(seed: int) -> None:
    body = text(statement_of(seed))
    program = f"int x,y,z and input(x,y,z) and skip; {body}"
    first = run(program, options=Options(seed=seed, input_range=(-4, 4)))
    second = run(program, first.input_values())
    assert valuations(first) == valuations(second)
    assert first.constraints == second.constraints
    assert first.programs == second.programs
