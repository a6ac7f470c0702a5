"""Bounded depth-first search: what it asks, when it stops, and when it may call itself exhaustive."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from pincer.execution.msvl import Execution, Options, execute
from pincer.execution.trees import SearchBounds, Tree, TreeExploration
from pincer.frontends.msvl import parse_program
from pincer.logic.queries import Queries
from pincer.logic.z3_solver import Z3Solver
from pincer.runtime.reasons import Reason
from pincer.runtime.run import Run, Stopped
from tests.execution.trees.msvl_explorations import COUNTING, EXAMPLE, LITERAL, exploration, explored


@pytest.mark.parametrize(
    ("program", "inputs", "runs", "refuted"),
    [(EXAMPLE, {"s_x": 1, "s_y": 5}, 4, 0), (LITERAL, {"s_main_message": 7}, 4, 3)],
    ids=["D1", "AC"],
)
def test_every_way_is_run_once_and_impossible_ones_are_refuted(
    program: str, inputs: dict[str, int], runs: int, refuted: int
) -> None:
    found = explored(program, inputs)
    assert (found.runs, found.figures.infeasible) == (runs, refuted)
    assert found.exhaustive


@pytest.mark.parametrize("message", [-5, 0, 1, 2, 3, 50])
def test_any_first_input_leads_to_all_ways(message: int) -> None:
    found = explored(LITERAL, {"s_main_message": message})
    assert found.exhaustive
    assert len(found.tree.paths) == 4


def test_a_search_that_reached_its_bound_can_be_taken_up_again() -> None:
    found = exploration(EXAMPLE, bounds=SearchBounds(max_runs=2))
    assert len(list(found.paths({"s_x": 1, "s_y": 5}))) == 2
    assert found.reasons == ("the exploration stopped after 2 runs with ways left to try",)
    found.bounds = SearchBounds(max_runs=10)
    assert [path.nodes for path in found.paths()] == [(0, 1, 5, 7, 4), (0, 1, 2, 8, 4)]
    assert found.exhaustive


def test_new_inputs_bring_new_paths_and_ask_nothing_twice() -> None:
    found = exploration(COUNTING, bounds=SearchBounds(max_runs=3))
    list(found.paths({"s_n": 0}))
    found.bounds = SearchBounds(max_runs=4)
    [path] = found.paths({"s_n": 9})
    assert len(path.arcs) == 11
    assert not found.exhaustive


def test_a_bound_on_depth_is_a_reason() -> None:
    found = exploration(EXAMPLE, bounds=SearchBounds(max_depth=0))
    list(found.paths({"s_x": 1, "s_y": 5}))
    assert len(found.tree.paths) == 3
    assert found.reasons == ("the depth bound of 0 cut 1 branch",)


def test_values_made_concrete_are_a_reason() -> None:
    found = explored("frame(x) and (int x and input(x) and skip; if(x*x>5) then {skip} else {empty})", {"s_x": 3})
    assert "a product of two symbolic values was followed for single values only" in found.reasons


def test_a_run_that_goes_astray_is_noticed_and_kept() -> None:
    """A product is linear only for the input at hand: the run for its other side meets another condition."""
    program = "frame(x) and (int x and input(x) and skip; if(x*x>50) then {skip} else {empty})"
    found = explored(program, {"s_x": 2})
    assert found.figures.diverged == 0
    assert len(found.tree.paths) > 1
    found = explored("frame(x) and (int x and input(x) and skip; if(x*x>5) then {skip} else {empty})", {"s_x": 3})
    assert not found.exhaustive


def test_a_stopped_run_stops_the_search() -> None:
    run = Run()
    program = parse_program(COUNTING, "test.m")

    def runner(inputs: Mapping[str, int]) -> Execution:
        return execute(program, inputs, Options(), run)

    found = TreeExploration(runner, Queries(Z3Solver(), run), SearchBounds(), Tree())
    with pytest.raises(Stopped):
        for path in found.paths({"s_n": 2}):
            if path.number == 3:
                run.stop(Reason("enough"))
    assert len(found.tree.paths) == 4
    assert found.pending


def test_a_search_without_any_run_is_not_exhaustive() -> None:
    assert not exploration("skip").exhaustive


def test_a_length_is_turned_until_no_value_is_left() -> None:
    program = "frame(n) and (char n and input(n) and skip; if(n>0 AND n<4) then {len(n)} else {empty})"
    found = explored(program, {"s_n": 2})
    assert sorted(len(path.arcs) for path in found.tree.paths) == [2, 3, 4, 5]
    assert found.exhaustive


def test_inputs_stay_within_their_types() -> None:
    found = explored("frame(b) and (bool b and input(b) and skip; if(b>1 OR b<0) then {len(5)} else {skip})", {})
    assert len(found.tree.paths) == 1
    assert found.exhaustive
