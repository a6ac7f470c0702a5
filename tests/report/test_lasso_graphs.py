"""Runs that never end are drawn as a beginning and a ring."""

from __future__ import annotations

from pincer.evidence.violating_run import RunForm, RunStep, ValueChange, ViolatingRun
from pincer.report.graph import EdgeKind
from pincer.report.lasso_graphs import MOST_STEPS, lasso_graph


def run(count: int, loop_from: int | None) -> ViolatingRun:
    steps = tuple(
        RunStep(
            number, "p.gcl", number + 1, text=f"go[{number % 2}]", lane=number % 2, changes=(ValueChange("x", "1"),)
        )
        for number in range(count)
    )
    return ViolatingRun(RunForm.TRANSITIONS, steps, steps[-1], lanes=("P[0]", "P[1]"), loop_from=loop_from)


def test_the_last_step_leads_back_to_the_first_that_repeats() -> None:
    drawn = lasso_graph(run(4, 2))
    assert drawn is not None
    assert [node.group for node in drawn.nodes] == ["the beginning"] * 2 + ["the steps that repeat"] * 2
    assert drawn.nodes[3].label == "P[1], 3: go[1]; x = 1" and drawn.nodes[3].line == 4
    assert [(edge.source, edge.target) for edge in drawn.edges] == [("0", "1"), ("1", "2"), ("2", "3"), ("3", "2")]
    assert drawn.edges[-1].kind is EdgeKind.BACK and drawn.note == "steps 2 to 3 repeat for ever"


def test_a_run_that_ends_has_no_lasso_and_a_very_long_one_no_drawing() -> None:
    assert lasso_graph(run(4, None)) is None
    assert lasso_graph(run(MOST_STEPS + 1, 2)) is None
