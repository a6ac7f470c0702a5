"""What closes the way to an error is traced back to what earlier events have left behind."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.engines.board import Holds, Violated
from pincer.engines.paths.exploration import Exploration
from pincer.engines.paths.gates import Gates
from pincer.engines.portfolio import Ended, Going
from pincer.engines.property_simulation import PropertySimulation
from pincer.program.control_flow import ControlFlowProgram
from tests.engines.dash.dash_runs import MUCH, board_of, loaded
from tests.engines.paths.gated_programs import DEVICE, STARTED, WAITING, address_of, at_the_gate, gate_of


@pytest.mark.parametrize(
    "condition",
    ["d->waiting == 3", "is_waiting(d)", "(d->requests = d->waiting) == 3", "d->waiting + d->requests == 7"],
)
def test_a_closed_gate_tells_states_apart_by_what_it_depends_on(tmp_path: Path, condition: str) -> None:
    program = loaded(tmp_path, DEVICE % ("__VERIFIER_nondet_int()", condition))
    gate, gates = gate_of(program), Gates(program)
    node = at_the_gate(program, gate)
    gates.closed(gate, node)
    assert gates.variables == 1
    here = gates.combination(node.state)
    device = address_of(program, "device")
    assert gates.combination(node.state.with_store(device + WAITING, 4, 3, None)) != here
    assert gates.combination(node.state.with_store(device + STARTED, 4, 3, None)) == here


@pytest.mark.parametrize("condition", ["d->requests == 3", "command == 3", "d->requests + command == 7"])
def test_what_the_event_itself_has_brought_is_not_behind_a_gate(tmp_path: Path, condition: str) -> None:
    program = loaded(tmp_path, DEVICE % ("__VERIFIER_nondet_int()", condition))
    gate, gates = gate_of(program), Gates(program)
    gates.closed(gate, at_the_gate(program, gate))
    assert gates.variables == 0


def test_a_combination_is_worse_the_more_gates_it_closes(tmp_path: Path) -> None:
    program = loaded(tmp_path, DEVICE % ("__VERIFIER_nondet_int()", "d->waiting == 3"))
    gate, gates = gate_of(program), Gates(program)
    node = at_the_gate(program, gate)
    assert gates.is_news(gate, node)
    gates.closed(gate, node)
    assert not gates.is_news(gate, node)
    assert gates.closed_with(gates.combination(node.state)) == 1
    other = node.state.with_store(address_of(program, "device") + WAITING, 4, 3, None)
    assert gates.closed_with(gates.combination(other)) == 0


WATCHED = """
int watched, held;
int table[4];
void start(int lock) { if (watched == lock) held = 0; }
void take(int lock) { if (watched == lock) { if (held) reach_error(); held = 1; } }
int main(void) {
    int step;
    watched = __VERIFIER_nondet_int();
    start(100); start(200); start(300); start(400);
    for (step = 0; step < 3; step++) {
        int command = __VERIFIER_nondet_uchar() %% 9;
        if (command == 3 && table[0] == 0) table[0] = 1;
        else if (command == 7 && table[0] == 1) table[0] = 2;
        else if (command == 5 && table[0] == 2) take(300);
        else if (command != 8) break;
    }
    if (table[0] == %d) take(300);
    return 0;
}
"""


def explored(program: ControlFlowProgram, is_guided: bool) -> tuple[int, Going | Ended | Holds | Violated]:
    """The number of paths, and what came of them."""
    board = board_of(program)
    if is_guided:
        PropertySimulation(board).step(MUCH)
        assert board.distances is not None
    exploration = Exploration(board)
    outcome = exploration.step(MUCH)
    return exploration.paths, outcome


def test_an_error_behind_a_gate_and_an_early_choice_is_found(tmp_path: Path) -> None:
    assert isinstance(explored(loaded(tmp_path, WATCHED % 2), is_guided=True)[1], Violated)


def test_inputs_are_tried_again_beside_all_paths_and_leave_none_out(tmp_path: Path) -> None:
    program = loaded(tmp_path, WATCHED % 3)
    plain, guided = explored(program, is_guided=False), explored(program, is_guided=True)
    assert isinstance(plain[1], Holds) and isinstance(guided[1], Holds)
    assert guided[0] > plain[0]
