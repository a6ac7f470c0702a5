"""Crossing a hop: what assignments leave, and from where a hop leads into a formula."""

from __future__ import annotations

from random import Random

import pytest

from pincer.engines.dash.crossing import about_entry, assigned, preimage_of_hop, stepped
from pincer.engines.dash.goals import Hop, Straight
from pincer.execution.machine import State, World
from pincer.execution.testing import ExecutionFrame, Node
from pincer.logic import bitvectors, terms
from pincer.logic.terms import TRUE, Term
from pincer.program.control_flow import Procedure, Skip
from tests.execution.straight_programs import HERE, edges_of, number, register, straight

X, Y = register("x", 8), register("y", 8)
PROGRAM = straight([Skip()])
WORLD = World(PROGRAM)


def state(x: int, y: int) -> State:
    return WORLD.initial_state().with_register(X, x, None).with_register(Y, y, None)


def plus(left: Term, right: Term) -> Term:
    return bitvectors.binary("bvadd", left, right)


SWAP = Hop(0, 1, Straight(TRUE, TRUE, {X: Y, Y: plus(X, number(1, 8))}), edges_of([Skip()]))


def test_assignments_of_a_stretch_are_simultaneous() -> None:
    after = assigned(state(3, 5), [(X, Y), (Y, X)], [])
    assert (after.registers[X], after.registers[Y]) == (5, 3)


@pytest.mark.parametrize("seed", range(5))
def test_a_state_is_in_the_preimage_exactly_if_the_hop_leads_into_the_formula(seed: int) -> None:
    rng = Random(seed)
    formula = bitvectors.compare("bvule", plus(X, number(rng.randrange(256), 8)), Y)
    condition = bitvectors.compare("bvult", X, number(200, 8))
    before = preimage_of_hop(SWAP, formula, condition, state(0, 0), {})
    assert before is not None
    for _ in range(50):
        here = state(rng.randrange(256), rng.randrange(256))
        node = Node(0, here, ExecutionFrame(PROGRAM.procedures["main"]), None, None, None)
        after = stepped(node, SWAP, [])
        assert bool(here.value(before.formula)) == bool(here.value(condition) and after.value(formula))


def test_what_a_formula_says_about_registers_without_a_value_at_the_entry_is_weakened() -> None:
    callee = Procedure("f", (X,), None, 0, 1, (), HERE)
    formula = terms.conjunction(terms.equal(X, number(4, 8)), terms.equal(Y, number(7, 8)))
    weaker = about_entry(formula, callee, (X, Y))
    assert Y not in weaker.variables
    assert state(4, 0).value(weaker)
    assert about_entry(terms.equal(X, number(4, 8)), callee, (X, Y)) is terms.equal(X, number(4, 8))
