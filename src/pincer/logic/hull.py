"""What a set of integer points has in common: equations, bounds on chosen forms, congruences.

Used to guess invariants from executions. A hull only ever weakens as points are added, and it weakens finitely often:
equations are lost by dimension, a bound that is broken after `settle` moves to the next threshold or goes, a modulus is
replaced by a proper divisor.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import gcd, lcm
from operator import mul

from pincer.logic import terms
from pincer.logic.evaluation import argument_names, compile_source, python_source, unpacking
from pincer.logic.limits import LIMITS
from pincer.logic.terms import Term

Point = tuple[int, ...]


class WatchedForms:
    """The linear forms whose bounds and residues hulls watch.

    `thresholds` are, by form and ascending, the values a broken bound may fall back to.
    """

    def __init__(self, variables: Sequence[Term], thresholds: Mapping[Term, Sequence[int]]) -> None:
        self.variables = tuple(variables)
        self.forms = tuple(thresholds)
        self.thresholds = tuple(thresholds.values())
        self.measure: Callable[[Point], list[int]] = self._compile()

    def _compile(self) -> Callable[[Point], list[int]]:
        names = argument_names(self.variables)
        values = ", ".join(python_source(form, names) for form in self.forms)
        return compile_source(f"def measure(point):\n{unpacking(names, 'point')}    return [{values}]\n", "measure")


class Hull:
    """The hull of the points added so far."""

    def __init__(self, vocabulary: WatchedForms) -> None:
        self.vocabulary = vocabulary
        self._origin: Point | None = None
        self._directions: list[list[Fraction]] = []
        self._equations: list[tuple[list[int], int]] | None = None
        self._low: list[int | None] = []
        self._high: list[int | None] = []
        self._modulus: list[int] = []
        self._residue: list[int] = []
        self._settled = False
        self._literals: tuple[Term, ...] | None = None

    @property
    def empty(self) -> bool:
        return self._origin is None

    def settle(self) -> None:
        """From now on a broken bound is given up instead of being moved point by point."""
        self._settled = True

    def add(self, point: Point) -> None:
        self._literals = None
        measured = self.vocabulary.measure(point)
        if self._origin is None:
            self._origin = point
            self._low, self._high = list(measured), list(measured)
            self._modulus, self._residue = [0] * len(measured), list(measured)
            return
        self._extend_directions(point)
        for i, value in enumerate(measured):
            low, high = self._low[i], self._high[i]
            if low is not None and value < low:
                self._low[i] = self._fall_back(i, value, -1) if self._settled else value
            if high is not None and value > high:
                self._high[i] = self._fall_back(i, value, 1) if self._settled else value
            self._modulus[i] = gcd(self._modulus[i], value - self._residue[i])

    def _fall_back(self, index: int, value: int, direction: int) -> int | None:
        thresholds = self.vocabulary.thresholds[index]
        if direction < 0:
            position = bisect_right(thresholds, value) - 1
            return thresholds[position] if position >= 0 else None
        position = bisect_left(thresholds, value)
        return thresholds[position] if position < len(thresholds) else None

    def _extend_directions(self, point: Point) -> None:
        assert self._origin is not None
        if all(sum(map(mul, normal, point)) == value for normal, value in self._normals()):
            return
        self._equations = None
        vector = [Fraction(a - b) for a, b in zip(point, self._origin, strict=True)]
        for row in self._directions:
            pivot = _pivot(row)
            if vector[pivot]:
                factor = vector[pivot] / row[pivot]
                vector = [a - factor * b for a, b in zip(vector, row, strict=True)]
        if any(vector):
            self._directions.append(vector)

    def literals(self) -> tuple[Term, ...]:
        """Formulas that hold at every point; FALSE for the empty hull."""
        if self._literals is None:
            self._literals = (terms.FALSE,) if self.empty else tuple(dict.fromkeys(self._describe()))
        return self._literals

    def _describe(self) -> list[Term]:
        variables = self.vocabulary.variables
        found = [
            terms.is_zero(terms.combination(zip(variables, normal, strict=True), -value))
            for normal, value in self._normals()
        ]
        for i, form in enumerate(self.vocabulary.forms):
            low, high, modulus = self._low[i], self._high[i], self._modulus[i]
            if modulus == 0:
                continue
            if low is not None:
                found.append(terms.at_most(terms.integer(low), form))
            if high is not None:
                found.append(terms.at_most(form, terms.integer(high)))
            if 1 < modulus <= LIMITS.hull_modulus:
                residue = terms.integer(self._residue[i] % modulus)
                found.append(terms.equal(terms.modulo(form, modulus), residue))
        return found

    def _normals(self) -> list[tuple[list[int], int]]:
        """The equations `normal . point = value` that hold at every point."""
        if self._equations is None:
            assert self._origin is not None
            normals = orthogonal_complement(self._directions, len(self.vocabulary.variables))
            self._equations = [(normal, sum(map(mul, normal, self._origin))) for normal in normals]
        return self._equations


def _pivot(row: Sequence[Fraction]) -> int:
    return next(i for i, entry in enumerate(row) if entry)


def orthogonal_complement(rows: Sequence[Sequence[Fraction]], size: int) -> list[list[int]]:
    """A basis, in coprime integers, of the vectors orthogonal to all rows."""
    reduced: list[list[Fraction]] = []
    for row in rows:
        vector = list(row)
        for other in reduced:
            factor = vector[_pivot(other)]
            vector = [a - factor * b for a, b in zip(vector, other, strict=True)]
        if any(vector):
            lead = vector[_pivot(vector)]
            vector = [a / lead for a in vector]
            position = _pivot(vector)
            reduced = [[a - other[position] * b for a, b in zip(other, vector, strict=True)] for other in reduced]
            reduced.append(vector)
    pivots = {_pivot(row): row for row in reduced}
    basis = []
    for free in range(size):
        if free in pivots:
            continue
        vector = [Fraction(0)] * size
        vector[free] = Fraction(1)
        for position, row in pivots.items():
            vector[position] = -row[free]
        scale = lcm(*(entry.denominator for entry in vector))
        basis.append([int(entry * scale) for entry in vector])
    return basis
