"""Worker processes find what one process finds, and say what they leave open."""

from __future__ import annotations

from pincer.execution.msvl import Options
from pincer.execution.trees import SearchBounds
from pincer.execution.trees.parallel import explore_in_parallel
from pincer.frontends.msvl import parse_program
from tests.execution.trees.msvl_explorations import COUNTING, MERGED, exploration, explored


def test_workers_find_the_tree_of_a_search_without_them() -> None:
    found = exploration(MERGED, share_terminal=False)
    program = parse_program(MERGED, "test.m")
    paths = explore_in_parallel(found, program, Options(), {"s_main_message": 7}, 2, 10_000)
    assert [path.nodes for path in paths] == [
        path.nodes for path in explored(MERGED, {"s_main_message": 7}, share_terminal=False).tree.paths
    ]
    assert found.exhaustive
    assert found.figures.infeasible == 3


def test_workers_leave_open_what_exceeds_the_bound() -> None:
    found = exploration(COUNTING, bounds=SearchBounds(max_runs=5))
    paths = list(explore_in_parallel(found, parse_program(COUNTING, "test.m"), Options(), {"s_n": 1}, 2, 10_000))
    assert len(paths) == 5
    assert not found.exhaustive
