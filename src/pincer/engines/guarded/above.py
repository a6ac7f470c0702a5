"""Looking above the explored states: what may follow a cut, in the abstraction alone.

Two further checks for when the explored states are not closed. `over_approximation` follows all may-transitions from
the cuts; `strengthened` does so inside invariants guessed from the executions. If no violation is among what they
reach, their states are a closed set that holds every cut, which is all a proof needs. Otherwise the first tells which
steps matter for the violation.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import chain

from pincer.abstraction.predicates import AbstractState
from pincer.abstraction.strengthening import OutOfQuestions, Strengthening
from pincer.engines.guarded.exploration import AbstractExploration, OpenStep
from pincer.engines.guarded.limits import LIMITS
from pincer.logic.terms import Term


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


def over_approximation(exploration: AbstractExploration, wanted: set[int]) -> MayGraph | None:
    """All that may follow a cut, explored or not; None when that is too much to look at."""
    abstraction = exploration.abstraction
    graph = MayGraph(dict.fromkeys(exploration.cut))
    pending = list(graph.states)
    limit = LIMITS.may_states + 2 * len(exploration.edges)
    while pending:
        abstract = pending.pop()
        if not wanted.isdisjoint(abstraction.violated(abstract)):
            graph.bad.append(abstract)
            continue
        for transition in abstraction.enabled(abstract):
            for successor in exploration.successors(abstract, transition):
                graph.predecessors.setdefault(successor, []).append(abstract)
                if successor not in graph.states:
                    graph.states[successor] = None
                    pending.append(successor)
        if len(graph.states) > limit:
            return None
    return graph


def strengthened(exploration: AbstractExploration, wanted: set[int]) -> Mapping[AbstractState, tuple[Term, ...]] | None:
    """What may follow a cut, with guessed invariants in its states; None when a violation stays in it."""
    abstraction = exploration.abstraction
    small = len(exploration.edges) <= LIMITS.small_abstraction
    strengthening = Strengthening(abstraction, LIMITS.strengthening_questions * (2 if small else 1))
    concrete = ((node.alpha, node.state) for node in exploration.nodes if isinstance(node.state, tuple))
    try:
        strengthening.cover(chain(concrete, ((alpha, state) for state, alpha in exploration.cut_states.items())))
        return strengthening.close(
            exploration.cut, lambda abstract: not wanted.isdisjoint(abstraction.violated(abstract))
        )
    except OutOfQuestions:
        return None


def relevant_steps(
    exploration: AbstractExploration, steps: Iterable[OpenStep], before_bad: set[AbstractState]
) -> list[OpenStep]:
    """The steps that miss successors from which a violation may be reached."""
    found = []
    for step in steps:
        missed = tuple(b for b in step.missed if exploration.known_as(b) in before_bad)
        if missed:
            found.append(OpenStep(step.source, step.transition, missed))
    return found
