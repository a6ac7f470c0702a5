"""Predicate abstraction: what an abstract state says holds in all its states, and may-transitions are exact."""

from __future__ import annotations

from random import Random

import pytest

from pincer.abstraction.predicates import AbstractState, PredicateAbstraction, choice_symbol, guard_predicates
from pincer.frontends.gcl import parse_program
from pincer.logic import terms
from pincer.logic.evaluation import evaluate
from pincer.logic.queries import Queries
from pincer.logic.z3_solver import Z3Solver
from pincer.program.lowering import lower
from pincer.program.transition_system import Nondet
from tests.abstraction.random_systems import box, by_abstract_state, model_of, random_abstraction, steps

SAMPLES = (-5, -2, -1, 0, 1, 2, 3, 7)


@pytest.mark.parametrize("block", range(6))
def test_codes_round_trip_and_say_what_holds(block: int) -> None:
    rng = Random(block)
    for _ in range(6):
        abstraction = random_abstraction(rng)
        system = abstraction.system
        for state in rng.sample(list(box(system, 4)), 100):
            abstract = abstraction.alpha(state)
            control, mask = abstraction.decode(abstract)
            model = model_of(system, state)
            assert control == state[: len(system.domains)]
            assert mask == sum(evaluate(p, model) << i for i, p in enumerate(abstraction.predicates))
            assert abstraction.encode(control, mask) == abstract
            guards = [t.index for t in system.transitions if evaluate(t.guard, model)]
            assert abstraction.enabled(abstract) == guards
            broken = [i for i, p in enumerate(system.properties) if not evaluate(p.formula, model)]
            assert abstraction.violated(abstract) == broken


@pytest.mark.parametrize("block", range(4))
def test_gamma_is_the_inverse_of_alpha(block: int) -> None:
    rng = Random(50 + block)
    for _ in range(4):
        abstraction = random_abstraction(rng)
        groups = by_abstract_state(abstraction, box(abstraction.system, 4))
        for abstract in rng.sample(sorted(groups), min(8, len(groups))):
            literals = abstraction.literals(abstract)
            control, _ = abstraction.decode(abstract)
            for state in box(abstraction.system, 4):
                if state[: len(control)] == control:
                    model = model_of(abstraction.system, state)
                    inside = all(evaluate(literal, model) for literal in literals)
                    assert inside == (abstraction.alpha(state) == abstract)


@pytest.mark.parametrize("block", range(12))
def test_may_successors_are_exactly_those_that_some_state_has(block: int) -> None:
    rng = Random(100 + block)
    for _ in range(6):
        abstraction = random_abstraction(rng)
        groups = by_abstract_state(abstraction, box(abstraction.system, 3))
        for abstract in rng.sample(sorted(groups), min(12, len(groups))):
            for transition in abstraction.enabled(abstract):
                found = abstraction.successors(abstract, transition)
                assert len(set(found)) == len(found)
                reached = {
                    abstraction.alpha(target)
                    for state in groups[abstract]
                    for target in steps(abstraction.system, state, transition, SAMPLES)
                }
                assert reached <= set(found), (abstraction.predicates, transition)
                for successor in set(found) - reached:
                    assert has_witness(abstraction, abstract, transition, successor)


def has_witness(
    abstraction: PredicateAbstraction, abstract: AbstractState, transition: int, successor: AbstractState
) -> bool:
    """Whether a solver finds a state and choices, checked concretely, that lead from one to the other."""
    system = abstraction.system
    literals = [*abstraction.literals(abstract), *abstraction.choice_bounds(transition)]
    for i in range(abstraction.size):
        preimage = abstraction.preimage_at(abstract, transition, i)
        literals.append(terms.literal(preimage, bool(successor >> i & 1)))
    found = Queries(Z3Solver()).model(literals, "witness")
    if found is None:
        return False
    control, _ = abstraction.decode(abstract)
    state = control + tuple(found.get(v, 0) for v in system.data_variables)
    chosen = [
        found.get(choice_symbol(system.data_variables[i]), 0)
        for i, update in system.transitions[transition].data_updates
        if isinstance(update, Nondet)
    ]
    targets = steps(system, state, transition, sorted(set(chosen)))
    return abstraction.alpha(state) == abstract and successor in map(abstraction.alpha, targets)


@pytest.mark.parametrize("block", range(4))
def test_preimages_are_the_predicates_after_the_step(block: int) -> None:
    rng = Random(200 + block)
    for _ in range(8):
        abstraction = random_abstraction(rng, choices=False)
        system = abstraction.system
        for state in rng.sample(list(box(system, 4)), 40):
            abstract = abstraction.alpha(state)
            for transition in abstraction.enabled(abstract):
                (target,) = steps(system, state, transition, ())
                before, after = model_of(system, state), model_of(system, target)
                for i, predicate in enumerate(abstraction.predicates):
                    truth = evaluate(predicate, after)
                    assert evaluate(abstraction.preimage(transition, i), before) == truth
                    assert evaluate(abstraction.preimage_at(abstract, transition, i), before) == truth


def test_caches_do_not_mix_control_values() -> None:
    text = """
    var x : int = 0; control k : 0..3 = 0;
    trans t: x >= 0 -> x := x + k, k := if k < 3 then k + 1 else 0;
    safety s: x <= 2;
    """
    system = lower(parse_program(text, "mixed.gcl"))
    predicates = guard_predicates(system, [*(t.guard for t in system.transitions), system.properties[0].formula])
    shared = PredicateAbstraction(system, predicates, system.properties, Queries(Z3Solver()))
    for state in box(system, 4):
        fresh = PredicateAbstraction(system, predicates, system.properties, Queries(Z3Solver()))
        abstract = shared.alpha(state)
        for transition in shared.enabled(abstract):
            assert sorted(shared.successors(abstract, transition)) == sorted(fresh.successors(abstract, transition))


def test_guard_predicates_are_the_atoms_control_does_not_decide() -> None:
    text = "var x : int; control k : 0..3; trans t: k = 1 && (x <= k || !(x > 3)) -> x := 0; safety s: x > 3 && k < 2;"
    system = lower(parse_program(text, "atoms.gcl"))
    x, k = terms.variable("x"), terms.variable("k")
    found = guard_predicates(system, [system.transitions[0].guard, system.properties[0].formula])
    assert set(found) == {*terms.atoms(terms.at_most(x, k)), terms.at_most(x, terms.integer(3))}


def test_a_system_without_predicates_is_its_control_graph() -> None:
    system = lower(parse_program("control c : -1..1 = 0; trans t: c < 1 -> c := c + 1; safety s: true;", "c.gcl"))
    abstraction = PredicateAbstraction(system, [], system.properties, Queries(Z3Solver()))
    codes = [abstraction.alpha((c,)) for c in (-1, 0, 1)]
    assert codes == [0, 1, 2]
    assert [[abstraction.successors(a, t) for t in abstraction.enabled(a)] for a in codes] == [[(1,)], [(2,)], []]
