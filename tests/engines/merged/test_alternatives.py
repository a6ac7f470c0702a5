"""A word is always one of its leaves, whatever its conditions are."""

from __future__ import annotations

from itertools import product

from pincer.engines.merged.alternatives import Alternatives
from pincer.engines.merged.limits import LIMITS
from pincer.execution.machine import World
from pincer.logic import bitvectors, terms
from pincer.logic.bitvectors import compare, constant, variable
from pincer.logic.terms import Term

X, Y = variable("x", 8), variable("y", 8)


def chosen(condition: Term, then: int, otherwise: int) -> Term:
    return terms.conditional(condition, constant(then, 8), constant(otherwise, 8))


def test_every_value_of_a_word_is_that_of_a_leaf() -> None:
    small, large = compare("bvule", X, constant(3, 8)), compare("bvule", Y, X)
    word = bitvectors.combination(((chosen(small, 2, 7), 1), (terms.conditional(large, X, constant(1, 8)), 2)), 5, 8)
    leaves = Alternatives().leaves(word)
    assert len(leaves) == 4
    for x, y in product((0, 3, 4, 200), (0, 4, 255)):
        inputs = {X: x, Y: y}
        values = {World.evaluate_symbols(leaf, inputs) for leaf in leaves}
        assert World.evaluate_symbols(word, inputs) in values


def test_a_word_without_choices_is_its_own_leaf() -> None:
    word = bitvectors.combination(((X, 1), (Y, 4)), 1, 8)
    assert Alternatives().leaves(word) == {word}


def test_there_are_never_too_many_leaves() -> None:
    wide = variable("wide", 16)
    word: Term = constant(0, 16)
    for i in range(1, 2 * LIMITS.numbers):
        word = terms.conditional(terms.equal(wide, constant(i, 16)), constant(i, 16), word)
    leaves = Alternatives().leaves(word)
    assert len(leaves) <= LIMITS.numbers
    for value in (0, 1, LIMITS.numbers, 2 * LIMITS.numbers - 1, 40_000):
        inputs = {wide: value}
        assert World.evaluate_symbols(word, inputs) in {World.evaluate_symbols(leaf, inputs) for leaf in leaves}
