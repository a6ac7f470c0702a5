"""Decision diagrams have one form for each function: compared with tables of truth values."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from pincer.evidence.c_proof.diagrams import FALSE, TRUE, Diagrams, TooLarge

SIZES = (2, 3, 2, 5)
"""How many values each variable has."""
ASSIGNMENTS = tuple(product(*map(range, SIZES)))
ALL = (1 << len(ASSIGNMENTS)) - 1


def table_of(diagrams: Diagrams, function: int) -> int:
    """One bit for each assignment of the variables."""
    return sum(1 << k for k, assignment in enumerate(ASSIGNMENTS) if holds(diagrams, function, assignment))


def holds(diagrams: Diagrams, function: int, assignment: tuple[int, ...]) -> bool:
    while function not in (TRUE, FALSE):
        level, cases = diagrams.parts(function)
        [function] = [left for mask, left in cases if mask >> assignment[level] & 1]
    return function == TRUE


def simple_function(random: Random, diagrams: Diagrams) -> tuple[int, int]:
    """That a variable is in a set, and the table of that."""
    level = random.randrange(len(SIZES))
    mask = random.randrange(1 << SIZES[level])
    table = sum(1 << k for k, assignment in enumerate(ASSIGNMENTS) if mask >> assignment[level] & 1)
    return diagrams.member(level, mask), table


def random_function(random: Random, diagrams: Diagrams) -> tuple[int, int]:
    """A function and its table, built together."""
    function, table = simple_function(random, diagrams)
    for _ in range(random.randint(1, 8)):
        other, second = simple_function(random, diagrams)
        if random.random() < 0.5:
            function, table = diagrams.conjunction(function, other), table & second
        else:
            function, table = diagrams.disjunction(function, other), table | second
    return function, table


def diagrams_of(sizes: tuple[int, ...], most: int = 10_000) -> Diagrams:
    diagrams = Diagrams(most)
    assert [diagrams.variable(size) for size in sizes] == list(range(len(sizes)))
    return diagrams


@pytest.mark.parametrize("seed", range(30))
def test_functions_are_what_their_tables_say_and_equal_ones_are_the_same(seed: int) -> None:
    random, diagrams = Random(seed), diagrams_of(SIZES)
    made = [random_function(random, diagrams) for _ in range(12)]
    for function, table in made:
        assert table_of(diagrams, function) == table
        assert table_of(diagrams, function ^ 1) == ALL ^ table
    for first, second, third in zip(made, made[1:], made[2:], strict=False):
        assert (first[0] == second[0]) == (first[1] == second[1])
        chosen = diagrams.choice(first[0], second[0], third[0])
        assert table_of(diagrams, chosen) == first[1] & second[1] | (ALL ^ first[1]) & third[1]


@pytest.mark.parametrize("seed", range(30))
def test_within_a_care_set_a_simpler_function_is_the_same(seed: int) -> None:
    random, diagrams = Random(seed), diagrams_of(SIZES)
    function, table = random_function(random, diagrams)
    care, cared = random_function(random, diagrams)
    assert table_of(diagrams, diagrams.within(function, care)) & cared == table & cared


@pytest.mark.parametrize("seed", range(60))
def test_a_choice_that_matters_within_a_care_set_is_the_same_there(seed: int) -> None:
    random, diagrams = Random(seed), diagrams_of(SIZES)
    (condition, decided), (then, first), (otherwise, second), (care, cared) = (
        random_function(random, diagrams) for _ in range(4)
    )
    expected = decided & first | ~decided & second
    assert table_of(diagrams, diagrams.mixed(condition, then, otherwise, care)) & cared == expected & cared


@pytest.mark.parametrize("seed", range(60))
def test_a_projection_is_what_a_function_says_of_some_variables(seed: int) -> None:
    random, diagrams = Random(seed), diagrams_of(SIZES)
    function, table = random_function(random, diagrams)
    onto = frozenset(level for level in range(len(SIZES)) if random.random() < 0.5)
    projected = diagrams.projected(function, onto)
    assert diagrams.support(projected) <= onto
    seen = {tuple(assignment[level] for level in sorted(onto)) for assignment in _holding(table)}
    assert set(_holding(table_of(diagrams, projected))) == {
        assignment for assignment in ASSIGNMENTS if tuple(assignment[level] for level in sorted(onto)) in seen
    }


def _holding(table: int) -> list[tuple[int, ...]]:
    return [assignment for k, assignment in enumerate(ASSIGNMENTS) if table >> k & 1]


def test_the_support_of_a_function_are_the_variables_it_looks_at() -> None:
    diagrams = diagrams_of(SIZES)
    first, last = diagrams.member(0, 1), diagrams.member(3, 6)
    assert diagrams.support(diagrams.conjunction(first, last)) == {0, 3}
    assert diagrams.support(TRUE) == diagrams.support(FALSE) == set()


def test_what_takes_too_many_steps_is_given_up() -> None:
    diagrams = diagrams_of((2,) * 24, most=50)
    with pytest.raises(TooLarge):
        same = TRUE
        for level in range(12):
            left, right = diagrams.member(level, 2), diagrams.member(level + 12, 2)
            same = diagrams.conjunction(same, diagrams.choice(left, right, right ^ 1))
