"""Weakest preconditions against execution: exact where nothing is open, fresh variables where something is."""

from __future__ import annotations

import random

import pytest

from pincer.abstraction.weakest import Weakest
from pincer.execution.machine import State
from pincer.execution.stepping import step
from pincer.logic import bitvectors as bv
from pincer.logic import terms
from pincer.logic.terms import Term
from pincer.program.control_flow import Assign, Assume, Begin, Call, Edge, Fill, Free, Input, Skip, Store
from pincer.program.effects import ProcedureEffects
from tests.abstraction.memory_steps import HERE, LAYOUT, NUMBERS, REGISTERS, SLOT, formula, label, program, random_state


@pytest.mark.parametrize("seed", range(4))
def test_weakest_preconditions_without_open_values_are_exact(seed: int) -> None:
    rng = random.Random(1000 + seed)
    main = program()
    weakest = Weakest(LAYOUT, main.top, lambda name: ProcedureEffects())
    compared = 0
    for _ in range(300):
        wanted, edge, state = formula(rng), Edge(0, 1, label(rng), HERE), random_state(rng)
        after = step(state, edge, [])
        before = weakest(edge.label, wanted)
        if isinstance(after, State) and not any(str(v).startswith("~") for v in before.variables):
            compared += 1
            assert state.value(before) == after.value(wanted), (edge.label, wanted, before)
    assert compared > 60


P, X = REGISTERS[0], NUMBERS[0]


def fresh(term: Term) -> set[Term]:
    return {v for v in term.variables if str(v).startswith("~any")}


def test_conditions_and_what_a_label_does_not_touch_are_left_alone() -> None:
    weakest = Weakest(LAYOUT, program().top, lambda name: ProcedureEffects())
    wanted = terms.equal(X, bv.constant(1, 32))
    for untouching in (Skip(), Assume(terms.FALSE), Assign(NUMBERS[1], X), Store(P, X), Free(P), Fill(P, P, P)):
        assert weakest(untouching, wanted) is wanted


def test_calls_change_what_their_effects_say_and_their_result() -> None:
    effects = {
        "pure": ProcedureEffects(),
        "sets": ProcedureEffects(frozenset({X})),
        "writes": ProcedureEffects(writes=True, objects=True),
    }
    weakest = Weakest(LAYOUT, program().top, effects.__getitem__)
    number, read, room = terms.equal(X, bv.constant(1, 32)), terms.equal(bv.load(P, 4), X), terms.equal(bv.room(P), P)
    assert weakest(Call("pure", (), None), terms.conjunction(number, read, room)) is terms.conjunction(
        number, read, room
    )
    assert len(fresh(weakest(Call("sets", (), None), number))) == 1
    assert weakest(Call("writes", (), None), number) is number
    assert len(fresh(weakest(Call("writes", (), None), terms.conjunction(read, room)))) == 2
    assert X not in weakest(Call("pure", (), X), number).variables


def test_open_values_get_a_variable_each_time() -> None:
    weakest = Weakest(LAYOUT, program().top, lambda name: ProcedureEffects())
    wanted = terms.equal(X, NUMBERS[1])
    first, second = (weakest(Input(X, "__VERIFIER_nondet_int"), wanted) for _ in range(2))
    assert fresh(first) and fresh(first).isdisjoint(fresh(second))
    begun = weakest(Begin(SLOT, 16), terms.equal(bv.load(bv.constant(SLOT, 64), 4), X))
    assert fresh(begun) and not bv.state_reads(begun)


def test_a_store_is_seen_through_an_equal_address_and_not_beside_it() -> None:
    weakest = Weakest(LAYOUT, program().top, lambda name: ProcedureEffects())
    beside = bv.load(bv.binary("bvadd", P, bv.constant(4, 64)), 4)
    assert weakest(Store(P, X), terms.equal(bv.load(P, 4), NUMBERS[1])) is terms.equal(X, NUMBERS[1])
    assert weakest(Store(P, X), terms.equal(beside, X)) is terms.equal(beside, X)
