"""Symbolic execution trees: the shapes that the paper draws, and the marks at their ends."""

from __future__ import annotations

import pytest

from pincer.execution.trees import repeats_symbolically
from tests.execution.trees.msvl_explorations import COUNTING, EXAMPLE, LITERAL, MERGED, exploration, explored

SHAPES = [
    (
        "D1",
        EXAMPLE,
        {"s_x": 1, "s_y": 5},
        True,
        9,
        [(0, 1, 2, 3, 4), (0, 1, 5, 6, 4), (0, 1, 5, 7, 4), (0, 1, 2, 8, 4)],
    ),
    (
        "AC literal, terminal shared",
        LITERAL,
        {"s_main_message": 7},
        True,
        14,
        [(0, 1, 2, 3, 4, 5, 6, 7), (0, 1, 2, 3, 8, 9, 10, 7), (0, 1, 2, 3, 4, 11, 12, 7), (0, 1, 2, 3, 4, 5, 13, 7)],
    ),
    (
        "AC literal",
        LITERAL,
        {"s_main_message": 7},
        False,
        17,
        [(0, 1, 2, 3, 4, 5, 6, 7), (0, 1, 2, 3, 8, 9, 10, 11), (0, 1, 2, 3, 4, 12, 13, 14), (0, 1, 2, 3, 4, 5, 15, 16)],
    ),
    (
        "AC merged: Fig. 5",
        MERGED,
        {"s_main_message": 7},
        False,
        16,
        [(0, 1, 2, 3, 4, 5, 6), (0, 1, 2, 7, 8, 9, 10), (0, 1, 2, 3, 11, 12, 13), (0, 1, 2, 3, 4, 14, 15)],
    ),
]


@pytest.mark.parametrize(
    ("name", "program", "inputs", "share", "size", "paths"), SHAPES, ids=[row[0] for row in SHAPES]
)
def test_nodes_are_numbered_as_in_the_paper(
    name: str, program: str, inputs: dict[str, int], share: bool, size: int, paths: list[tuple[int, ...]]
) -> None:
    tree = explored(program, inputs, share).tree
    assert [path.nodes for path in tree.paths] == paths
    assert tree.size == size
    assert all(len(path.arcs) == len(path.execution.states) for path in tree.paths)


def test_constraints_stand_on_the_arcs_of_their_states() -> None:
    tree = explored(EXAMPLE, {"s_x": 1, "s_y": 5}).tree
    shown = {(arc.source, arc.target): [str(one.condition) for one in arc.constraints] for arc in tree.arcs}
    assert shown[0, 1] == []
    assert shown[1, 2] == ["s_x <= s_y - 1"]
    assert shown[1, 5] == ["s_x > s_y - 1"]
    assert shown[5, 7] == ["s_x = s_y + 6"]
    assert shown[7, 4] == []
    assert [str(one) for path in tree.paths for one in path.arcs[2].state.symbolics().values()][:3] == [
        "s_x + 3",
        "s_y",
        "s_x + s_y",
    ]


def test_different_inputs_of_one_path_share_all_its_arcs() -> None:
    found = explored(EXAMPLE, {"s_x": 1, "s_y": 5})
    before = found.tree.size
    assert list(found.paths({"s_x": 0, "s_y": 6})) == []
    assert (found.tree.size, len(found.tree.paths)) == (before, 4)


def test_a_lasso_goes_back_to_the_node_where_its_loop_begins() -> None:
    tree = explored("frame(x) and (int x<==0 and skip; while(true){x:=1-x})", {}).tree
    [path] = tree.paths
    assert path.nodes == (0, 1, 2, 3, 2)
    assert path.arcs[-1].back
    assert tree.marks == {2: {"lasso"}}


def test_ends_are_marked() -> None:
    failing = "frame(x,y) and (int x and int y<==0 and input(x) and skip; y:=1/x; skip)"
    tree = explored(failing, {"s_x": 0}).tree
    assert [path.kind for path in tree.paths] == ["error", "terminated"]
    assert tree.marks == {1: {"error"}, 4: {"terminated"}}


REPEATING = [
    ("nothing symbolic", "frame(x) and (int x<==0 and skip; while(true){x:=1-x})", {}, True),
    (
        "an input kept",
        "frame(n,x) and (int n and int x<==0 and input(n) and skip; while(true){x:=1-x})",
        {"s_n": 3},
        True,
    ),
    (
        "an input tested in every round",
        "frame(n,x) and (int n and int x<==0 and input(n) and skip; while(true){if(n>0) then {x:=1} else {x:=2}})",
        {"s_n": 3},
        True,
    ),
    (
        "a value that repeats for this input only",
        "frame(n,x) and (int n and int x<==0 and input(n) and skip; while(true){x:=n-x})",
        {"s_n": 0},
        False,
    ),
    ("no loop", "skip", {}, False),
]


@pytest.mark.parametrize(("name", "program", "inputs", "expected"), REPEATING, ids=[row[0] for row in REPEATING])
def test_a_lasso_speaks_for_all_inputs_only_if_its_symbolic_store_repeats(
    name: str, program: str, inputs: dict[str, int], expected: bool
) -> None:
    assert repeats_symbolically(explored(program, inputs).tree.paths[0].execution) == expected


@pytest.mark.parametrize(
    ("n", "states", "constraints"),
    [
        (0, 2, ["s_n <= 0"]),
        (1, 3, ["s_n > 0", "s_n <= 1"]),
        (2, 4, ["s_n > 0", "s_n > 1", "s_n <= 2"]),
    ],
)
def test_counting_paths_have_the_states_and_constraints_of_d2(n: int, states: int, constraints: list[str]) -> None:
    path = next(exploration(COUNTING).paths({"s_n": n}))
    assert len(path.arcs) == states
    assert [str(condition) for condition in path.conditions] == constraints
