"""Values of merged paths are for every input what the paths would have: operations, choices, cases."""

from __future__ import annotations

from itertools import product

from pincer.evidence.c_proof import summaries as module
from pincer.evidence.c_proof.diagrams import FALSE, TRUE
from pincer.evidence.c_proof.operations import Operation
from pincer.evidence.c_proof.summaries import one
from tests.evidence.c_proof.merged_values import holds, number_of, summaries

SOME = (0, 1, 9, 64, 65, 127, 128, 200, 255)
SAME = Operation("same", 0)


def test_a_choice_of_numbers_and_bytes_is_what_its_guard_says() -> None:
    values = summaries()
    words = values.words
    a, b = words.fresh("input", 8), words.fresh("input", 8)
    small = words.condition(Operation("bvule", 0), a, words.constant(64, 8))
    chosen = values.chosen(small, values.number(5, 8), one(b))
    moved = values.applied(Operation("bvlin", 8, (1, 3)), (chosen,), TRUE)
    wanted = values.holds(SAME, (moved, values.number(8, 8)), TRUE)
    for x, y in product(SOME, SOME):
        inputs = {a: x, b: y}
        assert number_of(words, moved, inputs) == ((5 if x <= 64 else y) + 3) % 256
        assert holds(words, wanted, inputs) == (number_of(words, moved, inputs) == 8)


def test_words_with_the_same_guard_meet_only_each_other() -> None:
    values = summaries()
    words = values.words
    a = words.fresh("input", 8)
    zero = words.condition(SAME, a, words.constant(0, 8))
    first = values.chosen(zero, values.number(1, 8), values.number(2, 8))
    second = values.chosen(zero, values.number(10, 8), values.number(20, 8))
    total = values.applied(Operation("bvadd", 8), (first, second), TRUE)
    assert sorted(node.value or 0 for node, _ in total) == [11, 22]


def test_where_a_state_is_not_words_are_left_out() -> None:
    values = summaries()
    words = values.words
    a = words.fresh("input", 8)
    zero = words.condition(SAME, a, words.constant(0, 8))
    value = values.chosen(zero, values.number(1, 8), values.number(2, 8))
    assert values.pruned(value, zero) == values.number(1, 8)
    assert values.pruned(value, zero ^ 1) == values.number(2, 8)
    assert values.pruned(value, TRUE) == value


def test_cases_of_a_byte_are_its_values_where_the_state_is() -> None:
    values = summaries()
    words = values.words
    a = words.fresh("input", 8)
    few = words.condition(Operation("bvule", 0), a, words.constant(2, 8))
    address = values.applied(Operation("zero_extend", 64, (56,)), (one(a),), few)
    numbers, others = values.cases(address, few)
    assert sorted(number for number, _ in numbers) == [0, 1, 2] and not others
    assert all(holds(words, guard, {a: number}) for number, guard in numbers)


def test_cases_of_a_wide_input_are_found_where_they_are_few() -> None:
    values = summaries()
    words = values.words
    word = words.fresh("input", 32)
    few = words.condition(Operation("bvule", 0), word, words.constant(5, 32))
    numbers, others = values.cases(one(word), few)
    assert sorted(number for number, _ in numbers) == [0, 1, 2, 3, 4, 5] and not others
    numbers, others = values.cases(one(word), TRUE)
    assert not numbers and [node for node, _ in others] == [word]


def test_words_of_several_inputs_become_one() -> None:
    values = summaries()
    words = values.words
    a, b, c = (words.fresh("input", 8) for _ in range(3))
    zero = words.condition(SAME, c, words.constant(0, 8))
    total = values.applied(Operation("bvadd", 8), (one(a), one(b)), TRUE)
    product_ = values.applied(Operation("bvmul", 8), (one(a), one(b)), TRUE)
    joined = values.chosen(zero, total, values.chosen(FALSE, total, product_))
    assert len(joined) == 1 and joined[0][0].variables == a.variables | b.variables | c.variables


def test_very_many_words_become_one() -> None:
    values = summaries()
    words = values.words
    found = {words.constant(k, 16): words.fresh("guard", 1) for k in range(module.MOST_WORDS + 1)}
    guards = {node: words.condition(SAME, bit, words.constant(1, 1)) for node, bit in found.items()}
    assert len(values.value(guards)) == 1


def test_a_wide_input_that_is_one_of_few_numbers_becomes_them() -> None:
    values = summaries()
    words = values.words
    word = words.fresh("input", 32)
    turned = words.result(Operation("bvlin", 32, (-1 % 2**32, 7)), (word,))
    few = words.condition(Operation("bvule", 0), word, words.constant(2, 32))
    assert sorted(node.value or 0 for node, _ in values.settled(one(turned), few)) == [5, 6, 7]
    assert values.settled(one(word), TRUE) == one(word)


def test_addresses_that_are_few_numbers_become_these() -> None:
    values = summaries()
    words = values.words
    a = words.fresh("input", 8)
    index = values.applied(Operation("zero_extend", 64, (56,)), (one(a),), TRUE)
    address = values.applied(Operation("bvlin", 64, (4, 1 << 32)), (index,), TRUE)
    few = words.condition(Operation("bvule", 0), a, words.constant(3, 8))
    placed = values.placed(address, few)
    assert sorted(node.value or 0 for node, _ in placed) == [(1 << 32) + 4 * i for i in range(4)]
    for x in range(4):
        assert number_of(words, placed, {a: x}) == (1 << 32) + 4 * x
    assert values.placed(address, TRUE) == address
    assert values.placed(one(a), few) == one(a)
    chosen = values.chosen(few, address, values.number(0, 64))
    both = values.placed(chosen, words.condition(Operation("bvule", 0), a, words.constant(5, 8)))
    for x in range(6):
        assert number_of(words, both, {a: x}) == ((1 << 32) + 4 * x if x <= 3 else 0)


def test_relations_of_few_pairs_of_bytes_are_those_of_the_pairs() -> None:
    values = summaries()
    words = values.words
    a, b, c = (words.fresh("input", 8) for _ in range(3))
    zero = words.condition(SAME, c, words.constant(0, 8))
    chosen = values.chosen(zero, one(a), one(b))
    found = values.holds(SAME, (chosen, one(c)), TRUE)
    first, second = words.condition(SAME, a, c), words.condition(SAME, b, c)
    assert found == words.either(words.both(zero, first), words.both(zero ^ 1, second))
