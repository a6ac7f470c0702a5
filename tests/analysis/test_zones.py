"""Zones: closed matrices of differences, and sums that wrap around by splitting."""

from __future__ import annotations

from itertools import product

import pytest

from pincer.analysis.zones import FAR, ZERO, Zone, anything, split_sum, union

X, Y = 1, 2


def made(*differences: tuple[int, int, int]) -> Zone:
    zone: Zone | None = anything(3)
    for x, y, most in differences:
        assert zone is not None
        zone = zone.with_difference(x, y, most)
    assert zone is not None
    return zone


def contains(zone: Zone, x: int, y: int) -> bool:
    values = (0, x, y)
    return all(values[i] - values[j] <= zone.bounds[i][j] for i, j in product(range(3), repeat=2))


def test_differences_are_closed() -> None:
    zone = made((X, Y, 3), (Y, ZERO, 4))
    assert zone.upper(X) == 7
    assert zone.bounds[ZERO][X] == FAR


def test_contradictions_are_empty() -> None:
    assert made((X, Y, -1)).with_difference(Y, X, 0) is None
    assert anything(3).between(X, 5, 4) is None


def test_assignments_keep_what_is_known_of_others() -> None:
    zone = made((X, Y, 0), (Y, ZERO, 9))
    moved = zone.assigned(X, X, 2)
    assert moved.bounds[X][Y] == 2 and moved.upper(Y) == 9
    copied = zone.assigned(X, Y, -1)
    assert copied.bounds[X][Y] == -1 and copied.bounds[Y][X] == 1
    assert zone.assigned(X, ZERO, 6).between(X, 6, 6) is not None


def test_joins_and_widening_keep_what_both_know() -> None:
    small, large = made((X, ZERO, 1), (X, Y, 0)), made((X, ZERO, 2), (X, Y, 0))
    joined = small.joined(large)
    assert joined.upper(X) == 2 and joined.bounds[X][Y] == 0
    widened = small.widened(joined)
    assert widened.upper(X) == FAR and widened.bounds[X][Y] == 0
    assert widened.narrowed(joined, anything(3)).upper(X) == 2
    assert union((None, small, None)) == small


@pytest.mark.parametrize("by", [-17, -3, -1, 0, 1, 5, 15])
def test_sums_of_machine_integers_are_covered(by: int) -> None:
    """Four bits: every value of y, with what it was less than, still lies in the zone behind x := y + by."""
    zone = made((ZERO, Y, 0), (Y, ZERO, 15), (ZERO, X, 0), (X, ZERO, 15))
    after = split_sum(zone, X, Y, by, (0, 15))
    assert after is not None
    for y in range(16):
        assert contains(after, (y + by) % 16, y)
    assert not contains(after, 16, 0)


def test_a_sum_that_cannot_wrap_is_exact() -> None:
    zone = made((ZERO, Y, 0), (Y, ZERO, 9))
    after = split_sum(zone, X, Y, 1, (0, 15))
    assert after is not None and after.bounds[X][Y] == 1 and after.bounds[Y][X] == -1
    always = split_sum(made((ZERO, Y, -15), (Y, ZERO, 15)), X, Y, 1, (0, 15))
    assert always is not None and always.upper(X) == 0
