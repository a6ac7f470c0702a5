"""Control-flow automata can be looked at, whole or one procedure at a time."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.frontends.c.load import load
from pincer.program.control_flow import ControlFlowProgram
from pincer.report.drawing import to_svg
from pincer.report.flow import drawing_of_flow, flow_listing

PROGRAM = """\
int half(int x) { return x / 2; }
int main(void)
{
    int i = 0;
    while (i < 10)
        i = i + 1;
    if (half(i) != 5)
        reach_error();
    return 0;
}
"""


@pytest.fixture
def program(tmp_path: Path) -> ControlFlowProgram:
    path = tmp_path / "p.c"
    path.write_text(PROGRAM, encoding="utf-8")
    return load(path)


def test_every_location_of_the_chosen_procedures_is_drawn(program: ControlFlowProgram) -> None:
    drawing = drawing_of_flow(program, ["main", "half"])
    locations = {str(end) for edge in program.edges() for end in (edge.source, edge.target)}
    assert {node.id for node in drawing.nodes} >= locations
    assert len(drawing.edges) == len(list(program.edges()))


def test_entries_loop_heads_and_failures_stand_out(program: ControlFlowProgram) -> None:
    nodes = drawing_of_flow(program, ["main"]).nodes
    assert [node.lines[0] for node in nodes if node.initial] == ["main"]
    assert {node.id for node in nodes if node.fragment} == {str(head) for head in program.procedures["main"].loop_heads}
    assert sum(node.bad for node in nodes) == 1


def test_the_drawing_becomes_svg_with_its_own_legend(program: ControlFlowProgram) -> None:
    svg = to_svg(drawing_of_flow(program, ["half"]))
    assert "loop heads" in svg
    assert "dotted" not in svg


def test_the_listing_can_be_limited_to_a_function(program: ControlFlowProgram) -> None:
    assert "procedure main" in flow_listing(program, list(program.procedures))
    listing = flow_listing(program, ["half"])
    assert "procedure half" in listing
    assert "main" not in listing
