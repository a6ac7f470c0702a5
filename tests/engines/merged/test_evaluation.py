"""Terms of a program have in a merged state the values that they have on each of its paths."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from pincer.engines.merged.evaluation import Evaluation
from pincer.engines.merged.execution import MergedExecution
from pincer.engines.merged.state import State
from pincer.execution.machine import World
from pincer.logic import bitvectors, terms
from pincer.logic.bitvectors import compare, constant, variable
from pincer.logic.decision_diagrams import FALSE, TRUE
from pincer.logic.terms import Term
from tests.engines.merged.executions import begun, first_state, number

X = variable("x", 8)
A, B = variable("a", 8), variable("b", 8)


@pytest.fixture
def execution(tmp_path: Path) -> MergedExecution:
    return begun(tmp_path, "int main(void) { return 0; }")


@pytest.fixture
def evaluation(execution: MergedExecution) -> Evaluation:
    return Evaluation(execution.accesses)


@pytest.fixture
def state(execution: MergedExecution) -> State:
    """Where A is 2, 5 or the input, and B 1 or 3."""
    found = first_state(execution)
    values, function = execution.accesses.values, execution.conditions.function
    small, even = compare("bvule", X, constant(9, 8)), terms.equal(bitvectors.extract(0, 0, X), constant(0, 1))
    first = values.choose(function(small), 2, values.choose(function(even), 5, X, 8), 8)
    found.registers = {A: first, B: values.choose(function(even), 1, 3, 8)}
    return found


def of(x: int) -> dict[Term, int]:
    even = x % 2 == 0
    return {X: x, A: 2 if x <= 9 else 5 if even else x, B: 1 if even else 3}


def words(rng: random.Random, depth: int) -> Term:
    if not depth:
        return rng.choice((A, B, constant(rng.randrange(256), 8)))
    left, right = words(rng, depth - 1), words(rng, depth - 1)
    kind = rng.randrange(4)
    if kind == 0:
        return bitvectors.combination(((left, rng.choice((1, 3, 255))), (right, 1)), rng.randrange(256), 8)
    if kind == 1:
        return terms.conditional(compare(rng.choice(("bvule", "bvsle")), left, right), right, left)
    return bitvectors.binary(rng.choice(("bvand", "bvxor", "bvmul", "bvlshr")), left, right)


def test_random_words_and_conditions(execution: MergedExecution, evaluation: Evaluation, state: State) -> None:
    rng = random.Random(7)
    for _ in range(60):
        word, other = words(rng, 2), words(rng, 1)
        condition = terms.conjunction(compare("bvule", word, other), terms.negate(terms.equal(word, A)))
        value, truth = evaluation.value(state, word), evaluation.condition(state, condition)
        for x in (0, 1, 9, 10, 11, 130, 255):
            assert number(execution, value, {X: x}) == World.evaluate_symbols(word, of(x))
            holds = bool(World.evaluate_symbols(terms.conditional(condition, constant(1, 8), constant(0, 8)), of(x)))
            stated = terms.conditional(execution.conditions.term(truth), constant(1, 8), constant(0, 8))
            assert bool(World.evaluate_symbols(stated, {X: x})) == holds


def test_numbers_stay_numbers(evaluation: Evaluation, state: State) -> None:
    state.registers[A] = 6
    assert evaluation.value(state, bitvectors.combination(((A, 2),), 1, 8)) == 13
    assert evaluation.number(state, A) == 6 and evaluation.number(state, B) is None
    assert evaluation.condition(state, compare("bvule", A, constant(6, 8))) == TRUE
    assert evaluation.condition(state, compare("bvule", A, constant(5, 8))) == FALSE


def test_a_register_that_was_never_set_is_the_same_anything_each_time(evaluation: Evaluation, state: State) -> None:
    unset = variable("unset", 8)
    assert evaluation.value(state, unset) is evaluation.value(state, unset)


def test_what_does_not_matter_is_not_read(execution: MergedExecution, evaluation: Evaluation, state: State) -> None:
    """A null pointer behind a test for it."""
    pointer = variable("p", execution.program.layout.pointer_bits)
    null = constant(0, execution.program.layout.pointer_bits)
    read = terms.equal(bitvectors.load(pointer, 1), constant(1, 8))
    state.registers[pointer] = 0
    assert evaluation.condition(state, terms.conjunction(read, terms.negate(terms.equal(pointer, null)))) == FALSE
