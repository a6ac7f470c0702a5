"""Reads and writes at addresses that inputs decide about are those of each place that the address can be."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from pincer.engines.merged.execution import MergedExecution
from pincer.engines.merged.state import State
from pincer.engines.merged.values import Value
from pincer.logic import bitvectors, terms
from pincer.logic.bitvectors import compare, constant, variable
from pincer.logic.decision_diagrams import FALSE, TRUE
from pincer.logic.terms import Term
from tests.engines.merged.executions import begun, first_state, number

TEXT = """
    unsigned char table[4] = {10, 20, 30, 40}, other[2] = {7, 8};
    int main(void) { const char *text = "fixed"; return table[0] + other[0] + text[0]; }"""
INDEX, W = variable("i", 8), variable("w", 32)
BITS = 64


@pytest.fixture
def execution(tmp_path: Path) -> MergedExecution:
    return begun(tmp_path, TEXT)


def address_of(execution: MergedExecution, contents: bytes) -> int:
    return next(made.address for made in execution.program.objects if made.contents == contents)


def table(execution: MergedExecution) -> int:
    return address_of(execution, bytes((10, 20, 30, 40)))


def indexed(base: int, index: Term) -> Term:
    wide = bitvectors.extend(index, BITS - bitvectors.width(index), False)
    return bitvectors.combination(((wide, 1),), base, BITS)


def within(execution: MergedExecution, symbol: Term, most: int) -> State:
    """A state of the executions in which an input is not too large."""
    state = first_state(execution)
    state.guard = execution.conditions.function(compare("bvule", symbol, constant(most, bitvectors.width(symbol))))
    return state


@pytest.mark.parametrize("symbol", [INDEX, W], ids=["few bits", "many bits"])
def test_an_index_reads_the_cell_that_it_is(execution: MergedExecution, symbol: Term) -> None:
    state = within(execution, symbol, 3)
    value = execution.accesses.load(state, indexed(table(execution), symbol), 1)
    assert [number(execution, value, {symbol: i}) for i in range(4)] == [10, 20, 30, 40]


def test_a_chosen_object_with_an_index_is_read_in_either(execution: MergedExecution) -> None:
    state = within(execution, W, 1)
    first = compare("bvule", INDEX, constant(9, 8))
    bases = (table(execution), address_of(execution, bytes((7, 8))))
    base = terms.conditional(first, *(constant(place, BITS) for place in bases))
    address = bitvectors.combination(((base, 1), (bitvectors.extend(W, 32, False), 1)), 0, BITS)
    value = execution.accesses.load(state, address, 1)
    for i, w in product((0, 9, 10, 255), (0, 1)):
        assert number(execution, value, {INDEX: i, W: w}) == ((10, 20) if i <= 9 else (7, 8))[w]


def test_a_write_changes_the_cell_at_its_index_and_no_other(execution: MergedExecution) -> None:
    state = within(execution, W, 3)
    base = table(execution)
    execution.accesses.store(state, indexed(base, W), 1, 99)
    for w in range(4):
        read: list[Value] = [execution.accesses.load(state, base + k, 1) for k in range(4)]
        expected = [99 if k == w else 10 * (k + 1) for k in range(4)]
        assert [number(execution, value, {W: w}) for value in read] == expected
    assert all(execution.conditions.term(goal.guard) is not terms.TRUE for goal in execution.noting.goals)


def test_a_write_outside_is_noted_with_when_it_is(execution: MergedExecution) -> None:
    execution.noting.edge = next(iter(execution.program.edges()))
    state = within(execution, INDEX, 4)
    execution.accesses.store(state, indexed(table(execution), INDEX), 1, 99)
    [goal] = execution.noting.goals
    only = execution.conditions.function(terms.equal(INDEX, constant(4, 8)))
    assert execution.conditions.diagrams.both(goal.guard, state.guard) == only


def test_a_write_to_a_constant_is_noted(execution: MergedExecution) -> None:
    execution.noting.edge = next(iter(execution.program.edges()))
    execution.accesses.store(first_state(execution), address_of(execution, b"fixed\0"), 1, 1)
    assert [goal.guard for goal in execution.noting.goals] == [TRUE]


def test_room_is_that_of_the_object_and_none_after_its_end(execution: MergedExecution) -> None:
    state = first_state(execution)
    base = table(execution)
    assert execution.accesses.room(state, base + 2, BITS) == 4
    when = execution.conditions.function(compare("bvule", INDEX, constant(3, 8)))
    execution.accesses.ended(state, base, when)
    value = execution.accesses.room(state, base, BITS)
    assert [number(execution, value, {INDEX: i}) for i in (3, 4)] == [0, 4]
    assert execution.accesses.unreadable(execution.accesses.slot(state, base), 0, 4, TRUE) == when
    assert execution.accesses.unreadable(execution.accesses.slot(state, base), 0, 5, TRUE) != FALSE


def test_the_place_of_what_is_read_nowhere_is_anything(execution: MergedExecution) -> None:
    value = execution.accesses.load(first_state(execution), variable("p", BITS), 1)
    assert isinstance(value, Term) and value.op == "var"
