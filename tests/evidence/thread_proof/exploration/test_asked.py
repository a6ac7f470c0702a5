"""Conditions on inputs: possible or not, remembered as long as they matter, told apart case by case."""

from __future__ import annotations

import pytest

from pincer.evidence.c_proof.asking import Asking, Budget
from pincer.evidence.c_proof.smt import Script
from pincer.evidence.thread_proof.exploration.asked import ConditionQuestions, connected
from pincer.evidence.thread_proof.exploration.refusals import Unexplored
from pincer.evidence.thread_proof.exploration.states import State, ThreadState, WorkingState
from pincer.evidence.thread_proof.exploration.things import made
from pincer.runtime.run import Run

from .explored_programs import program_of

PROGRAM = program_of("int main(void) { return 0; }")
SLOT = PROGRAM.layout.slot


def _working() -> tuple[Script, ConditionQuestions, WorkingState]:
    script = Script()
    main = PROGRAM.procedures["main"]
    state = State((ThreadState(main, main.entry, (), (None,), ()),), (), {}, {}, {}, frozenset())
    return (
        script,
        ConditionQuestions(script, Asking(script, Budget(), Run()).has_no_model, SLOT),
        WorkingState(state, 0),
    )


def test_a_condition_that_passes_is_known_from_then_on() -> None:
    script, conditions, state = _working()
    n = script.variable("n", 8)
    small = script.at_most(n, script.constant(3, 8))
    assert conditions.passes(state, small) and state.conditions == {small}
    assert not conditions.passes(state, script.equal(n, script.constant(9, 8)))
    assert conditions.is_possible(state, script.equal(n, script.constant(2, 8)))


def test_numbers_need_no_solver() -> None:
    _, conditions, state = _working()
    assert conditions.passes(state, 1) and not conditions.passes(state, 0) and conditions.claims == 0


def test_conditions_that_nothing_depends_on_are_forgotten() -> None:
    script, conditions, state = _working()
    a, b, c = (script.variable(name, 8) for name in "abc")
    both = script.at_most(a, b)
    state.conditions = frozenset((both, script.at_most(c, script.constant(4, 8))))
    state.own[0] = a
    conditions.forget(state)
    assert state.conditions == {both}


def test_connections_go_through_others() -> None:
    script = Script()
    a, b, c, d = (script.variable(name, 8) for name in "abcd")
    chain = [script.at_most(a, b), script.at_most(b, c)]
    assert connected([*reversed(chain), script.at_most(d, d)], a.variables) in (chain, chain[::-1])


def test_the_elements_of_an_array_are_told_apart() -> None:
    script, conditions, state = _working()
    state.memory[SLOT] = made(16, b"")
    index = script.variable("i", 64)
    conditions.passes(state, script.at_most(index, script.constant(3, 64)))
    address = script.sum([(index, 4)], SLOT, 64)
    found = sorted(case.fixed[address] for case in conditions.cases(state, address))
    assert found == [SLOT, SLOT + 4, SLOT + 8, SLOT + 12]


def test_an_address_with_other_values_is_not_followed() -> None:
    script, conditions, state = _working()
    state.memory[SLOT] = made(16, b"")
    with pytest.raises(Unexplored):
        conditions.cases(state, script.sum([(script.variable("i", 64), 4)], SLOT, 64))
