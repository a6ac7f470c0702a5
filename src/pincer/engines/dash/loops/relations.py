"""Source (b): relations that the states of tests satisfy: equations, orders, bounds, congruences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, permutations
from math import gcd, lcm

from pincer.engines.dash.loops.sight import Sight
from pincer.logic import bitvectors, terms
from pincer.logic.bitvectors import signed, width
from pincer.logic.terms import Term

MOST_VALUES = 10
MOST_BOUNDS = 24


def relations(sight: Sight) -> Iterator[Term]:
    """Formulas worth trying, the simplest first."""
    groups: dict[int, list[Term]] = {}
    for value in sight.values():
        groups.setdefault(width(value), []).append(value)
    for bits, group in sorted(groups.items()):
        yield from _relations(sight, bits, group[:MOST_VALUES])


def _relations(sight: Sight, bits: int, values: list[Term]) -> Iterator[Term]:
    orders = [bitvectors.compare(op, x, y) for x, y in permutations(values, 2) for op in ("bvsle", "bvule")]
    bounds = list(_bounds(sight, bits, values))
    for nodes in sight.nodes.values():
        samples = sorted({tuple(signed(node.state.value(value), bits) for value in values) for node in nodes})
        yield from _equations(values, samples, bits)
    yield from orders
    yield from bounds
    for value in values:
        for modulus in (2, 3, 4):
            remainder = bitvectors.binary("bvurem", value, bitvectors.constant(modulus, bits))
            for rest in range(modulus):
                yield terms.equal(remainder, bitvectors.constant(rest, bits))
    yield from _unless(sight, (*orders, *bounds))


def _bounds(sight: Sight, bits: int, values: Sequence[Term]) -> Iterator[Term]:
    constants = sight.constants(bits)[:MOST_BOUNDS]
    for value in values:
        for number in constants:
            bound = bitvectors.constant(number, bits)
            yield bitvectors.compare("bvsle", value, bound)
            yield bitvectors.compare("bvsle", bound, value)
            yield bitvectors.compare("bvule", value, bound)


def _unless(sight: Sight, conditions: Iterable[Term]) -> Iterator[Term]:
    """What a region at a loop head denies, or a condition that explains when not yet."""
    denied = [terms.negate(literal) for literal in sight.literals if literal.op != "or"][:6]
    usable = [condition for condition in conditions if condition.op in ("bvsle", "bvule", "not")][:80]
    for claim in denied:
        yield claim
        for condition in usable:
            yield terms.disjunction(claim, condition)


def _equations(values: Sequence[Term], samples: Sequence[tuple[int, ...]], bits: int) -> Iterator[Term]:
    if not samples:
        return
    for i, value in enumerate(values):
        if len({sample[i] for sample in samples}) == 1:
            yield terms.equal(value, bitvectors.constant(samples[0][i], bits))
    for (i, x), (j, y) in combinations(enumerate(values), 2):
        for sign in (1, -1):
            distances = {sample[i] - sign * sample[j] for sample in samples}
            if len(distances) == 1:
                yield _equation(((x, 1), (y, -sign)), -distances.pop(), bits)
    for coefficients in _null_space([(*sample, 1) for sample in samples]):
        *factors, constant = coefficients
        if max(map(abs, coefficients)) <= 1 << 16:
            yield _equation(tuple(zip(values, factors, strict=True)), constant, bits)


def _equation(parts: Iterable[tuple[Term, int]], constant: int, bits: int) -> Term:
    total = bitvectors.constant(constant, bits)
    for value, factor in parts:
        if factor:
            total = bitvectors.binary(
                "bvadd", total, bitvectors.binary("bvmul", bitvectors.constant(factor, bits), value)
            )
    return terms.equal(total, bitvectors.constant(0, bits))


def _null_space(rows: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """Integer vectors orthogonal to all rows: a basis, with coprime entries."""
    columns = len(rows[0])
    matrix = [[Fraction(entry) for entry in row] for row in rows[:200]]
    pivots: list[int] = []
    for column in range(columns):
        rank = len(pivots)
        pivot = next((r for r in range(rank, len(matrix)) if matrix[r][column]), None)
        if pivot is None:
            continue
        matrix[rank], matrix[pivot] = matrix[pivot], matrix[rank]
        matrix[rank] = [entry / matrix[rank][column] for entry in matrix[rank]]
        for r, row in enumerate(matrix):
            if r != rank and row[column]:
                matrix[r] = [a - row[column] * b for a, b in zip(row, matrix[rank], strict=True)]
        pivots.append(column)
    for free in range(columns):
        if free in pivots:
            continue
        vector = [Fraction(0)] * columns
        vector[free] = Fraction(1)
        for rank, column in enumerate(pivots):
            vector[column] = -matrix[rank][free]
        scale = lcm(*(entry.denominator for entry in vector))
        whole = [int(entry * scale) for entry in vector]
        divisor = gcd(*whole)
        yield [entry // divisor for entry in whole]
