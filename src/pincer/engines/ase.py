"""ASE: abstract analysis of symbolic executions (Albarghouthi, Gurfinkel, Wei, Chechik).

Symbolic execution explores, under a predicate set, until every path repeats an abstract state (`symbolic_exec`,
Fig. 5). All it reaches is real. Then two checks ask whether it has seen everything: `safe_fragment` (Fig. 6) and
`inductive_invariant`; if neither succeeds, `refine` (Fig. 4) adds pre-image predicates and starts again.

Why a proof is one, whatever the order of exploration. Exploration *cuts* at a state it does not expand although it
is new. Let N be abstract states that contain the abstraction of every cut state, and be closed: every transition of
every state in N leads into N. Then (expanded states) + gamma(N) is an inductive invariant: initial states are
explored; a successor of an expanded state is expanded, or equal to an expanded one, or cut; gamma(N) is closed. If
none of these states violates the property, none reachable does. The checks differ in the N they try: the fragment of
the explored graph reachable from cuts, or all explored abstract states.

Departures from the paper: closedness instead of exactness (exactness is unsound with `nondet`); breadth-first search
with a memo on concrete states and a bounded number of representatives per abstract state, so that the number of
interleavings does not explode; `--paper` mode restores the authors' depth-first search and their fragment.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from pincer.abstraction.predicates import Abstraction, AbstractState, guard_predicates
from pincer.abstraction.refinement import is_exact, preimage_predicates
from pincer.abstraction.strengthening import Strengthening
from pincer.execution.concrete import compile_choosing, compile_successors
from pincer.execution.symbolic import SymbolicState, execute, initial_states, normalised, symbolic
from pincer.logic.queries import Queries
from pincer.logic.terms import Term
from pincer.program.transition_system import SafetyProperty, State, TransitionSystem
from pincer.runtime.run import Run

REPRESENTATIVES, SYMBOLIC_REPRESENTATIVES = 16, 4
"""How many concrete or symbolic states per abstract state are expanded, off the current path, before a cut there."""

BEYOND, MOST_BEYOND = 1000, 8_000
"""How many matched states are expanded after all: doubled with each iteration, up to the most."""

SYMBOLIC_EFFORT = 20
"""A symbolic state costs about as much as this many concrete ones."""

COUNTED_STEPS = 1000
"""Up to this many steps of the fragment are tested for exactness, for the statistics of a proof."""

STRENGTHENING_QUESTIONS = 250
"""How many solver questions one attempt at guessed invariants may take; most that succeed take fewer than 100."""

MAY_STATES = 1000
"""How many abstract states, beyond twice the explored ones, the over-approximation may have."""

Explored = State | SymbolicState


class Node:
    """An explored state and how it was reached."""

    __slots__ = ("alpha", "parent", "state", "transition")

    def __init__(self, state: Explored, alpha: AbstractState, parent: Node | None, transition: int) -> None:
        self.state = state
        self.alpha = alpha
        self.parent = parent
        self.transition = transition

    def path(self) -> list[Node]:
        """The nodes from the root to this one."""
        nodes = [self]
        while (above := nodes[-1].parent) is not None:
            nodes.append(above)
        return nodes[::-1]

    def repeats(self, alpha: AbstractState) -> bool:
        """Whether the abstract state is already on the path to this node."""
        node: Node | None = self
        while node is not None:
            if node.alpha == alpha:
                return True
            node = node.parent
        return False


@dataclass
class Exploration:
    """The abstract transition system that symbolic execution built, and what it stands on."""

    abstraction: Abstraction
    initial: list[AbstractState] = field(default_factory=list)
    edges: dict[AbstractState, dict[int, set[AbstractState]]] = field(default_factory=dict)
    nodes: list[Node] = field(default_factory=list)
    cut: dict[AbstractState, None] = field(default_factory=dict)
    cut_states: dict[Explored, AbstractState] = field(default_factory=dict)
    violations: dict[int, Node] = field(default_factory=dict)
    expanded: dict[Explored, AbstractState] = field(default_factory=dict)

    @property
    def state_count(self) -> int:
        """Distinct concrete or symbolic states generated."""
        return len(self.expanded) + sum(state not in self.expanded for state in self.cut_states)

    def reachable(self, start: Iterable[AbstractState]) -> dict[AbstractState, None]:
        """The explored abstract states reachable from some, themselves included."""
        found = dict.fromkeys(start)
        pending = list(found)
        while pending:
            for targets in self.edges[pending.pop()].values():
                for target in targets:
                    if target not in found:
                        found[target] = None
                        pending.append(target)
        return found


@dataclass(frozen=True, slots=True)
class OpenStep:
    """A transition from an explored abstract state with possible successors that exploration did not take."""

    source: AbstractState
    transition: int
    missed: tuple[AbstractState, ...]


@dataclass
class MayGraph:
    """The abstract states that may follow a cut, by may-transitions; violating ones are not followed further."""

    states: dict[AbstractState, None]
    predecessors: dict[AbstractState, list[AbstractState]] = field(default_factory=dict)
    bad: list[AbstractState] = field(default_factory=list)

    def before_bad(self) -> set[AbstractState]:
        """The states from which a violation may be reached."""
        found = set(self.bad)
        pending = list(self.bad)
        while pending:
            for source in self.predecessors.get(pending.pop(), ()):
                if source not in found:
                    found.add(source)
                    pending.append(source)
        return found


class Explorer:
    """Generates successors: compiled code on concrete states, terms and splitting on symbolic ones."""

    def __init__(self, system: TransitionSystem, run: Run) -> None:
        self.system = system
        self.run = run
        self._successors = compile_successors(system)
        self._choosing = compile_choosing(system)
        self._initial: list[SymbolicState] | None = None

    def initial(self, abstraction: Abstraction) -> Iterator[tuple[AbstractState, Explored]]:
        if self._initial is None:
            self._initial = list(initial_states(self.system, abstraction.queries))
        for state in self._initial:
            yield from self._split(abstraction, state)

    def successors(self, exploration: Exploration, node: Node) -> Iterator[tuple[int, AbstractState, Explored]]:
        """The transitions out of a node with the abstract state and the state each leads to."""
        abstraction, state = exploration.abstraction, node.state
        source: SymbolicState | None
        if isinstance(state, tuple):
            alpha, known = abstraction.alpha, exploration.expanded
            for transition, reached in self._successors(state):
                target_alpha = known.get(reached)
                yield transition, alpha(reached) if target_alpha is None else target_alpha, reached
            choosing = self._choosing(state) if self._choosing else ()
            source = symbolic(self.system, state) if choosing else None
        else:
            choosing = abstraction.enabled(node.alpha)
            source = state
        if source is not None:
            for transition in choosing:
                result = execute(self.system, source, self.system.transitions[transition])
                for target_alpha, target in self._split(abstraction, result):
                    yield transition, target_alpha, target

    def _split(self, abstraction: Abstraction, state: SymbolicState) -> Iterator[tuple[AbstractState, Explored]]:
        self.run.poll()
        for mask, condition in abstraction.split_state(state):
            part = normalised(self.system, SymbolicState(state.control, state.values, condition))
            yield abstraction.encode(state.control, mask), part.concrete() or part


def symbolic_exec(explorer: Explorer, abstraction: Abstraction, wanted: set[int], beyond: int = 0) -> Exploration:
    """Explore breadth first; stop early once every wanted property is violated.

    States that match an abstract state on their path wait until the others are done; `beyond` is how much work is then
    spent on them all the same, for bugs that lie deeper than the abstraction can see.
    """
    exploration = Exploration(abstraction)
    edges, expanded, nodes = exploration.edges, exploration.expanded, exploration.nodes
    representatives: dict[AbstractState, int] = {}
    queue: deque[Node] = deque()
    matched: deque[Node] = deque()
    deep = beyond // 2

    def expand(node: Node) -> None:
        expanded[node.state] = node.alpha
        nodes.append(node)
        queue.append(node)

    def arrive(parent: Node | None, transition: int, alpha: AbstractState, state: Explored) -> None:
        node = Node(state, alpha, parent, transition)
        count = representatives.get(alpha, 0)
        most = REPRESENTATIVES if isinstance(state, tuple) else SYMBOLIC_REPRESENTATIVES
        if count >= most or (count and parent is not None and parent.repeats(alpha)):
            matched.append(node)
            return
        if not count:
            edges[alpha] = {}
            for violated in abstraction.violated(alpha):
                exploration.violations.setdefault(violated, node)
        representatives[alpha] = count + 1
        expand(node)

    for alpha, state in explorer.initial(abstraction):
        exploration.initial.append(alpha)
        if state not in expanded:
            arrive(None, -1, alpha, state)
    while queue and not wanted <= exploration.violations.keys():
        explorer.run.poll()
        node = queue.popleft()
        outgoing = edges[node.alpha]
        for transition, alpha, state in explorer.successors(exploration, node):
            targets = outgoing.get(transition)
            if targets is None:
                outgoing[transition] = {alpha}
            else:
                targets.add(alpha)
            if state not in expanded:
                arrive(node, transition, alpha, state)
        while not queue and matched and beyond > 0:
            # First the shallowest, which exhausts finite spaces; then the deepest, to get far.
            node = matched.popleft() if beyond > deep else matched.pop()
            if node.state not in expanded:
                beyond -= 1 if isinstance(node.state, tuple) else SYMBOLIC_EFFORT
                expand(node)
    for node in matched:
        if node.state not in expanded:
            exploration.cut[node.alpha] = None
            exploration.cut_states[node.state] = node.alpha
    return exploration


def symbolic_exec_paper(
    explorer: Explorer, abstraction: Abstraction, wanted: set[int], beyond: int = 0
) -> Exploration:
    """The authors' search: depth first in program order, abstract states matched along the current path only."""
    exploration = Exploration(abstraction)
    edges, expanded = exploration.edges, exploration.expanded
    on_path: set[AbstractState] = set()
    stack: list[tuple[Node, Iterator[tuple[int, AbstractState, Explored]]]] = []

    def arrive(parent: Node | None, transition: int, alpha: AbstractState, state: Explored) -> None:
        if alpha not in edges:
            edges[alpha] = {}
            for violated in abstraction.violated(alpha):
                exploration.violations.setdefault(violated, Node(state, alpha, parent, transition))
        if alpha in on_path:
            exploration.cut[alpha] = None
            exploration.cut_states[state] = alpha
        elif state not in expanded:
            expanded[state] = alpha
            node = Node(state, alpha, parent, transition)
            exploration.nodes.append(node)
            on_path.add(alpha)
            stack.append((node, explorer.successors(exploration, node)))

    for root_alpha, root in explorer.initial(abstraction):
        exploration.initial.append(root_alpha)
        arrive(None, -1, root_alpha, root)
        while stack:
            explorer.run.poll()
            if wanted <= exploration.violations.keys():
                return exploration
            node, successors = stack[-1]
            step = next(successors, None)
            if step is None:
                stack.pop()
                on_path.discard(node.alpha)
                continue
            transition, alpha, state = step
            edges[node.alpha].setdefault(transition, set()).add(alpha)
            arrive(node, transition, alpha, state)
    return exploration


@dataclass(frozen=True)
class Proof:
    """Closed abstract states that hold every cut state, each with what else holds in it (`strengthening`).

    Together with the expanded states they are an inductive invariant.
    """

    check: str
    exploration: Exploration
    closed: Mapping[AbstractState, tuple[Term, ...]]

    def outside(self) -> list[Node]:
        """The expanded nodes that no closed abstract state covers."""
        return [node for node in self.exploration.nodes if node.alpha not in self.closed]


def fragment(exploration: Exploration) -> dict[AbstractState, None]:
    """The abstract states in which executions may go on unexplored: those reachable from a cut."""
    return exploration.reachable(exploration.cut)


def safe_fragment(exploration: Exploration) -> list[OpenStep]:
    """The steps of the fragment with successors that were not explored; none means safe (Fig. 6)."""
    found = []
    abstraction = exploration.abstraction
    for abstract in fragment(exploration):
        explored = exploration.edges[abstract]
        for transition in abstraction.enabled(abstract):
            targets = explored.get(transition, ())
            missed = tuple(b for b in abstraction.successors(abstract, transition) if b not in targets)
            if missed:
                found.append(OpenStep(abstract, transition, missed))
    return found


def inductive_invariant(exploration: Exploration) -> bool:
    """Whether no step leaves the explored abstract states (Fig. 4, lines 9-13)."""
    abstraction, explored = exploration.abstraction, exploration.edges
    return all(
        successor in explored
        for abstract in explored
        for transition in abstraction.enabled(abstract)
        for successor in abstraction.successors(abstract, transition)
    )


def over_approximation(exploration: Exploration, wanted: set[int]) -> MayGraph | None:
    """All that may follow a cut, explored or not; None when that is too much to look at."""
    abstraction = exploration.abstraction
    graph = MayGraph(dict.fromkeys(exploration.cut))
    pending = list(graph.states)
    limit = MAY_STATES + 2 * len(exploration.edges)
    while pending:
        abstract = pending.pop()
        if not wanted.isdisjoint(abstraction.violated(abstract)):
            graph.bad.append(abstract)
            continue
        for transition in abstraction.enabled(abstract):
            for successor in abstraction.successors(abstract, transition):
                graph.predecessors.setdefault(successor, []).append(abstract)
                if successor not in graph.states:
                    graph.states[successor] = None
                    pending.append(successor)
        if len(graph.states) > limit:
            return None
    return graph


def strengthened(exploration: Exploration, wanted: set[int]) -> Mapping[AbstractState, tuple[Term, ...]] | None:
    """What may follow a cut, with guessed invariants in its states; None when a violation stays in it."""
    abstraction = exploration.abstraction
    strengthening = Strengthening(abstraction)
    samples = [(node.alpha, node.state) for node in exploration.nodes]
    samples += [(alpha, state) for state, alpha in exploration.cut_states.items()]
    strengthening.cover(samples)
    return strengthening.close(
        exploration.cut,
        lambda abstract: not wanted.isdisjoint(abstraction.violated(abstract)),
        STRENGTHENING_QUESTIONS,
    )


def edge_statistics(exploration: Exploration) -> dict[str, int]:
    """The paper's exact edges and our closed steps among those of the fragment; nothing when that is a long list."""
    abstraction = exploration.abstraction
    steps = [
        (abstract, transition, targets)
        for abstract in fragment(exploration)
        for transition, targets in exploration.edges[abstract].items()
    ]
    if len(steps) > COUNTED_STEPS:
        return {}
    edges = [(source, transition, target) for source, transition, targets in steps for target in targets]
    closed = sum(targets.issuperset(abstraction.successors(source, t)) for source, t, targets in steps)
    return {
        "fragment_steps": len(steps),
        "closed_steps": closed,
        "fragment_edges": len(edges),
        "exact_edges": sum(is_exact(abstraction, *edge) for edge in edges),
    }


def prove(exploration: Exploration, wanted: set[int]) -> tuple[Proof | None, list[OpenStep]]:
    """A proof that exploration has seen enough, or the steps that stand in its way."""
    steps = safe_fragment(exploration)
    if not steps:
        return Proof("safe-fragment", exploration, dict.fromkeys(fragment(exploration), ())), []
    if inductive_invariant(exploration):
        return Proof("inductive-invariant", exploration, dict.fromkeys(exploration.edges, ())), []
    if not wanted:
        return None, steps
    graph = over_approximation(exploration, wanted)
    if graph is not None and not graph.bad:
        return Proof("over-approximation", exploration, dict.fromkeys(graph.states, ())), []
    closed = strengthened(exploration, wanted)
    if closed is not None:
        return Proof("strengthening", exploration, closed), []
    return None, steps if graph is None else relevant_steps(steps, graph.before_bad())


def relevant_steps(steps: Iterable[OpenStep], before_bad: set[AbstractState]) -> list[OpenStep]:
    """The steps that miss successors from which a violation may be reached."""
    found = []
    for step in steps:
        missed = tuple(b for b in step.missed if b in before_bad)
        if missed:
            found.append(OpenStep(step.source, step.transition, missed))
    return found


@dataclass
class Analysis:
    """Where the refinement loop stands; complete when `open_properties` is empty or `reason` is set."""

    properties: tuple[SafetyProperty, ...]
    predicates: list[Term]
    property_predicates: frozenset[Term]
    open_properties: set[int]
    iterations: int = 0
    exploration: Exploration | None = None
    proof: Proof | None = None
    violations: dict[int, Node] = field(default_factory=dict)
    reason: str = ""

    @property
    def predicate_count(self) -> int:
        """As the paper counts: without the atoms of the property itself."""
        return sum(p not in self.property_predicates for p in self.predicates)

    def note_violations(self) -> None:
        """Take the violations of the last exploration over."""
        assert self.exploration is not None
        for violated, node in self.exploration.violations.items():
            if violated in self.open_properties:
                self.violations[violated] = node
                self.open_properties.discard(violated)

    def statistics(self, queries: Queries) -> dict[str, Any]:
        exploration = self.exploration
        return {
            "iterations": self.iterations,
            "predicates": self.predicate_count,
            "states": exploration.state_count if exploration else 0,
            "abstract_states": len(exploration.edges) if exploration else 0,
            "queries": queries.asked,
            "solver_calls": queries.solver_calls,
            "solver_time_s": round(queries.solver_time_s, 6),
            **(edge_statistics(self.proof.exploration) if self.proof else {}),
            "queries_by_purpose": {name: asdict(s) for name, s in queries.by_purpose.items()},
        }

    def publish(self, engine: str, phase: str, queries: Queries, run: Run) -> None:
        exploration = self.exploration
        run.publish(
            engine,
            phase,
            iteration=self.iterations,
            predicates=len(self.predicates),
            states=len(exploration.nodes) if exploration else 0,
            abstract_states=len(exploration.edges) if exploration else 0,
            queries=queries.solver_calls,
        )


def initial_analysis(system: TransitionSystem, properties: Sequence[SafetyProperty]) -> Analysis:
    """Phi_0: the atoms of guards and properties (Fig. 4, line 2)."""
    guards = guard_predicates(system, [t.guard for t in system.transitions])
    wanted = guard_predicates(system, [p.formula for p in properties])
    return Analysis(
        properties=tuple(properties),
        predicates=list(dict.fromkeys(guards + wanted)),
        property_predicates=frozenset(wanted) - frozenset(guards),
        open_properties=set(range(len(properties))),
    )


def refine(
    system: TransitionSystem,
    analysis: Analysis,
    queries: Queries,
    run: Run,
    *,
    paper: bool = False,
    max_iterations: int | None = None,
) -> Iterator[Analysis]:
    """The refinement loop (Fig. 4). Yields after every iteration; the last one yielded holds the answers."""
    explorer = Explorer(system, run)
    explore = symbolic_exec_paper if paper else symbolic_exec
    while analysis.open_properties and not analysis.reason:
        if max_iterations is not None and analysis.iterations >= max_iterations:
            analysis.reason = f"no answer after {max_iterations} iterations"
            break
        analysis.iterations += 1
        abstraction = Abstraction(system, analysis.predicates, analysis.properties, queries)
        analysis.publish("ase", "exploring", queries, run)
        beyond = min(BEYOND << analysis.iterations, MOST_BEYOND)
        exploration = analysis.exploration = explore(explorer, abstraction, analysis.open_properties, beyond)
        analysis.note_violations()
        if analysis.open_properties:
            analysis.publish("ase", "checking", queries, run)
            # Looking above the explored states costs more than exploring; doubling gaps keep it a fixed share.
            look_above = not paper and analysis.iterations.bit_count() == 1
            analysis.proof, steps = prove(exploration, analysis.open_properties if look_above else set())
            if analysis.proof is None:
                _add_predicates(analysis, exploration, steps)
        yield analysis
        if analysis.proof is not None:
            return


def _add_predicates(analysis: Analysis, exploration: Exploration, steps: Sequence[OpenStep]) -> None:
    new: dict[Term, None] = {}
    for step in steps:
        found = preimage_predicates(exploration.abstraction, step.source, step.transition, step.missed)
        new.update(dict.fromkeys(found))
    if not new:
        analysis.reason = "no further predicate separates the explored states from the missed ones"
    analysis.predicates += new
