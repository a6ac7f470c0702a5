"""Accesses: what overlaps, what conflicts, what races."""

from __future__ import annotations

import pytest

from pincer.execution.threads.accesses import Access, Footprint, races

READ = Access("memory", 100, 4)
WRITE = Access("memory", 102, 4, write=True)
MUTEX = Access("sync", 100, 4, write=True, role="acquire")


@pytest.mark.parametrize(
    ("first", "second", "overlap"),
    [
        (READ, WRITE, True),
        (READ, Access("memory", 104, 4), False),
        (READ, MUTEX, True),
        (Access("register", 100), READ, False),
        (Access("life", 100), READ, False),
        (Access("register", 3), Access("register", 3), True),
    ],
)
def test_accesses_overlap_within_their_spaces(first: Access, second: Access, overlap: bool) -> None:
    assert first.overlaps(second) == second.overlaps(first) == overlap


def test_footprints_conflict_where_one_writes_or_the_program_ends() -> None:
    assert Footprint((READ,)).conflicts(Footprint((WRITE,)))
    assert not Footprint((READ,)).conflicts(Footprint((READ,)))
    assert Footprint((), ends=True).conflicts(Footprint())
    assert Footprint((READ,)).joined(Footprint((READ, WRITE), ends=True)) == Footprint((READ, WRITE), ends=True)


def test_a_release_is_never_possible_together_with_the_acquire_it_enables() -> None:
    release = Access("sync", 100, 4, write=True, role="release")
    assert Footprint((MUTEX,)).never_together(Footprint((release,)))
    assert not Footprint((MUTEX,)).never_together(Footprint((MUTEX,)))
    assert not Footprint((MUTEX,), ends=True).never_together(Footprint((release,)))


@pytest.mark.parametrize(
    ("first", "second", "racing"),
    [
        (READ, WRITE, True),
        (READ, READ, False),
        (MUTEX, MUTEX, False),
        (MUTEX, WRITE, True),
        (Access("memory", 100, 4, write=True, atomic=True), Access("memory", 100, 4, atomic=True), False),
        (Access("memory", 100, 4, write=True, atomic=True), READ, True),
        (Access("life", 100, write=True), Access("life", 100), False),
    ],
)
def test_data_races_unless_both_are_indivisible(first: Access, second: Access, racing: bool) -> None:
    assert races(Footprint((first,)), Footprint((second,))) == ((first, second) if racing else None)


def test_more_than_a_word_of_memory_is_a_block() -> None:
    assert Access("memory", 0, 16).is_block(8) and not Access("memory", 0, 8).is_block(8)
    assert not Access("sync", 0, 16).is_block(8)
