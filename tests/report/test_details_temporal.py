"""What a temporal check leaves behind: the execution tree, the graph of the negation, the way through both."""

from __future__ import annotations

from pincer.engines.dse.options import CheckOptions
from pincer.engines.dse.verify import check
from pincer.engines.task import Claim, EngineTask
from pincer.execution.msvl import Options
from pincer.frontends.msvl import parse_program
from pincer.report.details import Details
from pincer.report.details_temporal import ExplorationSource, temporal_details
from pincer.report.graph import Graph
from pincer.runtime.run import Run
from pincer.temporal.property import parse_properties
from tests.engines.claims import counterexample_of

BRANCH = """frame(x,y) and (
  int x,y and input(x) and y<==0 and skip;
  if(x>3) then {y:=1} else {y:=2};
  skip
)"""
LOOP = "frame(x) and (int x and x<==0 and skip; while(x=0){x:=0})"


def explored(program: str, block: str) -> tuple[Claim, Details]:
    """The result for one property, and what there is to show of it."""
    parsed = parse_program(program, "test.m")
    asked = parse_properties(f"</ {block} />", "test.m")
    [claim] = check(EngineTask(parsed, asked, CheckOptions(), explain=True), Run(timeout=30))
    tree, graph = claim.explored.tree, claim.explored.graph
    source = ExplorationSource(Options(), Run(timeout=30))
    return claim, temporal_details(parsed, tree, graph, counterexample_of(claim), source)


def graph(made: Details, title: str) -> Graph:
    [found] = [graph for graph in made.graphs if graph.title.startswith(title)]
    return found


def test_the_tree_parts_where_inputs_decide() -> None:
    _, made = explored(BRANCH, "define p: y<3; alw(p)")
    tree = graph(made, "Symbolic execution tree")
    conditions = {condition for node in tree.nodes for condition in node.predicates}
    assert len(conditions) == 2
    assert {node.line for node in tree.nodes if node.predicates} == {3}
    assert "final" in {node.kind for node in tree.nodes}


def test_a_property_that_holds_has_no_way_through_the_product() -> None:
    result, made = explored(BRANCH, "define p: y<3; alw(p)")
    assert result.verdict == "safe"
    assert [graph.kind for graph in made.graphs] == ["tree", "lnfg"]


def test_a_counterexample_is_marked_in_both_graphs_and_has_its_own() -> None:
    result, made = explored(BRANCH, "define p: y<2; alw(p)")
    assert result.verdict == "unsafe"
    passed = ("counterexample", "passes here")
    assert any(passed in node.detail for node in graph(made, "Symbolic execution tree").nodes)
    assert any(passed in node.detail for node in graph(made, "Normal form graph").nodes)
    product = graph(made, "Counterexample")
    assert product.nodes[0].kind == "initial"
    assert len(product.edges) == len(product.nodes) - 1


def test_a_lasso_goes_back_in_the_product() -> None:
    result, made = explored(LOOP, "define p: x=1; som(p)")
    assert result.verdict == "unsafe"
    found = counterexample_of(result)
    assert found is not None
    product = graph(made, "Counterexample")
    last = product.edges[-1]
    assert int(last.target) == found.lasso_start
    assert last.label.endswith("for ever")


def test_lines_that_runs_have_stepped_are_covered() -> None:
    unreached = BRANCH.replace("skip\n", "if(y=3) then {\n  y:=4\n  } else {skip}\n")
    _, made = explored(unreached, "define p: y<3; alw(p)")
    assert {2, 3, 4, 5} <= made.coverage.all
    assert made.coverage.tests == made.coverage.all - {5}
