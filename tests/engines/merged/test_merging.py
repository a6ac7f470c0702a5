"""A merged state holds on each path what the state of that path held."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.engines.merged.execution import MergedExecution
from pincer.engines.merged.memory import Thing
from pincer.engines.merged.merging import Merging
from pincer.engines.merged.state import State
from pincer.engines.merged.steering import Steering
from pincer.logic.bitvectors import compare, constant, variable
from pincer.logic.decision_diagrams import TRUE, Function
from pincer.logic.terms import Term
from pincer.program.labels import written_register
from tests.engines.merged.executions import begun, first_state, number

TEXT = "int kept, dropped; int main(void) { int x = 1, y = 2; while (x) x--; return y; }"
X, BASE = variable("x", 8), 9 << 32


@pytest.fixture
def execution(tmp_path: Path) -> MergedExecution:
    return begun(tmp_path, TEXT)


@pytest.fixture
def merging(execution: MergedExecution) -> Merging:
    accesses = execution.accesses
    return Merging(accesses.values, accesses, Steering(execution.program))


def below(execution: MergedExecution, most: int) -> Function:
    return execution.conditions.function(compare("bvule", X, constant(most, 8)))


def local(execution: MergedExecution, name: str) -> Term:
    """The register of a variable of main."""
    written = map(written_register, (edge.label for edge in execution.program.procedures["main"].edges))
    return next(register for register in written if register is not None and register.args[0].name == name)


def three(execution: MergedExecution) -> list[State]:
    """States at the head of the loop for x <= 3, x <= 9 and the rest, with other values in each."""
    small, middle = below(execution, 3), below(execution, 9)
    diagrams, found = execution.conditions.diagrams, []
    [head] = execution.program.procedures["main"].loop_heads
    for i, guard in enumerate((small, diagrams.both(middle, small ^ 1), middle ^ 1)):
        state = first_state(execution)
        state.guard, state.location, state.rounds = guard, head, (1,)
        state.registers = {local(execution, "x"): i, local(execution, "y"): 10 * i}
        thing = Thing(5, 8, b"")
        stored = execution.accesses.contents.store(thing, 4, 4, 100 + i, TRUE, guard)
        state.memory = {BASE: ((TRUE, stored),)}
        found.append(state)
    return found


def test_registers_and_cells_keep_the_values_of_their_paths(execution: MergedExecution, merging: Merging) -> None:
    merged = merging.merged(three(execution))
    assert merged.guard == TRUE
    for i, x in enumerate((0, 7, 200)):
        assert number(execution, merged.registers[local(execution, "y")], {X: x}) == 10 * i
        cell = execution.accesses.load(merged, BASE + 4, 4)
        assert number(execution, cell, {X: x}) == 100 + i


def test_what_all_paths_agree_about_stays_a_number(execution: MergedExecution, merging: Merging) -> None:
    states = three(execution)
    for state in states:
        state.registers[local(execution, "y")] = 4
    assert merging.merged(states).registers[local(execution, "y")] == 4


def test_an_object_of_one_path_is_there_on_that_path_only(execution: MergedExecution, merging: Merging) -> None:
    states = three(execution)
    states[1].memory = {}
    slot = merging.merged(states).memory[BASE]
    [(when, _)] = slot
    assert when == execution.conditions.diagrams.both(below(execution, 9), below(execution, 3) ^ 1) ^ 1


def test_one_state_is_left_as_it_is(execution: MergedExecution, merging: Merging) -> None:
    state = three(execution)[0]
    assert merging.merged([state]) is state
