"""States that meet become one: registers are chosen by the way that was taken, and only those that are read again."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.errors import PincerError
from pincer.evidence.c_proof.diagrams import FALSE, TRUE
from pincer.evidence.c_proof.merged_memory import Memory
from pincer.evidence.c_proof.merged_state import Evaluator, State
from pincer.evidence.c_proof.operations import Operation
from pincer.evidence.c_proof.program_facts import ProgramFacts
from pincer.evidence.c_proof.summaries import one
from pincer.evidence.c_proof.words import Guard
from pincer.frontends.c.load import load
from pincer.logic import bitvectors, terms
from tests.evidence.c_proof.merged_values import holds, number_of, summaries

X, Y = bitvectors.variable("x", 8), bitvectors.variable("y", 8)
LIVE = frozenset(("x", "y"))


def ignored(_: Guard) -> None:
    pass


@pytest.fixture
def evaluator(tmp_path: Path) -> Evaluator:
    file = tmp_path / "empty.c"
    file.write_text("int main(void) { return 0; }")
    memory = Memory(ProgramFacts(load(file), "memory"), summaries(), ignored)
    return Evaluator(memory, frozenset(("$top",)))


def state(evaluator: Evaluator, guard: Guard, **registers: int) -> State:
    values = {name: evaluator.values.number(value, 8) for name, value in registers.items()}
    return State(guard, 7, (), values, {}, {})


def test_registers_are_chosen_by_the_way_that_was_taken(evaluator: Evaluator) -> None:
    words = evaluator.words
    byte = words.fresh("input", 8)
    zero = words.condition(Operation("same", 0), byte, words.constant(0, 8))
    first, second = state(evaluator, zero, x=1, y=5, z=3), state(evaluator, zero ^ 1, x=2, y=5, z=4)
    met = evaluator.merged(first, second, LIVE)
    assert met.guard == TRUE and met.own.keys() == LIVE
    assert met.own["y"] == evaluator.values.number(5, 8)
    total = evaluator.value(bitvectors.binary("bvadd", X, Y), met)
    assert number_of(words, total, {byte: 0}) == 6 and number_of(words, total, {byte: 9}) == 7
    [one_] = evaluator.conditions((terms.equal(X, bitvectors.constant(1, 8)),), met)
    assert holds(words, one_, {byte: 0}) and not holds(words, one_, {byte: 1})


def test_a_register_without_a_value_on_one_way_has_any_value_there(evaluator: Evaluator) -> None:
    words = evaluator.words
    byte = words.fresh("input", 8)
    zero = words.condition(Operation("same", 0), byte, words.constant(0, 8))
    met = evaluator.merged(state(evaluator, zero, x=1), state(evaluator, zero ^ 1), LIVE)
    [guard] = evaluator.conditions((terms.equal(X, bitvectors.constant(99, 8)),), met)
    assert guard not in (TRUE, FALSE)
    assert words.both(guard, zero) == FALSE


def test_what_settles_a_connective_is_enough(evaluator: Evaluator) -> None:
    here = state(evaluator, TRUE, x=1)
    stray = terms.equal(bitvectors.load(bitvectors.constant(1 << 40, 64), 1), X)
    no = terms.equal(X, bitvectors.constant(2, 8))
    assert evaluator.conditions((terms.conjunction(no, stray), terms.disjunction(terms.negate(no), stray)), here) == [
        FALSE,
        TRUE,
    ]


def test_a_conditional_value_follows_its_condition(evaluator: Evaluator) -> None:
    words = evaluator.words
    byte = words.fresh("input", 8)
    here = state(evaluator, TRUE, y=4)
    here.own["x"] = one(byte)
    small = bitvectors.compare("bvule", X, bitvectors.constant(9, 8))
    value = evaluator.value(terms.conditional(small, Y, X), here)
    assert [number_of(words, value, {byte: k}) for k in (0, 9, 10, 255)] == [4, 4, 10, 255]


def test_a_register_has_one_width(evaluator: Evaluator) -> None:
    with pytest.raises(PincerError, match="bits"):
        evaluator.value(bitvectors.variable("x", 16), state(evaluator, TRUE, x=1))
