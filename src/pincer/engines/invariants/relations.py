"""Source (b): relations that the states of tests satisfy: equations, orders, bounds, congruences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, permutations
from math import gcd, lcm

from pincer.engines.invariants.limits import LIMITS
from pincer.engines.invariants.sight import Sight
from pincer.logic import bitvectors, terms
from pincer.logic.bitvectors import signed, state_reads, width
from pincer.logic.terms import Term


def relations(sight: Sight) -> Iterator[Term]:
    """Linear equations, bounds, orders and remainders: a bound often rests on an order, so they are tried together."""
    yield from _sizes(sight)
    for bits, values in _groups(sight):
        for samples in _samples(sight, bits, values):
            yield from linear_equations(values, samples, bits)
        for samples in _samples(sight, bits, values):
            yield from _bounds(sight, values, samples, bits)
    for bits, values in _groups(sight):
        yield from _orders(sight, values)
        yield from _congruences(sight, values, bits)


def slopes(sight: Sight) -> Iterator[Term]:
    """x <= c*y + k for factors that occur in the program, as tight as the samples allow."""
    for bits, values in _groups(sight):
        for samples in _samples(sight, bits, values, heads_only=True):
            yield from _slopes(sight, values, samples, bits)


def explained(sight: Sight) -> Iterator[Term]:
    """What a region at a loop head denies, each with conditions under which it need not hold yet.

    If some of it is about memory, that is what the other sources have nothing to say about."""
    about_memory = [literal for literal in sight.literals if state_reads(literal)]
    conditions: list[Term] = []
    for bits, values in _groups(sight):
        conditions += _orders(sight, values)
        for samples in _samples(sight, bits, values) if not about_memory else ():
            conditions += _bounds(sight, values, samples, bits)
            conditions += map(terms.negate, linear_equations(values, samples, bits))
    heads = [node.state for head in sight.procedure.loop_heads for node in sight.nodes.get(head, ())]
    for literal in about_memory[: LIMITS.reading] or sight.literals[: LIMITS.literals]:
        claim = terms.negate(literal)
        yield claim
        failing = [state for state in heads if not state.value(claim)]
        for condition in dict.fromkeys(conditions):
            if all(state.value(condition) for state in failing):
                yield terms.disjunction(claim, condition)


def _sizes(sight: Sight) -> Iterator[Term]:
    """The sizes of the objects that literals ask for, in the states at loop heads."""
    rooms = [read for literal in sight.literals for read in state_reads(literal) if read.op == "room"]
    states = [node.state for head in sight.procedure.loop_heads for node in sight.nodes.get(head, ())]
    slot, bits = sight.layout.slot, sight.layout.pointer_bits
    starts = {state.value(room.args[0]) // slot * slot for room in dict.fromkeys(rooms) for state in states}
    for start in sorted(starts)[: LIMITS.values]:
        room = bitvectors.room(bitvectors.constant(start, bits))
        for size in {state.value(room) for state in states}:
            yield terms.equal(room, bitvectors.constant(size, bits))


def _groups(sight: Sight) -> list[tuple[int, list[Term]]]:
    """The values that matter, by width."""
    groups: dict[int, list[Term]] = {}
    for value in sight.values():
        groups.setdefault(width(value), []).append(value)
    return [(bits, group[: LIMITS.values]) for bits, group in sorted(groups.items())]


def _samples(
    sight: Sight, bits: int, values: Sequence[Term], heads_only: bool = False
) -> Iterator[list[tuple[int, ...]]]:
    """Distinct signed values at each location that tests have visited, loop heads first."""
    heads = sight.procedure.loop_heads
    places = heads & sight.nodes.keys() if heads_only else sight.nodes.keys()
    for location in sorted(places, key=lambda place: (place not in heads, place)):
        yield sorted(
            {tuple(signed(node.state.value(value), bits) for value in values) for node in sight.nodes[location]}
        )


def _orders(sight: Sight, values: Sequence[Term]) -> Iterator[Term]:
    for op in _comparisons(sight):
        for x, y in permutations(values, 2):
            yield bitvectors.compare(op, x, y)
            yield terms.negate(bitvectors.compare(op, x, y))


def _comparisons(sight: Sight) -> list[str]:
    """The orders the program itself uses; the signed one when it uses none."""
    used = sight.operations()
    return [op for op in ("bvsle", "bvule") if op in used] or ["bvsle"]


def _bounds(sight: Sight, values: Sequence[Term], samples: Sequence[tuple[int, ...]], bits: int) -> Iterator[Term]:
    """The nearest numbers of the program that bound a value's samples."""
    constants = sorted(signed(number, bits) for number in sight.constants(bits))
    comparisons = _comparisons(sight)
    for i, value in enumerate(values):
        low, high = min(sample[i] for sample in samples), max(sample[i] for sample in samples)
        for number in [n for n in constants if n <= low][-LIMITS.nearest :]:
            yield bitvectors.compare("bvsle", bitvectors.constant(number, bits), value)
        for number in [n for n in constants if n >= high][: LIMITS.nearest]:
            for op in comparisons:
                if op == "bvsle" or low >= 0:
                    yield bitvectors.compare(op, value, bitvectors.constant(number, bits))


def _slopes(sight: Sight, values: Sequence[Term], samples: Sequence[tuple[int, ...]], bits: int) -> Iterator[Term]:
    factors = [n for n in (signed(number, bits) for number in sight.constants(bits)) if 1 < abs(n) < 1 << 12]
    for (i, x), (j, y) in permutations(enumerate(values), 2):
        for factor in (1, -1, *factors[: LIMITS.factors]):
            most = max(sample[i] - factor * sample[j] for sample in samples)
            scaled = bitvectors.binary("bvmul", bitvectors.constant(factor, bits), y)
            yield bitvectors.compare("bvsle", x, bitvectors.binary("bvadd", scaled, bitvectors.constant(most, bits)))


def _congruences(sight: Sight, values: Sequence[Term], bits: int) -> Iterator[Term]:
    moduli = (2, 3, 4, 5) if "bvurem" in sight.operations() or "bvsrem" in sight.operations() else (2, 4)
    for value in values:
        for modulus in moduli:
            remainder = bitvectors.binary("bvurem", value, bitvectors.constant(modulus, bits))
            for rest in range(modulus):
                yield terms.equal(remainder, bitvectors.constant(rest, bits))


def linear_equations(values: Sequence[Term], samples: Sequence[tuple[int, ...]], bits: int) -> Iterator[Term]:
    """Equations that all samples satisfy: constants, sums and differences, and a basis of all others."""
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
