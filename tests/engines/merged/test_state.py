"""States wait in the order of their rounds; what goes wrong is noted where it does."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from pincer.engines.merged.state import GoalKind, Noting
from pincer.logic.bitvectors import variable
from pincer.logic.decision_diagrams import FALSE, TRUE
from tests.engines.merged.executions import begun, first_state

LOOP = "int main(void) { int i = 0; while (i < 3) i++; return i; }"


def test_a_copy_shares_nothing_that_changes(tmp_path: Path) -> None:
    state = first_state(begun(tmp_path, LOOP))
    other = state.copy()
    register = variable("x", 32)
    other.registers[register], other.shared[register], other.memory[0] = 1, 2, ()
    assert register not in state.registers and register not in state.shared and 0 not in state.memory


def test_a_later_round_comes_after_all_of_an_earlier_one(tmp_path: Path) -> None:
    state = first_state(begun(tmp_path, LOOP))
    order = state.activation.order
    [head] = state.activation.procedure.loop_heads
    inside = next(place for place, found in order.places.items() if found.loops == (head,) and place != head)

    def key(location: int, round_: int) -> tuple[int, ...]:
        there = state.copy()
        there.location, there.rounds = location, (round_,)
        return there.key()

    assert key(head, 0) < key(inside, 0) < key(head, 1) < key(inside, 1)
    last = state.copy()
    last.location = state.activation.procedure.exit
    assert key(inside, 1_000) < last.key()


def test_calls_under_way_come_first_in_the_order(tmp_path: Path) -> None:
    state = first_state(begun(tmp_path, LOOP))
    called = state.copy()
    called.activation = replace(state.activation, prefix=(7, 3))
    assert called.key()[:2] == (7, 3)


def test_what_never_happens_is_not_noted(tmp_path: Path) -> None:
    execution, noting = begun(tmp_path, LOOP), Noting()
    noting.note(GoalKind.FAIL, FALSE, "never")
    assert noting.goals == []
    with pytest.raises(AssertionError):
        noting.note(GoalKind.FAIL, TRUE, "nowhere")
    noting.edge = next(iter(execution.program.edges()))
    noting.note(GoalKind.CHECK, TRUE, "always")
    assert [(goal.kind, goal.edge, goal.message) for goal in noting.goals] == [(GoalKind.CHECK, noting.edge, "always")]
