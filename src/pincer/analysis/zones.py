"""Zones: what is known about differences of two numbers, as a matrix of bounds that is kept closed.

A zone knows `x - y <= c` for pairs of variables; the first variable is 0, so it knows the interval of every variable
too. Numbers are unbounded here: whoever computes with machine integers says first that a result does not wrap around,
or splits the zone into the cases (`split_sum`).
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

ZERO = 0
"""The number of the variable that is 0."""
FAR = 1 << 200
"""Stands for the bound that nothing is known of; all others are below half of it."""


class Zone(Struct, frozen=True):
    """`bounds[x][y]` is the least c with `x - y <= c`, `FAR` if there is none."""

    bounds: tuple[tuple[int, ...], ...]

    def upper(self, x: int) -> int:
        return self.bounds[x][ZERO]

    def lower(self, x: int) -> int:
        return -self.bounds[ZERO][x]

    def with_difference(self, x: int, y: int, most: int) -> Zone | None:
        """The zone where also `x - y <= most`; None if it is empty."""
        old = self.bounds
        if old[x][y] <= most:
            return self
        if most + old[y][x] < 0:
            return None
        to_x, from_y = [row[x] for row in old], old[y]
        rows = []
        for i, row in enumerate(old):
            start = to_x[i] + most
            if to_x[i] >= FAR // 2:
                rows.append(row)
                continue
            rows.append(tuple(min(b, start + e) if e < FAR // 2 else b for b, e in zip(row, from_y, strict=True)))
        return Zone(tuple(rows))

    def between(self, x: int, low: int, high: int) -> Zone | None:
        """The zone where x lies between two numbers."""
        known = self.with_difference(x, ZERO, high)
        return None if known is None else known.with_difference(ZERO, x, -low)

    def without(self, x: int) -> Zone:
        """Nothing is known of a variable any more."""
        rows = []
        for i, row in enumerate(self.bounds):
            if i == x:
                rows.append(tuple(0 if j == x else FAR for j in range(len(row))))
            else:
                rows.append(tuple(FAR if j == x else bound for j, bound in enumerate(row)))
        return Zone(tuple(rows))

    def assigned(self, x: int, y: int, by: int) -> Zone:
        """After x := y + by; y may be x itself, or ZERO."""
        if x == y:
            return Zone(
                tuple(
                    tuple(
                        bound if i == j or bound >= FAR // 2 else bound + by * ((i == x) - (j == x))
                        for j, bound in enumerate(row)
                    )
                    for i, row in enumerate(self.bounds)
                )
            )
        fresh = self.without(x).with_difference(x, y, by)
        assert fresh is not None
        equal = fresh.with_difference(y, x, -by)
        assert equal is not None
        return equal

    def joined(self, other: Zone) -> Zone:
        """What is known in both."""
        pairs = zip(self.bounds, other.bounds, strict=True)
        return Zone(tuple(tuple(map(max, one, two)) for one, two in pairs))

    def widened(self, other: Zone) -> Zone:
        """What does not grow from this zone to the other, which contains it; the result is not closed."""
        return Zone(
            tuple(
                tuple(b if b >= c else FAR for b, c in zip(one, two, strict=True))
                for one, two in zip(self.bounds, other.bounds, strict=True)
            )
        )

    def narrowed(self, other: Zone, top: Zone) -> Zone:
        """What the other, which lies inside, knows where this knows no more than the top."""
        return Zone(
            tuple(
                tuple(c if b >= t else b for b, c, t in zip(one, two, three, strict=True))
                for one, two, three in zip(self.bounds, other.bounds, top.bounds, strict=True)
            )
        )


def anything(size: int) -> Zone:
    """The zone of so many variables, 0 among them, of which nothing is known."""
    return Zone(tuple(tuple(0 if i == j else FAR for j in range(size)) for i in range(size)))


def union(zones: Iterable[Zone | None]) -> Zone | None:
    """What is known in all zones that are not empty."""
    found: Zone | None = None
    for zone in zones:
        if zone is not None:
            found = zone if found is None else found.joined(zone)
    return found


def split_sum(zone: Zone, x: int, y: int, by: int, values: tuple[int, int]) -> Zone | None:
    """After x := y + by in machine arithmetic with the least and the greatest of `values`: wrapping around splits the
    zone."""
    low, high = values
    size = high - low + 1
    cases = []
    for turns in (0, 1):
        shift = by % size - turns * size
        taken = zone.between(y, low - shift, high - shift) if y != ZERO else zone
        if taken is not None and (y != ZERO or low <= shift <= high):
            cases.append(taken.assigned(x, y, shift))
    return union(cases)
