"""Hulls hold at every point they were given, and stop weakening."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from pincer.logic import terms
from pincer.logic.evaluation import evaluate
from pincer.logic.hull import Hull, Point, WatchedForms, orthogonal_complement
from pincer.logic.terms import Term

VARIABLES = tuple(terms.variable(name) for name in "xyz")
X, Y, Z = VARIABLES
THRESHOLDS: dict[Term, list[int]] = {
    X: [-1, 0, 1],
    Y: [-1, 0, 1, 5, 6],
    Z: [],
    terms.subtract(X, Y): [0],
    terms.combination([(X, 2), (Z, -3)]): [-4, 4],
}


def holds(hull: Hull, point: Point) -> bool:
    model = dict(zip(VARIABLES, point, strict=True))
    return all(evaluate(literal, model) for literal in hull.literals())


def random_point(rng: Random, shape: int) -> Point:
    a, b, c = (rng.randint(-6, 6) for _ in range(3))
    return [(a, a, a), (a, a + 3, b), (4 * a + 1, 2 * b, -a), (a, b, c), (2, 3, 5), (100 * a, a, 7 * b)][shape]


@pytest.mark.parametrize("settled_after", [0, 3, 100])
@pytest.mark.parametrize("shape", range(6))
def test_every_literal_holds_at_every_point(shape: int, settled_after: int) -> None:
    rng = Random((shape, settled_after).__repr__())
    for _ in range(8):
        hull = Hull(WatchedForms(VARIABLES, THRESHOLDS))
        points: list[Point] = []
        for i in range(12):
            if i == settled_after:
                hull.settle()
            points.append(random_point(rng, shape))
            hull.add(points[-1])
            assert all(holds(hull, point) for point in points), (points, hull.literals())


def test_the_hull_only_weakens() -> None:
    rng = Random(1)
    for shape in range(6):
        hull = Hull(WatchedForms(VARIABLES, THRESHOLDS))
        probes = [random_point(rng, s) for s in range(6) for _ in range(20)]
        inside: set[Point] = set()
        for i in range(15):
            if i == 4:
                hull.settle()
            hull.add(random_point(rng, shape))
            now = {probe for probe in probes if holds(hull, probe)}
            assert inside <= now
            inside = now


def test_a_settled_hull_changes_finitely_often_whatever_comes() -> None:
    rng = Random(2)
    for seed in range(20):
        hull = Hull(WatchedForms(VARIABLES, THRESHOLDS))
        hull.add((0, 0, 0))
        hull.settle()
        changes = 0
        for i in range(1, 400):
            size = rng.choice((3, i, i * i, 2**i))
            point = (rng.randint(-size, size), rng.randint(-size, size), rng.randint(-size, size))
            if holds(hull, point):
                continue
            before = hull.literals()
            hull.add(point)
            assert hull.literals() != before
            changes += 1
        assert changes < 60, seed


def test_an_adversary_that_always_leaves_the_hull_runs_out_of_moves() -> None:
    for direction in ((1, 0, 0), (1, 1, 0), (2, 4, 6), (-3, 1, 64)):
        hull = Hull(WatchedForms(VARIABLES, THRESHOLDS))
        hull.add((0, 0, 0))
        hull.settle()
        outside = 0
        for i in range(200):
            point = (direction[0] * i, direction[1] * i, direction[2] * i)
            if not holds(hull, point):
                hull.add(point)
                outside += 1
        assert outside < 25


def test_one_point_is_described_exactly() -> None:
    hull = Hull(WatchedForms(VARIABLES, THRESHOLDS))
    assert hull.empty and hull.literals() == (terms.FALSE,)
    hull.add((4, -1, 9))
    assert not hull.empty
    for x in range(2, 7):
        for y in range(-3, 2):
            for z in range(7, 12):
                assert holds(hull, (x, y, z)) == ((x, y, z) == (4, -1, 9))


def test_a_line_is_described_with_its_ends_and_its_step() -> None:
    hull = Hull(WatchedForms(VARIABLES, THRESHOLDS))
    for i in (0, 6, 3):
        hull.add((i, 2 * i + 1, 5))
    inside = [(x, y, z) for x in range(-3, 10) for y in range(-5, 20) for z in range(4, 7) if holds(hull, (x, y, z))]
    assert inside == [(0, 1, 5), (3, 7, 5), (6, 13, 5)]


def test_a_broken_bound_falls_back_to_the_next_threshold_and_then_goes() -> None:
    hull = Hull(WatchedForms((Y,), {Y: [-1, 0, 1, 5, 6]}))
    hull.add((2,))
    hull.add((3,))
    hull.settle()
    hull.add((4,))
    assert terms.at_most(Y, terms.integer(5)) in hull.literals()
    hull.add((6,))
    assert terms.at_most(Y, terms.integer(6)) in hull.literals()
    hull.add((7,))
    assert hull.literals() == (terms.at_most(terms.integer(2), Y),)
    hull.add((-2,))
    assert hull.literals() == ()


@pytest.mark.parametrize("block", range(5))
def test_the_orthogonal_complement_is_orthogonal_and_complete(block: int) -> None:
    rng = Random(block)
    for _ in range(40):
        size = rng.randint(1, 5)
        rows = [
            [Fraction(rng.randint(-3, 3), rng.randint(1, 3)) for _ in range(size)]
            for _ in range(rng.randint(0, size + 1))
        ]
        basis = orthogonal_complement(rows, size)
        for vector in basis:
            assert any(vector)
            assert all(sum(a * b for a, b in zip(row, vector, strict=True)) == 0 for row in rows)
        assert rank(rows, size) + len(basis) == size
        assert rank([[Fraction(entry) for entry in vector] for vector in basis], size) == len(basis)


def rank(rows: list[list[Fraction]], size: int) -> int:
    """By Gaussian elimination, column by column."""
    remaining = [row for row in rows if any(row)]
    found = 0
    for column in range(size):
        pivot = next((row for row in remaining if row[column]), None)
        if pivot is None:
            continue
        found += 1
        remaining = [
            [a - row[column] / pivot[column] * b for a, b in zip(row, pivot, strict=True)]
            for row in remaining
            if row is not pivot
        ]
    return found
