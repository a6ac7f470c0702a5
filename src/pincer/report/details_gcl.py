"""Details about guarded commands: the abstract states, the executions below them, and the invariant of a proof."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pincer.engines.guarded.analysis import Analysis
from pincer.engines.guarded.exploration import Exploration
from pincer.engines.picture import Painter, PictureGraph, PictureState, control_text
from pincer.engines.task import PropertyResult
from pincer.evidence.gcl.certificate import Certificate, Region
from pincer.program.transition_system import TransitionSystem
from pincer.report.details import (
    MOST_NODES,
    Coverage,
    Details,
    EdgeKind,
    Graph,
    GraphEdge,
    GraphNode,
    Invariant,
    NodeKind,
    merged_edges,
    shortened,
)

TREE_NODES = 1_000
EXACTNESS_QUESTIONS = 2_000
"""How many edges are asked whether they are exact; each may need a solver."""

_MOST_INVARIANTS = 200
_LONGEST_INVARIANT = 2_000
_SHOWN_PLACES = 3
_EDGES: Mapping[bool | None, EdgeKind] = {True: "must", False: "may", None: "step"}


def guarded_details(system: TransitionSystem, analysis: Analysis, result: PropertyResult, hurry: bool) -> Details:
    """What the last iteration explored, and what its proof says; in a `hurry`, less of it and nothing is asked."""
    exploration = analysis.exploration
    if exploration is None:
        return Details()
    painter = _Pictures(system, analysis, exploration, hurry)
    certificate = result.certificate
    return Details(
        (painter.abstract(), painter.tree()),
        _coverage(system, analysis, exploration),
        tuple(_invariants(system, exploration, certificate)) if certificate else (),
    )


class _Pictures:
    def __init__(self, system: TransitionSystem, analysis: Analysis, exploration: Exploration, hurry: bool) -> None:
        self._exploration = exploration
        self._system = system
        self._limit = MOST_NODES // 5 if hurry else MOST_NODES
        self._questions = 0 if hurry else EXACTNESS_QUESTIONS
        self._iteration = analysis.iterations
        self._closed = analysis.proof.closed if analysis.proof is not None else {}
        self._lines = command_lines(system)

    def abstract(self) -> Graph:
        painter = Painter(self._system, self._exploration, self._limit, self._questions)
        title = f"Abstract states of iteration {self._iteration}"
        return self._graph(title, painter.abstract(), len(self._exploration.edges), is_tree=False)

    def tree(self) -> Graph:
        painter = Painter(self._system, self._exploration, min(TREE_NODES, self._limit), questions=0)
        title = f"Symbolic execution of iteration {self._iteration}"
        return self._graph(title, painter.tree(), len(self._exploration.nodes), is_tree=True)

    def _graph(self, title: str, drawn: PictureGraph, total: int, is_tree: bool) -> Graph:
        commands: dict[int, list[str]] = {}
        for edge in drawn.edges:
            commands.setdefault(edge.source, []).append(edge.transition)
        closed = set() if is_tree else {i for i, a in enumerate(self._exploration.edges) if a in self._closed}
        nodes = tuple(
            self._node(number, state, list(dict.fromkeys(commands.get(number, ()))), number in closed, is_tree)
            for number, state in enumerate(drawn.states)
        )
        edges = merged_edges(
            GraphEdge(str(edge.source), str(edge.target), edge.transition, _EDGES[edge.exact]) for edge in drawn.edges
        )
        note = f"the first {len(nodes)} of {total} states are shown" if len(nodes) < total else ""
        if not is_tree and any(edge.kind == "step" for edge in edges):
            note += f"{'; ' if note else ''}not every step was tested for exactness"
        return Graph(title, "tree" if is_tree else "abstract", nodes, edges, note)

    def _node(self, number: int, state: PictureState, commands: list[str], closed: bool, is_tree: bool) -> GraphNode:
        detail = (("commands", shortened(", ".join(commands))),) if commands else ()
        return GraphNode(
            str(number),
            shortened("; ".join(line for line in state.lines if line)) or f"state {number}",
            _kind(state, closed),
            self._lines.get(commands[0]) if commands else None,
            predicates=state.condition,
            tests=0 if is_tree else state.members,
            detail=detail,
        )


def _kind(state: PictureState, closed: bool) -> NodeKind:
    if state.bad:
        return "error"
    if state.initial:
        return "initial"
    return "closed" if closed else "normal"


def command_lines(system: TransitionSystem) -> dict[str, int]:
    """The line of each command, by its name."""
    return {transition.name: transition.position.line for transition in system.program.transitions}


def _coverage(system: TransitionSystem, analysis: Analysis, exploration: Exploration) -> Coverage:
    """Commands that explored states took; with a proof also those that its closed states may take."""
    lines = command_lines(system)
    taken = {transition for outgoing in exploration.edges.values() for transition in outgoing}
    proved: set[int] = set()
    if analysis.proof is not None:
        enabled = exploration.abstraction.enabled
        proved = taken | {transition for closed in analysis.proof.closed for transition in enabled(closed)}
    names = {transition.index: transition.name for transition in system.transitions}
    return Coverage(
        frozenset(lines.values()),
        frozenset(lines[names[index]] for index in taken),
        frozenset(lines[names[index]] for index in proved),
    )


def _invariants(system: TransitionSystem, exploration: Exploration, certificate: Certificate) -> Iterator[Invariant]:
    """One entry for each set of control values about which the proof says the same."""
    lines = _lines_by_control(system, exploration)
    for region in certificate.regions[:_MOST_INVARIANTS]:
        places = [control_text(system, control) for control in region.control[:_SHOWN_PLACES]]
        more = len(region.control) - len(places)
        place = " or ".join(place for place in places if place) or "every state"
        line = next((lines[control] for control in region.control if control in lines), None)
        yield Invariant(
            f"{place} or {more} more" if more else place,
            shortened(_region_text(region, certificate.predicates), _LONGEST_INVARIANT),
            line,
        )
    left_out = len(certificate.regions) - _MOST_INVARIANTS
    if left_out > 0:
        yield Invariant("elsewhere", f"{left_out} more entries are in the certificate")


def _lines_by_control(system: TransitionSystem, exploration: Exploration) -> dict[tuple[int, ...], int]:
    """The first command that can be taken at control values, as the line where they belong."""
    lines = command_lines(system)
    found: dict[tuple[int, ...], int] = {}
    for abstract, outgoing in exploration.edges.items():
        control, _ = exploration.abstraction.decode(abstract)
        for transition in outgoing:
            line = lines[system.transitions[transition].name]
            found[control] = min(line, found.get(control, line))
    return found


def _region_text(region: Region, predicates: tuple[str, ...]) -> str:
    cases = [_cube_text(cube, predicates) for cube in region.cubes] + list(region.formulas)
    return " || ".join(f"({case})" if len(cases) > 1 and " && " in case else case for case in cases)


def _cube_text(cube: str, predicates: tuple[str, ...]) -> str:
    literals = [text if bit == "1" else f"!({text})" for bit, text in zip(cube, predicates, strict=True) if bit != "-"]
    return " && ".join(literals) or "true"
