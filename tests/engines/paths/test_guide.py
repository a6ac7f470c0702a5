"""What leads to errors: only a way that comes nearer than before is a gate."""

from __future__ import annotations

from pathlib import Path

from pincer.engines.paths.guide import Guide
from pincer.engines.property_simulation import PropertySimulation
from tests.engines.dash.dash_runs import MUCH, board_of, loaded
from tests.engines.paths.gated_programs import DEVICE, at_the_gate, gate_of


def test_only_a_way_that_comes_nearer_than_the_event_began_is_a_gate(tmp_path: Path) -> None:
    text = DEVICE % ("__VERIFIER_nondet_int()", "d->waiting == 3")
    program = loaded(tmp_path, text)
    board = board_of(program)
    PropertySimulation(board).step(MUCH)
    assert board.distances is not None
    guide, gate = Guide(program, board.distances), gate_of(program)
    node = at_the_gate(program, gate)
    [beside] = [edge for edge in program.procedures["main"].outgoing[gate.source] if edge is not gate]
    assert not guide.refused(node, beside)
    assert guide.refused(node, gate)
    assert not guide.refused(node, gate)
