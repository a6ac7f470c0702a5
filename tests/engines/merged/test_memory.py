"""Contents of objects are bytes, whatever they were stored as."""

from __future__ import annotations

import random

import pytest

from pincer.engines.merged.asking import Model
from pincer.engines.merged.conditions import Conditions
from pincer.engines.merged.memory import Contents, Meeting, Thing, merged_slots
from pincer.engines.merged.values import Cases, Value, Values
from pincer.logic.bitvectors import compare, constant, variable
from pincer.logic.decision_diagrams import FALSE, TRUE, Function

X = variable("x", 8)


@pytest.fixture
def contents() -> Contents:
    return Contents(Values(Conditions(), 1 << 32))


@pytest.fixture
def decision(contents: Contents) -> Function:
    return contents.values.conditions.function(compare("bvule", X, constant(9, 8)))


def at(contents: Contents, value: Value, x: int) -> int:
    model = Model(contents.values.conditions, {X: x})
    if isinstance(value, Cases):
        [value] = [part for condition, part in value.cases if model.satisfies(condition)]
    assert isinstance(value, int)
    return value


def test_random_stores_are_those_of_an_array_of_bytes(contents: Contents, decision: Function) -> None:
    rng = random.Random(1)
    for _ in range(30):
        thing = Thing(1, 16, bytes(range(10)))
        arrays = {x: bytearray([*range(10), *[0] * 6]) for x in (0, 200)}
        for _ in range(12):
            size = rng.choice((1, 2, 4, 8))
            offset, number = rng.randrange(17 - size), rng.randrange(1 << 8 * size)
            when = rng.choice((TRUE, decision, decision ^ 1))
            thing = contents.store(thing, offset, size, number, when, TRUE)
            for x, array in arrays.items():
                if when == TRUE or (when == decision) == (x <= 9):
                    array[offset : offset + size] = number.to_bytes(size, "little")
        for size in (1, 2, 4, 8):
            offset = rng.randrange(17 - size)
            for x, array in arrays.items():
                expected = int.from_bytes(array[offset : offset + size], "little")
                assert at(contents, contents.load(thing, offset, size, TRUE), x) == expected
        pieces = list(contents.pieces(thing, 3, 9, TRUE))
        assert pieces[0][0] == 3
        assert sum(width for _, width, _ in pieces) == 9


def test_merged_objects_hold_what_each_of_the_two_held(contents: Contents, decision: Function) -> None:
    rng = random.Random(2)
    for _ in range(30):
        both = [Thing(1, 12, b""), Thing(1, 12, b"")]
        for i in range(2):
            for _ in range(4):
                size = rng.choice((1, 2, 4))
                both[i] = contents.store(both[i], rng.randrange(13 - size), size, rng.randrange(256), TRUE, TRUE)
        merged = contents.merged(Meeting(decision, decision ^ 1), both[0], both[1])
        for offset in range(12):
            for x, thing in ((0, both[0]), (200, both[1])):
                loaded = contents.load(merged, offset, 1, TRUE)
                assert at(contents, loaded, x) == contents.load(thing, offset, 1, TRUE)


def test_a_byte_that_was_never_stored_is_always_the_same(contents: Contents) -> None:
    thing = Thing(3, 8, None)
    word = contents.load(thing, 0, 2, TRUE)
    assert contents.load(thing, 0, 2, TRUE) is word
    assert contents.load(Thing(4, 8, None), 0, 2, TRUE) is not word


def test_objects_that_exclude_each_other_share_a_slot(contents: Contents, decision: Function) -> None:
    one, other = Thing(1, 4, b""), Thing(2, 8, b"")
    slot = merged_slots(contents, Meeting(decision, decision ^ 1), ((TRUE, one),), ((TRUE, other),))
    assert {thing.number: when for when, thing in slot} == {1: decision, 2: decision ^ 1}
    dead = Thing(1, 4, b"", live=FALSE)
    [(when, only)] = merged_slots(contents, Meeting(decision, decision ^ 1), ((TRUE, dead),), ((TRUE, other),))
    assert (when, only.number) == (decision ^ 1, 2)
