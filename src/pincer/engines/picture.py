"""What an analysis explored, as labelled graphs: the abstract transition system and the symbolic execution tree."""

from __future__ import annotations

from dataclasses import dataclass

from pincer.abstraction.predicates import Abstraction, AbstractState
from pincer.abstraction.refinement import is_exact
from pincer.engines import ase
from pincer.engines.analysis import initial_analysis
from pincer.engines.exploration import Exploration, Node
from pincer.engines.task import Options
from pincer.engines.verify import transition_system
from pincer.execution.symbolic import SymbolicState, symbolic
from pincer.logic import terms
from pincer.logic.queries import Queries
from pincer.logic.z3_solver import Z3Solver
from pincer.program.guarded import GuardedProgram, value_text
from pincer.program.transition_system import SafetyProperty, TransitionSystem
from pincer.runtime.run import Run


@dataclass(frozen=True, slots=True)
class PictureState:
    """`lines` are the values; `condition` holds the predicates or the path condition."""

    lines: tuple[str, ...]
    condition: tuple[str, ...]
    initial: bool
    bad: bool
    fragment: bool


@dataclass(frozen=True, slots=True)
class PictureEdge:
    source: int
    target: int
    transition: str
    exact: bool


@dataclass(frozen=True, slots=True)
class PictureGraph:
    states: tuple[PictureState, ...]
    edges: tuple[PictureEdge, ...]


@dataclass(frozen=True, slots=True)
class Picture:
    iteration: int
    abstract: PictureGraph
    tree: PictureGraph


def final_picture(program: GuardedProgram, options: Options, run: Run) -> Picture:
    """Run ASE on all properties and draw its last exploration."""
    queries = Queries(Z3Solver(), run)
    system = transition_system(program, queries)
    analysis = initial_analysis(system, system.properties or (SafetyProperty("true", terms.TRUE),))
    for _ in ase.refine(system, analysis, queries, run, paper=options.paper, max_iterations=options.max_iterations):
        run.poll()
    assert analysis.exploration is not None
    painter = _Painter(system, analysis.exploration)
    return Picture(analysis.iterations, painter.abstract(), painter.tree())


class _Painter:
    def __init__(self, system: TransitionSystem, exploration: Exploration) -> None:
        self.system = system
        self.exploration = exploration
        self.abstraction: Abstraction = exploration.abstraction
        self.fragment = exploration.fragment()
        self.types = {v.name: v.type for v in system.program.variables}
        self._exact: dict[tuple[AbstractState, int, AbstractState], bool] = {}

    def abstract(self) -> PictureGraph:
        index = {abstract: i for i, abstract in enumerate(self.exploration.edges)}
        initial = set(self.exploration.initial)
        states = tuple(
            self._state(a, self._control_lines(self.abstraction.decode(a)[0]), self._predicates(a), a in initial)
            for a in index
        )
        edges = tuple(
            self._edge(index[source], index[target], source, transition, target)
            for source, outgoing in self.exploration.edges.items()
            for transition, targets in outgoing.items()
            for target in sorted(targets)
        )
        return PictureGraph(states, edges)

    def tree(self) -> PictureGraph:
        nodes = self.exploration.nodes
        index = {id(node): i for i, node in enumerate(nodes)}
        states = tuple(
            self._state(node.alpha, self._values(node), self._condition(node), node.parent is None) for node in nodes
        )
        edges = tuple(
            self._edge(index[id(node.parent)], i, node.parent.alpha, node.transition, node.alpha)
            for i, node in enumerate(nodes)
            if node.parent is not None
        )
        return PictureGraph(states, edges)

    def _state(
        self, abstract: AbstractState, lines: tuple[str, ...], condition: tuple[str, ...], initial: bool
    ) -> PictureState:
        bad = bool(self.abstraction.violated(abstract))
        return PictureState(lines, condition, initial, bad, abstract in self.fragment)

    def _edge(
        self, source: int, target: int, before: AbstractState, transition: int, after: AbstractState
    ) -> PictureEdge:
        key = (before, transition, after)
        if key not in self._exact:
            self._exact[key] = is_exact(self.abstraction, *key)
        return PictureEdge(source, target, self.system.transitions[transition].name, self._exact[key])

    def _control_lines(self, control: tuple[int, ...]) -> tuple[str, ...]:
        names = [str(v) for v in self.system.control_variables]
        pairs = zip(names, control, strict=True)
        return (", ".join(f"{name} = {value_text(self.types[name], value)}" for name, value in pairs),)

    def _predicates(self, abstract: AbstractState) -> tuple[str, ...]:
        mask = self.abstraction.decode(abstract)[1]
        return tuple(
            terms.text(terms.literal(p, bool(mask >> i & 1))) for i, p in enumerate(self.abstraction.predicates)
        )

    def _symbolic(self, node: Node) -> SymbolicState:
        return symbolic(self.system, node.state) if isinstance(node.state, tuple) else node.state

    def _values(self, node: Node) -> tuple[str, ...]:
        state = self._symbolic(node)
        data = zip(self.system.data_variables, state.values, strict=True)
        return (*self._control_lines(state.control), ", ".join(f"{v} = {terms.text(value)}" for v, value in data))

    def _condition(self, node: Node) -> tuple[str, ...]:
        return tuple(sorted(terms.text(c) for c in self._symbolic(node).condition))
