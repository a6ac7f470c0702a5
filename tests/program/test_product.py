"""Products of guarded programs with automata."""

from __future__ import annotations

from pincer.evidence.gcl.interpreter import is_initial, successors, violates
from pincer.frontends.gcl import parse_program
from pincer.program.automaton import ALWAYS, Automaton, AutomatonEdge
from pincer.program.product import AUTOMATON_NODE, UNVIOLATED, product

PROGRAM = """
var x : 0..2 = 0;
trans up: x < 2 -> x := x + 1;
temporal wanted: []{x < 2 && !deadlock};
"""
HOLDS, FAILS = ((("$1", True),),), ((("$1", False),),)
NEGATED = Automaton(
    ("$1",), (0,), (False, True), (FAILS, ALWAYS),
    (AutomatonEdge(0, HOLDS, 0), AutomatonEdge(0, FAILS, 1), AutomatonEdge(1, ALWAYS, 1)),
)  # fmt: skip


def test_the_automaton_reads_the_state_that_is_left() -> None:
    program = parse_program(PROGRAM, "p.gcl")
    made = product(program, program.temporal[0], NEGATED)
    assert is_initial(made.program, {"x": 0, AUTOMATON_NODE: 0})
    assert not is_initial(made.program, {"x": 0, AUTOMATON_NODE: 1})
    [(transition, after)] = successors(made.program, {"x": 0, AUTOMATON_NODE: 0})
    assert after == {"x": 1, AUTOMATON_NODE: 0}
    assert made.origins[transition.name] == 0


def test_the_deadlock_of_a_predicate_is_that_of_the_program() -> None:
    program = parse_program(PROGRAM, "p.gcl")
    made = product(program, program.temporal[0], NEGATED)
    assert violates(made.program, UNVIOLATED, {"x": 2, AUTOMATON_NODE: 0}), "the run ends and the formula is false"
    assert violates(made.program, UNVIOLATED, {"x": 1, AUTOMATON_NODE: 1}), "nothing can save the formula"
    assert not violates(made.program, UNVIOLATED, {"x": 1, AUTOMATON_NODE: 0})


def test_a_stuck_automaton_ends_nothing() -> None:
    program = parse_program(PROGRAM, "p.gcl")
    stuck = Automaton(("$1",), (0,), (True,), ((),), ())
    made = product(program, program.temporal[0], stuck)
    assert not made.program.transitions
    assert not violates(made.program, UNVIOLATED, {"x": 0, AUTOMATON_NODE: 0})
