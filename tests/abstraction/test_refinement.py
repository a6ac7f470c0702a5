"""Refinement adds predicates that tell the states of an inexact step apart."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

import pytest

from pincer.abstraction.predicates import AbstractState, PredicateAbstraction
from pincer.abstraction.refinement import is_exact, preimage_formula, preimage_predicates
from pincer.logic.evaluation import evaluate
from pincer.logic.terms import Term
from pincer.program.transition_system import State, TransitionSystem
from tests.abstraction.random_systems import box, by_abstract_state, model_of, random_abstraction, steps

CHOICES = range(-14, 15)
"""Wide enough, for states in the small box, to stand for all integers a program may choose."""


def targets(abstraction: PredicateAbstraction, state: State, transition: int) -> set[AbstractState]:
    return {abstraction.alpha(target) for target in steps(abstraction.system, state, transition, CHOICES)}


def truths(predicates: list[Term], system: TransitionSystem, state: State) -> tuple[int, ...]:
    return tuple(evaluate(predicate, model_of(system, state)) for predicate in predicates)


def inexact(abstraction: PredicateAbstraction, groups: Iterable[AbstractState]) -> list[tuple[AbstractState, int]]:
    return [(a, t) for a in groups for t in abstraction.enabled(a) if len(abstraction.successors(a, t)) > 1]


@pytest.mark.parametrize("block", range(8))
def test_new_predicates_leave_one_successor_to_each_part_of_a_deterministic_step(block: int) -> None:
    rng = Random(block)
    for _ in range(5):
        abstraction = random_abstraction(rng, choices=False)
        system = abstraction.system
        groups = by_abstract_state(abstraction, box(system, 4))
        for abstract, transition in inexact(abstraction, groups)[:10]:
            new = preimage_predicates(abstraction, abstract, transition, ())
            assert new
            check_new(abstraction, new)
            successor: dict[tuple[int, ...], AbstractState] = {}
            for state in groups[abstract]:
                (target,) = targets(abstraction, state, transition)
                assert successor.setdefault(truths(new, system, state), target) == target, (new, state)


@pytest.mark.parametrize("block", range(8))
def test_new_predicates_tell_who_can_choose_a_missed_successor(block: int) -> None:
    rng = Random(50 + block)
    for _ in range(5):
        abstraction = random_abstraction(rng)
        system = abstraction.system
        groups = by_abstract_state(abstraction, box(system, 3))
        free = [(a, t) for a, t in inexact(abstraction, groups) if not system.transitions[t].deterministic]
        for abstract, transition in rng.sample(free, min(4, len(free))):
            successors = abstraction.successors(abstract, transition)
            missed = rng.sample(successors, rng.randint(1, len(successors)))
            new = preimage_predicates(abstraction, abstract, transition, missed)
            check_new(abstraction, new)
            able: dict[tuple[int, ...], set[AbstractState]] = {}
            for state in groups[abstract]:
                reached = targets(abstraction, state, transition) & set(missed)
                assert able.setdefault(truths(new, system, state), reached) == reached, (new, state)


def check_new(abstraction: PredicateAbstraction, new: list[Term]) -> None:
    assert len(set(new)) == len(new)
    assert not set(new) & set(abstraction.predicates)
    for predicate in new:
        assert predicate.op in ("le", "eq")


@pytest.mark.parametrize("block", range(8))
def test_the_preimage_formula_holds_exactly_where_a_successor_can_be_chosen(block: int) -> None:
    rng = Random(100 + block)
    for _ in range(5):
        abstraction = random_abstraction(rng)
        groups = by_abstract_state(abstraction, box(abstraction.system, 3))
        for abstract in rng.sample(sorted(groups), min(5, len(groups))):
            for transition in abstraction.enabled(abstract):
                for successor in abstraction.successors(abstract, transition)[:3]:
                    formula = preimage_formula(abstraction, abstract, transition, successor)
                    able = []
                    for state in groups[abstract]:
                        able.append(successor in targets(abstraction, state, transition))
                        assert evaluate(formula, model_of(abstraction.system, state)) == able[-1], (formula, state)
                    if is_exact(abstraction, abstract, transition, successor):
                        assert all(able)


def test_exactness_by_hand() -> None:
    abstraction = random_abstraction(Random(1), choices=False)
    groups = by_abstract_state(abstraction, box(abstraction.system, 4))
    for abstract in groups:
        for transition in abstraction.enabled(abstract):
            successors = abstraction.successors(abstract, transition)
            exact = [b for b in successors if is_exact(abstraction, abstract, transition, b)]
            assert exact == (list(successors) if len(successors) == 1 else [])
