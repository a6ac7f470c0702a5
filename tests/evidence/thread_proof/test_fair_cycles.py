"""Fair rounds: who steps, who owes a step, who owes nothing."""

from __future__ import annotations

import pytest

from pincer.evidence.thread_proof.fair_cycles import Junction, fair_component
from pincer.program.property import Fairness


def graph(*places: tuple[set[int], list[tuple[int, int]]]) -> list[Junction]:
    return [Junction(frozenset(owing), tuple(steps)) for owing, steps in places]


SPINS_BESIDE_ONE_THAT_COULD_GO = graph(({0, 1}, [(1, 0), (0, 1)]), (set(), []))
STARVES = graph(({0, 1}, [(1, 1), (0, 2)]), ({1}, [(1, 0)]), (set(), []))
BOTH_STEP = graph(({0, 1}, [(0, 1)]), ({0, 1}, [(1, 0)]))
NONE_COMES_AGAIN = graph(({0}, [(0, 1)]), ({0}, [(0, 2)]), (set(), []))


@pytest.mark.parametrize(
    ("junctions", "found"),
    [
        (SPINS_BESIDE_ONE_THAT_COULD_GO, {"none"}),
        (STARVES, {"none", "weak"}),
        (BOTH_STEP, {"none", "weak", "strong"}),
        (NONE_COMES_AGAIN, set()),
    ],
)
def test_fairness_decides_which_rounds_count(junctions: list[Junction], found: set[Fairness]) -> None:
    kinds: tuple[Fairness, ...] = ("none", "weak", "strong")
    assert {kind for kind in kinds if fair_component(junctions, kind) is not None} == found


def test_what_is_left_when_states_are_taken_out_is_looked_at_again() -> None:
    """Thread 0 starves in the whole, but not where it owes nothing."""
    inner = graph(({0, 1}, [(1, 1), (0, 3)]), ({1}, [(1, 2), (1, 0)]), ({1}, [(1, 1)]), (set(), []))
    assert fair_component(inner, "strong") == frozenset({1, 2})


def test_long_ways_are_no_problem() -> None:
    count = 50_000
    line = graph(*(({0}, [(0, number + 1)]) for number in range(count)), ({0}, [(0, 0)]))
    found = fair_component(line, "weak")
    assert found is not None and len(found) == count + 1
