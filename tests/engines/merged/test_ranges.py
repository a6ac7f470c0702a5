"""Ranges contain every value that a word can have."""

from __future__ import annotations

import random

from pincer.engines.merged.ranges import Ranges
from pincer.execution.machine import World
from pincer.logic import bitvectors, terms
from pincer.logic.bitvectors import binary, compare, constant, signed, variable
from pincer.logic.terms import Term

X, Y = variable("x", 8), variable("y", 8)


def word(rng: random.Random, depth: int) -> Term:
    """A random word of 16 bits."""
    if depth == 0:
        leaf = rng.choice((X, Y))
        return rng.choice((constant(rng.randrange(1 << 16), 16), bitvectors.extend(leaf, 8, rng.random() < 0.5)))
    one, other = word(rng, depth - 1), word(rng, depth - 1)
    kind = rng.randrange(8)
    if kind < 4:
        return binary(rng.choice(("bvadd", "bvsub", "bvand", "bvmul", "bvor", "bvxor")), one, other)
    if kind == 4:
        return terms.conditional(compare("bvule", one, other), other, word(rng, depth - 1))
    if kind == 5:
        return binary(rng.choice(("bvurem", "bvudiv")), one, constant(rng.randrange(1, 30), 16))
    if kind == 6:
        return bitvectors.extend(bitvectors.extract(7, 0, one), 8, rng.random() < 0.5)
    return bitvectors.concat(bitvectors.extract(11, 4, one), bitvectors.extract(7, 0, other))


def test_every_value_lies_in_the_range() -> None:
    rng = random.Random(1)
    for _ in range(400):
        term = word(rng, 3)
        found = Ranges().range(term)
        for _ in range(40):
            value = World.evaluate_symbols(term, {X: rng.randrange(256), Y: rng.randrange(256)})
            assert found.low <= value <= found.high, term
            assert found.least <= signed(value, 16) <= found.most, term


def test_relations_that_ranges_decide_are_right() -> None:
    rng, decided = random.Random(2), 0
    for _ in range(400):
        one, other = word(rng, 2), word(rng, 2)
        for atom in (terms.equal(one, other), compare("bvule", one, other), compare("bvsle", one, other)):
            said = Ranges().relation(atom) if atom.op in ("same", "bvule", "bvsle") else None
            decided += said is not None
            for _ in range(20):
                values = {X: rng.randrange(256), Y: rng.randrange(256)}
                assert said is None or bool(World.evaluate_symbols(atom, values)) is said
    assert decided > 50


def test_a_counter_that_was_merged_has_a_range() -> None:
    condition = compare("bvule", X, Y)
    counter = constant(0, 32)
    for _ in range(5):
        counter = terms.conditional(condition, binary("bvadd", counter, constant(1, 32)), counter)
        condition = terms.negate(compare("bvsle", X, binary("bvadd", Y, constant(counter.id & 7, 8))))
    assert Ranges().range(counter).most <= 5
    assert Ranges().relation(compare("bvsle", counter, constant(6, 32))) in (True, None)
