"""Control comes first, and a transition knows whether it chooses."""

from __future__ import annotations

from pincer.frontends.gcl import parse_program
from pincer.logic import terms
from pincer.program.lowering import lower

TEXT = """
var x : int; control pc : {a, b} = a; var y : int; var on : bool;
trans step: x > 0 -> x := x + 1, pc := b;
trans pick: on -> y := nondet, on := false;
trans flip: true -> on := nondet;
safety s: x > y;
"""


def test_finite_variables_are_the_control_part_in_their_order() -> None:
    system = lower(parse_program(TEXT, "p.gcl"))
    assert list(map(str, system.control_variables)) == ["pc", "on"]
    assert list(map(str, system.data_variables)) == ["x", "y"]
    assert system.variables == (*system.control_variables, *system.data_variables)
    assert system.domains == ((0, 1), (0, 1))


def test_formulas_over_control_alone_are_told_from_others() -> None:
    system = lower(parse_program(TEXT, "p.gcl"))
    pc, x = terms.variable("pc"), terms.variable("x")
    assert system.over_control_only(terms.equal(pc, terms.integer(1)))
    assert system.over_control_only(terms.TRUE)
    assert not system.over_control_only(terms.at_most(pc, x))


def test_only_unbounded_choices_are_left_to_chance() -> None:
    system = lower(parse_program(TEXT, "p.gcl"))
    chooses = {transition.name: not transition.deterministic for transition in system.transitions}
    assert chooses == {"step": False, "pick": True, "flip": False}
    assert sum(transition.name == "flip" for transition in system.transitions) == 2
    assert [transition.index for transition in system.transitions] == list(range(len(system.transitions)))
