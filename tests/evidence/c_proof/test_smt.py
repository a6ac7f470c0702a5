"""The constructors of SMT-LIB text simplify, and what they make means the same to a solver."""

from __future__ import annotations

import random

import pytest

from pincer.evidence.c_proof.smt import BOOL, Node, Script
from pincer.evidence.solvers import open_session

WIDTH = 8
NAMES = ("a", "b", "c")
Valued = tuple[Node, int]
"""A node, and its value when the variables have theirs."""


def masked(value: int, width: int) -> int:
    return value % (1 << width)


def combined(script: Script, rng: random.Random, pool: list[Valued]) -> Valued:
    """An operation on some nodes of one width, with its value by the definition of the operation."""
    (left, x), (right, y) = rng.choice(pool), rng.choice(pool)
    width, kind = WIDTH, rng.randrange(7)
    if kind == 0:
        return script.add(left, right), masked(x + y, width)
    if kind == 1:
        return script.difference(left, right), masked(x - y, width)
    if kind == 2:
        factor = rng.choice((0, 1, 2, 3, 255))
        return script.binary("bvmul", script.constant(factor, width), left), masked(x * factor, width)
    if kind == 3:
        by = rng.choice((1, 16, 255))
        return script.shifted(left, by), masked(x + by, width)
    low = rng.randrange(1, width)
    upper, lower = script.extract(width - 1, low, left), script.extract(low - 1, 0, right)
    if kind == 4:
        return script.concat(upper, lower), (x >> low) << low | y & ((1 << low) - 1)
    if kind == 5:
        widened = script.extend("zero_extend", low, upper)
        return widened, x >> low
    wide = script.concat(left, right)
    return script.extract(low + width - 1, low, wide), masked((x << width | y) >> low, width)


def claims(script: Script, rng: random.Random, pool: list[Valued]) -> list[Node]:
    """Statements that are true of the values, as the constructors write them."""
    made = []
    for _ in range(12):
        (left, x), (right, y) = rng.choice(pool), rng.choice(pool)
        relation, holds = rng.choice(
            (
                (script.equal(left, right), x == y),
                (script.at_most(left, right), x <= y),
                (script.at_most(script.constant(9, WIDTH), left), x >= 9),
                (script.equal(script.extract(7, 4, left), script.extract(7, 4, right)), x >> 4 == y >> 4),
            )
        )
        made.append(relation if holds else script.negation(relation))
    return made + [script.equal(node, script.constant(value, WIDTH)) for node, value in pool]


@pytest.mark.parametrize("seed", range(6))
def test_what_the_constructors_make_has_the_value_of_the_operations(seed: int) -> None:
    rng, script = random.Random(seed), Script()
    values = [rng.randrange(256) for _ in NAMES]
    variables = [script.variable(name, WIDTH) for name in NAMES]
    pool: list[Valued] = [*zip(variables, values, strict=True), (script.constant(16, WIDTH), 16)]
    for _ in range(25):
        pool.append(combined(script, rng, pool))
    wrong = script.negation(script.conjunction(claims(script, rng, pool)))
    fixed = [script.equal(node, script.constant(value, WIDTH)) for node, value in zip(variables, values, strict=True)]
    given = script.conjunction(fixed)
    question = script.conjunction((given, wrong))
    session = open_session("z3", "QF_UFBV", None)
    assert session is not None
    session.define(script.lines_after(0)[0])
    assert session.verdict(question.text, 10) == "unsat"
    assert session.verdict(given.text, 10) == "sat"


def test_a_sum_has_one_form_whatever_order_it_was_made_in() -> None:
    script = Script()
    a, b = script.variable("a", 64), script.variable("b", 64)
    one = script.difference(script.shifted(script.add(a, b), 8), script.shifted(b, 3))
    assert one is script.shifted(a, 5)
    minus_one = script.constant(-1, 64)
    assert script.add(script.binary("bvmul", minus_one, b), a) is script.difference(a, b)
    assert script.difference(script.shifted(a, 1 << 32), a).value == 1 << 32


def test_equations_are_the_same_from_both_sides() -> None:
    script = Script()
    a, b = script.variable("a", 64), script.variable("b", 64)
    assert script.equal(script.shifted(a, 8), b) is script.equal(script.shifted(b, -8), a)
    assert script.equal(script.difference(a, b), script.constant(0, 64)) is script.equal(b, a)


def test_slots_of_addresses_that_are_whole_slots_apart_are_told_apart() -> None:
    script = Script()
    top = script.variable("top", 64)

    def slot(by: int) -> Node:
        return script.extract(63, 32, script.shifted(top, by))

    assert script.equal(slot(0), slot(1 << 32)).is_false
    assert script.equal(slot(5), slot(5 + (3 << 32))).is_false
    assert script.equal(slot(0), slot(4)).value is None
    assert script.equal(slot(0), slot(1 << 31)).value is None


def test_parts_of_values_put_together_are_the_values() -> None:
    script = Script()
    low, high = script.variable("low", 16), script.variable("high", 16)
    word = script.concat(high, low)
    assert script.extract(15, 0, word) is low
    assert script.extract(31, 16, word) is high
    assert script.extract(23, 8, word) is script.concat(script.extract(7, 0, high), script.extract(15, 8, low))
    assert script.extract(31, 16, script.extend("zero_extend", 16, low)).value == 0


def test_a_lower_bound_and_the_negated_upper_bound_are_one_condition() -> None:
    script = Script()
    x = script.variable("x", 64)
    at_least = script.at_most(script.constant(4, 64), x)
    assert at_least is script.negation(script.at_most(x, script.constant(3, 64)))
    assert at_least.width == BOOL
