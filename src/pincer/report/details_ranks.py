"""Details about programs that end: what gets smaller at each loop, beside its line."""

from __future__ import annotations

from pincer.engines.termination.verify import RankedProgram
from pincer.program.control_flow import ControlFlowProgram
from pincer.report.details import Coverage, Details, Invariant
from pincer.report.details_c import FLOW_NODES, flow_graph, lines_of
from pincer.report.graph import limited


def rank_details(program: ControlFlowProgram, explored: RankedProgram) -> Details:
    """The ranks where readers look for invariants, and the control flow that they are about."""
    found = tuple(
        Invariant(
            loop.place,
            f"gets smaller: {loop.said}" if loop.words else "is passed once",
            loop.position.line if loop.position.file == program.file else None,
        )
        for loop in explored.loops
    )
    lines = lines_of(program, program.edges())
    return Details((limited(flow_graph(program), FLOW_NODES),), Coverage(lines, frozenset(), lines), found)
