"""Details about guarded commands: the abstract states, the executions below them, and the invariant of a proof."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from msgspec.structs import replace

from pincer.abstraction.predicates import AbstractState, PredicateAbstraction
from pincer.abstraction.refinement import is_exact
from pincer.engines.guarded import ase
from pincer.engines.guarded.analysis import GuardedSettings, RefinementLoop, initial_refinement
from pincer.engines.guarded.certificates import Proof
from pincer.engines.guarded.exploration import AbstractExploration, Node
from pincer.engines.guarded.verify import GuardedExploration, transition_system
from pincer.engines.task import Claim, Proved
from pincer.evidence.gcl.certificate import Certificate, Region
from pincer.execution.symbolic import SymbolicState, symbolic
from pincer.logic import terms
from pincer.logic.queries import Queries
from pincer.logic.solver import SolverUnknown
from pincer.logic.z3_solver import Z3Solver
from pincer.program.guarded import GuardedProgram, value_text
from pincer.program.transition_system import SafetyProperty, TransitionSystem
from pincer.report.details import Coverage, Details, Invariant
from pincer.report.graph import (
    MOST_NODES,
    EdgeKind,
    Graph,
    GraphEdge,
    GraphKind,
    GraphNode,
    kinds,
    merged_edges,
    shortened,
)
from pincer.runtime.run import Run, Stopped

TREE_NODES = 1_000
EXACTNESS_QUESTIONS = 2_000
"""How many edges are asked whether they are exact; each may need a solver."""

_MOST_INVARIANTS = 200
_LONGEST_INVARIANT = 2_000
_SHOWN_PLACES = 3
_EDGES: Mapping[bool | None, EdgeKind] = {True: EdgeKind.MUST, False: EdgeKind.MAY, None: EdgeKind.STEP}


def guarded_details(claim: Claim, hurry: bool) -> Details:
    """What the last iteration explored, and what its proof says; in a `hurry`, less of it and nothing is asked."""
    explored: GuardedExploration = claim.explored
    analysis = explored.refinement
    system = analysis.system
    exploration = analysis.exploration
    if exploration is None:
        return Details()
    limit = MOST_NODES // 5 if hurry else MOST_NODES
    abstract = Painter(system, analysis, limit, questions=0 if hurry else EXACTNESS_QUESTIONS).abstract()
    tree = Painter(system, analysis, min(TREE_NODES, limit), questions=0).tree()
    proof = claim.proof if isinstance(claim, Proved) else None
    return Details(
        (abstract, tree),
        _coverage(system, analysis, exploration),
        tuple(_invariants(system, exploration, proof)) if isinstance(proof, Certificate) else (),
    )


def final_painter(program: GuardedProgram, options: GuardedSettings, run: Run) -> Painter:
    """Run ASE on all properties, to draw its last exploration."""
    queries = Queries(Z3Solver(), run)
    system = transition_system(program, queries)
    refinement = initial_refinement(system, system.properties or (SafetyProperty("true", terms.TRUE),), queries)
    for _ in ase.refine(refinement, paper=options.paper, max_iterations=options.max_iterations):
        run.poll()
    return Painter(system, refinement)


class Painter:
    """Draws the last exploration: at most `limit` states, the first ones found, and at most `questions` about
    exactness."""

    def __init__(
        self, system: TransitionSystem, analysis: RefinementLoop, limit: int | None = None, questions: int | None = None
    ) -> None:
        assert analysis.exploration is not None
        self._system = system
        self._exploration: AbstractExploration = analysis.exploration
        self._abstraction: PredicateAbstraction = self._exploration.abstraction
        self._fragment = self._exploration.fragment()
        self._closed = analysis.proof.closed if isinstance(analysis.proof, Proof) else {}
        self._iteration = analysis.iterations
        self._lines = command_lines(system)
        self._limit = limit
        self._questions = questions
        self._exact: dict[tuple[AbstractState, int, AbstractState], bool] = {}

    def abstract(self) -> Graph:
        """The abstract states and the steps between them."""
        index = {abstract: i for i, abstract in enumerate(islice(self._exploration.edges, self._limit))}
        initial = set(self._exploration.initial)
        members = Counter(node.alpha for node in self._exploration.nodes)
        nodes = []
        for state, number in index.items():
            text = control_text(self._system, self._abstraction.decode(state)[0])
            node = self._node(number, (text,), self._exploration.edges[state])
            marks = kinds(
                initial=state in initial,
                error=bool(self._abstraction.violated(state)),
                closed=state in self._closed,
                marked=state in self._fragment,
            )
            nodes.append(replace(node, kinds=marks, predicates=self._predicates(state), tests=members[state]))
        edges = (
            self._edge(at, index[target], (source, transition, target))
            for source, at in index.items()
            for transition, targets in self._exploration.edges[source].items()
            for target in sorted(targets)
            if target in index
        )
        title = f"Abstract states of iteration {self._iteration}"
        return self._graph(
            Graph(title, GraphKind.ABSTRACT, tuple(nodes), merged_edges(edges)), len(self._exploration.edges)
        )

    def tree(self) -> Graph:
        """The symbolic states in the order of execution."""
        shown = self._exploration.nodes[: self._limit]
        index = {id(node): i for i, node in enumerate(shown)}
        taken: dict[int, list[int]] = {}
        for node in shown:
            if node.parent is not None:
                taken.setdefault(id(node.parent), []).append(node.transition)
        nodes = []
        for number, node in enumerate(shown):
            marks = kinds(
                initial=node.parent is None,
                error=bool(self._abstraction.violated(node.alpha)),
                marked=node.alpha in self._fragment,
            )
            drawn = self._node(number, self._values(node), taken.get(id(node), ()))
            nodes.append(replace(drawn, kinds=marks, predicates=self._condition(node)))
        edges = (
            self._edge(index[id(node.parent)], i, (node.parent.alpha, node.transition, node.alpha))
            for i, node in enumerate(shown)
            if node.parent is not None and id(node.parent) in index
        )
        title = f"Symbolic execution of iteration {self._iteration}"
        return self._graph(
            Graph(title, GraphKind.TREE, tuple(nodes), merged_edges(edges)), len(self._exploration.nodes)
        )

    def _graph(self, graph: Graph, total: int) -> Graph:
        """The graph with a note of what is missing in it."""
        count = len(graph.nodes)
        notes = [f"only the first {count} of {total} states are shown"] if count < total else []
        if graph.kind is GraphKind.ABSTRACT and any(edge.kind is EdgeKind.STEP for edge in graph.edges):
            notes.append("not every step was tested for exactness")
        return replace(graph, note="; ".join(notes))

    def _node(self, number: int, lines: tuple[str, ...], transitions: Iterable[int]) -> GraphNode:
        names = list(dict.fromkeys(self._system.transitions[transition].name for transition in transitions))
        detail = (("commands", shortened(", ".join(names))),) if names else ()
        shown = lines if any(lines) else (f"state {number}",)
        return GraphNode(str(number), shown, line=self._lines.get(names[0]) if names else None, detail=detail)

    def _edge(self, source: int, target: int, step: tuple[AbstractState, int, AbstractState]) -> GraphEdge:
        name = self._system.transitions[step[1]].name
        return GraphEdge(str(source), str(target), name, _EDGES[self._is_exact(step)])

    def _is_exact(self, key: tuple[AbstractState, int, AbstractState]) -> bool | None:
        if key not in self._exact:
            if self._questions is not None and len(self._exact) >= self._questions:
                return None
            try:
                self._exact[key] = is_exact(self._abstraction, *key)
            except (Stopped, SolverUnknown):
                if self._questions is None:
                    raise
                self._questions = 0
                return None
        return self._exact[key]

    def _predicates(self, abstract: AbstractState) -> tuple[str, ...]:
        mask = self._abstraction.decode(abstract)[1]
        return tuple(
            terms.text(terms.literal(p, bool(mask >> i & 1))) for i, p in enumerate(self._abstraction.predicates)
        )

    def _symbolic(self, node: Node) -> SymbolicState:
        return symbolic(self._system, node.state) if isinstance(node.state, tuple) else node.state

    def _values(self, node: Node) -> tuple[str, ...]:
        state = self._symbolic(node)
        data = zip(self._system.data_variables, state.values, strict=True)
        return (control_text(self._system, state.control), ", ".join(f"{v} = {terms.text(value)}" for v, value in data))

    def _condition(self, node: Node) -> tuple[str, ...]:
        return tuple(sorted(terms.text(c) for c in self._symbolic(node).condition))


def control_text(system: TransitionSystem, control: tuple[int, ...]) -> str:
    """The finite variables with their values as the program writes them."""
    types = {v.name: v.type for v in system.program.variables}
    pairs = zip(map(str, system.control_variables), control, strict=True)
    return ", ".join(f"{name} = {value_text(types[name], value)}" for name, value in pairs)


def command_lines(system: TransitionSystem) -> dict[str, int]:
    """The line of each command, by its name."""
    return {transition.name: transition.position.line for transition in system.program.transitions}


def _coverage(system: TransitionSystem, analysis: RefinementLoop, exploration: AbstractExploration) -> Coverage:
    """Commands that explored states took; with a proof also those that its closed states may take."""
    lines = command_lines(system)
    taken = {transition for outgoing in exploration.edges.values() for transition in outgoing}
    proved: set[int] = set()
    if isinstance(analysis.proof, Proof):
        enabled = exploration.abstraction.enabled
        proved = taken | {transition for closed in analysis.proof.closed for transition in enabled(closed)}
    elif analysis.proof is not None:
        proved = {transition.index for transition in system.transitions}
    names = {transition.index: transition.name for transition in system.transitions}
    return Coverage(
        frozenset(lines.values()),
        frozenset(lines[names[index]] for index in taken),
        frozenset(lines[names[index]] for index in proved),
    )


def _invariants(
    system: TransitionSystem, exploration: AbstractExploration, certificate: Certificate
) -> Iterator[Invariant]:
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


def _lines_by_control(system: TransitionSystem, exploration: AbstractExploration) -> dict[tuple[int, ...], int]:
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
