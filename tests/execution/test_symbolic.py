"""Symbolic states stand for exactly the concrete states they should, step after step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from random import Random

import pytest

import pincer.execution.symbolic
from pincer.abstraction.predicates import PredicateAbstraction, guard_predicates
from pincer.evidence.gcl import interpreter
from pincer.execution.symbolic import (
    SymbolicState,
    execute,
    few_instances,
    initial_states,
    normalised,
    symbolic,
)
from pincer.frontends.gcl import parse_program
from pincer.logic import terms
from pincer.logic.evaluation import evaluate
from pincer.logic.queries import Queries
from pincer.logic.terms import Term
from pincer.logic.z3_solver import Z3Solver
from pincer.program.lowering import lower
from pincer.program.transition_system import State, TransitionCase, TransitionSystem
from tests.execution.random_steps import random_program, states

SAMPLES = tuple(range(-4, 5))


class Members:
    """Which concrete states belong to a symbolic one, decided by a solver of its own."""

    def __init__(self, system: TransitionSystem) -> None:
        self.split = len(system.domains)
        self.queries = Queries(Z3Solver())

    def contains(self, symbolic_state: SymbolicState, state: State) -> bool:
        return self._solution(symbolic_state, state) is not None

    def source(self, before: SymbolicState, after: SymbolicState, state: State) -> State | None:
        """A state of `before` that the symbols of `after` lead from to the given state, None when there is none."""
        solution = self._solution(after, state)
        if solution is None:
            return None
        symbols = {v for value in before.values for v in value.variables}
        model = dict.fromkeys(symbols, 0) | dict(solution)
        return before.control + tuple(evaluate(value, model) for value in before.values)

    def _solution(self, symbolic_state: SymbolicState, state: State) -> Mapping[Term, int] | None:
        if symbolic_state.control != state[: self.split]:
            return None
        data = zip(symbolic_state.values, state[self.split :], strict=True)
        equations = [terms.equal(value, terms.integer(number)) for value, number in data]
        return self.queries.model([*equations, *symbolic_state.condition], "membership")


def box_of(system: TransitionSystem, radius: int) -> list[State]:
    names = [str(v) for v in system.variables]
    return [tuple(state[name] for name in names) for state in states(system.program, radius)]


def named(system: TransitionSystem, state: State) -> dict[str, int]:
    return dict(zip((str(v) for v in system.variables), state, strict=True))


@pytest.mark.parametrize("block", range(6))
def test_initial_states_cover_exactly_the_initial_states(block: int) -> None:
    rng = Random(block)
    for _ in range(5):
        program = random_program(rng)
        system = lower(program)
        members = Members(system)
        starts = list(initial_states(system, Queries(Z3Solver())))
        assert len({start.control for start in starts}) == len(starts)
        for state in rng.sample(box_of(system, 3), 250):
            inside = any(members.contains(start, state) for start in starts)
            assert inside == interpreter.is_initial(program, named(system, state)), (program.init, state)


@pytest.mark.parametrize("block", range(12))
def test_executing_splitting_and_normalising_keep_the_set_of_states(block: int) -> None:
    rng = Random(100 + block)
    for _ in range(4):
        system = lower(random_program(rng))
        queries = Queries(Z3Solver())
        atoms = guard_predicates(
            system, [*(t.guard for t in system.transitions), *(p.formula for p in system.properties)]
        )
        abstraction = PredicateAbstraction(system, atoms, system.properties, queries)
        starts = list(initial_states(system, queries))
        current: SymbolicState | None = rng.choice(starts) if starts else None
        for _ in range(3):
            if current is not None:
                current = check_one_step(rng, abstraction, current)


def check_one_step(rng: Random, abstraction: PredicateAbstraction, state: SymbolicState) -> SymbolicState | None:
    """Split a state, check the parts, step from one of them, check the result and return it."""
    system, members = abstraction.system, Members(abstraction.system)
    box = [point for point in box_of(system, 3) if point[: len(system.domains)] == state.control]
    parts = abstraction.split_state(state)
    whole = [SymbolicState(state.control, state.values, condition) for _, condition in parts]
    normal = [normalised(system, part) for part in whole]
    for point in box:
        holding = [i for i, part in enumerate(normal) if members.contains(part, point)]
        assert len(holding) == members.contains(state, point), (state, point)
        assert holding == [i for i, part in enumerate(whole) if members.contains(part, point)]
        for i in holding:
            assert abstraction.encode(state.control, parts[i][0]) == abstraction.alpha(point)
    chosen = rng.randrange(len(parts))
    enabled = abstraction.enabled(abstraction.encode(state.control, parts[chosen][0]))
    if not enabled:
        return None
    transition = system.transitions[rng.choice(enabled)]
    result = execute(system, normal[chosen], transition)
    for source in box:
        if members.contains(normal[chosen], source):
            for target in steps(system, source, transition):
                assert members.contains(result, target), (normal[chosen], transition.name, result, target)
    for target in box_of(system, 2):
        found = members.source(normal[chosen], result, target)
        if found is not None:
            assert target in steps(system, found, transition), (normal[chosen], result, found, target)
    return result


def steps(system: TransitionSystem, source: State, transition: TransitionCase) -> set[State]:
    """Where the interpreter gets by the transition, in the lowered case at hand; unbounded choices are sampled."""
    names = [str(v) for v in system.variables]
    control = execute(system, symbolic(system, source), transition).control
    taken = interpreter.successors(system.program, named(system, source), SAMPLES)
    targets = {tuple(target[name] for name in names) for t, target in taken if t.name == transition.name}
    return {target for target in targets if target[: len(control)] == control}


def state_of(values: Iterable[Term], condition: Iterable[Term]) -> SymbolicState:
    return SymbolicState((), tuple(values), frozenset(condition))


def plain_system() -> TransitionSystem:
    return lower(parse_program("var x, y : int; trans t: x = 0 -> x := 1; safety s: true;", "plain.gcl"))


A, B, C = (terms.variable(f"${name}new") for name in "abc")


def test_conditions_on_dead_symbols_are_dropped() -> None:
    system = plain_system()
    state = state_of([terms.integer(4), A], [terms.at_most(B, terms.integer(3)), terms.less(C, B)])
    assert normalised(system, state).condition == frozenset()


def test_a_dead_symbol_between_two_live_ones_is_projected_not_forgotten() -> None:
    system = plain_system()
    result = normalised(system, state_of([A, B], [terms.at_most(A, C), terms.at_most(C, B)]))
    x, y = result.values
    assert result.condition == {terms.at_most(x, y)}


def test_a_dead_symbol_that_needs_more_than_bounds_is_kept() -> None:
    system = plain_system()
    even = normalised(system, state_of([A, terms.integer(0)], [terms.equal(A, terms.scale(2, B))]))
    members = Members(system)
    assert [members.contains(even, (x, 0)) for x in range(-2, 4)] == [True, False] * 3


def test_equations_are_solved_and_single_states_become_concrete() -> None:
    system = plain_system()
    condition = [terms.equal(terms.add(A, B), terms.integer(5)), terms.equal(B, terms.integer(2))]
    assert normalised(system, state_of([A, B], condition)).concrete() == (3, 2)
    assert normalised(system, state_of([A, B], condition[:1])).concrete() is None


def test_states_that_differ_in_symbols_only_become_equal() -> None:
    system = plain_system()
    first = normalised(system, state_of([A, terms.add(B, A)], [terms.at_most(A, B), terms.less(C, A)]))
    second = normalised(system, state_of([C, terms.add(A, C)], [terms.at_most(C, A), terms.less(B, C)]))
    assert first == second and hash(first) == hash(second)


def test_renaming_does_not_confuse_symbols_that_swap_names() -> None:
    system = plain_system()
    x, y = terms.variable("$x"), terms.variable("$y")
    result = normalised(system, state_of([y, x], [terms.less(x, y)]))
    assert result.values == (x, y)
    assert result.condition == {terms.less(y, x)}


def test_concrete_and_symbolic_forms_of_a_state_agree() -> None:
    system = lower(random_program(Random(3)))
    for state in Random(4).sample(box_of(system, 3), 30):
        lifted = symbolic(system, state)
        assert lifted.concrete() == state
        assert normalised(system, lifted) == lifted


def test_an_unsatisfiable_init_has_no_initial_states() -> None:
    text = "var x : int = 0; control c : 0..3; init 2 * x = 1 + 2 * c; trans t: true -> x := 1; safety s: true;"
    assert list(initial_states(lower(parse_program(text, "none.gcl")), Queries(Z3Solver()))) == []


def test_init_picks_control_valuations_by_solving() -> None:
    text = "var x : int; control c : 0..3; init x = c && 1 <= x && x < 3; trans t: true -> x := 1; safety s: true;"
    system = lower(parse_program(text, "some.gcl"))
    assert [s.concrete() for s in initial_states(system, Queries(Z3Solver()))] == [(1, 1), (2, 2)]


def test_a_pinned_variable_of_a_large_type_is_not_enumerated(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = 0

    def counting(term: Term, values: dict[Term, int]) -> int:
        nonlocal tried
        tried += 1
        return evaluate(term, values)

    monkeypatch.setattr(pincer.execution.symbolic, "evaluate", counting)
    text = "var x : int = 0; control c : 0..20000 = 5; trans t: true -> x := 1; safety s: true;"
    system = lower(parse_program(text, "large.gcl"))
    assert [s.concrete() for s in initial_states(system, Queries(Z3Solver()))] == [(5, 0)]
    assert tried < 1000


def test_few_instances_are_listed_and_more_than_a_machine_word_counts_are_not() -> None:
    def between(low: int, high: int) -> SymbolicState:
        return state_of([A], [terms.at_most(terms.integer(low), A), terms.at_most(A, terms.integer(high))])

    assert few_instances(between(3, 4), 8) == [(3,), (4,)]
    assert few_instances(between(-(2**70), 0), 8) is None
