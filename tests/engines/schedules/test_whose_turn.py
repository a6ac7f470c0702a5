"""Who goes next in a schedule that is drawn at random."""

from __future__ import annotations

import random

import pytest

from pincer.engines.schedules.whose_turn import WAYS, Abreast, Priorities, drawn_way


@pytest.mark.parametrize("number", range(2 * WAYS))
def test_every_way_chooses_among_those_that_can_go_and_starves_nobody(number: int) -> None:
    way = drawn_way(random.Random(number), number)
    chosen = [way.choose([1, 2, 5]) for _ in range(2_000)]
    assert set(chosen) == {1, 2, 5}
    assert way.choose([2]) == 2


def test_the_highest_priority_goes_until_a_moment_of_change() -> None:
    way = Priorities(random.Random(1), frozenset({4}), burst=10**9)
    chosen = [way.choose([0, 1]) for _ in range(8)]
    assert len(set(chosen[:3])) == 1 and set(chosen[3:]) == {1 - chosen[0]}


def test_threads_abreast_have_gone_as_often() -> None:
    way = Abreast(random.Random(1), strays=0.0)
    chosen = [way.choose([0, 1, 2]) for _ in range(30)]
    assert [chosen.count(number) for number in (0, 1, 2)] == [10, 10, 10]
