"""Programs with more states than can be visited: a safety question, then ranks on a closed abstraction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from msgspec import Struct

from pincer.engines.guarded.analysis import GuardedSettings
from pincer.engines.guarded.verify import GuardedExploration, transition_system
from pincer.engines.guarded.verify import verify as verify_safety
from pincer.engines.live.abstract import AbstractProduct, closed, needed_predicates, prepared
from pincer.engines.live.certificates import certificate_of_invariant, certificate_of_regions, is_lost_once
from pincer.engines.live.components import Stuck, peel
from pincer.engines.live.limits import LIMITS
from pincer.engines.live.question import Question
from pincer.engines.live.ranking import ComponentRanks
from pincer.engines.live.recurrence import recurrence
from pincer.engines.live.states import StateGraph
from pincer.engines.task import EngineTask, Open, Proved, Refuted
from pincer.evidence.gcl.certificate import Certificate
from pincer.evidence.gcl.trace import Step, Trace
from pincer.evidence.live.certificate import LiveCertificate
from pincer.evidence.live.trace import LiveTrace, Recurrence
from pincer.logic.queries import Queries
from pincer.logic.terms import Term
from pincer.program.guarded import RANGE_PROPERTY
from pincer.program.product import AUTOMATON_NODE, UNVIOLATED, Product, product
from pincer.program.transition_system import State, TransitionSystem
from pincer.runtime.reasons import Reason

Outcome: TypeAlias = LiveTrace | Recurrence | LiveCertificate | Reason


class _Safe(Struct, frozen=True):
    """The safety part holds; the predicates that showed it, and the invariant."""

    predicates: tuple[Term, ...]
    proof: Certificate | None = None


def decide(
    question: Question,
    examples: StateGraph,
    system: TransitionSystem,
    queries: Queries,
    statistics: dict[str, Any],
) -> Outcome:
    """A violation, a proof, or why there is neither. `examples` are states that runs of the system reach."""
    made = product(question.program, question.wanted, question.automaton)
    safety = _safety(question, made, queries)
    if not isinstance(safety, _Safe):
        return safety
    whole = prepared(question, made, transition_system(made.program, queries))
    finite = len(whole.system.domains) - 1
    samples = [(*state[:finite], q, *state[finite:]) for state, q in examples.nodes]
    search = _Search(whole, examples, system, samples, queries, statistics)
    return search.outcome(_joined(needed_predicates(whole), safety.predicates))


def by_invariant(question: Question, queries: Queries) -> LiveTrace | LiveCertificate | None:
    """The answer where it is one about single steps, and a safety question alone: no run violates the formula by going
    on through nodes that accept. None where it is not, or not found so."""
    if not is_lost_once(question.automaton):
        return None
    safety = _safety(question, product(question.program, question.wanted, question.automaton), queries)
    match safety:
        case _Safe(proof=Certificate() as proof):
            return certificate_of_invariant(question, proof)
        case LiveTrace():
            return safety
    return None


def _joined(left: Sequence[Term], right: Sequence[Term]) -> list[Term]:
    return list(dict.fromkeys((*left, *right)))


def _safety(question: Question, made: Product, queries: Queries) -> _Safe | LiveTrace | Reason:
    """Whether no run ends, or is lost for good, as it violates the formula."""
    settings = GuardedSettings(max_iterations=LIMITS.iterations, whole=True)
    found: _Safe | LiveTrace | Reason = Reason("the engine gave no reason")
    for claim in verify_safety(EngineTask(made.program, (UNVIOLATED,), settings, explain=True), queries.run):
        if claim.name == RANGE_PROPERTY:
            return Reason("a step may leave the type of a variable (see the property `range`)")
        match claim:
            case Refuted(run=Trace() as trace):
                return _run(question, made, trace)
            case Proved(explored=GuardedExploration(refinement)) as claim:
                proof = claim.proof if isinstance(claim.proof, Certificate) else None
                found = _Safe(tuple(refinement.predicates), proof)
            case Open(reason=reason):
                found = reason
    return found


def _run(question: Question, made: Product, trace: Trace) -> LiveTrace:
    """A trace of the product as a run of the program."""
    transitions = question.program.transitions
    steps = tuple(
        Step(transitions[made.origins[step.transition]].name, _without_node(step.state)) for step in trace.steps
    )
    lost = trace.states[-1][AUTOMATON_NODE] == question.automaton.certain()
    return LiveTrace("prefix" if lost else "end", Trace(question.wanted.name, _without_node(trace.initial), steps))


def _without_node(state: Any) -> dict[str, int]:
    return {name: value for name, value in state.items() if name != AUTOMATON_NODE}


class _Search(Struct, frozen=True):
    """What the search for ranks and recurrences works on; `samples` are states of the product."""

    made: AbstractProduct
    examples: StateGraph
    system: TransitionSystem
    samples: list[State]
    queries: Queries
    statistics: dict[str, Any]

    def outcome(self, predicates: list[Term]) -> Outcome:
        """Close, peel and refine until all components are ranked, or one is a recurrence."""
        reason = Reason("no abstraction was found that no step leaves")
        asked = self.queries.asked
        for round_ in range(1, LIMITS.rounds + 1):
            self.queries.run.publish("live", "ranking")
            left = LIMITS.questions - (self.queries.asked - asked)
            graph = closed(self.made, predicates, self.samples, self.queries, left) if left > 0 else None
            numbers = {"iterations": round_, "predicates": len(predicates), "queries": self.queries.asked}
            self.statistics.update(numbers)
            if graph is None:
                break
            self.statistics["abstract_states"] = len(graph.states)
            ranks = ComponentRanks(graph)
            peeled = peel(graph.live, rank=ranks.rank)
            if not isinstance(peeled, Stuck):
                return certificate_of_regions(self.made.question, graph, peeled)
            found = recurrence(self.made, graph, self.examples, self.system)
            if found is not None:
                return found
            reason = _why_stuck(self.made.question, peeled)
            more = [term for term in (*ranks.phases, *graph.refined(peeled.edges)) if term not in predicates]
            more = more or [term for term in graph.orders(peeled.nodes) if term not in predicates]
            predicates = _joined(predicates, more)[: LIMITS.predicates]
            if not more:
                break
        return reason


def _why_stuck(question: Question, component: Stuck) -> Reason:
    """The transitions of a cycle for which neither a rank nor a violation was found."""
    names = dict.fromkeys(question.program.transitions[edge.transition].name for edge in component.edges)
    shown = ", ".join(list(names)[:4]) + (", ..." if len(names) > 4 else "")
    return Reason(f"no rank was found for the cycle of {shown}, and no run that repeats it for ever")
