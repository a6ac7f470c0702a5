"""The interpreter: the meaning of programs on concrete states."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from pincer.errors import PincerError
from pincer.evidence.gcl.interpreter import (
    enabled,
    evaluate,
    is_initial,
    range_violated,
    step,
    successors,
    violates,
)
from pincer.frontends.gcl import parse_formula, parse_program
from pincer.program.guarded import Arithmetic, GuardedChoice, GuardedProgram, GuardedTransition, Number, VariableRef

COUNTER = parse_program(
    """
    program counter;
    var x : int; var k : 0..3 = 0; var on : bool = false;
    control pc : {idle, busy} = idle;
    init x >= 2;
    trans start: pc = idle && x > 0 -> pc := busy, x := x - 2, on := !on;
    trans swap : pc = busy -> x := k, k := x;
    trans pick : pc = busy && on -> x := nondet, k := nondet(1..2), pc := idle;
    safety small: x <= 10;
    safety live: !deadlock;
    """,
    "counter.gcl",
)
IDLE = {"x": 3, "k": 1, "on": 0, "pc": 0}
BUSY = {"x": 3, "k": 1, "on": 1, "pc": 1}


def transition(program: GuardedProgram, name: str) -> GuardedTransition:
    return next(candidate for candidate in program.transitions if candidate.name == name)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x div 4 = -2 && x mod 4 = 3", True),
        ("-x = 5", True),
        ("2*x - k = -11", True),
        ("(if x < 0 then k else 7) = 1", True),
        ("x = -5 => k = 2", False),
        ("x = 5 => k = 2", True),
        ("x = -5 <=> k = 1", True),
        ("x = -5 <=> k != 1", False),
        ("x != -5 || k >= 1 || on", True),
        ("x > -5 || k < 1", False),
        ("!on && pc = busy && x <= -5", True),
    ],
)
def test_formulas_mean_what_the_language_says(text: str, expected: bool) -> None:
    state = {"x": -5, "k": 1, "on": 0, "pc": 1}
    assert evaluate(parse_formula(text, COUNTER), COUNTER, state) is expected


def test_expressions_evaluate_to_integers_of_any_size() -> None:
    product = Arithmetic("*", Number(10**30), VariableRef("x"))
    assert evaluate(product, COUNTER, BUSY) == 3 * 10**30


def test_deadlock_is_the_absence_of_enabled_transitions() -> None:
    stuck = {**IDLE, "x": 0}
    assert violates(COUNTER, "live", stuck)
    assert not violates(COUNTER, "live", IDLE)


def test_initial_states_satisfy_init_and_the_types() -> None:
    assert is_initial(COUNTER, {"x": 2, "k": 0, "on": 0, "pc": 0})
    assert not is_initial(COUNTER, {"x": 1, "k": 0, "on": 0, "pc": 0})
    unconstrained = parse_program("var k : 0..3; safety s: k <= 3;", "free.gcl")
    assert is_initial(unconstrained, {"k": 3})
    assert not is_initial(unconstrained, {"k": 4})


def test_assignments_are_simultaneous_and_the_rest_keeps_its_value() -> None:
    assert step(COUNTER, transition(COUNTER, "swap"), BUSY, {**BUSY, "x": 1, "k": 3}) is None
    assert step(COUNTER, transition(COUNTER, "pick"), BUSY, {"x": -99, "k": 2, "on": 1, "pc": 0}) is None


@pytest.mark.parametrize(
    ("name", "state", "target", "reason"),
    [
        ("start", BUSY, BUSY, "the guard of start does not hold"),
        ("start", IDLE, {"x": 2, "k": 1, "on": 1, "pc": 1}, "start gives x the value 1, not 2"),
        ("start", IDLE, {"x": 1, "k": 1, "on": 1, "pc": 0}, "start gives pc the value busy, not idle"),
        ("start", IDLE, {"x": 1, "k": 2, "on": 1, "pc": 1}, "start does not assign k, but it becomes 2"),
        ("pick", BUSY, {"x": 0, "k": 3, "on": 1, "pc": 0}, "pick cannot choose 3 for k"),
        ("pick", BUSY, {"x": 0, "k": 0, "on": 1, "pc": 0}, "pick cannot choose 0 for k"),
        ("swap", {**BUSY, "x": 4}, {**BUSY, "x": 1, "k": 4}, "4 is not a value of k's type"),
    ],
)
def test_impossible_steps_are_refused_with_the_reason(
    name: str, state: dict[str, int], target: dict[str, int], reason: str
) -> None:
    assert step(COUNTER, transition(COUNTER, name), state, target) == reason


def test_a_step_out_of_range_violates_range_and_has_no_successor() -> None:
    wide = {**BUSY, "x": 4, "on": 0}
    assert enabled(COUNTER, transition(COUNTER, "swap"), wide)
    assert range_violated(COUNTER, wide)
    assert violates(COUNTER, "range", wide)
    assert list(successors(COUNTER, wide)) == []
    assert not range_violated(COUNTER, BUSY)
    assert not range_violated(COUNTER, {**wide, "pc": 0})


def test_a_choice_beyond_the_type_violates_range_and_yields_only_the_values_inside() -> None:
    program = parse_program("control k : 0..2 = 0; trans t: k = 0 -> k := 1; safety s: true;", "c.gcl")
    wide = replace(program.transitions[0], assignments=(("k", GuardedChoice(1, 4)),))
    program = replace(program, transitions=(wide,))
    assert range_violated(program, {"k": 0})
    assert not range_violated(program, {"k": 1})
    assert [target["k"] for _, target in successors(program, {"k": 0})] == [1, 2]


def test_successors_exhaust_bounded_choices_and_sample_unbounded_ones() -> None:
    found = [(taken.name, target["x"], target["k"]) for taken, target in successors(COUNTER, BUSY, [7, -7])]
    assert found == [("swap", 1, 3), ("pick", 7, 1), ("pick", 7, 2), ("pick", -7, 1), ("pick", -7, 2)]


def test_every_successor_is_a_possible_step() -> None:
    for taken, target in successors(COUNTER, BUSY, [0, 5]):
        assert step(COUNTER, taken, BUSY, target) is None


def test_an_unknown_property_is_a_mistake() -> None:
    with pytest.raises(PincerError, match="no property named 'fast'"):
        violates(COUNTER, "fast", IDLE)
