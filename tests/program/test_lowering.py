"""Lowering keeps the program: the same initial states, the same steps, the same violations."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random

import pytest

from pincer.errors import UnsupportedError
from pincer.evidence.gcl import interpreter
from pincer.frontends.gcl import parse_program
from pincer.logic import terms
from pincer.logic.evaluation import evaluate
from pincer.logic.queries import Queries
from pincer.logic.terms import Term
from pincer.logic.z3_solver import Z3Solver
from pincer.program.guarded import RANGE_PROPERTY
from pincer.program.lowering import lower
from pincer.program.transition_system import Nondet, State, TransitionCase, TransitionSystem
from tests.program.random_programs import flat, random_program, states

SAMPLES = (-3, 0, 2)
"""What an unbounded choice is tried with, on both sides of the comparison."""


def successors(system: TransitionSystem, transition: TransitionCase, state: State) -> Iterator[State]:
    """The outcomes of a lowered transition, read off its definition."""
    model = dict(zip(system.variables, state, strict=True))
    if not evaluate(transition.guard, model):
        return
    options: list[tuple[int, ...]] = [(value,) for value in state]
    for i, update in transition.control_updates:
        options[i] = (evaluate(update, model),)
    for i, data_update in transition.data_updates:
        place = len(system.domains) + i
        if isinstance(data_update, Nondet):
            options[place] = tuple(chosen_values(data_update))
        else:
            options[place] = (evaluate(data_update, model),)
    yield from product(*options)


def chosen_values(choice: Nondet) -> Iterator[int]:
    if choice.low is None or choice.high is None:
        assert choice == Nondet()
        yield from SAMPLES
    else:
        yield from range(choice.low, choice.high + 1)


def proving(queries: Queries, formula: Term) -> bool:
    return queries.valid(formula, "ranges")


@pytest.mark.parametrize("block", range(10))
def test_lowered_programs_agree_with_the_interpreter_state_by_state(block: int) -> None:
    rng = Random(block)
    for _ in range(20):
        program = random_program(rng)
        system = lower(program)
        formulas = {p.name: p.formula for p in system.properties}
        everywhere = list(states(program, 4))
        for state in rng.sample(everywhere, 120):
            here = flat(system, state)
            model = dict(zip(system.variables, here, strict=True))
            assert bool(evaluate(system.initial, model)) == interpreter.is_initial(program, state)
            expected = {
                (transition.name, flat(system, target))
                for transition, target in interpreter.successors(program, state, SAMPLES)
            }
            found = {(t.name, target) for t in system.transitions for target in successors(system, t, here)}
            assert found == expected, (state, [t.guard for t in system.transitions])
            for name in [*(p.name for p in program.properties), RANGE_PROPERTY]:
                holds = bool(evaluate(formulas.get(name, terms.TRUE), model))
                assert holds == (not interpreter.violates(program, name, state)), (name, state)


@pytest.mark.parametrize("block", range(4))
def test_discharging_range_checks_changes_no_verdict_in_any_state_of_the_types(block: int) -> None:
    rng = Random(50 + block)
    queries = Queries(Z3Solver())
    kept = discharged = 0
    for _ in range(15):
        program = random_program(rng)
        system = lower(program, lambda formula: proving(queries, formula))
        ranges = next((p.formula for p in system.properties if p.name == RANGE_PROPERTY), terms.TRUE)
        kept += ranges is not terms.TRUE
        discharged += len(lower(program).properties) > len(system.properties)
        for state in rng.sample(list(states(program, 4)), 80):
            model = dict(zip(system.variables, flat(system, state), strict=True))
            assert bool(evaluate(ranges, model)) == (not interpreter.range_violated(program, state))
    assert kept


@pytest.mark.parametrize("block", range(4))
def test_control_stays_in_its_types_and_depends_on_control_only(block: int) -> None:
    rng = Random(80 + block)
    for _ in range(15):
        program = random_program(rng)
        system = lower(program)
        assert [str(v) for v in system.control_variables] == ["pc", "k", "on"]
        assert system.domains == ((0, 2), (-1, 2), (0, 1))
        for transition in system.transitions:
            assert all(update.variables <= system.control_set for _, update in transition.control_updates)
            assert "if" not in repr([update for _, update in transition.data_updates])
        for state in rng.sample(list(states(program, 3)), 60):
            for transition in system.transitions:
                for target in successors(system, transition, flat(system, state)):
                    for value, (low, high) in zip(target, system.domains, strict=False):
                        assert low <= value <= high


def lowered(text: str) -> TransitionSystem:
    return lower(parse_program(text, "lowered.gcl"))


def test_conditionals_in_assignments_become_exclusive_cases() -> None:
    system = lowered(
        "var x, y : int; trans t: x > 0 -> x := if y = 0 then 1 else (if y < 0 then 2 else 3); safety s: true;"
    )
    assert [t.name for t in system.transitions] == ["t", "t", "t"]
    assert [t.index for t in system.transitions] == [0, 1, 2]
    for y in (-1, 0, 1):
        model = {terms.variable("x"): 1, terms.variable("y"): y}
        assert sum(evaluate(t.guard, model) for t in system.transitions) == 1


def test_conditionals_on_one_condition_are_split_together() -> None:
    system = lowered(
        "var x, y, z : int; trans t: true -> x := if z > 0 then 1 else 2, y := if z > 0 then 3 else 4; safety s: true;"
    )
    assert len(system.transitions) == 2


def test_finite_choices_and_finite_variables_from_integers_are_split_by_value() -> None:
    chosen = lowered("var x : int; control k : 3..6; trans t: true -> k := nondet; safety s: true;")
    assert [terms.constant_value(t.control_updates[0][1]) for t in chosen.transitions] == [3, 4, 5, 6]
    assigned = lowered("var x : int; control k : 3..6; trans t: true -> k := x + 1; safety s: true;")
    assert [evaluate(t.guard, {terms.variable("x"): 4}) for t in assigned.transitions] == [0, 0, 1, 0]
    narrow = lowered("var x : int; control k : 3..6; trans t: true -> k := nondet(4..5); safety s: true;")
    assert len(narrow.transitions) == 2


def test_impossible_cases_and_unchanged_variables_leave_no_trace() -> None:
    system = lowered(
        "var x : int; control k : 0..2 = 0; trans t: x > 0 -> x := x, k := k; trans f: false -> x := 1; safety s: true;"
    )
    assert [(t.name, t.control_updates, t.data_updates) for t in system.transitions] == [("t", (), ())]


def test_range_is_listed_exactly_when_it_is_not_discharged() -> None:
    queries = Queries(Z3Solver())

    def names(guard: str, value: str) -> list[str]:
        text = f"var x : int = 0; control k : 0..3 = 0; trans t: {guard} -> k := {value}; safety s: true;"
        system = lower(parse_program(text, "r.gcl"), lambda formula: proving(queries, formula))
        return [p.name for p in system.properties]

    assert names("k < 3", "k + 1") == ["s"]
    assert names("true", "k + 1") == ["s", "range"]
    assert names("0 <= x && x < 4", "x") == ["s"]
    assert names("x < 4", "x") == ["s", "range"]
    assert names("true", "x mod 4") == ["s"]
    assert names("true", "if x > 3 || x < 0 then k else x") == ["s"]
    assert names("true", "2 * k - k") == ["s"]


def test_too_many_cases_are_refused_with_the_place() -> None:
    many = ", ".join(f"k[{i}] := nondet" for i in range(1, 6))
    text = f"var x : int; control k[1..5] : 0..7;\n\ntrans t: x = 0 -> {many}; safety s: true;"
    with pytest.raises(UnsupportedError, match="more than 4096 cases") as refused:
        lowered(text)
    assert refused.value.position is not None
    assert refused.value.position.line == 3


LARGE = """
var x : int = 0; control k : 0..{high} = 0;
trans t: x = 0 -> {update};
safety s: x = 0;
"""


@pytest.mark.parametrize(
    ("high", "update"),
    [
        (50_000, "k := nondet"),
        (50_000, "k := nondet(0..40000)"),
        pytest.param(50_000, "k := x", id="50000-k := x"),
        pytest.param(
            10**15,
            "k := nondet",
        ),
    ],
)
def test_large_finite_types_are_refused_not_enumerated(high: int, update: str) -> None:
    with pytest.raises(UnsupportedError, match="more than 4096 cases"):
        lowered(LARGE.format(high=high, update=update))


def test_cases_are_counted_before_they_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    made = 0
    equal = terms.equal

    def counting(left: Term, right: Term) -> Term:
        nonlocal made
        made += 1
        return equal(left, right)

    monkeypatch.setattr(terms, "equal", counting)
    with pytest.raises(UnsupportedError, match="more than 4096 cases"):
        lowered(LARGE.format(high=20_000, update="k := x"))
    assert made < 100_000


def test_conditionals_are_counted_before_they_are_multiplied(monkeypatch: pytest.MonkeyPatch) -> None:
    made = 0
    conjunction = terms.conjunction

    def counting(*parts: Term) -> Term:
        nonlocal made
        made += 1
        return conjunction(*parts)

    total = " + ".join(f"(if x[{i}] > 0 then 1 else 0)" for i in range(1, 15))
    monkeypatch.setattr(terms, "conjunction", counting)
    with pytest.raises(UnsupportedError, match="cases"):
        lowered(f"var x[1..14] : int; var s : int = 0; trans t: true -> s := {total}; safety p: true;")
    assert made < 100_000


def test_deadlock_is_the_absence_of_every_guard() -> None:
    system = lowered(
        "var x : int; control k : 0..1; trans a: x < 0 -> x := 0; trans b: x > 1 -> k := x; safety live: !deadlock;"
    )
    formula = system.properties[0].formula
    for x in range(-3, 5):
        assert evaluate(formula, {terms.variable("x"): x}) == (x < 0 or x > 1)


def test_a_program_without_transitions_is_always_deadlocked() -> None:
    system = lowered("var x : int = 0; safety live: !deadlock; safety dead: deadlock;")
    assert [p.formula for p in system.properties] == [terms.FALSE, terms.TRUE]


def test_finite_variables_come_first_and_keep_their_order() -> None:
    system = lowered(
        "var a : int; control c : 0..1; var b : int; var d : bool; trans t: true -> b := a; safety s: true;"
    )
    assert [str(v) for v in system.variables] == ["c", "d", "a", "b"]
    assert system.transitions[0].data_updates == ((1, terms.variable("a")),)
