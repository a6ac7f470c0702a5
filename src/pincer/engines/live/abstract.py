"""A closed abstraction of a product: abstract states with hulls that no step leaves, and the steps between them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from msgspec import Struct

from pincer.abstraction.predicates import AbstractState, PredicateAbstraction, guard_predicates
from pincer.abstraction.refinement import preimage_predicates
from pincer.abstraction.strengthening import OutOfQuestions, Strengthening
from pincer.engines.live.components import LiveEdge, LiveGraph
from pincer.engines.live.limits import LIMITS
from pincer.engines.live.question import Question
from pincer.engines.live.states import live_graph
from pincer.execution.symbolic import SymbolicState, initial_states
from pincer.logic import terms
from pincer.logic.queries import Queries
from pincer.logic.terms import Term
from pincer.program.lowering import formula_terms
from pincer.program.product import AUTOMATON_NODE, Product
from pincer.program.transition_system import SafetyProperty, State, TransitionSystem


class Relation(Struct, frozen=True):
    """Steps: `condition` holds before them, `after` has the values of the data variables after them."""

    condition: tuple[Term, ...]
    after: dict[Term, Term]


@dataclass
class AbstractGraph:
    """The abstract states that a run may be in; `relations` has the steps of each edge."""

    abstraction: PredicateAbstraction
    strengthening: Strengthening
    states: list[AbstractState]
    live: LiveGraph
    relations: dict[LiveEdge, list[Relation]] = field(default_factory=dict)
    cases: dict[LiveEdge, list[int]] = field(default_factory=dict)

    def formula(self, node: int) -> Term:
        """What holds of the data in a node."""
        abstract = self.states[node]
        literals = self.abstraction.literals(abstract)
        return terms.conjunction(*literals, *self.strengthening.hull(abstract).literals())

    def orders(self, nodes: Iterable[int]) -> list[Term]:
        """Which of two variables is the smaller one, for those that the nodes bound by the same third one: hulls are
        convex and cannot say that such variables differ."""
        beside: dict[Term, set[Term]] = {}
        for node in nodes:
            for literal in terms.conjuncts(self.formula(node)):
                atom = literal.args[0] if literal.op == "not" else literal
                if atom.op == "le" and len(atom.args[0]) == 2:
                    (left, c), (right, d) = atom.args[0]
                    if c == -d:
                        beside.setdefault(left, set()).add(right)
                        beside.setdefault(right, set()).add(left)
        found: dict[Term, None] = {}
        for others in beside.values():
            for left, right in combinations(sorted(others, key=str), 2):
                found[terms.at_most(left, right)] = None
        return list(found)

    def refined(self, edges: Iterable[LiveEdge]) -> list[Term]:
        """Predicates that tell apart where the edges lead."""
        found: dict[Term, None] = {}
        for edge in edges:
            for case in self.cases[edge]:
                target = [self.states[edge.target]]
                found.update(
                    dict.fromkeys(preimage_predicates(self.abstraction, self.states[edge.source], case, target))
                )
        return list(found)


class AbstractProduct(Struct, frozen=True):
    """What an abstraction is made of: the product as engines run it, and the numbers of its cases' transitions."""

    question: Question
    product: Product
    system: TransitionSystem
    origins: tuple[int, ...]
    guards: tuple[Term, ...]


def prepared(question: Question, product: Product, system: TransitionSystem) -> AbstractProduct:
    origins = tuple(product.origins[case.name] for case in system.transitions)
    guards = formula_terms(question.program, [transition.guard for transition in question.program.transitions])
    return AbstractProduct(question, product, system, origins, tuple(guards))


def needed_predicates(made: AbstractProduct) -> list[Term]:
    """The atoms that an abstract state must decide: of guards, letters and the safety part."""
    wanted = [item.formula for item in made.system.properties]
    return guard_predicates(made.system, [*made.guards, *(case.guard for case in made.system.transitions), *wanted])


def closed(
    made: AbstractProduct,
    predicates: Sequence[Term],
    samples: Iterable[State],
    queries: Queries,
    questions: int = LIMITS.questions,
) -> AbstractGraph | None:
    """The abstraction over some predicates; None when it takes too many questions or a violation stays in it."""
    tested = [SafetyProperty(str(number), guard) for number, guard in enumerate(made.guards)]
    abstraction = PredicateAbstraction(made.system, predicates, [*tested, *made.system.properties], queries)
    strengthening = Strengthening(abstraction, questions)
    start: dict[AbstractState, None] = {}
    try:
        initial = list(_initial(abstraction, made.system, queries))
        start.update(dict.fromkeys(abstract for abstract, _ in initial))
        strengthening.cover([*((abstraction.alpha(state), state) for state in samples), *initial])
        found = strengthening.close(start, lambda abstract: _is_bad(abstraction, abstract, len(made.guards)))
        if found is None or any(_is_bad(abstraction, abstract, len(made.guards)) for abstract in start):
            return None
        return _graph(made, abstraction, strengthening, list(found))
    except OutOfQuestions:
        return None


def _is_bad(abstraction: PredicateAbstraction, abstract: AbstractState, guards: int) -> bool:
    """Whether a run has violated the formula there, or a step leaves a type: what is tested after the guards."""
    return any(number >= guards for number in abstraction.violated(abstract))


def _initial(
    abstraction: PredicateAbstraction, system: TransitionSystem, queries: Queries
) -> Iterable[tuple[AbstractState, SymbolicState]]:
    for state in initial_states(system, queries):
        for mask, condition in abstraction.split_state(state):
            part = SymbolicState(state.control, state.values, condition)
            yield abstraction.encode(state.control, mask), part


def _graph(
    made: AbstractProduct, abstraction: PredicateAbstraction, strengthening: Strengthening, states: list[AbstractState]
) -> AbstractGraph:
    numbers = {abstract: number for number, abstract in enumerate(states)}
    relations: dict[LiveEdge, list[Relation]] = {}
    cases: dict[LiveEdge, list[int]] = {}
    for source, abstract in enumerate(states):
        for case in abstraction.enabled(abstract):
            for target in abstraction.successors(abstract, case):
                condition, after = strengthening.step(abstract, case, target)
                if not abstraction.queries.satisfiable(condition, "edges"):
                    continue
                edge = LiveEdge(source, made.origins[case], numbers[target])
                relations.setdefault(edge, []).append(Relation(tuple(condition), after))
                cases.setdefault(edge, []).append(case)
    place = [str(variable) for variable in made.system.control_variables].index(AUTOMATON_NODE)
    automaton = made.question.automaton
    accepting = [automaton.accepting[abstraction.decode(abstract)[0][place]] for abstract in states]
    count = len(made.guards)
    enabled = [frozenset(range(count)) - frozenset(abstraction.violated(abstract)) for abstract in states]
    live = live_graph(made.question, accepting, enabled, list(relations))
    return AbstractGraph(abstraction, strengthening, states, live, relations, cases)
