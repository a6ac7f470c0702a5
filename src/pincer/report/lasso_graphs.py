"""A run that goes round for ever as a drawing: a beginning, and a ring of steps that it never leaves."""

from __future__ import annotations

from itertools import pairwise

from pincer.evidence.violating_run import RunForm, RunStep, ViolatingRun
from pincer.report.graph import EdgeKind, Graph, GraphEdge, GraphKind, GraphNode, kinds, limited

MOST_STEPS = 400


def lasso_graph(run: ViolatingRun) -> Graph | None:
    """The steps of a run that repeats from one of them on; None for runs that end."""
    if run.loop_from is None or len(run.steps) > MOST_STEPS:
        return None
    nodes = tuple(_node(run, step) for step in run.steps)
    edges = [GraphEdge(before.id, after.id, kind=EdgeKind.MUST) for before, after in pairwise(nodes)]
    back = str(min(run.loop_from, run.steps[-1].number))
    edges.append(GraphEdge(nodes[-1].id, back, "again, for ever", EdgeKind.BACK))
    note = f"steps {back} to {run.steps[-1].number} repeat for ever"
    return limited(Graph("The run that never ends", GraphKind.LASSO, nodes, tuple(edges), note))


def _node(run: ViolatingRun, step: RunStep) -> GraphNode:
    first = run.steps[0].number
    repeats = run.loop_from is not None and step.number >= run.loop_from
    lane = run.lanes[step.lane] if len(run.lanes) > 1 and step.lane is not None else ""
    name = step.text if run.form is RunForm.STATES else f"{step.number}: {step.text}"
    said = [f"{lane}, {name}" if lane else name, *step.remarks]
    return GraphNode(
        str(step.number),
        tuple(said),
        kinds(initial=step.number == first),
        step.line,
        "the steps that repeat" if repeats else "the beginning",
        detail=(
            *((change.name, change.value) for change in step.changes),
            *((("cannot step", ", ".join(step.stuck)),) if step.stuck else ()),
        ),
    )
