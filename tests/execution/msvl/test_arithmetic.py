"""Operators on values: the term of a result evaluates to the result."""

from __future__ import annotations

from random import Random

import pytest

from pincer.execution.msvl.arithmetic import binary, converted, truncated_term, unary, wrapped
from pincer.execution.msvl.machine import Machine
from pincer.execution.msvl.records import ExecutionError, Options
from pincer.execution.msvl.values import Value, integer_term
from pincer.frontends.msvl import parse_program
from pincer.frontends.msvl.types import INT, Basic
from pincer.logic import terms
from pincer.logic.evaluation import evaluate

PROGRAM = parse_program("skip", "t.m")
X = terms.variable("s_x")


def machine(int32: bool = False) -> Machine:
    return Machine(PROGRAM, Options(int32=int32), {})


@pytest.mark.parametrize("sign", ["+", "-", "*", "/", "%", "<", "<=", ">", ">=", "=", "!="])
@pytest.mark.parametrize("int32", [False, True])
def test_terms_evaluate_to_the_concrete_results(sign: str, int32: bool) -> None:
    random = Random(1)
    for _ in range(60):
        x, constant = random.randint(-9, 9), random.choice((-4, -1, 1, 2, 7))
        found = binary(machine(int32), sign, Value(x, X), Value(constant), 0)
        assert evaluate(integer_term(found), {X: x}) == found.concrete


@pytest.mark.parametrize("divisor", [-3, -1, 1, 4])
def test_division_rounds_towards_zero_in_terms_too(divisor: int) -> None:
    for x in range(-9, 10):
        expected = abs(x) // abs(divisor) * (1 if (x < 0) == (divisor < 0) else -1)
        assert evaluate(truncated_term(X, divisor), {X: x}) == expected


def test_machine_integers_wrap_concretely_and_in_terms() -> None:
    found = wrapped(Value((1 << 31) + 5, terms.add(X, terms.integer(1 << 31))))
    assert found.concrete == 5 - (1 << 31) == evaluate(integer_term(found), {X: 5})
    assert converted(machine(True), Value(300), Basic("char"), 0).concrete == 44
    assert converted(machine(), Value(300), INT, 0).concrete == 300


def test_a_product_of_inputs_is_made_concrete() -> None:
    made = machine()
    found = binary(made, "*", Value(3, X), Value(4, terms.variable("s_y")), 0)
    assert found.concrete == 12 and [event.reason for event in made.concretised] == ["a product of two symbolic values"]


@pytest.mark.parametrize(("sign", "value"), [("-", "text"), ("~", 1.5)])
def test_signs_apply_to_numbers(sign: str, value: str | float) -> None:
    with pytest.raises(ExecutionError):
        unary(machine(), sign, Value(value), 0)
