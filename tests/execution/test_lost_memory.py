"""What of the heap can be reached at the end of an execution."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

from pincer.execution.lost_memory import FinalHeap, left_behind
from pincer.execution.machine import State, World
from pincer.logic.bitvectors import binary, concat, constant, extend
from pincer.logic.terms import Term
from pincer.program.control_flow import Allocate, Assign, Begin, Free, Input, Label, Layout, LeftAllocated, Store
from pincer.program.registers import Role, global_register, register_of
from tests.execution.random_heaps import ROOT, RandomHeap
from tests.execution.straight_programs import SLOT, executed, number, register, straight

LOCAL = 3 * SLOT
P, Q, N = register("p"), register("q"), register("n")
HELD = register_of("callee", "held", 64)


def at_end(*labels: Label) -> State:
    program = straight(labels)
    state, _, stop = executed(World(program).initial_state(), program.procedures["main"].edges)
    assert stop is None
    return state


def new(pointer: Term, size: int | Term = 16) -> Allocate:
    return Allocate(pointer, number(size) if isinstance(size, int) else size, True, "heap")


def plus(pointer: Term, offset: int) -> Term:
    return binary("bvadd", pointer, number(offset))


@pytest.mark.parametrize("seed", range(3))
def test_random_heaps_are_reached_by_definition(seed: int) -> None:
    rng = Random(seed)
    for _ in range(80):
        heap = RandomHeap(rng)
        program = heap.program
        state, _, stop = executed(World(program).initial_state(), program.procedures["main"].edges)
        assert stop is None
        expected = {state.value(register(f"p{each}")) for each in heap.lost()}
        found = left_behind(state, LeftAllocated(), frozenset())
        assert found is not None and set(found) == expected


def test_variables_count_while_their_procedure_runs() -> None:
    state = at_end(new(HELD))
    [base] = FinalHeap(state).live
    assert left_behind(state, LeftAllocated(), frozenset({"callee"})) == (base,)
    assert left_behind(state, LeftAllocated(frames=True), frozenset({"main"})) == (base,)
    assert left_behind(state, LeftAllocated(frames=True), frozenset({"callee"})) == ()


def test_temporaries_and_other_widths_do_not_count() -> None:
    temporary = register_of("main", "1", 64, Role.TEMPORARY)
    state = at_end(new(temporary), Assign(global_register("wide", 128), extend(temporary, 64, False)))
    lost = left_behind(state, LeftAllocated(frames=True), frozenset({"main"}))
    assert lost is not None and len(lost) == 1


def test_what_must_be_freed_is_an_error_though_it_is_reached() -> None:
    state = at_end(new(ROOT), new(P), Free(P))
    assert left_behind(state, LeftAllocated(), frozenset()) == ()
    assert left_behind(state, LeftAllocated(lost=False), frozenset()) == (state.value(ROOT),)


def test_other_storage_is_not_the_heap_and_leads_to_it() -> None:
    kept = at_end(Begin(LOCAL, 16), new(P), Store(number(LOCAL), P))
    on_stack = at_end(Allocate(Q, number(16), True, "stack"), new(P), Store(Q, P))
    for state in (kept, on_stack):
        assert left_behind(state, LeftAllocated(), frozenset()) == ()
        assert left_behind(state, LeftAllocated(lost=False), frozenset()) == (state.value(P),)


def test_a_mark_is_no_object_of_the_program() -> None:
    state = at_end(new(ROOT), Allocate(P, number(0), True, "heap", mark=True))
    assert left_behind(state, LeftAllocated(), frozenset()) == ()
    assert left_behind(state, LeftAllocated(lost=False), frozenset()) == (state.value(ROOT),)


def test_one_cell_may_hold_two_words() -> None:
    """A double word of a machine with 32 bits: its upper half is a pointer."""
    root, inner = global_register("root", 32), register("inner", 32)
    labels: list[Label] = [Allocate(each, constant(8, 32), True, "heap") for each in (root, inner)]
    labels.append(Store(root, concat(inner, constant(0, 32))))
    program = replace(straight(labels), layout=Layout("ILP32", 32, 16), first_free=1 << 28)
    state, _, _ = executed(World(program).initial_state(), program.procedures["main"].edges)
    assert state.load(state.value(root) + 4, 4) == state.value(inner)
    assert left_behind(state, LeftAllocated(), frozenset()) == ()


def test_a_freed_object_leads_nowhere() -> None:
    state = at_end(new(ROOT), new(P), Store(ROOT, P), Free(ROOT))
    assert left_behind(state, LeftAllocated(), frozenset()) == (state.value(P),)


def test_an_object_without_bytes_leaves_it_open() -> None:
    state = at_end(new(ROOT, 0))
    assert left_behind(state, LeftAllocated(), frozenset()) is None
    assert left_behind(state, LeftAllocated(lost=False), frozenset()) == (state.value(ROOT),)


@pytest.mark.parametrize("hidden", [Assign(ROOT, binary("bvadd", P, N)), Store(ROOT, binary("bvadd", P, N))])
def test_where_only_an_input_leads_to_an_object_it_is_open(hidden: Label) -> None:
    """Other inputs take the same way with another word there."""
    state = at_end(Input(N, "nondet"), *([new(ROOT)] if isinstance(hidden, Store) else []), new(P), hidden)
    assert FinalHeap(state).lost(certain=False) == []
    assert FinalHeap(state).lost(certain=True) == [state.value(P)]
    assert left_behind(state, LeftAllocated(), frozenset()) is None


def test_of_an_object_whose_size_is_an_input_only_the_first_byte_is_certain() -> None:
    sized = (Input(N, "nondet"), new(P, binary("bvor", N, number(8))))
    assert left_behind(at_end(*sized, Assign(ROOT, P)), LeftAllocated(), frozenset()) == ()
    assert left_behind(at_end(*sized, Assign(ROOT, plus(P, 4))), LeftAllocated(), frozenset()) is None
