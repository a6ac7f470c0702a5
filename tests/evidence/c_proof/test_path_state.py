"""States along one path: bytes of objects, addresses that must be fixed, and registers of activations."""

from __future__ import annotations

import pytest

from pincer.evidence.c_proof.path_state import BadWrite, OpenAddress, PathState, initial_state
from pincer.evidence.c_proof.program_facts import ProgramFacts
from pincer.evidence.c_proof.smt import Script
from pincer.logic import bitvectors, terms
from pincer.program.control_flow import Assign, Call, Skip, StaticObject
from tests.evidence.c_proof.proved_programs import SLOT, number, plus, procedure, program
from tests.program.named_registers import register

X, P = register("main::x"), register("main::p", 64)
PARAMETER, LOCAL = register("f::a"), register("f::local")


def state() -> PathState:
    callee = procedure("f", [(10, 11, Assign(LOCAL, PARAMETER))], 11, (PARAMETER,), LOCAL)
    main = procedure("main", [(0, 1, Call("f", (X,), X)), (1, 2, Skip())], 2, (X, P))
    whole = program(main, callee, objects=(StaticObject("s", SLOT, 6, bytes([1, 2, 3])),))
    return initial_state(Script(), ProgramFacts(whole, "assertions"))


def test_memory_begins_as_the_static_objects_are_and_stores_change_their_bytes_alone() -> None:
    here = state()
    assert here.load(SLOT, 4).value == 0x00030201
    here.store(SLOT + 1, here.script.constant(0xBBAA, 16))
    assert [here.load(SLOT + i, 1).value for i in range(6)] == [1, 0xAA, 0xBB, 0, 0, 0]
    here.copy_bytes(SLOT, SLOT + 1, 3)
    assert [here.load(SLOT + i, 1).value for i in range(4)] == [0xAA, 0xBB, 0, 0]
    here.fill(SLOT, 2, here.script.constant(9, 8))
    assert here.load(SLOT, 4).value == 0x0909


def test_a_copy_is_a_state_of_its_own() -> None:
    here = state()
    other = here.copy()
    other.store(SLOT, other.script.constant(77, 8))
    assert (here.load(SLOT, 1).value, other.load(SLOT, 1).value) == (1, 77)


@pytest.mark.parametrize("address", [SLOT + 5, 2 * SLOT, 0])
def test_writes_outside_of_objects_are_bad_and_reads_there_are_arbitrary(address: int) -> None:
    here = state()
    with pytest.raises(BadWrite):
        here.store(address, here.script.constant(1, 16))
    first, second = here.load(address, 2), here.load(address, 2)
    assert first.value is None and first is not second


def test_an_object_that_ended_has_no_room() -> None:
    here = state()
    room = bitvectors.room(number(SLOT + 2, 64))
    assert here.value(room).value == 6
    here.end(SLOT + 2)
    assert here.value(room).value == 0
    with pytest.raises(BadWrite):
        here.store(SLOT, here.script.constant(1, 8))


def test_an_open_address_must_be_fixed_unless_something_else_settles_the_condition() -> None:
    here = state()
    read = terms.equal(bitvectors.load(plus(P, 0), 1), number(1, 8))
    with pytest.raises(OpenAddress) as raised:
        here.value(read)
    here.registers["main::x"] = here.script.constant(5, 32)
    assert here.value(terms.conjunction(terms.equal(X, number(4)), read)).is_false
    here.fixed[raised.value.node] = SLOT
    assert here.value(read).is_true


def test_a_call_hides_the_registers_of_its_procedure_and_gives_its_result() -> None:
    here = state()
    callee, main = here.facts.program.procedures["f"], here.procedure
    five, six = here.script.constant(5, 32), here.script.constant(6, 32)
    here.registers["f::local"] = five
    here.enter(main.edges[0], callee, [six])
    assert here.value(PARAMETER) is six and here.value(LOCAL) is not five
    here.leave(here.value(PARAMETER), X)
    assert (here.procedure, here.location) == (main, 1)
    assert here.value(X) is six and here.value(LOCAL) is five
