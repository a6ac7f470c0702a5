"""What an analysis explored, as labelled graphs: the abstract transition system and the symbolic execution tree."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import islice

from pincer.abstraction.predicates import Abstraction, AbstractState
from pincer.abstraction.refinement import is_exact
from pincer.engines.guarded import ase
from pincer.engines.guarded.analysis import initial_analysis
from pincer.engines.guarded.exploration import Exploration, Node
from pincer.engines.guarded.verify import transition_system
from pincer.engines.task import Options
from pincer.execution.symbolic import SymbolicState, symbolic
from pincer.logic import terms
from pincer.logic.queries import Queries
from pincer.logic.solver import SolverUnknown
from pincer.logic.z3_solver import Z3Solver
from pincer.program.guarded import GuardedProgram, value_text
from pincer.program.transition_system import SafetyProperty, TransitionSystem
from pincer.runtime.run import Run, Stopped


@dataclass(frozen=True, slots=True)
class PictureState:
    """`lines` are the values; `condition` holds the predicates or the path condition.

    `members` counts the explored states that an abstract state stands for.
    """

    lines: tuple[str, ...]
    condition: tuple[str, ...]
    initial: bool
    bad: bool
    fragment: bool
    members: int = 1


@dataclass(frozen=True, slots=True)
class PictureEdge:
    """`exact` is None where nobody asked whether every state of the source takes this step."""

    source: int
    target: int
    transition: str
    exact: bool | None


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
    painter = Painter(system, analysis.exploration)
    return Picture(analysis.iterations, painter.abstract(), painter.tree())


class Painter:
    """Draws one exploration: at most `limit` states, the first ones found, and at most `questions` about exactness."""

    def __init__(
        self, system: TransitionSystem, exploration: Exploration, limit: int | None = None, questions: int | None = None
    ) -> None:
        self.system = system
        self.exploration = exploration
        self.abstraction: Abstraction = exploration.abstraction
        self.fragment = exploration.fragment()
        self._limit = limit
        self._questions = questions
        self._exact: dict[tuple[AbstractState, int, AbstractState], bool] = {}

    def abstract(self) -> PictureGraph:
        index = {abstract: i for i, abstract in enumerate(islice(self.exploration.edges, self._limit))}
        initial = set(self.exploration.initial)
        members = Counter(node.alpha for node in self.exploration.nodes)
        states = tuple(
            self._state(
                a, self._control_lines(self.abstraction.decode(a)[0]), self._predicates(a), a in initial, members[a]
            )
            for a in index
        )
        edges = tuple(
            self._edge(at, index[target], source, transition, target)
            for source, at in index.items()
            for transition, targets in self.exploration.edges[source].items()
            for target in sorted(targets)
            if target in index
        )
        return PictureGraph(states, edges)

    def tree(self) -> PictureGraph:
        nodes = self.exploration.nodes[: self._limit]
        index = {id(node): i for i, node in enumerate(nodes)}
        states = tuple(
            self._state(node.alpha, self._values(node), self._condition(node), node.parent is None) for node in nodes
        )
        edges = tuple(
            self._edge(index[id(node.parent)], i, node.parent.alpha, node.transition, node.alpha)
            for i, node in enumerate(nodes)
            if node.parent is not None and id(node.parent) in index
        )
        return PictureGraph(states, edges)

    def _state(
        self,
        abstract: AbstractState,
        lines: tuple[str, ...],
        condition: tuple[str, ...],
        initial: bool,
        members: int = 1,
    ) -> PictureState:
        bad = bool(self.abstraction.violated(abstract))
        return PictureState(lines, condition, initial, bad, abstract in self.fragment, members)

    def _edge(
        self, source: int, target: int, before: AbstractState, transition: int, after: AbstractState
    ) -> PictureEdge:
        exact = self._is_exact((before, transition, after))
        return PictureEdge(source, target, self.system.transitions[transition].name, exact)

    def _is_exact(self, key: tuple[AbstractState, int, AbstractState]) -> bool | None:
        if key not in self._exact:
            if self._questions is not None and len(self._exact) >= self._questions:
                return None
            try:
                self._exact[key] = is_exact(self.abstraction, *key)
            except (Stopped, SolverUnknown):
                if self._questions is None:
                    raise
                self._questions = 0
                return None
        return self._exact[key]

    def _control_lines(self, control: tuple[int, ...]) -> tuple[str, ...]:
        return (control_text(self.system, control),)

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


def control_text(system: TransitionSystem, control: tuple[int, ...]) -> str:
    """The finite variables with their values as the program writes them."""
    types = {v.name: v.type for v in system.program.variables}
    pairs = zip(map(str, system.control_variables), control, strict=True)
    return ", ".join(f"{name} = {value_text(types[name], value)}" for name, value in pairs)
