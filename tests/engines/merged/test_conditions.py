"""Conditions on inputs are exact about each input, whatever way they are stated."""

from __future__ import annotations

import random

import pytest

from pincer.engines.merged.asking import Model
from pincer.engines.merged.conditions import Conditions
from pincer.execution.machine import World
from pincer.logic import bitvectors, terms
from pincer.logic.bitvectors import compare, constant, variable
from pincer.logic.decision_diagrams import FALSE, TRUE
from pincer.logic.terms import Term

BYTE, OTHER, WIDE = variable("byte", 8), variable("other", 8), variable("wide", 32)


def negative(value: int, bits: int) -> int:
    return value - (1 << bits) if value >> (bits - 1) else value


def test_intervals_of_an_input_are_known_without_a_solver() -> None:
    conditions = Conditions()
    small = conditions.function(compare("bvule", WIDE, constant(9, 32)))
    smaller = conditions.function(compare("bvule", WIDE, constant(5, 32)))
    seven = conditions.function(terms.equal(WIDE, constant(7, 32)))
    diagrams = conditions.diagrams
    assert diagrams.implies(smaller, small)
    assert diagrams.implies(seven, diagrams.both(small, smaller ^ 1))
    assert diagrams.are_apart(seven, smaller)


def test_characters_exclude_each_other() -> None:
    conditions = Conditions()
    one, other = (conditions.function(terms.equal(BYTE, constant(ord(c), 8))) for c in "{[")
    assert conditions.diagrams.are_apart(one, other)
    assert not conditions.is_open(conditions.diagrams.either(one, other))


@pytest.mark.parametrize("op", ["same", "bvule", "bvsle"])
@pytest.mark.parametrize("seed", range(4))
def test_relations_agree_with_what_numbers_say(op: str, seed: int) -> None:
    rng = random.Random(seed)
    number = rng.randrange(256)
    words = (
        BYTE,
        bitvectors.binary("bvadd", BYTE, constant(rng.randrange(256), 8)),
        bitvectors.binary("bvsub", constant(rng.randrange(256), 8), BYTE),
        bitvectors.binary("bvand", BYTE, constant(rng.randrange(256), 8)),
        bitvectors.binary("bvxor", BYTE, constant(rng.randrange(256), 8)),
        bitvectors.binary("bvmul", BYTE, BYTE),
        bitvectors.extract(7, 0, bitvectors.binary("bvlshr", bitvectors.extend(BYTE, 8, True), constant(3, 16))),
    )
    for word in words:
        conditions = Conditions()
        against = constant(number, 8)
        atom = terms.equal(word, against) if op == "same" else compare(op, word, against)
        function = conditions.function(atom)
        for value in range(256):
            expected = bool(World.evaluate_symbols(atom, {BYTE: value}))
            assert Model(conditions, {BYTE: value}).satisfies(function) is expected, (word, value)


def test_words_put_together_from_parts_of_inputs_are_exact() -> None:
    rng = random.Random(3)
    high = bitvectors.extend(bitvectors.extract(4, 0, BYTE), 27, False)
    low = bitvectors.extend(bitvectors.extract(5, 0, OTHER), 26, False)
    shifted = bitvectors.binary("bvmul", constant(64, 32), high)
    for op in ("bvor", "bvadd", "bvxor"):
        word = bitvectors.binary(op, shifted, low)
        for number in (0, 63, 64, 127, 800, 2047, 4000):
            conditions = Conditions()
            atom = compare("bvule", word, constant(number, 32))
            function = conditions.function(atom)
            assert not conditions.is_open(function)
            for _ in range(40):
                values = {BYTE: rng.randrange(256), OTHER: rng.randrange(256)}
                expected = bool(World.evaluate_symbols(atom, values))
                assert Model(conditions, values).satisfies(function) is expected


def test_words_with_bits_of_two_inputs_are_left_to_the_solver() -> None:
    conditions = Conditions()
    word = bitvectors.binary("bvxor", variable("a", 16), variable("b", 16))
    assert conditions.is_open(conditions.function(terms.equal(word, constant(3, 16))))


def test_numbers_of_a_word_over_one_byte() -> None:
    conditions = Conditions()
    word = bitvectors.binary("bvand", bitvectors.extend(BYTE, 24, False), constant(3, 32))
    numbers = conditions.numbers(word)
    assert numbers is not None
    assert sorted(numbers) == [0, 1, 2, 3]
    assert Model(conditions, {BYTE: 6}).satisfies(numbers[2])
    assert conditions.numbers(bitvectors.binary("bvadd", BYTE, OTHER)) is None


@pytest.mark.parametrize("symbol", [BYTE, variable("nibble", 4), variable("bit", 1)])
def test_numbers_of_an_accumulator_are_those_of_its_formula(symbol: Term) -> None:
    """A sum that grows round by round, over inputs of several widths, which share constants."""
    conditions, values = Conditions(), range(1 << bitvectors.width(symbol))
    for other in (BYTE, variable("bit", 1)):
        assert conditions.numbers(bitvectors.binary("bvxor", other, constant(1, bitvectors.width(other)))) is not None
    word, wanted = constant(7, 16), [7 for _ in values]
    for i in range(6):
        added = bitvectors.extend(symbol, 16 - bitvectors.width(symbol), False)
        high = compare("bvule", constant(1 << 15, 16), word)
        doubled = bitvectors.binary("bvxor", bitvectors.binary("bvadd", word, word), added)
        word = terms.conditional(high, bitvectors.binary("bvxor", doubled, constant(0x1021, 16)), doubled)
        wanted = [
            (2 * total & 0xFFFF) ^ value ^ (0x1021 if total >> 15 else 0)
            for total, value in zip(wanted, values, strict=True)
        ]
        numbers = conditions.numbers(word)
        assert numbers is not None and set(numbers) == set(wanted), i
        for value, number in zip(values, wanted, strict=True):
            assert Model(conditions, {symbol: value}).satisfies(numbers[number])


def test_numbers_of_a_word_over_several_bytes_where_conditions_leave_few() -> None:
    conditions = Conditions()
    word = bitvectors.concat(BYTE, OTHER)
    guard = conditions.function(compare("bvule", word, constant(3, 16)))
    found = conditions.enumerated(word, guard, 4)
    assert found is not None
    assert [number for number, _ in found] == [0, 1, 2, 3]
    for number, condition in found:
        values = {BYTE: 0, OTHER: number}
        assert [other for other, when in found if Model(conditions, values).satisfies(when)] == [number]
        assert Model(conditions, values).satisfies(condition)
    assert conditions.enumerated(word, guard, 3) is None
    assert conditions.enumerated(bitvectors.binary("bvmul", word, word), guard, 4) is None


def test_a_wide_input_is_asked_byte_by_byte() -> None:
    conditions = Conditions()
    wide = variable("wide", 20)
    function = conditions.function(compare("bvsle", constant(1000, 20), wide))
    for value in (0, 999, 1000, 1001, (1 << 19) - 1, 1 << 19, (1 << 20) - 1):
        assert Model(conditions, {wide: value}).satisfies(function) is (1000 <= value < 1 << 19)
    chunk = conditions.chunk(conditions.diagrams.variable(function))
    assert chunk is not None
    assert (chunk.symbol, chunk.low, chunk.bits) == (wide, 16, 4)
    assert chunk.of(0xABCDE) == 0xA


def test_sets_of_bytes_are_stated_as_they_are() -> None:
    rng = random.Random(8)
    for _ in range(30):
        conditions = Conditions()
        bits = conditions.bits(BYTE)
        chosen = rng.getrandbits(256) & rng.getrandbits(256)
        function = conditions.diagrams.member(conditions.diagrams.variable(bits[0]), chosen)
        stated = conditions.term(function)
        for value in range(256):
            assert bool(World.evaluate_symbols(stated, {BYTE: value})) is bool(chosen >> value & 1)


def test_relations_between_inputs_are_left_to_the_solver() -> None:
    conditions = Conditions()
    order = conditions.function(compare("bvule", BYTE, OTHER))
    assert order not in (TRUE, FALSE)
    assert conditions.is_open(order)
    assert conditions.function(terms.negate(compare("bvule", BYTE, OTHER))) == order ^ 1


def _random_formula(rng: random.Random, depth: int) -> Term:
    if depth == 0:
        word = rng.choice((BYTE, OTHER))
        return rng.choice(
            (
                terms.equal(word, constant(rng.randrange(4), 8)),
                compare("bvule", word, constant(rng.randrange(200), 8)),
                compare("bvsle", BYTE, OTHER),
            )
        )
    one, other = (_random_formula(rng, depth - 1) for _ in range(2))
    return rng.choice((terms.conjunction, terms.disjunction, terms.iff, terms.implies))(one, other)


def test_terms_of_functions_say_the_same() -> None:
    rng = random.Random(5)
    for _ in range(40):
        conditions = Conditions()
        formula = _random_formula(rng, 3)
        stated = conditions.term(conditions.function(formula))
        for _ in range(30):
            values = {BYTE: rng.randrange(256), OTHER: rng.randrange(256)}
            expected = World.evaluate_symbols(formula, values)
            assert bool(World.evaluate_symbols(stated, values)) is bool(expected)
            assert Model(conditions, values).satisfies(conditions.function(formula)) is bool(expected)


def test_a_named_condition_has_the_value_of_what_it_names() -> None:
    conditions = Conditions()
    parts = [conditions.function(terms.equal(BYTE, constant(number, 8))) for number in (1, 5)]
    name = conditions.named(parts)
    assert conditions.is_open(name)
    for value in range(8):
        model = Model(conditions, {BYTE: value})
        assert model.satisfies(name) is (value in (1, 5))
        assert bool(World.evaluate_symbols(conditions.term(name), {BYTE: value})) is (value in (1, 5))
