"""Details about C programs: covered lines, invariants in the words of the source, and the control flow."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.engines.task import Proved
from pincer.evidence.c_proof.cut_point_claim import CutPoint, CutPointProof
from pincer.frontends.c.load import load
from pincer.logic import bitvectors
from pincer.logic.terms import equal
from pincer.program.control_flow import ControlFlowProgram
from pincer.report.details_c import flow_graph, flow_listing, proof_invariants
from pincer.report.graph import NodeKind
from pincer.report.svg import to_svg
from tests.report.explored_c import CALL, LOOP, explored, graph

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


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("details")


def test_invariants_stand_at_their_loops(folder: Path) -> None:
    _, made = explored(folder, LOOP, True)
    [loop] = [invariant for invariant in made.invariants if invariant.line == 6]
    assert loop.place == "main, loop at line 6"
    assert "n == x + y" in loop.text or "x + y == n" in loop.text


def test_facts_at_cut_points_stand_at_their_loops(folder: Path) -> None:
    file = folder / "facts.c"
    file.write_text(LOOP.replace("while (x > 0) {", "while (1) {\n        if (x == 0) break;"))
    program = load(file)
    main = program.procedures["main"]
    [head] = main.loop_heads
    known = [variable.register for variable in program.variables if variable.name in ("n", "x", "y")]
    n, x, y = (register for register in known if register is not None)
    fact = equal(n, bitvectors.binary("bvadd", x, y))
    claim = Proved(name="assertions", engine="dash", check="facts", proof=CutPointProof((CutPoint((), head, (fact,)),)))
    [invariant] = list(proof_invariants(program, claim))
    assert (invariant.place, invariant.line) == ("main, loop at line 6", 6)
    assert "n == x + y" in invariant.text or "x + y == n" in invariant.text


def test_tests_and_a_proof_cover_lines(folder: Path) -> None:
    _, made = explored(folder, LOOP, True)
    assert {4, 5, 6, 7, 8, 10} <= made.coverage.all
    assert made.coverage.tests <= made.coverage.all
    assert 7 in made.coverage.proof


def test_the_line_that_goes_wrong_was_run_and_nothing_is_proved(folder: Path) -> None:
    result, made = explored(folder, CALL, False)
    assert result.verdict == "unsafe"
    assert {4, 6, 7, 8, 9} <= made.coverage.tests
    assert made.coverage.proof == frozenset()
    assert made.invariants == ()


def test_the_control_flow_has_all_procedures_with_their_lines(folder: Path) -> None:
    _, made = explored(folder, CALL, False)
    flow = graph(made, "cfg")
    assert {node.group for node in flow.nodes} == {"main", "twice"}
    assert {node.kind for node in flow.nodes} == {"initial", None, "error"}
    assert any(node.line == 8 for node in flow.nodes)


@pytest.fixture
def program(tmp_path: Path) -> ControlFlowProgram:
    path = tmp_path / "p.c"
    path.write_text(PROGRAM, encoding="utf-8")
    return load(path)


def test_every_location_of_the_chosen_procedures_is_drawn(program: ControlFlowProgram) -> None:
    graph = flow_graph(program)
    locations = {str(end) for edge in program.edges() for end in (edge.source, edge.target)}
    assert {node.id for node in graph.nodes} >= locations
    assert len(graph.edges) == len(list(program.edges()))


def test_entries_loop_heads_and_failures_stand_out(program: ControlFlowProgram) -> None:
    nodes = flow_graph(program, ["main"]).nodes
    assert [node.lines[0] for node in nodes if node.kind == "initial"] == ["main"]
    heads = {str(head) for head in program.procedures["main"].loop_heads}
    assert {node.id for node in nodes if NodeKind.MARKED in node.kinds} == heads
    assert [node.kind for node in nodes].count(NodeKind.ERROR) == 1


def test_the_graph_becomes_svg_with_its_own_legend(program: ControlFlowProgram) -> None:
    svg = to_svg(flow_graph(program, ["half"]), "p.c")
    assert "loop heads" in svg
    assert "dotted" not in svg


def test_the_listing_can_be_limited_to_a_function(program: ControlFlowProgram) -> None:
    assert "procedure main" in flow_listing(program, list(program.procedures))
    listing = flow_listing(program, ["half"])
    assert "procedure half" in listing
    assert "main" not in listing
