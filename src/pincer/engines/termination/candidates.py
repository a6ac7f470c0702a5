"""Words that may get smaller: values, their sums and differences, what conditions compare, and conditions themselves.

All are guesses. They are written at a width at which sums and differences do not wrap around, and as unsigned numbers:
signed ones with their sign bit flipped, which keeps the order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from pincer.logic import bitvectors, terms
from pincer.logic.bitvectors import constant, extend, width
from pincer.logic.terms import Term

_MORE = 2
"""Bits by which words are widened: enough for the sum or difference of two."""


def indicators(conditions: Iterable[Term]) -> Iterator[Term]:
    """Words that say whether a condition holds: what became false for good has got smaller."""
    one, zero = constant(1, 1), constant(0, 1)
    for condition in conditions:
        yield terms.conditional(condition, one, zero)
        yield terms.conditional(condition, zero, one)


def words(observed: Sequence[Term], conditions: Sequence[Term]) -> Iterator[Term]:
    """Words made of observed values, those that conditions compare first."""
    for condition in conditions:
        yield from _compared(condition)
    for value in observed:
        yield from _alone(value)
    for one, other in combinations(observed, 2):
        if width(one) == width(other):
            for keep_sign in (True, False):
                first, second = (_wide(value, width(value), keep_sign) for value in (one, other))
                yield from _both_ways(bitvectors.binary("bvsub", first, second))
                yield from _both_ways(bitvectors.binary("bvadd", first, second))


def _compared(condition: Term) -> Iterator[Term]:
    """How far the two sides of a comparison are apart."""
    atom = condition.args[0] if condition.op == "not" else condition
    if atom.op not in ("bvule", "bvsle", "same") or atom.args[0].sort.width is None:
        return
    left, right = atom.args
    for keep_sign in {"bvule": (False,), "bvsle": (True,)}.get(atom.op, (True, False)):
        first, second = (_wide(side, width(side), keep_sign) for side in (left, right))
        apart = bitvectors.binary("bvsub", first, second)
        yield from _both_ways(apart)
        if atom.op == "same":
            yield from _both_ways(_absolute(apart))


def _alone(value: Term) -> Iterator[Term]:
    yield value
    yield bitvectors.invert(value)
    signed = _wide(value, width(value), True)
    yield from _both_ways(signed)
    yield _absolute(signed)
    lowest = bitvectors.binary("bvand", value, bitvectors.negative(value))
    yield lowest
    yield bitvectors.invert(lowest)


def _wide(value: Term, bits: int, keep_sign: bool) -> Term:
    return extend(value, bits + _MORE - width(value), keep_sign)


def _absolute(number: Term) -> Term:
    below = bitvectors.compare("bvslt", number, constant(0, width(number)))
    return terms.conditional(below, bitvectors.negative(number), number)


def _both_ways(number: Term) -> Iterator[Term]:
    """A signed number as an unsigned word that grows with it, and one that grows against it."""
    ordered = bitvectors.binary("bvxor", constant(1 << (width(number) - 1), width(number)), number)
    yield ordered
    yield bitvectors.invert(ordered)
