"""Values with cases compute what each of their cases computes."""

from __future__ import annotations

import random

import pytest

from pincer.engines.merged.asking import Model
from pincer.engines.merged.conditions import Conditions
from pincer.engines.merged.values import Cases, Value, Values
from pincer.execution.machine import World
from pincer.logic import bitvectors, terms
from pincer.logic.bitvectors import compare, constant, variable, width
from pincer.logic.decision_diagrams import TRUE, Function
from pincer.logic.terms import Term

X, Y = variable("x", 8), variable("y", 8)
SLOT = 1 << 32


@pytest.fixture
def values() -> Values:
    return Values(Conditions(), SLOT)


def small(values: Values, symbol: Term, number: int) -> Function:
    return values.conditions.function(compare("bvule", symbol, constant(number, 8)))


def number(values: Values, value: Value, inputs: dict[Term, int]) -> int:
    """What a value is for some inputs."""
    model = Model(values.conditions, inputs)
    parts = value.cases if isinstance(value, Cases) else ((TRUE, value),)
    [part] = [part for condition, part in parts if model.satisfies(condition)]
    return part if isinstance(part, int) else World.evaluate_symbols(part, inputs)


def test_equal_cases_are_one(values: Values) -> None:
    condition = small(values, X, 3)
    assert values.choose(condition, 5, 5, 8) == 5
    assert values.choose(condition, X, X, 8) is X
    nested = values.choose(condition, 1, values.choose(small(values, Y, 4), 1, 2, 8), 8)
    assert isinstance(nested, Cases)
    assert sorted(part for _, part in nested.cases if isinstance(part, int)) == [1, 2]


def test_equal_numbers_of_different_widths_are_different_words(values: Values) -> None:
    condition = small(values, X, 3)
    for bits in (32, 64, 32):
        assert bitvectors.width(values.word(values.choose(condition, 5, 6, bits), bits)) == bits


def test_operations_are_carried_out_in_all_cases(values: Values) -> None:
    rng = random.Random(1)
    first = values.choose(small(values, X, 100), 3, values.choose(small(values, Y, 7), 9, X, 8), 8)
    second = values.choose(small(values, Y, 90), 3, Y, 8)
    total = values.lifted(
        TRUE, ((first, 8), (second, 8)), 8, lambda a, b: a + b & 255, lambda a, b: bitvectors.binary("bvadd", a, b)
    )
    for _ in range(100):
        inputs = {X: rng.randrange(256), Y: rng.randrange(256)}
        expected = number(values, first, inputs) + number(values, second, inputs) & 255
        assert number(values, total, inputs) == expected
        assert World.evaluate_symbols(values.word(total, 8), inputs) == expected


def test_a_guard_takes_cases_away(values: Values) -> None:
    condition = small(values, X, 3)
    value = values.choose(condition, 1, 2, 8)
    assert values.narrowed(value, condition) == 1
    assert values.narrowed(value, condition ^ 1) == 2
    assert values.narrowed(value, TRUE) is value


def test_a_byte_of_input_has_a_case_for_each_number(values: Values) -> None:
    word = bitvectors.binary("bvand", X, constant(5, 8))
    cases = values.spread(word, TRUE)
    assert sorted(part for _, part in cases if isinstance(part, int)) == [0, 1, 4, 5]


def test_a_byte_of_input_has_no_case_for_a_number_that_the_guard_excludes(values: Values) -> None:
    both = values.conditions.diagrams.both
    guard = both(small(values, Y, 7), both(small(values, X, 4), small(values, X, 1) ^ 1))
    assert sorted(str(part) for _, part in values.spread(X, guard)) == ["2", "3", "4"]


def test_the_same_cases_are_words_of_any_width(values: Values) -> None:
    value = values.choose(small(values, X, 3), 1, 2, 8)
    assert [width(values.word(value, bits)) for bits in (8, 32)] == [8, 32]


def test_too_many_words_become_one_that_says_the_same(values: Values) -> None:
    rng = random.Random(2)
    value: Value = 0
    inputs = [{X: rng.randrange(256), Y: rng.randrange(256)} for _ in range(50)]
    expected = [0] * len(inputs)
    for i in range(40):
        word = bitvectors.binary("bvmul", X, bitvectors.binary("bvadd", Y, constant(i, 8)))
        condition = values.conditions.function(compare("bvule", word, constant(60, 8)))
        value = values.choose(condition, word, value, 8)
        for k, given in enumerate(inputs):
            now = World.evaluate_symbols(word, given)
            expected[k] = now if now <= 60 else expected[k]
    assert [World.evaluate_symbols(values.word(value, 8), given) for given in inputs] == expected


def test_addresses_keep_their_cases(values: Values) -> None:
    value: Value = SLOT
    for i in range(20):
        decision = values.conditions.function(terms.equal(variable(f"b{i}", 8), constant(i, 8)))
        value = values.choose(decision, SLOT + i, value, 64)
    assert isinstance(value, Cases)
    assert all(isinstance(part, int) for _, part in value.cases)


def test_parts_and_joins(values: Values) -> None:
    value = values.choose(small(values, X, 9), 0x1234, 0xABCD, 16)
    low = values.part(TRUE, value, 16, 7, 0)
    high = values.part(TRUE, value, 16, 15, 8)
    again = values.joined(TRUE, high, 8, low, 8)
    for given in (0, 200):
        assert number(values, again, {X: given}) == number(values, value, {X: given})


def test_a_value_becomes_numbers_where_a_guard_leaves_few(values: Values) -> None:
    doubled = bitvectors.combination(((X, 2),), 1, 8)
    guard = small(values, X, 5)
    concrete = values.concrete(doubled, guard)
    assert isinstance(concrete, Cases)
    assert sorted(part for _, part in concrete.cases if isinstance(part, int)) == [1, 3, 5, 7, 9, 11]
    assert [number(values, concrete, {X: x}) for x in range(6)] == [1, 3, 5, 7, 9, 11]
    assert values.concrete(doubled, TRUE) is doubled
    wide = bitvectors.combination(((X, 1), (Y, 1)), 0, 8)
    assert values.concrete(wide, guard) is wide


def test_a_word_is_spread_into_what_it_is_chosen_from(values: Values) -> None:
    wide = variable("wide", 64)
    condition = compare("bvule", wide, constant(9, 64))
    word = terms.conditional(condition, constant(SLOT, 64), constant(2 * SLOT, 64))
    shifted = bitvectors.combination(((word, 1), (wide, 1)), 0, 64)
    cases = values.spread(shifted, TRUE)
    assert len(cases) == 2
    for w in (0, 9, 10, 1 << 20):
        model = Model(values.conditions, {wide: w})
        [part] = [part for own, part in cases if model.satisfies(own)]
        assert isinstance(part, Term)
        assert World.evaluate_symbols(part, {wide: w}) == World.evaluate_symbols(shifted, {wide: w})


def test_words_of_several_bytes_become_numbers_where_few_are_left(values: Values) -> None:
    word = bitvectors.concat(X, Y)
    guard = values.conditions.function(compare("bvule", word, constant(2, 16)))
    settled = values.settled(values.choose(small(values, Y, 0), 7, word, 16), guard)
    assert isinstance(settled, Cases)
    assert sorted(part for _, part in settled.cases if isinstance(part, int)) == [1, 2, 7]
    assert [number(values, settled, {X: 0, Y: low}) for low in range(3)] == [7, 1, 2]
    assert values.settled(word, TRUE) is word
    assert values.settled(X, guard) is X
    assert values.settled(3, guard) == 3
