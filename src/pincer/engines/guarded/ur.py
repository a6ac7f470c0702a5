"""UR: concrete model checking with abstract matching and refinement (Pasareanu, Pelanek, Visser).

Breadth-first search over concrete states with one global table of abstract states: a successor whose abstract state is
in the table is not explored. Then every explored abstract transition is tested for exactness, and the pre-images of
the inexact ones become predicates. With no inexact transition left the explored states are a bisimilar quotient, so
the program is safe. It needs a single concrete initial state and no `nondet`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from pincer.abstraction.predicates import AbstractState
from pincer.abstraction.refinement import preimage_predicates
from pincer.engines.guarded.analysis import RefinementLoop
from pincer.engines.guarded.certificates import Proof
from pincer.engines.guarded.exploration import AbstractExploration, Node
from pincer.errors import UnsupportedError
from pincer.execution.concrete import Successors, compile_successors
from pincer.execution.symbolic import initial_states
from pincer.logic.queries import Queries
from pincer.logic.terms import Term
from pincer.program.transition_system import State, TransitionSystem


def single_initial_state(system: TransitionSystem, queries: Queries) -> State:
    """The one state UR can start from; a clear refusal when the program has no such state."""
    if any(not t.deterministic for t in system.transitions):
        raise UnsupportedError("UR handles programs without `nondet` only; use --engine ase")
    found: State | None = None
    for symbolic_state in initial_states(system, queries):
        state = symbolic_state.concrete()
        if state is None or found is not None:
            raise UnsupportedError("UR needs a single initial state; use --engine ase")
        found = state
    if found is None:
        raise UnsupportedError("UR needs an initial state, and `init` is unsatisfiable; use --engine ase")
    return found


def explore(root: State, successors: Successors, exploration: AbstractExploration, wanted: set[int]) -> None:
    """Breadth-first search with a global table; violations are noticed when a state is taken off the queue."""
    abstraction = exploration.abstraction
    edges = exploration.edges
    queue: deque[Node] = deque()
    exploration.waiting = queue

    def enter(state: State, alpha: AbstractState, parent: Node | None, transition: int) -> None:
        edges[alpha] = {}
        queue.append(Node(state, alpha, parent, transition))
        exploration.expanded[state] = alpha

    exploration.initial.append(abstraction.alpha(root))
    enter(root, exploration.initial[0], None, -1)
    while queue:
        abstraction.queries.run.poll()
        node = queue.popleft()
        exploration.nodes.append(node)
        for violated in abstraction.violated(node.alpha):
            exploration.violations.setdefault(violated, node)
        if wanted <= exploration.violations.keys():
            break
        assert isinstance(node.state, tuple)
        for transition, target in successors(node.state):
            alpha = abstraction.alpha(target)
            edges[node.alpha].setdefault(transition, set()).add(alpha)
            if alpha not in edges:
                enter(target, alpha, node, transition)
            elif target not in exploration.expanded:
                exploration.cut[alpha] = None
                exploration.cut_states[target] = alpha


def refine(refinement: RefinementLoop, *, max_iterations: int | None = None) -> Iterator[RefinementLoop]:
    """Explore and refine until a violation or a quotient without inexact transitions; yields every iteration."""
    root = single_initial_state(refinement.system, refinement.queries)
    successors = compile_successors(refinement.system)
    while refinement.open_properties and refinement.proof is None:
        if refinement.out_of_iterations(max_iterations):
            return
        exploration = refinement.explore("ur")
        explore(root, successors, exploration, refinement.open_properties)
        refinement.note_violations()
        if refinement.open_properties:
            refinement.count_prover_queries(exploration.edges)
            new = inexact_predicates(exploration)
            if new:
                refinement.predicates += new
            else:
                refinement.proof = Proof("bisimulation", exploration, dict.fromkeys(exploration.edges, ()))
        yield refinement


def inexact_predicates(exploration: AbstractExploration) -> list[Term]:
    """The pre-image predicates of all inexact transitions (a, t): those with more than one possible successor."""
    abstraction = exploration.abstraction
    new: dict[Term, None] = {}
    for abstract, outgoing in exploration.edges.items():
        for transition in outgoing:
            if len(abstraction.successors(abstract, transition)) > 1:
                new.update(dict.fromkeys(preimage_predicates(abstraction, abstract, transition, ())))
    return list(new)
