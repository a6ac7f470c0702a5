"""Details about C programs: regions with their tests, control flow, covered lines, and the invariants of a proof."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec.structs import replace

from pincer.checking.proof_invariants import cut_point_invariants, joint_invariants
from pincer.engines.sequential import DashExploration
from pincer.engines.task import Claim, Proved, Refuted, Triples
from pincer.errors import Position
from pincer.evidence.c.trace import CTest
from pincer.evidence.c_proof.certificate import ProcedureProof
from pincer.evidence.c_proof.cut_point_claim import CutPointProof
from pincer.evidence.c_proof.merged_claim import MergedProof
from pincer.evidence.c_proof.paths import Paths
from pincer.logic.terms import FALSE, TRUE, Term
from pincer.program.control_flow import ControlFlowProgram, Edge, Fail, Procedure, Skip
from pincer.program.graphs import reachable
from pincer.program.listing import control_flow_text
from pincer.program.loops import loop_position
from pincer.program.source_names import LabelTexts, SourceNames, all_of
from pincer.report.details import Coverage, Details, Invariant
from pincer.report.graph import Graph, GraphEdge, GraphKind, GraphNode, kinds, limited, shortened
from pincer.report.region_graphs import region_graphs

FLOW_NODES = 1_500
_LEGEND = "bold: entry; blue: loop heads; red: an assertion fails; boxes are locations with their lines"
_LONGEST_LABEL = 90
_LONGEST_INVARIANT = 2_000
_MOST_INVARIANTS = 300


def program_details(program: ControlFlowProgram, claim: Claim) -> Details:
    """What DASH left behind."""
    explored: DashExploration = claim.explored
    dash, passed = explored.dash, explored.passed
    tested = passed | {node.edge for nodes in dash.forest.nodes_of.values() for node in nodes if node.edge is not None}
    tests = lines_of(program, tested) | _failing(program, claim)
    return Details(
        (*region_graphs(dash.program, dash), limited(flow_graph(program), FLOW_NODES)),
        Coverage(lines_of(program, program.edges()), tests, _proved(program, claim, frozenset(tested))),
        tuple(proof_invariants(program, claim))[:_MOST_INVARIANTS],
    )


def lines_of(program: ControlFlowProgram, edges: Iterable[Edge]) -> frozenset[int]:
    """The lines of the program's own file that some edges belong to; edges without effect have none."""
    return frozenset(
        edge.position.line
        for edge in edges
        if edge.position.file == program.file and edge.position.line > 0 and not isinstance(edge.label, Skip)
    )


def _triples(claim: Claim) -> tuple[ProcedureProof, ...]:
    return claim.proof.proofs if isinstance(claim, Proved) and isinstance(claim.proof, Triples) else ()


def _failing(program: ControlFlowProgram, claim: Claim) -> frozenset[int]:
    """The line that goes wrong: no step leaves it, but the test has been there."""
    match claim:
        case Refuted(run=CTest() as test) if test.failing_line().file == program.file:
            return frozenset((test.failing_line().line,))
    return frozenset()


def _proved(program: ControlFlowProgram, claim: Claim, passed: frozenset[Edge]) -> frozenset[int]:
    """A proof by execution speaks of the lines on paths, others of the procedures that are error-free."""
    if not isinstance(claim, Proved):
        return frozenset()
    if isinstance(claim.proof, Paths | MergedProof):
        return lines_of(program, passed)
    names = {triple.procedure for triple in _triples(claim) if not triple.errors}
    if isinstance(claim.proof, CutPointProof):
        names = reachable((program.entry,), program.callees)
    return frozenset().union(*(lines_of(program, program.procedures[name].edges) for name in names))


def flow_listing(program: ControlFlowProgram, procedures: Sequence[str]) -> str:
    """The chosen procedures, one line for each edge; with all of them also the objects and assumptions."""
    if len(procedures) == len(program.procedures):
        return control_flow_text(program)
    chosen = {name: program.procedures[name] for name in procedures}
    return control_flow_text(replace(program, procedures=chosen, objects=(), initial={}, assumptions=()))


def flow_graph(program: ControlFlowProgram, procedures: Sequence[str] | None = None) -> Graph:
    """The control flow of the chosen procedures, or of all, side by side; calls are edges like any other."""
    labels = LabelTexts(program)
    nodes: list[GraphNode] = []
    edges: list[GraphEdge] = []
    for name in program.procedures if procedures is None else procedures:
        procedure = program.procedures[name]
        nodes += _locations(procedure)
        edges += [
            GraphEdge(str(edge.source), str(edge.target), shortened(labels.text(edge.label, name), _LONGEST_LABEL))
            for edge in procedure.edges
        ]
    return Graph("Control flow", GraphKind.CONTROL_FLOW, tuple(nodes), tuple(edges), legend=_LEGEND)


def _locations(procedure: Procedure) -> Iterator[GraphNode]:
    """The locations in the order of the edges; the entry bears the procedure's name."""
    failing = {edge.target for edge in procedure.edges if isinstance(edge.label, Fail)}
    ends = [location for edge in procedure.edges for location in (edge.source, edge.target)]
    for location in dict.fromkeys((procedure.entry, *ends, procedure.exit)):
        leaving = procedure.outgoing.get(location, ())
        lines = dict.fromkeys(edge.position.line for edge in leaving if not isinstance(edge.label, Skip))
        lines = lines or dict.fromkeys(edge.position.line for edge in leaving if edge.position.line > 0)
        head = location in procedure.loop_heads
        yield GraphNode(
            str(location),
            (
                *([procedure.name] if location == procedure.entry else []),
                str(location),
                *(f"line {line}" for line in lines),
                *(["goes wrong"] if location in failing else []),
                *([f"return from {procedure.name}"] if location == procedure.exit else []),
            ),
            kinds(initial=location == procedure.entry, error=location in failing, marked=head),
            next((edge.position.line for edge in reversed(leaving) if edge.position.line > 0), None),
            procedure.name,
            detail=(("loop head", "yes"),) if head else (),
        )


def proof_invariants(program: ControlFlowProgram, claim: Claim) -> Iterator[Invariant]:
    """What the triples of a proof say on entry, at the heads of loops, and on return, or the facts at cut points."""
    for triple in _triples(claim):
        if triple.errors and triple.exit is not TRUE and triple.entry is not triple.exit:
            procedure = program.procedures[triple.procedure]
            names = SourceNames(program, procedure.name)
            yield Invariant(f"calls of {procedure.name}", _told(names, triple), _own_line(program, procedure.position))
    for name, invariants in _by_place(program, claim).items():
        procedure, names = program.procedures[name], SourceNames(program, name)
        for place in (procedure.entry, *sorted(procedure.loop_heads)):
            term = invariants.get(place, TRUE)
            if term is TRUE:
                continue
            if place in procedure.loop_heads:
                position = loop_position(program, procedure, place)
                what = f"loop at line {position.line}"
            else:
                position = next((edge.position for edge in procedure.outgoing.get(place, ())), procedure.position)
                what = "on entry"
            yield Invariant(f"{procedure.name}, {what}", _text(names, term), _own_line(program, position))


def _by_place(program: ControlFlowProgram, claim: Claim) -> Mapping[str, Mapping[int, Term]]:
    """By procedure and location, what a proof says there."""
    if isinstance(claim, Proved) and isinstance(claim.proof, CutPointProof):
        return cut_point_invariants(program, claim.proof)
    return joint_invariants(_triples(claim))


def _told(names: SourceNames, triple: ProcedureProof) -> str:
    """What a call is shown to do: where it is made, and how it returns."""
    made = "" if triple.entry is TRUE else f"if {_text(names, triple.entry)} before, "
    return f"{made}it never returns" if triple.exit is FALSE else f"{made}{_text(names, triple.exit)} after"


def _own_line(program: ControlFlowProgram, position: Position) -> int | None:
    return position.line if position.file == program.file and position.line > 0 else None


def _text(names: SourceNames, term: Term) -> str:
    return shortened(all_of(names.parts(term)), _LONGEST_INVARIANT)
