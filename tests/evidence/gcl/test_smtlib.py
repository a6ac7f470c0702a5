"""The SMT-LIB translation agrees with the interpreter, and Spacer with both."""

from __future__ import annotations

from itertools import product

import pytest
import z3
from msgspec.structs import replace

from pincer.errors import PincerError, Position
from pincer.evidence.gcl.interpreter import evaluate, is_initial, step, successors, violates
from pincer.evidence.gcl.smtlib import (
    conjunction,
    formula_text,
    horn_script,
    initial_text,
    number_text,
    property_formula,
    step_text,
    symbol,
)
from pincer.frontends.gcl import parse_formula, parse_program
from pincer.program.guarded import (
    Arithmetic,
    Comparison,
    GuardedChoice,
    GuardedProgram,
    GuardedVariable,
    IntType,
    Number,
    Truth,
    VariableRef,
)


def choosing(program: GuardedProgram, transition: str, variable: str, choice: GuardedChoice) -> GuardedProgram:
    """The program with another choice, even one that the parser would refuse because it leaves the type."""
    return replace(
        program,
        transitions=tuple(
            replace(t, assignments=tuple({**dict(t.assignments), variable: choice}.items()))
            if t.name == transition
            else t
            for t in program.transitions
        ),
    )


NARROW = parse_program(
    """
    var x : int = 0; var a[1..2] : int; control pc : {go, stop} = go; control k : 0..2;
    init a[1] = 0 || a[2] = 0;
    trans walk: pc = go && x < 3 -> x := x + 1, k := a[1], a[2] := if x mod 2 = 0 then a[1] else -x;
    trans pick: pc = go -> a[1] := nondet(0..1), k := nondet(1..2), x := nondet;
    trans halt: pc = go && x div 2 > 0 -> pc := stop;
    safety low : x <= 2;
    safety live: !deadlock;
    """,
    "smt.gcl",
)
PROGRAM = choosing(NARROW, "pick", "k", GuardedChoice(1, 3))
STATES = [
    {"x": x, "a[1]": a, "a[2]": b, "pc": pc, "k": k}
    for x, a, b, pc, k in product((-1, 0, 3), (-1, 0, 2), (0, 1), (0, 1), (0, 2))
]


def holds(text: str, program: GuardedProgram, state: dict[str, int]) -> bool:
    """Whether the text is true under the values of the state, according to z3."""
    declarations = "".join(f"(declare-const {symbol(name)} Int)" for name in state)
    values = "".join(f"(assert (= {symbol(name)} {number_text(value)}))" for name, value in state.items())
    solver = z3.Solver()
    solver.from_string(f"{declarations}{values}(assert {text})")
    return bool(solver.check() == z3.sat)


def test_formulas_mean_the_same_as_to_the_interpreter() -> None:
    text = "(x div 2 = -1 <=> a[1] mod 2 = 0) && (k != 1 => x > -1) || !(pc = go)"
    formula = parse_formula(text, PROGRAM)
    for state in STATES:
        expected = evaluate(formula, PROGRAM, state)
        assert holds(formula_text(formula, PROGRAM), PROGRAM, state) == expected


def test_initial_states_and_properties_are_the_interpreters() -> None:
    for state in STATES:
        assert holds(initial_text(PROGRAM), PROGRAM, state) == is_initial(PROGRAM, state)
        for name in ("low", "live", "range"):
            formula = property_formula(PROGRAM, name)
            assert holds(formula_text(formula, PROGRAM), PROGRAM, state) != violates(PROGRAM, name, state)


def test_steps_lead_exactly_where_the_interpreter_goes() -> None:
    for state in STATES[::3]:
        targets = [target for _, target in successors(PROGRAM, state, (5,))]
        for transition in PROGRAM.transitions:
            relation = step_text(PROGRAM, transition)
            for target in [*targets, state, {**state, "k": 3}]:
                effect = [f"(= {relation.next_values[name]} {number_text(target[name])})" for name in target]
                body = conjunction([relation.guard, relation.chosen, relation.in_range, *effect])
                names = " ".join(f"({choice} Int)" for choice in relation.choices)
                text = f"(exists ({names}) {body})" if names else body
                possible = step(PROGRAM, transition, state, target) is None
                assert holds(text, PROGRAM, state) == possible


@pytest.mark.parametrize("name", ["and", "x", "a[1]", "let", "Int", "a[-1]"])
def test_any_name_of_a_variable_is_a_safe_symbol(name: str) -> None:
    program = GuardedProgram(
        "names", (GuardedVariable(name, IntType(), Position("f", 1, 1)),), Truth(True), (), (), "f", "", {}
    )
    text = formula_text(Comparison("=", VariableRef(name), Number(-3)), program)
    assert holds(text, program, {name: -3})
    assert not holds(text, program, {name: 3})


def test_division_needs_a_positive_constant() -> None:
    for divisor in (Number(0), Number(-2), VariableRef("x")):
        formula = Comparison("=", Arithmetic("div", VariableRef("x"), divisor), Number(1))
        with pytest.raises(PincerError, match="positive constant"):
            formula_text(formula, PROGRAM)


def test_an_unknown_property_is_a_mistake() -> None:
    with pytest.raises(PincerError, match="no property named 'fast'"):
        horn_script(PROGRAM, "fast")


HORN = """
    var x : int = 0; control pc : {go, end} = go; control k : 0..3 = 0;
    trans up  : pc = go && x < 3 -> x := x + 1, k := x;
    trans any : pc = go -> x := nondet(0..2);
    trans stop: pc = go && x = 3 -> pc := end;
    trans idle: pc = end -> pc := end;
    safety small: x <= 3;
    safety tiny : x <= 2;
    safety live : !deadlock;
    safety done : pc != end;
"""


@pytest.mark.parametrize(
    ("text", "name", "verdict"),
    [
        (HORN, "small", "sat"),
        (HORN, "tiny", "unsat"),
        (HORN, "live", "sat"),
        (HORN, "done", "unsat"),
        (HORN, "range", "sat"),
        (HORN.replace("k := x;", "k := x + 2;"), "range", "unsat"),
        (HORN.replace("k := x;", "k := x + 2;"), "done", "sat"),
        (HORN.replace("k := x;", "k := 3 - x;"), "done", "unsat"),
        (HORN.replace("trans idle: pc = end -> pc := end;", ""), "live", "unsat"),
        ("safety s: true;", "s", "sat"),
    ],
)
def test_horn_clauses_are_sat_exactly_when_the_property_holds(text: str, name: str, verdict: str) -> None:
    solver = z3.SolverFor("HORN")
    solver.from_string(horn_script(parse_program(text, "horn.gcl"), name))
    assert str(solver.check()) == verdict


@pytest.mark.parametrize(("choice", "verdict"), [(GuardedChoice(2, 3), "sat"), (GuardedChoice(2, 4), "unsat")])
def test_a_choice_beyond_the_type_violates_range_only(choice: GuardedChoice, verdict: str) -> None:
    program = choosing(parse_program(HORN, "horn.gcl"), "up", "k", choice)
    for name, expected in (("range", verdict), ("small", "sat")):
        solver = z3.SolverFor("HORN")
        solver.from_string(horn_script(program, name))
        assert str(solver.check()) == expected
