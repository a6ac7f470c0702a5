"""What ASE and UR leave behind: abstract states with predicates and executions, exactness, invariants, lines."""

from __future__ import annotations

import pytest

from pincer.engines.guarded.analysis import GuardedSettings
from pincer.engines.guarded.verify import verify
from pincer.engines.task import EngineTask
from pincer.frontends.gcl import parse_program
from pincer.report.details import Details
from pincer.report.details_gcl import final_painter, guarded_details
from pincer.report.graph import Graph
from pincer.runtime.run import Run

LOOP = """program loop;
control pc : {up, down} = up;
var x : int = 0;
trans rise: pc = up -> x := x + 1, pc := down;
trans fall: pc = down -> x := x - 1, pc := up;
trans never: pc = down && x > 5 -> x := 0;
safety ok: x <= 1;
safety low: x <= 0;
"""
GRID = """program grid;
var x : 0..40 = 0;
var y : 0..40 = 0;
trans right: x < 40 && x != y + 30 -> x := x + 1;
trans up: y < 40 -> y := y + 1;
safety inside: x <= 40;
"""


def details(text: str, name: str, engine: str = "ase", hurry: bool = False) -> Details:
    """What is known about one property of a program."""
    settings = GuardedSettings("ur" if engine == "ur" else "ase")
    task = EngineTask(parse_program(text, "p.gcl"), (name,), settings, explain=True)
    return guarded_details(next(verify(task, Run(timeout=20))), hurry)


def graph(made: Details, kind: str) -> Graph:
    [found] = [graph for graph in made.graphs if graph.kind == kind]
    return found


@pytest.mark.parametrize("engine", ["ase", "ur"])
def test_abstract_states_carry_predicates_executions_and_lines(engine: str) -> None:
    drawn = graph(details(LOOP, "ok", engine), "abstract")
    first = drawn.nodes[0]
    assert (first.kind, first.label, first.line) == ("initial", "pc = up", 4)
    assert "x <= 1" in first.predicates
    assert first.tests >= 1
    assert ("commands", "rise") in first.detail


def test_exact_steps_are_musts_and_others_may_be_taken() -> None:
    """From every x <= 1 the step down leads to x <= 1; the step up does so from some of them only."""
    drawn = graph(details(LOOP, "ok"), "abstract")
    assert {(edge.label, edge.kind) for edge in drawn.edges} == {("fall", "must"), ("rise", "may")}


def test_a_bad_state_is_marked() -> None:
    assert "error" in {node.kind for node in graph(details(LOOP, "low"), "abstract").nodes}


def test_the_tree_below_begins_with_the_initial_state() -> None:
    tree = graph(details(LOOP, "low"), "tree")
    assert tree.nodes[0].kind == "initial"
    assert {edge.source for edge in tree.edges} <= {node.id for node in tree.nodes}


def test_lines_are_those_of_commands_that_were_taken() -> None:
    made = details(LOOP, "low")
    assert made.coverage.all == {4, 5, 6}
    assert made.coverage.tests == {4}
    assert not made.coverage.proof


def test_a_proof_speaks_of_the_commands_its_states_can_take() -> None:
    made = details(LOOP, "ok")
    assert made.coverage.proof == {4, 5}
    assert all(invariant.line in (4, 5) for invariant in made.invariants)
    assert {invariant.place for invariant in made.invariants} == {"pc = up", "pc = down"}


def test_a_run_in_a_hurry_asks_nothing_and_says_what_is_missing() -> None:
    drawn = graph(details(GRID, "inside", hurry=True), "abstract")
    assert len(drawn.nodes) == 1000
    assert {edge.kind for edge in drawn.edges} == {"step"}
    assert drawn.note == "only the first 1000 of 1626 states are shown; not every step was tested for exactness"


def test_the_last_exploration_of_all_properties_can_be_drawn() -> None:
    painter = final_painter(parse_program(LOOP, "p.gcl"), GuardedSettings(), Run(timeout=20))
    abstract, tree = painter.abstract(), painter.tree()
    assert (abstract.kind, tree.kind) == ("abstract", "tree")
    assert abstract.title == tree.title.replace("Symbolic execution", "Abstract states")
    assert not abstract.note
    assert {edge.kind for edge in abstract.edges} <= {"must", "may"}
    assert tree.nodes[0].lines == ("pc = up", "x = 0")
