"""Decision diagrams say what truth tables say, and equal functions are the same number."""

from __future__ import annotations

import random
from functools import reduce
from itertools import product

import pytest

from pincer.logic.decision_diagrams import FALSE, TRUE, Diagrams, Function, TooManyNodes

SIZES = (2, 3, 2, 4)
"""How many values the variables have."""


def table(diagrams: Diagrams, function: Function) -> tuple[bool, ...]:
    return tuple(
        diagrams.value(function, lambda variable, row=row: row[variable])  # type: ignore[misc]
        for row in product(*map(range, SIZES))
    )


def drawn(diagrams: Diagrams, rng: random.Random, variables: list[Function], depth: int) -> Function:
    if depth == 0:
        return rng.choice([*variables, TRUE, FALSE]) ^ rng.randrange(2)
    one, other, third = (drawn(diagrams, rng, variables, depth - 1) for _ in range(3))
    return rng.choice((diagrams.both(one, other), diagrams.either(one, other), diagrams.choose(one, other, third)))


@pytest.fixture
def diagrams() -> Diagrams:
    return Diagrams()


@pytest.fixture
def variables(diagrams: Diagrams) -> list[Function]:
    rng = random.Random(5)
    made = [(diagrams.new_variable(size), size) for size in SIZES]
    return [diagrams.member(variable, rng.randrange(1, (1 << size) - 1)) for variable, size in made for _ in range(2)]


def test_operations_agree_with_truth_tables(diagrams: Diagrams, variables: list[Function]) -> None:
    rng = random.Random(1)
    for _ in range(200):
        one, other, third = (drawn(diagrams, rng, variables, 3) for _ in range(3))
        first, second, last = (table(diagrams, part) for part in (one, other, third))
        rows = list(zip(first, second, last, strict=True))
        assert table(diagrams, diagrams.both(one, other)) == tuple(a and b for a, b, _ in rows)
        assert table(diagrams, diagrams.either(one, other)) == tuple(a or b for a, b, _ in rows)
        assert table(diagrams, diagrams.choose(one, other, third)) == tuple(b if a else c for a, b, c in rows)
        assert diagrams.are_apart(one, other) is not any(a and b for a, b, _ in rows)
        assert diagrams.implies(one, other) is all(b or not a for a, b, _ in rows)


def test_equal_functions_are_the_same_number(diagrams: Diagrams, variables: list[Function]) -> None:
    rng = random.Random(2)
    known: dict[tuple[bool, ...], Function] = {}
    for _ in range(300):
        function = drawn(diagrams, rng, variables, 3)
        assert known.setdefault(table(diagrams, function), function) == function


def test_within_is_the_same_where_the_care_function_holds(diagrams: Diagrams, variables: list[Function]) -> None:
    rng = random.Random(3)
    for _ in range(300):
        function, care = (drawn(diagrams, rng, variables, 3) for _ in range(2))
        rows = zip(*(table(diagrams, part) for part in (function, care, diagrams.within(function, care))), strict=True)
        assert all(value == simple for value, cared, simple in rows if cared)


def test_two_functions_are_joined_where_each_counts(diagrams: Diagrams, variables: list[Function]) -> None:
    rng = random.Random(4)
    for _ in range(300):
        first, second, here, other = (drawn(diagrams, rng, variables, 3) for _ in range(4))
        there = diagrams.both(other, here ^ 1)
        joined = diagrams.joined(first, here, second, there)
        rows = zip(*(table(diagrams, part) for part in (first, here, second, there, joined)), strict=True)
        for one, in_first, two, in_second, found in rows:
            assert not in_first or found == one
            assert not in_second or found == two


def test_a_shadow_is_true_where_the_function_can_be(diagrams: Diagrams, variables: list[Function]) -> None:
    rng = random.Random(6)
    rows = list(product(*map(range, SIZES)))
    for _ in range(200):
        function = drawn(diagrams, rng, variables, 3)
        first, count = rng.randrange(3), rng.randrange(1, 3)
        possible = {
            row[first : first + count] for row, holds in zip(rows, table(diagrams, function), strict=True) if holds
        }
        expected = tuple(row[first : first + count] in possible for row in rows)
        assert table(diagrams, diagrams.shadow(function, first, count)) == expected


def test_a_decision_that_is_joined_again_leaves_what_was_before(diagrams: Diagrams, variables: list[Function]) -> None:
    guard = diagrams.both(variables[0], variables[2] ^ 1)
    decision = diagrams.member(diagrams.new_variable(), 0b10)
    yes, no = diagrams.both(guard, decision), diagrams.both(guard, decision ^ 1)
    assert diagrams.either(yes, no) == guard
    assert diagrams.within(yes, guard) == decision


def test_what_grows_too_much_is_given_up(diagrams: Diagrams) -> None:
    bits = [diagrams.member(diagrams.new_variable(), 0b10) for _ in range(4)]
    before = diagrams.nodes

    def parity() -> Function:
        whole = FALSE
        for bit in bits:
            whole = diagrams.choose(bit, whole ^ 1, whole)
        return whole

    assert diagrams.bounded(parity, 3) is None
    assert diagrams.nodes <= before + 4
    assert diagrams.bounded(parity, 100) is not None
    small = Diagrams(most=2)
    with pytest.raises(TooManyNodes):
        [small.member(small.new_variable(), 0b10) for _ in range(4)]


def test_what_takes_long_without_new_nodes_is_given_up(diagrams: Diagrams) -> None:
    bits = [diagrams.member(diagrams.new_variable(), 0b10) for _ in range(8)]
    parity = reduce(lambda whole, bit: diagrams.choose(bit, whole ^ 1, whole), bits, FALSE)
    thirds = [TRUE, FALSE, FALSE]
    for bit in bits:
        thirds = [diagrams.choose(bit, thirds[i - 1], thirds[i]) for i in range(3)]

    def joined() -> Function:
        return diagrams.joined(parity, thirds[0], parity, thirds[0] ^ 1)

    before, work = diagrams.nodes, diagrams.work
    assert diagrams.bounded(joined, 1) is None
    assert diagrams.nodes == before and diagrams.work > work
    assert diagrams.bounded(joined, 100) == parity


def test_nodes_come_after_those_below_them(diagrams: Diagrams, variables: list[Function]) -> None:
    function = diagrams.choose(variables[6], diagrams.both(variables[0], variables[2]), variables[4])
    known = {0}
    for node in diagrams.unknown_first(function, known):
        assert all(left >> 1 in known for _, left in diagrams.cases(2 * node))
        known.add(node)
    assert function >> 1 in known


def test_a_set_of_values_is_one_node(diagrams: Diagrams) -> None:
    byte = diagrams.new_variable(256)
    before = diagrams.nodes
    digits = diagrams.member(byte, sum(1 << value for value in b"0123456789"))
    odd = diagrams.member(byte, sum(1 << value for value in range(1, 256, 2)))
    assert diagrams.nodes == before + 2
    found = diagrams.both(digits, odd)
    assert [value for value in range(256) if diagrams.value(found, lambda _, own=value: own)] == list(b"13579")  # type: ignore[misc]
    assert diagrams.member(byte, 0) == FALSE
    assert diagrams.member(byte, (1 << 256) - 1) == TRUE
    assert diagrams.variable(found) == byte
    assert diagrams.variable(TRUE) == -1
