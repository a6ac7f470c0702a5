"""Decision diagrams have one form for each function: compared with tables of truth values."""

from __future__ import annotations

from random import Random

import pytest

from pincer.evidence.c_proof.diagrams import FALSE, TRUE, Diagrams, TooLarge

COUNT = 5
ALL = (1 << (1 << COUNT)) - 1


def table_of(diagrams: Diagrams, function: int) -> int:
    """One bit for each assignment of the variables."""
    return sum(1 << k for k in range(1 << COUNT) if holds(diagrams, function, k))


def holds(diagrams: Diagrams, function: int, assignment: int) -> bool:
    while function not in (TRUE, FALSE):
        level, high, low = diagrams.parts(function)
        function = high if assignment >> level & 1 else low
    return function == TRUE


def random_function(random: Random, diagrams: Diagrams, variables: list[int]) -> tuple[int, int]:
    """A function and its table, built together."""
    function = random.choice(variables)
    table = table_of(diagrams, function)
    for _ in range(random.randint(1, 8)):
        other = random.choice(variables)
        sign = random.randrange(2)
        second = table_of(diagrams, other) ^ (ALL if sign else 0)
        if random.random() < 0.5:
            function, table = diagrams.conjunction(function, other ^ sign), table & second
        else:
            function, table = diagrams.disjunction(function, other ^ sign), table | second
    return function, table


@pytest.mark.parametrize("seed", range(30))
def test_functions_are_what_their_tables_say_and_equal_ones_are_the_same(seed: int) -> None:
    random, diagrams = Random(seed), Diagrams(10_000)
    variables = [diagrams.variable() for _ in range(COUNT)]
    made = [random_function(random, diagrams, variables) for _ in range(12)]
    for function, table in made:
        assert table_of(diagrams, function) == table
        assert table_of(diagrams, function ^ 1) == ALL ^ table
    for first, second, third in zip(made, made[1:], made[2:], strict=False):
        assert (first[0] == second[0]) == (first[1] == second[1])
        chosen = diagrams.choice(first[0], second[0], third[0])
        assert table_of(diagrams, chosen) == first[1] & second[1] | (ALL ^ first[1]) & third[1]


@pytest.mark.parametrize("seed", range(30))
def test_within_a_care_set_a_simpler_function_is_the_same(seed: int) -> None:
    random, diagrams = Random(seed), Diagrams(10_000)
    variables = [diagrams.variable() for _ in range(COUNT)]
    function, table = random_function(random, diagrams, variables)
    care, cared = random_function(random, diagrams, variables)
    assert table_of(diagrams, diagrams.within(function, care)) & cared == table & cared


@pytest.mark.parametrize("seed", range(10))
def test_a_number_is_in_a_set(seed: int) -> None:
    diagrams, mask = Diagrams(10_000), Random(seed).randrange(ALL + 1)
    bits = [diagrams.variable() for _ in range(COUNT)]
    assert table_of(diagrams, diagrams.member(bits, mask)) == mask


def test_what_takes_too_many_steps_is_given_up() -> None:
    diagrams = Diagrams(50)
    low, high = ([diagrams.variable() for _ in range(12)] for _ in range(2))
    with pytest.raises(TooLarge):
        same = TRUE
        for left, right in zip(low, high, strict=True):
            same = diagrams.conjunction(same, diagrams.choice(left, right, right ^ 1))
