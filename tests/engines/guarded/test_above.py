"""What may follow a cut: nothing real is missing from it, and what cannot lead to a violation is not refined."""

from __future__ import annotations

from random import Random

import pytest

from pincer.abstraction.predicates import PredicateAbstraction, guard_predicates
from pincer.engines.guarded import above
from pincer.engines.guarded.above import over_approximation, relevant_steps, strengthened
from pincer.engines.guarded.ase import safe_fragment
from pincer.engines.guarded.exploration import AbstractExploration, OpenStep
from pincer.engines.guarded.limits import GuardedLimits
from pincer.execution.symbolic import SymbolicState
from pincer.frontends.gcl import parse_program
from pincer.logic.evaluation import evaluate
from pincer.logic.queries import Queries
from pincer.logic.z3_solver import Z3Solver
from pincer.program.lowering import lower
from tests.abstraction.random_systems import model_of, random_abstraction, steps
from tests.engines.guarded.explored import CHOICES, explored, random_explorations

WANTED = {0, 1}


def followers(exploration: AbstractExploration, most: int = 200) -> list[tuple[int, ...]]:
    """Concrete states that follow a cut, by a few choices, up to violations."""
    abstraction = exploration.abstraction
    system = abstraction.system
    found = [state for state in exploration.cut_states if not isinstance(state, SymbolicState)]
    seen = dict.fromkeys(found)
    for state in found:
        if abstraction.violated(abstraction.alpha(state)):
            continue
        for transition in range(len(system.transitions)):
            for target in steps(system, state, transition, CHOICES):
                if target not in seen and len(found) < most:
                    seen[target] = None
                    found.append(target)
    return found


def test_the_over_approximation_holds_all_that_follows_a_cut() -> None:
    looked_at = 0
    for exploration in random_explorations(1, 25):
        graph = over_approximation(exploration, WANTED)
        if graph is None:
            continue
        for state in followers(exploration):
            looked_at += 1
            assert exploration.abstraction.alpha(state) in graph.states
        for bad in graph.bad:
            assert exploration.abstraction.violated(bad)
    assert looked_at > 100


def test_from_outside_of_what_lies_before_a_violation_none_is_reached() -> None:
    for exploration in random_explorations(2, 12):
        graph = over_approximation(exploration, WANTED)
        if graph is None:
            continue
        before = graph.before_bad()
        assert before >= set(graph.bad)
        for target, sources in graph.predecessors.items():
            assert target not in before or before.issuperset(sources)
        for step in relevant_steps(exploration, safe_fragment(exploration), before):
            assert before.issuperset(step.missed)


def test_an_over_approximation_that_grows_too_large_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    graphs = ((e, over_approximation(e, WANTED)) for e in random_explorations(1, 25))
    exploration = next(e for e, graph in graphs if graph is not None and graph.predecessors)
    monkeypatch.setattr(above, "LIMITS", GuardedLimits(may_states=-10_000))
    assert over_approximation(exploration, WANTED) is None


@pytest.mark.parametrize("update", ["x := x + 1, y := y + 2 * z", "x := x + z, y := y + 2"])
def test_guessed_invariants_hold_in_all_that_follows_a_cut(update: str) -> None:
    text = f"var x : int = 0; var y : int = 0; var z : int = 1; trans t: true -> {update}; safety s: y = 2 * x;"
    system = lower(parse_program(text, "guessed.gcl"))
    formulas = [p.formula for p in system.properties]
    abstraction = PredicateAbstraction(
        system, guard_predicates(system, formulas), system.properties, Queries(Z3Solver())
    )
    exploration = explored(abstraction)
    graph = over_approximation(exploration, {0})
    assert graph is not None and graph.bad, "predicates alone do not prove it"
    closed = strengthened(exploration, {0})
    assert closed is not None
    states = followers(exploration)
    assert len(states) == 200
    for state in states:
        invariant = closed[abstraction.alpha(state)]
        assert all(evaluate(part, model_of(system, state)) for part in invariant)
        assert not abstraction.violated(abstraction.alpha(state))


def test_what_is_false_is_not_proved_by_guessing() -> None:
    for exploration in random_explorations(4, 12, choices=False):
        closed = strengthened(exploration, WANTED)
        alphas = {exploration.abstraction.alpha(state) for state in followers(exploration)}
        assert closed is None or not any(exploration.abstraction.violated(alpha) for alpha in alphas)


def test_invariants_are_not_guessed_without_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(above, "LIMITS", GuardedLimits(strengthening_questions=0))
    exploration = next(e for e in random_explorations(5, 20) if e.cut and any(e.edges[a] for a in e.cut))
    assert strengthened(exploration, WANTED) is None


def test_only_steps_that_miss_something_before_a_violation_matter() -> None:
    one, other = OpenStep(1, 0, (5, 6)), OpenStep(2, 0, (7,))
    exploration = AbstractExploration(random_abstraction(Random(1)))
    assert relevant_steps(exploration, [one, other], {6}) == [OpenStep(1, 0, (6,))]
