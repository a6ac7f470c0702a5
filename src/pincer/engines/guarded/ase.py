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

Departures from the paper, each undone by `--paper`: breadth-first search with a memo on concrete states and a bounded
number of representatives per abstract state, so that interleavings do not explode; some work spent beyond the matched
states, for bugs deeper than the abstraction can see; at iterations 1, 2, 4, 8, ..., a look above the explored
states (`pincer.engines.guarded.above`); copies of a process up to permutation (`pincer.abstraction.symmetry`), in the
first iteration only if they are many; regions before a violation (`pincer.engines.guarded.backward`), clauses learned
one by one (`pincer.engines.guarded.clauses`), and what Spacer says (`pincer.engines.guarded.spacer`). In both modes
verdicts rest on closedness: exactness is unsound with `nondet`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence

from pincer.abstraction.predicates import AbstractState
from pincer.abstraction.refinement import preimage_predicates
from pincer.abstraction.symmetry import Symmetry, symmetry_of
from pincer.engines.guarded.above import over_approximation, relevant_steps, strengthened
from pincer.engines.guarded.analysis import RefinementLoop
from pincer.engines.guarded.certificates import Proof
from pincer.engines.guarded.exploration import AbstractExploration, Explored, Explorer, Node, OpenStep
from pincer.engines.guarded.limits import LIMITS
from pincer.engines.guarded.other_turns import OtherTurns
from pincer.logic.terms import Term


def refine(
    refinement: RefinementLoop, *, paper: bool = False, max_iterations: int | None = None
) -> Iterator[RefinementLoop]:
    """The refinement loop (Fig. 4). Yields after every iteration; the last one yielded holds the answers."""
    explorer = Explorer(refinement.system, refinement.queries.run, few=1 if paper else LIMITS.few)
    symbolic_execution = symbolic_exec_paper if paper else symbolic_exec
    turns = OtherTurns(refinement)
    symmetry = None if paper else _symmetry(refinement, explorer)
    while refinement.open_properties and not refinement.reason:
        if refinement.out_of_iterations(max_iterations):
            break
        beyond = effort_beyond(refinement.iterations)
        exploration = refinement.explore("ase", symmetry)
        symbolic_execution(explorer, exploration, refinement.open_properties, beyond, turns.meanwhile)
        refinement.note_violations()
        is_first = refinement.iterations == 1 and refinement.proof is None and not exploration.violations
        if is_first and _few_copies(exploration):
            exploration = refinement.explore_again()
            symbolic_execution(explorer, exploration, refinement.open_properties, beyond, turns.meanwhile)
            refinement.note_violations()
        if refinement.open_properties and refinement.proof is None:
            refinement.publish("ase", "checking")
            refinement.count_prover_queries(exploration.fragment())
            # Looking above the explored states costs more than exploring; doubling gaps keep it a fixed share. What may
            # follow has more images than what is explored, and the proof would hold all of them.
            first = 1 if exploration.quotient is None else LIMITS.look_above_copies
            look_above = not paper and refinement.iterations >= first and refinement.iterations.bit_count() == 1
            refinement.proof, steps = prove(exploration, refinement.open_properties if look_above else set())
            if refinement.proof is None:
                _add_predicates(refinement, exploration, steps, symmetry)
                if not paper:
                    turns.after(exploration)
        yield refinement
        if refinement.proof is not None:
            return


def _symmetry(refinement: RefinementLoop, explorer: Explorer) -> Symmetry | None:
    """The symmetry of a system that is explored in concrete states only; the predicates become closed under it."""
    symmetry = symmetry_of(refinement.system, refinement.properties)
    if symmetry is None or not explorer.concrete(refinement.queries):
        return None
    refinement.predicates = symmetry.closed(refinement.predicates)
    return symmetry


def _few_copies(exploration: AbstractExploration) -> bool:
    """Whether the abstract states explored up to permutation have few images: guessed invariants, which know of no
    permutations, are affordable."""
    quotient = exploration.quotient
    if quotient is None:
        return False
    images = 0
    for abstract in exploration.edges:
        images += len(quotient.orbit(abstract, LIMITS.copies_apart))
        if images > LIMITS.copies_apart:
            return False
    return True


def effort_beyond(iteration: int) -> int:
    """How many matched states an iteration expands after all: some thousands, and more when refinement drags on."""
    return min(LIMITS.first_beyond << min(iteration, 3) << max(0, iteration - 8) // 2, LIMITS.most_beyond)


def effort(state: Explored) -> int:
    return 1 if isinstance(state, tuple) else LIMITS.symbolic_effort * (1 + len(state.condition))


def _add_predicates(
    refinement: RefinementLoop, exploration: AbstractExploration, steps: Sequence[OpenStep], symmetry: Symmetry | None
) -> None:
    new: dict[Term, None] = {}
    for step in steps:
        found = preimage_predicates(exploration.abstraction, step.source, step.transition, step.missed)
        new.update(dict.fromkeys(found))
    if not new:
        refinement.reason = "no further predicate separates the explored states from the missed ones"
    if symmetry is None:
        refinement.predicates += new
    else:
        refinement.predicates = symmetry.closed([*refinement.predicates, *new])


def symbolic_exec(
    explorer: Explorer,
    exploration: AbstractExploration,
    wanted: set[int],
    beyond: int = 0,
    meanwhile: Callable[[], bool] = lambda: False,
) -> None:
    """Explore breadth first; stop early once every wanted property is violated.

    States that match an abstract state on their path wait until the others are done; `beyond` is how much work is then
    spent on them all the same, for bugs that lie deeper than the abstraction can see. When exploring takes long
    something else is tried from time to time, which may end it.
    """
    queue, matched = deque[Node](), deque[Node]()
    exploration.waiting = queue
    expand, arrive = _arrivals(explorer, exploration, queue, matched)
    edges, expanded = exploration.edges, exploration.expanded
    deep, spent, pause = beyond // 2, 0, LIMITS.pause_after

    for alpha, state in explorer.initial(exploration):
        exploration.initial.append(alpha)
        if state not in expanded:
            arrive(None, -1, alpha, state)
    while queue and not wanted <= exploration.violations.keys():
        explorer.run.poll()
        if spent >= pause:
            pause *= 2
            if meanwhile():
                return
        node = queue.popleft()
        spent += effort(node.state)
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
                beyond -= effort(node.state)
                expand(node)
    for node in matched:
        if node.state not in expanded:
            exploration.cut[node.alpha] = None
            exploration.cut_states[node.state] = node.alpha


def _arrivals(
    explorer: Explorer, exploration: AbstractExploration, queue: deque[Node], matched: deque[Node]
) -> tuple[Callable[[Node], None], Callable[[Node | None, int, AbstractState, Explored], None]]:
    """What becomes of a state that is to be expanded, and of a new one: it waits for its turn, or `matched` until there
    is nothing else to do."""
    abstraction, edges, expanded, nodes = (
        exploration.abstraction,
        exploration.edges,
        exploration.expanded,
        exploration.nodes,
    )
    representatives: dict[AbstractState, int] = {}
    split = len(explorer.system.domains)

    def expand(node: Node) -> None:
        expanded[node.state] = node.alpha
        nodes.append(node)
        queue.append(node)

    def arrive(parent: Node | None, transition: int, alpha: AbstractState, state: Explored) -> None:
        node = Node(state, alpha, parent, transition)
        count = representatives.get(alpha, 0)
        most = LIMITS.representatives if isinstance(state, tuple) else LIMITS.symbolic_representatives
        if count >= most or (count and parent is not None and parent.repeats(alpha)):
            matched.append(node)
            return
        if not count:
            edges[alpha] = {}
            for violated in abstraction.violated(alpha, state[:split] if isinstance(state, tuple) else None):
                exploration.violations.setdefault(violated, node)
        representatives[alpha] = count + 1
        expand(node)

    return expand, arrive


def symbolic_exec_paper(
    explorer: Explorer,
    exploration: AbstractExploration,
    wanted: set[int],
    beyond: int = 0,
    meanwhile: Callable[[], bool] = lambda: False,
) -> None:
    """The authors' search: depth first in program order, abstract states matched along the current path only, and
    nothing else is tried."""
    abstraction = exploration.abstraction
    edges, expanded = exploration.edges, exploration.expanded
    on_path: set[AbstractState] = set()
    stack: list[tuple[Node, Iterator[tuple[int, AbstractState, Explored]]]] = []
    exploration.waiting = stack

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

    for root_alpha, root in explorer.initial(exploration):
        exploration.initial.append(root_alpha)
        arrive(None, -1, root_alpha, root)
        while stack:
            explorer.run.poll()
            if wanted <= exploration.violations.keys():
                return
            node, successors = stack[-1]
            step = next(successors, None)
            if step is None:
                stack.pop()
                on_path.discard(node.alpha)
                continue
            transition, alpha, state = step
            edges[node.alpha].setdefault(transition, set()).add(alpha)
            arrive(node, transition, alpha, state)


def safe_fragment(exploration: AbstractExploration) -> list[OpenStep]:
    """The steps of the fragment with successors that were not explored; none means safe (Fig. 6)."""
    found = []
    abstraction = exploration.abstraction
    for abstract in exploration.fragment():
        explored = exploration.edges[abstract]
        for transition in abstraction.enabled(abstract):
            targets = explored.get(transition, ())
            successors = abstraction.successors(abstract, transition)
            missed = tuple(b for b in successors if exploration.known_as(b) not in targets)
            if missed:
                found.append(OpenStep(abstract, transition, missed))
    return found


def inductive_invariant(exploration: AbstractExploration) -> bool:
    """Whether no step leaves the explored abstract states (Fig. 4, lines 9-13)."""
    abstraction, explored = exploration.abstraction, exploration.edges
    return all(
        successor in explored
        for abstract in explored
        for transition in abstraction.enabled(abstract)
        for successor in exploration.successors(abstract, transition)
    )


def prove(exploration: AbstractExploration, wanted: set[int]) -> tuple[Proof | None, list[OpenStep]]:
    """A proof that exploration has seen enough, or the steps that stand in its way."""
    if not exploration.cut:
        return Proof("exhaustion", exploration, {}), []
    steps = safe_fragment(exploration)
    if not steps:
        return Proof("safe-fragment", exploration, dict.fromkeys(exploration.fragment(), ())), []
    if inductive_invariant(exploration):
        return Proof("inductive-invariant", exploration, dict.fromkeys(exploration.edges, ())), []
    if not wanted:
        return None, steps
    graph = over_approximation(exploration, wanted)
    if graph is not None and not graph.bad:
        return Proof("over-approximation", exploration, dict.fromkeys(graph.states, ())), []
    closed = None if exploration.quotient else strengthened(exploration, wanted)
    if closed is not None:
        return Proof("strengthening", exploration, closed), []
    return None, steps if graph is None else relevant_steps(exploration, steps, graph.before_bad())
