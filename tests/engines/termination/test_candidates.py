"""Words keep the order of the numbers that they are made of, and do not wrap around."""

from __future__ import annotations

from itertools import product

from pincer.engines.termination.candidates import indicators, words
from pincer.execution.machine import World
from pincer.logic.bitvectors import compare, signed, variable, width
from pincer.logic.terms import Term, equal

X, Y = variable("x", 4), variable("y", 4)


def values_of(word: Term, of: tuple[int, ...]) -> int:
    return World.evaluate_symbols(word, {X: of[0], Y: of[1]})


def test_differences_of_signed_numbers_are_ordered() -> None:
    pairs = list(product(range(16), repeat=2))
    wanted = sorted(pairs, key=lambda pair: signed(pair[0], 4) - signed(pair[1], 4))
    orders = []
    for word in words((X, Y), (compare("bvsle", X, Y),)):
        numbers = [values_of(word, pair) for pair in wanted]
        orders.append(numbers == sorted(numbers) and len(set(numbers)) == 31)
    assert any(orders)


def test_how_far_two_values_are_apart_is_a_word() -> None:
    found = list(words((X, Y), (equal(X, Y),)))
    for word in found:
        distances = {pair: values_of(word, pair) for pair in product(range(16), repeat=2)}
        if all(distances[a, b] - distances[0, 0] == abs(a - b) for a, b in distances):
            return
    raise AssertionError("no word says how far two unsigned values are apart")


def test_conditions_are_words_of_one_bit() -> None:
    assert all(width(word) == 1 for word in indicators([compare("bvule", X, Y)]))
    assert len(set(indicators([compare("bvule", X, Y)]))) == 2
