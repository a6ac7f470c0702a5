"""What DASH leaves behind: regions with predicates and tests, covered lines, invariants in the words of the source."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from pincer.engines.dash.algorithm import Dash
from pincer.engines.dash.verify import check
from pincer.engines.task import PropertyResult
from pincer.frontends.c.load import load
from pincer.program.control_flow import Edge
from pincer.report.details import Details, Graph
from pincer.report.details_c import program_details
from pincer.runtime.run import Run

LOOP = """extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    unsigned x = n, y = 0;
    while (x > 0) {
        x--;
        y++;
    }
    if (y != n)
        reach_error();
    return 0;
}
"""
CALL = """extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int limit = 3;
static int twice(int x) { return x + x; }
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n == 1000)
        if (twice(n) > limit)
            reach_error();
    return 0;
}
"""


@cache
def explored(folder: Path, text: str, paper: bool) -> tuple[PropertyResult, Details]:
    file = folder / "program.c"
    file.write_text(text, encoding="utf-8")
    program = load(file)
    found: list[Details] = []

    def look(result: PropertyResult, dash: Dash, passed: set[Edge]) -> None:
        found.append(program_details(program, result, dash, passed))

    result = check(program, "assertions", Run(timeout=60), paper=paper, on_explored=look)
    return result, found[0]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("details")


def graph(made: Details, kind: str) -> Graph:
    return next(graph for graph in made.graphs if graph.kind == kind)


def test_regions_carry_predicates_in_c_and_tests(folder: Path) -> None:
    result, made = explored(folder, LOOP, True)
    assert result.verdict == "safe"
    regions = graph(made, "regions")
    assert all(node.group == "main" for node in regions.nodes if node.kind != "error")
    predicates = {predicate for node in regions.nodes for predicate in node.predicates}
    assert any("n" in predicate and "y" in predicate for predicate in predicates)
    assert not any("::" in predicate for predicate in predicates)
    assert any(node.tests for node in regions.nodes)
    assert not any("main::" in edge.label for edge in regions.edges)


def test_what_tests_crossed_is_certain_and_nothing_leads_from_the_start_to_the_error_of_a_safe_program(
    folder: Path,
) -> None:
    _, made = explored(folder, LOOP, True)
    regions = graph(made, "regions")
    assert {edge.kind for edge in regions.edges} == {"must", "may"}
    reached = {node.id for node in regions.nodes if node.kind == "initial"}
    while more := {edge.target for edge in regions.edges if edge.source in reached} - reached:
        reached |= more
    assert not [node for node in regions.nodes if node.kind == "error" and node.id in reached]


def test_invariants_stand_at_their_loops(folder: Path) -> None:
    _, made = explored(folder, LOOP, True)
    [loop] = [invariant for invariant in made.invariants if invariant.line == 6]
    assert loop.place == "main, loop at line 6"
    assert "n == x + y" in loop.text or "x + y == n" in loop.text


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
    assert {node.kind for node in flow.nodes} == {"initial", "normal", "error"}
    assert any(node.line == 8 for node in flow.nodes)


def test_addresses_have_names(folder: Path) -> None:
    file = folder / "pointer.c"
    file.write_text("int g; int main(void) { int *p = &g; *p = 4; return g; }", encoding="utf-8")
    program = load(file)
    result, dash_details = PropertyResult("p", "unknown", "dash"), []
    check(
        program,
        "assertions",
        Run(timeout=20),
        on_explored=lambda _, dash, passed: dash_details.append(program_details(program, result, dash, passed)),
    )
    labels = " ".join(edge.label for edge in graph(dash_details[0], "cfg").edges)
    assert "&g" in labels
