"""Pointers with strides and regions of bytes, against the numbers they stand for."""

from __future__ import annotations

import random

import pytest

from pincer.program.memory_regions import ANYTHING, UNKNOWN, AbstractObject, AbstractPointer, MemoryRegion

OBJECT, OTHER = AbstractObject("static", "a", 4096), AbstractObject("static", "b", 8192)
FUNCTION = AbstractObject("function", "f", 12288)
SPACE = 60


def places(pointer: AbstractPointer) -> set[int]:
    """The offsets, of those up to a limit, that a pointer may have."""
    if not pointer.stride:
        return {pointer.offset}
    return {at for at in range(-SPACE, SPACE) if (at - pointer.offset) % pointer.stride == 0}


def random_pointer(rng: random.Random) -> AbstractPointer:
    return AbstractPointer(OBJECT, rng.randrange(12)).moved(rng.randrange(8), rng.choice((0, 0, 4, 6, 8, 12)))


@pytest.mark.parametrize("seed", range(200))
def test_regions_overlap_where_they_may_share_a_byte(seed: int) -> None:
    rng = random.Random(seed)
    one, other = (MemoryRegion(random_pointer(rng), rng.randrange(1, 6)) for _ in range(2))
    assert one.width is not None and other.width is not None
    bytes_of_one = {at + i for at in places(one.pointer) for i in range(one.width)}
    bytes_of_other = {at + i for at in places(other.pointer) for i in range(other.width)}
    assert one.overlaps(other) == other.overlaps(one) == bool(bytes_of_one & bytes_of_other)


@pytest.mark.parametrize("seed", range(200))
def test_a_pointer_includes_another_where_it_may_be_all_that_the_other_may_be(seed: int) -> None:
    rng = random.Random(seed)
    wide, other = random_pointer(rng), random_pointer(rng)
    if wide.stride:
        assert wide.includes(other) == (places(other) <= places(wide))


def test_objects_are_apart_and_unknown_is_every_object_but_no_function() -> None:
    whole = MemoryRegion(AbstractPointer(OBJECT), None)
    assert not whole.overlaps(MemoryRegion(AbstractPointer(OTHER), None))
    assert whole.overlaps(MemoryRegion(UNKNOWN, 1)) and MemoryRegion(UNKNOWN, 1).overlaps(whole)
    assert not MemoryRegion(AbstractPointer(FUNCTION), 1).overlaps(MemoryRegion(UNKNOWN, 1))


def test_unknown_stays_unknown_and_is_never_exact() -> None:
    assert UNKNOWN.moved(8, 4) is UNKNOWN and UNKNOWN.anywhere() is UNKNOWN and UNKNOWN.object is ANYTHING
    assert not UNKNOWN.exact and AbstractPointer(OBJECT, 4).exact and not AbstractPointer(OBJECT).anywhere().exact
