"""Values of terms: numbers and what depends on inputs come out the same."""

from __future__ import annotations

import random

from pincer.evidence.c_proof.program_facts import ProgramFacts
from pincer.evidence.c_proof.smt import Node, Script
from pincer.evidence.thread_proof.exploration.slots import RegisterSlots
from pincer.evidence.thread_proof.exploration.states import State, ThreadState, WorkingState
from pincer.evidence.thread_proof.exploration.things import made
from pincer.evidence.thread_proof.exploration.values import TermValues
from pincer.logic import bitvectors
from pincer.logic.terms import Term
from pincer.program.registers import THREAD

from .explored_programs import program_of

PROGRAM = program_of("int main(void) { int a = 1, b = 2, c = a + b; return c; }")


def _working() -> tuple[TermValues, WorkingState, list[Term]]:
    slots = RegisterSlots(ProgramFacts(PROGRAM, "assertions"))
    main = PROGRAM.procedures["main"]
    own, thread = (None,) * slots.count("main"), (None,) * slots.count(THREAD)
    state = State(
        (ThreadState(main, main.entry, (), own, thread),), (None,) * slots.count(None), {}, {}, {}, frozenset()
    )
    registers = [r for r in slots.registers if slots.of(r).space == "own" and r.sort.width == 32]
    return TermValues(slots, Script()), WorkingState(state, 0), registers


def test_numbers_and_nodes_agree() -> None:
    values, state, registers = _working()
    dice = random.Random(1)
    operations = ("bvadd", "bvsub", "bvmul", "bvand", "bvor", "bvxor", "bvudiv", "bvurem", "bvsdiv", "bvsrem", "bvshl")
    for _ in range(200):
        for register in registers:
            state.own[values._slots.of(register).number] = dice.choice([0, 1, 7, 1 << 31, (1 << 32) - 1])
        term = dice.choice(registers)
        for _ in range(3):
            term = bitvectors.binary(dice.choice(operations), term, dice.choice(registers))
        node = values._node(term, state, {})
        assert values.of(term, state) == node.value


def test_a_register_without_a_value_gets_one_that_stays() -> None:
    values, state, registers = _working()
    first = values.of(registers[0], state)
    assert isinstance(first, Node) and values.of(registers[0], state) is first
    assert values.of(registers[1], state) is not first


def test_reads_outside_of_objects_are_arbitrary_each_time() -> None:
    values, state, _ = _working()
    load = bitvectors.load(bitvectors.constant(16, 64), 4)
    other = bitvectors.load(bitvectors.constant(32, 64), 4)
    found = values.of(bitvectors.binary("bvxor", load, other), state)
    assert isinstance(found, Node) and len(found.variables) == 2


def test_bytes_that_nobody_has_written_keep_the_value_that_was_read() -> None:
    values, state, _ = _working()
    slot = PROGRAM.layout.slot
    state.memory[slot] = made(8, None)
    load = bitvectors.load(bitvectors.constant(slot, 64), 4)
    first = values.of(load, state)
    assert isinstance(first, Node) and values.of(load, state) is first
    assert values.of(bitvectors.load(bitvectors.constant(slot + 4, 64), 4), state) is not first


def test_a_variable_is_used_again_when_the_state_has_forgotten_it() -> None:
    values, state, registers = _working()
    slot = values._slots.of(registers[0])
    first = state.own[slot.number] = values.fresh(state, 32)
    state.handed.clear()
    assert values.fresh(state, 32) is not first
    state.own[slot.number] = 0
    state.handed.clear()
    assert values.fresh(state, 32) is first
    assert values.fresh(state, 32) is not first
