"""Strengthened abstract states are inductive: no step from inside leads outside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from random import Random

import pytest

from pincer.abstraction.predicates import AbstractState, PredicateAbstraction
from pincer.abstraction.strengthening import OutOfQuestions, Sample, Strengthening, vocabulary
from pincer.execution.symbolic import SymbolicState, execute, initial_states, normalised
from pincer.frontends.gcl import parse_program
from pincer.logic import terms
from pincer.logic.evaluation import evaluate
from pincer.logic.queries import Queries
from pincer.logic.terms import Term
from pincer.logic.z3_solver import Z3Solver
from pincer.program.lowering import lower
from pincer.program.transition_system import State
from tests.abstraction.random_systems import box, model_of, random_abstraction, steps

SAMPLES = (-9, -2, -1, 0, 1, 2, 3, 8)
QUESTIONS = 400

Closed = Mapping[AbstractState, tuple[Term, ...]]


def closure(
    abstraction: PredicateAbstraction, samples: list[Sample], questions: int = QUESTIONS, others: Sequence[Sample] = ()
) -> Closed | None:
    """What follows the samples, None when questions run out; `others` are covered without being started from."""
    strengthening = Strengthening(abstraction, questions)
    try:
        strengthening.cover([*samples, *others])
        return strengthening.close([alpha for alpha, _ in samples], lambda abstract: False)
    except OutOfQuestions:
        return None


def inside(abstraction: PredicateAbstraction, closed: Closed, state: State) -> bool:
    literals = closed.get(abstraction.alpha(state))
    model = model_of(abstraction.system, state)
    return literals is not None and all(evaluate(literal, model) for literal in literals)


def assert_inductive(abstraction: PredicateAbstraction, closed: Closed, radius: int) -> int:
    """No step from a state inside the closed ones leads outside; the number of states inside the box."""
    count = 0
    for state in box(abstraction.system, radius):
        if inside(abstraction, closed, state):
            count += 1
            for transition in abstraction.enabled(abstraction.alpha(state)):
                for target in steps(abstraction.system, state, transition, SAMPLES):
                    assert inside(abstraction, closed, target), (closed, state, transition, target)
    return count


def split(abstraction: PredicateAbstraction, state: SymbolicState) -> list[Sample]:
    found: list[Sample] = []
    for mask, condition in abstraction.split_state(state):
        part = normalised(abstraction.system, SymbolicState(state.control, state.values, condition))
        found.append((abstraction.encode(state.control, mask), part.concrete() or part))
    return found


def symbolic_samples(abstraction: PredicateAbstraction, most: int) -> list[Sample]:
    """The first symbolic states from the initial ones, breadth first."""
    found = [
        part for state in initial_states(abstraction.system, abstraction.queries) for part in split(abstraction, state)
    ]
    for alpha, state in found:
        if len(found) >= most:
            break
        if isinstance(state, SymbolicState):
            for transition in abstraction.enabled(alpha):
                after = execute(abstraction.system, state, abstraction.system.transitions[transition])
                found += split(abstraction, after)
    return found


@pytest.mark.parametrize("block", range(8))
def test_closing_from_concrete_states_is_inductive(block: int) -> None:
    rng = Random(block)
    answers = 0
    for _ in range(5):
        abstraction = random_abstraction(rng)
        starts = rng.sample(list(box(abstraction.system, 3)), rng.randint(1, 4))
        closed = closure(abstraction, [(abstraction.alpha(state), state) for state in starts])
        if closed is not None:
            answers += 1
            assert all(inside(abstraction, closed, state) for state in starts)
            assert assert_inductive(abstraction, closed, 5) >= 1
    assert answers


@pytest.mark.parametrize("block", range(4))
def test_hulls_that_hold_a_step_already_are_closed_as_well(block: int) -> None:
    rng = Random(100 + block)
    for _ in range(5):
        abstraction = random_abstraction(rng, choices=False)
        start, *later = walk(rng, abstraction, rng.choice(list(box(abstraction.system, 3))), 12)
        closed = closure(abstraction, [start], others=later)
        if closed is not None:
            assert_inductive(abstraction, closed, 5)
            for _, state in (start, *later):
                assert isinstance(state, tuple) and inside(abstraction, closed, state)


def walk(rng: Random, abstraction: PredicateAbstraction, state: State, length: int) -> list[Sample]:
    """A random execution from the state."""
    found: list[Sample] = [(abstraction.alpha(state), state)]
    for _ in range(length):
        enabled = abstraction.enabled(abstraction.alpha(state))
        if not enabled:
            break
        state = next(steps(abstraction.system, state, rng.choice(enabled), ()))
        found.append((abstraction.alpha(state), state))
    return found


@pytest.mark.parametrize("block", range(8))
def test_closing_from_symbolic_states_is_inductive_and_holds_them_entirely(block: int) -> None:
    rng = Random(50 + block)
    answers = 0
    for _ in range(4):
        abstraction = random_abstraction(rng)
        samples = symbolic_samples(abstraction, 8)
        closed = closure(abstraction, samples)
        if closed is None:
            continue
        answers += 1
        assert_inductive(abstraction, closed, 5)
        for alpha, state in samples:
            if isinstance(state, tuple):
                assert inside(abstraction, closed, state)
            else:
                assert_covered(abstraction, state, closed[alpha])
    assert answers


def assert_covered(abstraction: PredicateAbstraction, state: SymbolicState, literals: tuple[Term, ...]) -> None:
    values = dict(zip(abstraction.system.data_variables, state.values, strict=True))
    held = terms.conjunction(*(terms.substitute(literal, values) for literal in literals))
    assert not abstraction.queries.satisfiable([*state.condition, terms.negate(held)], "covered")


def test_a_bad_state_that_may_be_reached_gives_no_answer() -> None:
    for seed in range(12):
        abstraction = random_abstraction(Random(seed))
        state = next(islice(box(abstraction.system, 2), 20, None))
        alpha = abstraction.alpha(state)
        strengthening = Strengthening(abstraction, QUESTIONS)
        strengthening.cover([(alpha, state)])
        moves = {
            abstraction.alpha(target)
            for transition in abstraction.enabled(alpha)
            for target in steps(abstraction.system, state, transition, SAMPLES)
        }
        closed = strengthening.close([alpha], lambda abstract: abstract != alpha)  # noqa: B023
        assert closed is None if moves - {alpha} else closed is None or set(closed) == {alpha}


def test_no_more_questions_are_asked_than_allowed() -> None:
    rng = Random(3)
    exhausted = 0
    for _ in range(12):
        abstraction = random_abstraction(rng)
        samples = symbolic_samples(abstraction, 8)
        for questions in (0, 1, 7, 40):
            before = abstraction.queries.statistics("strengthening").asked
            exhausted += closure(abstraction, samples, questions) is None
            assert abstraction.queries.statistics("strengthening").asked - before <= questions
    assert exhausted


def test_an_equation_between_counters_is_found() -> None:
    text = """
    var x, y : int = 0; control pc : {up, down} = up;
    trans a: pc = up -> x := x + 3, pc := down;
    trans b: pc = down -> y := y + 3, pc := up;
    safety near: x - y <= 3;
    """
    system = lower(parse_program(text, "step.gcl"))
    x, y = system.data_variables
    near = terms.at_most(terms.subtract(x, y), terms.integer(3))
    abstraction = PredicateAbstraction(system, [near], system.properties, Queries(Z3Solver()))
    path: list[State] = [(0, 0, 0), (1, 3, 0), (0, 3, 3), (1, 6, 3)]
    closed = closure(abstraction, [(abstraction.alpha(state), state) for state in path])
    assert closed is not None
    assert assert_inductive(abstraction, closed, 12) > len(path)
    assert any(terms.equal(x, y) in literals for literals in closed.values())


def test_the_vocabulary_watches_variables_pairs_and_predicates() -> None:
    system = lower(parse_program("var x, y : int; trans t: x + 2 * y <= 7 -> x := 1; safety s: x != 4;", "v.gcl"))
    x, y = system.data_variables
    atoms = [terms.at_most(terms.combination([(x, 1), (y, 2)]), terms.integer(7)), terms.equal(x, terms.integer(4))]
    found = vocabulary(system, atoms)
    assert set(found.forms) == {x, y, terms.add(x, y), terms.subtract(x, y), terms.combination([(x, 1), (y, 2)])}
    assert list(found.thresholds[found.forms.index(x)]) == [-1, 0, 1, 4, 5]
