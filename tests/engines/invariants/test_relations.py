"""Relations between values are exactly those that all samples satisfy."""

from __future__ import annotations

from random import Random

import pytest

from pincer.engines.invariants.relations import linear_equations
from pincer.execution.machine import World
from pincer.logic.bitvectors import variable

X, Y, Z = (variable(name, 32) for name in "xyz")


def holds(term: object, sample: tuple[int, ...]) -> bool:
    values = {v: n % (1 << 32) for v, n in zip((X, Y, Z), sample, strict=True)}
    return bool(World.evaluate_symbols(term, values))  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", range(10))
def test_equations_hold_for_the_samples_and_tell_others_apart(seed: int) -> None:
    rng = Random(seed)
    a, b, c = (rng.randrange(-9, 10) for _ in range(3))
    inputs = [(rng.randrange(-50, 50), rng.randrange(-50, 50)) for _ in range(8)]
    samples = [(x, y, a * x + b * y + c) for x, y in inputs]
    equations = list(linear_equations((X, Y, Z), samples, 32))
    assert all(holds(equation, sample) for equation in equations for sample in samples)
    fresh = 1000, -77
    right = (*fresh, a * fresh[0] + b * fresh[1] + c)
    assert all(holds(equation, right) for equation in equations)
    assert not all(holds(equation, (*fresh, right[2] + 1)) for equation in equations)


def test_without_samples_or_without_a_relation_there_are_no_equations() -> None:
    assert list(linear_equations((X, Y, Z), [], 32)) == []
    independent = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    assert list(linear_equations((X, Y, Z), independent, 32)) == []


def test_constants_and_distances_are_told() -> None:
    found = list(linear_equations((X, Y, Z), [(4, 1, 3), (4, 2, 4), (4, 9, 11)], 32))
    assert any(e.variables == {X} for e in found) and any(e.variables == {Y, Z} for e in found)
