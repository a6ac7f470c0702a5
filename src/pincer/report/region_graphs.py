"""The regions of DASH as graphs: predicates and tests in the nodes, what is not excluded between them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from msgspec.structs import replace

from pincer.engines.dash.algorithm import Dash
from pincer.engines.dash.errors import ErrorGroup
from pincer.engines.dash.goals import TARGET, EnterCall, Hop
from pincer.engines.dash.regions import Abstraction, Region
from pincer.execution.testing import Node
from pincer.logic.terms import FALSE, TRUE
from pincer.program.control_flow import Call, ControlFlowProgram
from pincer.program.source_names import LabelTexts, SourceNames
from pincer.report.graph import (
    MOST_EDGES,
    EdgeKind,
    Graph,
    GraphEdge,
    GraphKind,
    GraphNode,
    NodeKind,
    kinds,
    limited,
    merged_edges,
    shortened,
)

MOST_GRAPHS = 6
_LONGEST_LABEL = 60
_LONGEST_PREDICATE = 300

Crossing = tuple[Region, Hop, Region]


def region_graphs(program: ControlFlowProgram, dash: Dash) -> tuple[Graph, ...]:
    """One graph for each error that was looked for by itself, one for each question about a call's return."""
    found = _titled(dash)
    graphs = [
        _RegionGraph(program, dash, abstraction).graph(title) for title, abstraction in islice(found, MOST_GRAPHS)
    ]
    more = sum(1 for _ in found)
    if more and graphs:
        notes = [graphs[-1].note, f"{more} more searches have no picture here"]
        graphs[-1] = replace(graphs[-1], note="; ".join(note for note in notes if note))
    return tuple(graphs)


def _titled(dash: Dash) -> Iterator[tuple[str, Abstraction]]:
    several = len(dash.main) > 1
    for group, search in dash.main.items():
        yield f"Regions for {_error_text(group)}" if several else "Regions", search.abstraction
    for (procedure, _), abstraction in dash.summaries.items():
        yield f"Regions of {procedure}, for a question about its return", abstraction


def _error_text(group: ErrorGroup) -> str:
    lines = sorted({hop.edges[-1].position.line for hop in group.errors})
    places = f"line{'s' if len(lines) > 1 else ''} {', '.join(map(str, lines[:5]))}{' ...' if len(lines) > 5 else ''}"
    called = "" if group.call is None else f", called from line {group.call.position.line}"
    return f"{places} of {group.procedure}{called}"


class _RegionGraph:
    """One abstraction with all tests of the analysis put into its regions again."""

    def __init__(self, program: ControlFlowProgram, dash: Dash, abstraction: Abstraction) -> None:
        self._abstraction = abstraction
        self._program = program
        self._home = {
            place: procedure
            for procedure in program.procedures.values()
            for place in (
                procedure.entry,
                procedure.exit,
                *(end for edge in procedure.edges for end in (edge.source, edge.target)),
            )
        }
        self._labels = LabelTexts(program)
        self._names = {name: SourceNames(program, name) for name in program.procedures}
        for location in sorted(abstraction.graph.locations()):
            abstraction.root(location)
        abstraction.forget_nodes()
        for nodes in dash.forest.nodes_of.values():
            for node in nodes:
                abstraction.add(node)
        self._unsafe = {before for before, _, _ in abstraction.backward(through_tests=True)}

    def graph(self, title: str) -> Graph:
        regions = [region for place in self._abstraction.locations() for region in self._leaves(place)]
        regions.sort(key=lambda region: (region.location == TARGET, region.location, region.number))
        crossed = {crossing for region in regions for node in region.nodes for crossing in self._crossing(node, region)}
        nodes = tuple(self._node(region) for region in regions)
        edges = merged_edges(islice(self._edges(crossed), MOST_EDGES))
        return limited(Graph(title, GraphKind.REGIONS, nodes, edges))

    def _leaves(self, location: int) -> list[Region]:
        """The regions of a location that some state can be in."""
        return [region for region in self._abstraction.leaves(location) if FALSE not in region.literals]

    def _node(self, region: Region) -> GraphNode:
        procedure = self._home.get(region.location)
        if procedure is None:
            return GraphNode(str(region.number), ("the error",), kinds(error=True))
        names = self._names[procedure.name]
        position = next((edge.position for edge in procedure.outgoing.get(region.location, ())), procedure.position)
        line = position.line if position.file == self._program.file and position.line > 0 else None
        place = "return" if region.location == procedure.exit else f"line {position.line}"
        literals = (literal for literal in region.literals if literal is not TRUE)
        predicates = tuple(shortened(names.formula(literal), _LONGEST_PREDICATE) for literal in literals)
        detail = (("excluded by", "an invariant of its loop"),) if region.dead else ()
        return GraphNode(
            str(region.number),
            (f"{procedure.name}, {place}",),
            self._kinds(region),
            line,
            procedure.name,
            predicates,
            len(region.nodes),
            detail,
        )

    def _kinds(self, region: Region) -> frozenset[NodeKind]:
        procedure = self._home[region.location]
        return kinds(
            initial=region.location == procedure.entry and procedure.name == self._program.entry,
            closed=region not in self._unsafe,
            final=region.location == procedure.exit,
        )

    def _edges(self, crossed: set[Crossing]) -> Iterator[GraphEdge]:
        """Abstract transitions that are not excluded; those that a test took are certain."""
        for hop in self._abstraction.graph.hops:
            label = shortened(self._hop_text(hop), _LONGEST_LABEL)
            for before in self._leaves(hop.source):
                for after in self._leaves(hop.target):
                    taken = (before, hop, after) in crossed
                    if taken or ((hop, after) not in before.blocked and not before.dead):
                        yield GraphEdge(
                            str(before.number), str(after.number), label, EdgeKind.MUST if taken else EdgeKind.MAY
                        )

    def _crossing(self, node: Node, region: Region) -> Iterator[Crossing]:
        """The abstract transition by which a test came to a state, if it is one of this graph."""
        before = node.parent
        if node.edge is None or before is None:
            return
        hop = self._abstraction.arriving.get(node.edge)
        if before.frame is node.frame and hop is not None:
            start = self._back(node, len(hop.edges))
        elif before.frame.caller is node.frame and before.frame.call_node is not None:
            start = before.frame.call_node
        else:
            hop, start = self._abstraction.entering.get(node.edge), before
        if hop is not None and start is not None and hop.target == node.location and start.location == hop.source:
            yield self._abstraction.region_of(start), hop, region

    @staticmethod
    def _back(node: Node, steps: int) -> Node | None:
        at: Node | None = node
        for _ in range(steps):
            at = None if at is None else at.parent
        return at

    def _hop_text(self, hop: Hop) -> str:
        if isinstance(hop.label, EnterCall):
            return f"enter {hop.label.callee.name}"
        if isinstance(hop.label, Call):
            return f"call of {hop.label.procedure} and its return"
        home = self._home.get(hop.source)
        texts = (self._labels.text(edge.label, home.name if home else "") for edge in hop.edges)
        return "; ".join(filter(None, texts))
