"""Steps change merged states as they change the state of each path."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.engines.merged.execution import MergedExecution
from pincer.engines.merged.memory import Thing
from pincer.engines.merged.state import GoalKind, State
from pincer.engines.merged.values import Value
from pincer.errors import Position
from pincer.logic import bitvectors
from pincer.logic.bitvectors import compare, constant, variable
from pincer.logic.decision_diagrams import TRUE
from pincer.logic.terms import Term
from pincer.program.control_flow import Allocate, Copy, Edge, Fill, Free, Input, Label, Store
from tests.engines.merged.executions import begun, first_state, number

X, P, Q, S = variable("x", 8), variable("p", 64), variable("q", 64), variable("s", 64)
FIRST, SECOND = 9 << 32, 10 << 32


@pytest.fixture
def execution(tmp_path: Path) -> MergedExecution:
    return begun(tmp_path, "int main(void) { return 0; }")


@pytest.fixture
def state(execution: MergedExecution) -> State:
    """With two objects of eight bytes: 1 to 8, and zeros."""
    found = first_state(execution)
    found.memory[FIRST] = ((TRUE, Thing(execution.accesses.number(), 8, bytes(range(1, 9)))),)
    found.memory[SECOND] = ((TRUE, Thing(execution.accesses.number(), 8, b"")),)
    return found


def chosen(execution: MergedExecution, then: int, otherwise: int, bits: int = 64) -> Value:
    """One number where the input is at most 9, another elsewhere."""
    condition = execution.conditions.function(compare("bvule", X, constant(9, 8)))
    return execution.accesses.values.choose(condition, then, otherwise, bits)


def stepped(execution: MergedExecution, state: State, label: Label) -> None:
    edge = Edge(0, 1, label, Position("test.c", 1, 1))
    execution.noting.edge = edge
    execution.stepping.step(state, edge)


def contents(execution: MergedExecution, state: State, base: int, x: int) -> list[int]:
    return [number(execution, execution.accesses.load(state, base + i, 1), {X: x}) for i in range(8)]


def test_a_copy_of_a_chosen_size_from_a_chosen_place(execution: MergedExecution, state: State) -> None:
    state.registers = {P: SECOND + 1, Q: chosen(execution, FIRST, FIRST + 4), S: chosen(execution, 2, 4)}
    stepped(execution, state, Copy(P, Q, S))
    assert contents(execution, state, SECOND, 0) == [0, 1, 2, 0, 0, 0, 0, 0]
    assert contents(execution, state, SECOND, 10) == [0, 5, 6, 7, 8, 0, 0, 0]
    assert execution.noting.goals == []


def test_a_copy_past_the_end_is_noted_with_when_it_is(execution: MergedExecution, state: State) -> None:
    state.registers = {P: SECOND, Q: FIRST, S: chosen(execution, 8, 9)}
    stepped(execution, state, Copy(P, Q, S))
    large = execution.conditions.function(compare("bvule", X, constant(9, 8))) ^ 1
    assert {(goal.kind, goal.guard) for goal in execution.noting.goals} == {(GoalKind.CHECK, large)}


def test_filling_part_of_an_object(execution: MergedExecution, state: State) -> None:
    state.registers = {P: chosen(execution, FIRST, FIRST + 2), X: X}
    stepped(execution, state, Fill(P, constant(3, 64), X))
    assert contents(execution, state, FIRST, 7) == [7, 7, 7, 4, 5, 6, 7, 8]
    assert contents(execution, state, FIRST, 99) == [1, 2, 99, 99, 99, 6, 7, 8]


def test_an_allocation_takes_the_next_slot_of_each_path(execution: MergedExecution, state: State) -> None:
    top, slot = execution.program.top, execution.program.layout.slot
    state.shared[top] = chosen(execution, 20 * slot, 21 * slot)
    state.registers = {X: X}
    size = bitvectors.extend(X, 56, False)
    stepped(execution, state, Allocate(P, size, True, "heap"))
    for x, base in ((3, 20 * slot), (200, 21 * slot)):
        assert number(execution, state.registers.get(P, state.shared.get(P, 0)), {X: x}) == base
        assert number(execution, state.shared[top], {X: x}) == base + slot
        assert number(execution, execution.accesses.room(state, base, 64), {X: x}) == x


def test_what_is_freed_has_no_room_any_more(execution: MergedExecution, state: State) -> None:
    state.registers = {P: chosen(execution, FIRST, SECOND)}
    stepped(execution, state, Free(P))
    rooms = [execution.accesses.room(state, base, 64) for base in (FIRST, SECOND)]
    assert [[number(execution, room, {X: x}) for room in rooms] for x in (9, 10)] == [[0, 8], [8, 0]]


def test_an_address_that_is_no_number_is_noted_where_one_is_needed(execution: MergedExecution, state: State) -> None:
    stepped(execution, state, Free(variable("anywhere", 64)))
    assert [(goal.kind, goal.guard) for goal in execution.noting.goals] == [(GoalKind.UNMODELLED, TRUE)]


def test_inputs_are_kept_with_the_executions_that_read_them(execution: MergedExecution, state: State) -> None:
    small = execution.conditions.function(compare("bvule", X, constant(9, 8)))
    state.guard = small
    stepped(execution, state, Input(P, "input"))
    stepped(execution, state, Input(Q, "input"))
    assert [read.guard for read in execution.stepping.inputs] == [small, small]
    first, second = (read.symbol for read in execution.stepping.inputs)
    assert first is not second and isinstance(first, Term)


def test_a_store_through_a_chosen_pointer(execution: MergedExecution, state: State) -> None:
    state.registers = {P: chosen(execution, FIRST + 1, SECOND + 7), X: X}
    stepped(execution, state, Store(P, X))
    assert contents(execution, state, FIRST, 4) == [1, 4, 3, 4, 5, 6, 7, 8]
    assert contents(execution, state, FIRST, 44) == [1, 2, 3, 4, 5, 6, 7, 8]
    assert contents(execution, state, SECOND, 44) == [0, 0, 0, 0, 0, 0, 0, 44]
