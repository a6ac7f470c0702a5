"""Sets of pointers that grow and are summarised."""

from __future__ import annotations

import random

import pytest

from pincer.program.memory_regions import UNKNOWN, AbstractObject, AbstractPointer, Pointers
from pincer.program.pointer_values import NOTHING, joined, summarised

OBJECTS = [AbstractObject("static", name, 4096 * i) for i, name in enumerate("abc", 1)]


def covers(pointers: Pointers, pointer: AbstractPointer) -> bool:
    return any(p == pointer or (p.object is pointer.object and p.includes(pointer)) for p in pointers)


def random_set(rng: random.Random) -> Pointers:
    made = [
        AbstractPointer(rng.choice(OBJECTS), 4 * rng.randrange(40)).moved(0, rng.choice((0, 0, 0, 8)))
        for _ in range(25)
    ]
    return frozenset(made[: rng.randrange(26)])


@pytest.mark.parametrize("seed", range(100))
def test_a_summary_leaves_nothing_out_and_is_its_own_summary(seed: int) -> None:
    given = random_set(random.Random(seed))
    found = summarised(given)
    assert all(covers(found, pointer) for pointer in given)
    assert summarised(found) == found


@pytest.mark.parametrize("seed", range(100))
def test_a_set_that_does_not_grow_stays_the_same_object(seed: int) -> None:
    rng = random.Random(seed)
    before, more = summarised(random_set(rng)), random_set(rng)
    after = joined(before, more)
    assert all(covers(after, pointer) for pointer in before | more)
    assert joined(after, more) is after and joined(after, before) is after
    assert joined(before, NOTHING) is before


def test_unknown_is_kept_beside_pointers() -> None:
    assert UNKNOWN in joined(frozenset((AbstractPointer(OBJECTS[0]),)), frozenset((UNKNOWN,)))
