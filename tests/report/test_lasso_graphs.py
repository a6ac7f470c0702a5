"""Runs that never end are drawn as a beginning and a ring."""

from __future__ import annotations

from pathlib import Path

from pincer.engines.live.verify import LiveSettings, verify
from pincer.engines.task import EngineTask, Refuted
from pincer.evidence.live.trace import LiveTrace
from pincer.evidence.run_conversions import run_of_live_trace
from pincer.evidence.violating_run import RunForm, RunStep, ValueChange, ViolatingRun
from pincer.frontends.gcl import load
from pincer.report.graph import EdgeKind
from pincer.report.lasso_graphs import MOST_STEPS, lasso_graph
from pincer.runtime.run import Run


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


SPIN = """program spin;
control pc[1..2] : {idle, wait, crit} = idle;
process P[i in 1..2] {
  go: pc[i] = idle -> pc[i] := wait;
  spin: pc[i] = wait && i = 1 -> pc[i] := wait;
}
temporal some: <>{pc[1] = crit};"""


def test_a_picture_of_rounds_says_who_cannot_step(tmp_path: Path) -> None:
    (tmp_path / "p.gcl").write_text(SPIN, encoding="utf-8")
    program = load(tmp_path / "p.gcl")
    [wanted] = program.temporal
    [claim] = verify(EngineTask(program, (wanted,), LiveSettings()), Run(timeout=60))
    assert isinstance(claim, Refuted) and isinstance(claim.run, LiveTrace)
    found = run_of_live_trace(program, wanted, claim.run)
    told = [step.stuck for step in found.steps]
    assert found.loop_from is not None and not any(told[: found.loop_from])
    drawn = lasso_graph(found)
    assert drawn is not None
    went = next((step.number for step in found.steps if step.text == "go[2]"), None)
    for step, node in zip(found.steps, drawn.nodes, strict=True):
        stuck = went is not None and step.number >= max(went, found.loop_from)
        assert step.stuck == (("P[2]",) if stuck else ())
        assert (("cannot step", "P[2]") in node.detail) is stuck


def test_a_run_that_ends_has_no_lasso_and_a_very_long_one_no_drawing() -> None:
    assert lasso_graph(run(4, None)) is None
    assert lasso_graph(run(MOST_STEPS + 1, 2)) is None
