"""The checker's look at the heap where a path ends: what it calls reached is reached whatever the inputs are."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

import pytest

from pincer.errors import Position
from pincer.evidence.c_proof.left_allocated import lost_object
from pincer.evidence.c_proof.path_state import PathState, initial_state
from pincer.evidence.c_proof.program_facts import TOP, ProgramFacts
from pincer.evidence.c_proof.smt import Node, Script
from pincer.program.control_flow import Allocate, Assign, Call, ControlFlowProgram, Edge, LeftAllocated, Store
from pincer.program.registers import Role, register_of
from tests.evidence.c_proof.proved_programs import FIRST_FREE, SLOT, procedure, program
from tests.execution.random_heaps import RandomHeap
from tests.program.named_registers import register

ROOT, LOCAL, WIDE = register("root", 64), register("main::p", 64), register("wide", 128)
TEMPORARY = register_of("main", "1", 64, Role.TEMPORARY)
REACHED, LOST = "", "an object may be lost"


def begun(whole: ControlFlowProgram) -> PathState:
    return initial_state(Script(), ProgramFacts(whole, "assertions"))


def with_objects(*sizes: int | None) -> PathState:
    """A state with heap objects of these sizes, of any size for None, from the first free slot on."""
    main = procedure("main", [(0, 1, Assign(LOCAL, ROOT)), (1, 2, Assign(TEMPORARY, ROOT))], 2)
    state = begun(program(main, initial={ROOT: 0, WIDE: 0}))
    for i, size in enumerate(sizes):
        room = state.fresh("size", 64) if size is None else state.address(size)
        state.begin(FIRST_FREE + i * SLOT, room, b"", heap=True)
    state.registers[TOP] = state.address(FIRST_FREE + len(sizes) * SLOT)
    return state


def walked(state: PathState) -> PathState:
    """The state after the labels of a straight program."""
    for edge in state.procedure.edges:
        match edge.label:
            case Allocate(pointer, size):
                base = state.number(state.registers[TOP])
                state.begin(base, state.value(size), b"", heap=True)
                state.registers[str(pointer.args[0])] = state.address(base)
                state.registers[TOP] = state.address(base + SLOT)
            case Store(address, value):
                state.store(state.number(state.value(address)), state.value(value))
            case Assign(target, value):
                state.registers[str(target.args[0])] = state.value(value)
    return state


def test_random_heaps_are_reached_by_definition() -> None:
    rng = Random(1)
    found = set()
    for _ in range(150):
        heap = RandomHeap(rng)
        answer = lost_object(walked(begun(heap.program)), LeftAllocated())
        assert answer == (LOST if heap.lost() else REACHED)
        found.add(answer)
    assert found == {LOST, REACHED}


def test_a_heap_without_objects_is_reached() -> None:
    assert lost_object(with_objects(), LeftAllocated()) == REACHED


@pytest.mark.parametrize(("offset", "answer"), [(0, REACHED), (15, REACHED), (16, LOST), (SLOT, LOST)])
def test_a_register_points_inside_or_not(offset: int, answer: str) -> None:
    state = with_objects(16)
    state.registers["root"] = state.address(FIRST_FREE + offset)
    assert lost_object(state, LeftAllocated()) == answer


@pytest.mark.parametrize(("offset", "answer"), [(0, REACHED), (1, LOST)])
def test_of_an_object_of_any_size_the_first_byte_is_its_own(offset: int, answer: str) -> None:
    state = with_objects(None)
    state.registers["root"] = state.address(FIRST_FREE + offset)
    assert lost_object(state, LeftAllocated()) == answer


def test_an_ended_object_is_neither_lost_nor_leads_anywhere() -> None:
    state = with_objects(16, 16)
    state.registers["root"] = state.address(FIRST_FREE)
    state.store(FIRST_FREE, state.address(FIRST_FREE + SLOT))
    assert lost_object(state, LeftAllocated()) == REACHED
    state.end(FIRST_FREE)
    assert lost_object(state, LeftAllocated()) == LOST
    state.end(FIRST_FREE + SLOT)
    assert lost_object(state, LeftAllocated()) == REACHED


def test_an_object_without_bytes_is_never_certain() -> None:
    state = with_objects(0)
    state.registers["root"] = state.address(FIRST_FREE)
    assert "without bytes" in lost_object(state, LeftAllocated())


def inputs(state: PathState, bits: int) -> Node:
    return state.fresh("input", bits)


def test_what_depends_on_an_input_points_nowhere() -> None:
    state = with_objects(16)
    state.registers["root"] = inputs(state, 64)
    assert lost_object(state, LeftAllocated()) == LOST


def test_temporaries_and_other_widths_do_not_count() -> None:
    state = with_objects(16)
    state.registers[str(TEMPORARY.args[0])] = state.address(FIRST_FREE)
    state.registers["wide"] = state.script.constant(FIRST_FREE, 128)
    assert lost_object(state, LeftAllocated(frames=True)) == LOST


@pytest.mark.parametrize("unknown", [(), (3,), (0, 7)])
def test_a_word_points_only_if_all_of_its_bytes_are_known(unknown: Iterable[int]) -> None:
    state = with_objects(16, 16)
    state.registers["root"] = state.address(FIRST_FREE)
    state.store(FIRST_FREE + 8, state.address(FIRST_FREE + SLOT))
    for place in unknown:
        state.store(FIRST_FREE + 8 + place, inputs(state, 8))
    assert lost_object(state, LeftAllocated()) == (LOST if unknown else REACHED)


def test_variables_count_while_their_call_has_not_returned() -> None:
    state = with_objects(16)
    state.registers["main::p"] = state.address(FIRST_FREE)
    assert lost_object(state, LeftAllocated()) == LOST
    assert lost_object(state, LeftAllocated(frames=True)) == REACHED
    callee = procedure("f", [(10, 11, Assign(ROOT, ROOT))], 11)
    state.enter(Edge(0, 1, Call("f", (), None), Position("t.c", 1, 1)), callee, [])
    assert lost_object(state, LeftAllocated(frames=True)) == REACHED
    assert lost_object(state, LeftAllocated()) == LOST
