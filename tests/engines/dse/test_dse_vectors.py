"""The vectors X1 to X8, D1 and both forms of the case study, as verdicts of the engine."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from pincer.execution.msvl import Options
from pincer.execution.trees import SearchBounds
from tests.engines.claims import counterexample_of, reason_of
from tests.engines.dse.dse_checks import (
    CONTROLLER_LITERAL,
    CONTROLLER_MERGED,
    EXAMPLE,
    NEVER_OFF,
    column,
    counterexample,
    judged,
)

COUNTING = "frame(n,i) and (int n and int i<==0 and input(n) and skip; while(i<n){i:=i+1})"
BLINKING = "frame(x) and (int x<==0 and skip; while(true){x:=1-x})"
GROWING = "frame(x) and (int x<==0 and skip; while(true){x:=x+1})"


@dataclass(frozen=True)
class Vector:
    name: str
    program: str
    block: str
    verdict: str
    options: dict[str, Any] = field(default_factory=dict)


VECTORS = [
    Vector("X1", EXAMPLE, "define a: z=6; define b: x+y=11 OR x-y=9; fin(a -> b)", "safe"),
    Vector("X2", EXAMPLE, "define a: z=6; define b: x+y=11; fin(a -> b)", "unsafe"),
    Vector("X3", "frame(x) and (int x and input(x) and skip; skip)", "define p: x<=10; alw(p)", "unsafe"),
    Vector("X4 few", COUNTING, "define p: i<=n OR i=0; alw(p)", "unknown", {"bounds": SearchBounds(max_runs=1)}),
    Vector("X4 more", COUNTING, "define p: i<=n OR i=0; alw(p)", "unknown", {"bounds": SearchBounds(max_runs=25)}),
    Vector("X5 recurs", BLINKING, "define p: x=1; alw(som(p))", "safe"),
    Vector("X5 stays", BLINKING, "define p: x=1; som(alw(p))", "unsafe"),
    Vector("X6", GROWING, "define p: x<=2; alw(p)", "unsafe", {"execution": Options(max_states=6)}),
    Vector("X6 short", GROWING, "define p: x<=2; alw(p)", "unknown", {"execution": Options(max_states=4)}),
    Vector("X8", "skip", "len(2);alw(true)", "unsafe"),
    Vector("AC literal", CONTROLLER_LITERAL, NEVER_OFF, "unsafe"),
    Vector("AC merged", CONTROLLER_MERGED, NEVER_OFF, "unsafe"),
]


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector.name)
def test_the_verdict_is_that_of_the_table(vector: Vector) -> None:
    result = judged(vector.program, vector.block, **vector.options)
    assert result.verdict == vector.verdict
    assert (counterexample_of(result) is not None) == (vector.verdict == "unsafe")
    assert bool(reason_of(result)) == (vector.verdict == "unknown")


def test_the_example_is_violated_on_one_path_only() -> None:
    found = counterexample(EXAMPLE, "define a: z=6; define b: x+y=11; fin(a -> b)", inputs={"s_x": 1, "s_y": 5})
    inputs = dict(found.inputs)
    assert found.tree_nodes == (0, 1, 5, 7, 4)
    assert inputs["s_x"] - inputs["s_y"] == 6


def test_a_proposition_that_holds_for_some_inputs_of_a_path_is_split() -> None:
    """The run itself has x = 3: only the solver knows of inputs above 10."""
    found = counterexample(VECTORS[2].program, VECTORS[2].block, inputs={"s_x": 3})
    assert dict(found.inputs)["s_x"] > 10


def test_a_lasso_is_given_with_its_shortest_beginning() -> None:
    found = counterexample(BLINKING, "define p: x=1; som(alw(p))")
    assert (found.kind, found.lasso_start, column(found, "x")) == ("lasso", 1, ["0", "0", "1"])


def test_a_bad_prefix_ends_with_the_violating_state() -> None:
    found = counterexample(GROWING, "define p: x<=2; alw(p)", execution=Options(max_states=6))
    assert (found.kind, found.violating_state, column(found, "x")) == ("prefix", 4, ["0", "0", "1", "2", "3"])


@pytest.mark.parametrize(
    ("program", "share", "nodes", "last"),
    [
        (CONTROLLER_LITERAL, True, (0, 1, 2, 3, 4, 5, 13, 7), 6),
        (CONTROLLER_LITERAL, False, (0, 1, 2, 3, 4, 5, 15, 16), 6),
        (CONTROLLER_MERGED, False, (0, 1, 2, 3, 4, 14, 15), 5),
    ],
)
def test_the_case_study_is_violated_by_message_3_as_in_the_paper(
    program: str, share: bool, nodes: tuple[int, ...], last: int
) -> None:
    found = counterexample(program, NEVER_OFF, share_terminal=share, inputs={"s_main_message": 7})
    assert dict(found.inputs) == {"s_main_message": 3}
    assert (found.tree_nodes, found.violating_state) == (nodes, last)
    assert column(found, "is_room_hot", "is_door_closed", "ac")[-2:] == ["111", "110"]
    assert found.graph_nodes == (0, 1, *[2] * (last - 1), -1)
