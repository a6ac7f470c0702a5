"""The control-flow automata of a C program, as a drawing and as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pincer.program.control_flow import ControlFlowProgram, Fail, Procedure, Skip
from pincer.program.listing import control_flow_text, label_text
from pincer.report.drawing import Drawing, Edge, Node

LEGEND = "bold: entry; blue: loop heads; red: an assertion fails; boxes are locations with their lines"
_LONGEST_LABEL = 90


def flow_listing(program: ControlFlowProgram, procedures: Sequence[str]) -> str:
    """The chosen procedures, one line for each edge; with all of them also the objects and assumptions."""
    if len(procedures) == len(program.procedures):
        return control_flow_text(program)
    chosen = {name: program.procedures[name] for name in procedures}
    return control_flow_text(replace(program, procedures=chosen, objects=(), initial={}, assumptions=()))


def drawing_of_flow(program: ControlFlowProgram, procedures: Sequence[str]) -> Drawing:
    """The chosen procedures side by side; calls are edges like any other."""
    nodes: list[Node] = []
    edges: list[Edge] = []
    for name in procedures:
        procedure = program.procedures[name]
        nodes += _nodes(procedure)
        edges += [Edge(str(edge.source), str(edge.target), _short(label_text(edge.label))) for edge in procedure.edges]
    return Drawing(f"{program.file}: control flow", tuple(nodes), tuple(edges), legend=LEGEND)


def _nodes(procedure: Procedure) -> Iterator[Node]:
    """The locations in the order of the edges; the entry bears the procedure's name."""
    failing = {edge.target for edge in procedure.edges if isinstance(edge.label, Fail)}
    ends = [location for edge in procedure.edges for location in (edge.source, edge.target)]
    for location in dict.fromkeys((procedure.entry, *ends, procedure.exit)):
        lines = dict.fromkeys(
            edge.position.line
            for edge in procedure.outgoing.get(location, ())
            if not isinstance(edge.label, Skip)
        )  # fmt: skip
        text = [str(location), *(f"line {line}" for line in lines)]
        if location == procedure.entry:
            text.insert(0, procedure.name)
        if location == procedure.exit:
            text.append(f"return from {procedure.name}")
        yield Node(
            str(location),
            tuple(text),
            initial=location == procedure.entry,
            bad=location in failing,
            fragment=location in procedure.loop_heads,
        )


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST_LABEL else f"{text[: _LONGEST_LABEL - 3]}..."
