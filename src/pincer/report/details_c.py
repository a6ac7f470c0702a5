"""Details about C programs: regions with their tests, control flow, covered lines, and the invariants of a proof."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from pincer.engines.dash.algorithm import Dash
from pincer.engines.task import PropertyResult
from pincer.errors import Position
from pincer.evidence.c_proof.certificate import ProcedureProof
from pincer.evidence.c_proof.joint import joint_invariants
from pincer.logic.terms import TRUE, Term
from pincer.program.control_flow import ControlFlowProgram, Edge, Procedure, Skip
from pincer.report.c_labels import LabelTexts
from pincer.report.c_names import SourceNames
from pincer.report.details import Coverage, Details, Graph, GraphEdge, GraphNode, Invariant, limited, shortened
from pincer.report.flow import drawing_of_flow
from pincer.report.region_graphs import region_graphs

FLOW_NODES = 1_500
_LONGEST_LABEL = 90
_LONGEST_INVARIANT = 2_000
_MOST_INVARIANTS = 300


def program_details(program: ControlFlowProgram, result: PropertyResult, dash: Dash, passed: set[Edge]) -> Details:
    """What DASH left behind; `passed` are the edges that the exploration of paths took."""
    tested = passed | {node.edge for nodes in dash.nodes_of.values() for node in nodes if node.edge is not None}
    tests = lines_of(program, tested) | _failing(program, result)
    return Details(
        (*region_graphs(dash.program, dash), flow_graph(program)),
        Coverage(lines_of(program, program.edges()), tests, _proved(program, result, passed)),
        tuple(_invariants(program, result.proofs))[:_MOST_INVARIANTS],
    )


def lines_of(program: ControlFlowProgram, edges: Iterable[Edge]) -> frozenset[int]:
    """The lines of the program's own file that some edges belong to; edges without effect have none."""
    return frozenset(
        edge.position.line
        for edge in edges
        if edge.position.file == program.file and edge.position.line > 0 and not isinstance(edge.label, Skip)
    )


def _failing(program: ControlFlowProgram, result: PropertyResult) -> frozenset[int]:
    """The line that goes wrong: no step leaves it, but the test has been there."""
    position = result.test.failure.position if result.test is not None else None
    return frozenset((position.line,)) if position is not None and position.file == program.file else frozenset()


def _proved(program: ControlFlowProgram, result: PropertyResult, passed: set[Edge]) -> frozenset[int]:
    """A proof by paths speaks of the lines on them, one by triples of the procedures that are error-free."""
    if result.verdict != "safe":
        return frozenset()
    if result.paths is not None:
        return lines_of(program, passed)
    names = {triple.procedure for triple in result.proofs if not triple.errors}
    return frozenset().union(*(lines_of(program, program.procedures[name].edges) for name in names))


def flow_graph(program: ControlFlowProgram) -> Graph:
    """The control flow of all procedures."""
    drawn = drawing_of_flow(program, list(program.procedures))
    homes = {str(place): name for name, procedure in program.procedures.items() for place in _locations(procedure)}
    lines = {str(place): line for procedure in program.procedures.values() for place, line in _lines(procedure)}
    nodes = tuple(
        GraphNode(
            node.id,
            ", ".join(line for line in node.lines if line != node.id) or f"location {node.id}",
            "error" if node.bad else "initial" if node.initial else "normal",
            lines.get(node.id),
            homes.get(node.id, ""),
            detail=(("loop head", "yes"),) if node.fragment else (),
        )
        for node in drawn.nodes
    )
    labels = LabelTexts(program)
    edges = tuple(
        GraphEdge(str(edge.source), str(edge.target), shortened(labels.text(edge.label, name), _LONGEST_LABEL))
        for name, procedure in program.procedures.items()
        for edge in procedure.edges
    )
    return limited(Graph("Control flow", "cfg", nodes, edges), FLOW_NODES)


def _locations(procedure: Procedure) -> set[int]:
    return {
        procedure.entry,
        procedure.exit,
        *(place for edge in procedure.edges for place in (edge.source, edge.target)),
    }


def _lines(procedure: Procedure) -> Iterator[tuple[int, int]]:
    for edge in procedure.edges:
        if edge.position.line > 0:
            yield edge.source, edge.position.line


def _invariants(program: ControlFlowProgram, proofs: Collection[ProcedureProof]) -> Iterator[Invariant]:
    """What the triples of a proof say on entry, at the heads of loops, and on return."""
    for triple in proofs:
        if triple.errors and triple.exit is not TRUE and triple.entry is not triple.exit:
            procedure = program.procedures[triple.procedure]
            names = SourceNames(program, procedure.name)
            text = f"{_text(names, triple.entry)}  ==>  {_text(names, triple.exit)}"
            yield Invariant(f"calls of {procedure.name}", text, _own_line(program, procedure.position))
    for name, invariants in joint_invariants(proofs).items():
        procedure, names = program.procedures[name], SourceNames(program, name)
        for place in (procedure.entry, *sorted(procedure.loop_heads)):
            term = invariants.get(place, TRUE)
            if term is TRUE:
                continue
            position = next((edge.position for edge in procedure.outgoing.get(place, ())), procedure.position)
            what = "on entry" if place == procedure.entry else f"loop at line {position.line}"
            yield Invariant(f"{procedure.name}, {what}", _text(names, term), _own_line(program, position))


def _own_line(program: ControlFlowProgram, position: Position) -> int | None:
    return position.line if position.file == program.file and position.line > 0 else None


def _text(names: SourceNames, term: Term) -> str:
    return shortened(" && ".join(names.parts(term)), _LONGEST_INVARIANT)
