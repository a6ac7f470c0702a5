"""Each label has one meaning, for concrete and symbolic values at once."""

from __future__ import annotations

from random import Random

import pytest

from pincer.execution.machine import State, World
from pincer.execution.stepping import Stop, enabled, pop_frame, push_frame, saved
from pincer.logic import bitvectors, terms
from pincer.logic.terms import Term
from pincer.program.control_flow import (
    Allocate,
    Assign,
    Assume,
    Begin,
    Check,
    Copy,
    End,
    Fail,
    Fill,
    Free,
    Halt,
    Input,
    Label,
    Skip,
    StaticObject,
    Store,
    Unsupported,
)
from pincer.program.thread_labels import Yield
from tests.execution.straight_programs import (
    HERE,
    SLOT,
    RandomProgram,
    edges_of,
    executed,
    number,
    of_inputs,
    register,
    straight,
)

BUFFER = StaticObject("buffer", SLOT, 16, bytes(range(16)))
TEXT = StaticObject("text", 2 * SLOT, 4, b"abc", read_only=True)


def after(*labels: Label) -> tuple[State, Stop | None]:
    """The state after the labels, or before the one that stops."""
    program = straight(labels, (BUFFER, TEXT))
    state, _, stop = executed(World(program).initial_state(), program.procedures["main"].edges)
    return state, stop


def stopped(*labels: Label) -> tuple[str, str]:
    _, stop = after(*labels)
    assert stop is not None and stop.edge is not None and stop.edge.label is labels[-1]
    return stop.kind, stop.message


@pytest.mark.parametrize("seed", range(150))
def test_symbolic_values_under_the_inputs_are_the_concrete_ones(seed: int) -> None:
    rng = Random(seed)
    made = RandomProgram(rng)
    program = made.program()
    world = World(
        program, default_input=lambda label, symbol: rng.choice((0, 1, rng.getrandbits(bitvectors.width(symbol))))
    )
    state, conditions, _ = executed(world.initial_state(), program.procedures["main"].edges)
    assert all(of_inputs(condition, state.values) for condition in conditions)
    for each in made.REGISTERS:
        if each in state.registers:
            term = state.symbols.get(each, bitvectors.constant(state.registers[each], bitvectors.width(each)))
            assert of_inputs(term, state.values) == state.registers[each]
    for base in state.objects:
        for offset in range(state.room(base)):
            assert of_inputs(state.symbolic_load(base + offset, 1), state.values) == state.load(base + offset, 1)
    for bits in (8, 16, 32, 64):
        pins: list[Term] = []
        value = made.value(bits, 3)
        assert of_inputs(state.symbolic(value, pins), state.values) == state.value(value)
        assert all(of_inputs(pin, state.values) for pin in pins)


def test_an_assignment_changes_its_register_only() -> None:
    x, y = register("x", 32), register("y", 32)
    plus = bitvectors.binary("bvadd", x, number(5, 32))
    state, _ = after(Assign(x, number(7, 32)), Assign(y, plus), Assign(x, y))
    assert (state.registers[x], state.registers[y]) == (12, 12)


def test_an_assumption_is_enabled_where_it_holds_and_is_remembered_about_inputs() -> None:
    x = register("x", 8)
    small = bitvectors.compare("bvult", x, number(9, 8))
    program = straight((Input(x, "nondet"), Assume(small)))
    state, conditions, stop = executed(World(program).initial_state(), program.procedures["main"].edges)
    assert stop is None
    assert [of_inputs(conditions[0], dict.fromkeys(conditions[0].variables, v)) for v in (8, 9)] == [1, 0]
    large = state.with_register(x, 200, None)
    (edge,) = edges_of([Assume(small)])
    assert (enabled(state, edge), enabled(large, edge)) == (True, False)


def test_a_violated_check_stops_and_a_satisfied_one_does_not() -> None:
    assert stopped(Check("division", terms.FALSE, "division by zero")) == ("check", "division by zero")
    assert after(Check("division", terms.TRUE, "division by zero"))[1] is None


@pytest.mark.parametrize(
    ("label", "kind"),
    [
        (Fail("assertion"), "fail"),
        (Halt("exit"), "halt"),
        (Unsupported("floats"), "unsupported"),
        (Yield(function="pthread_yield"), "unsupported"),
    ],
)
def test_ends_of_a_path_say_what_they_are(label: Label, kind: str) -> None:
    assert stopped(Skip(), label)[0] == kind


def test_a_store_writes_little_endian_bytes() -> None:
    state, _ = after(Store(number(SLOT + 3), number(0xAABBCCDD, 32)))
    assert [state.load(SLOT + i, 1) for i in range(2, 8)] == [2, 0xDD, 0xCC, 0xBB, 0xAA, 7]


@pytest.mark.parametrize(
    "label",
    [
        Store(number(SLOT + 15), number(0, 16)),
        Store(number(0), number(0, 8)),
        Store(number(7 * SLOT), number(0, 8)),
        Fill(number(SLOT + 8), number(9), number(0, 8)),
        Copy(number(SLOT + 9), number(2 * SLOT), number(8)),
        Copy(number(SLOT), number(2 * SLOT), number(5)),
    ],
)
def test_nothing_is_written_or_copied_outside_of_objects(label: Label) -> None:
    kind, message = stopped(label)
    assert kind == "check"
    assert message.endswith("outside of all objects")


def test_constants_are_not_written() -> None:
    assert stopped(Store(number(2 * SLOT), number(0, 8))) == ("check", "write to the constant text")


def test_a_local_object_lives_from_its_begin_to_its_end() -> None:
    begun = 3 * SLOT
    state, _ = after(Begin(begun, 4), Store(number(begun), number(1, 32)))
    assert (state.room(begun), state.load(begun, 4)) == (4, 1)
    ended, _ = after(Begin(begun, 4), End(number(begun)))
    assert ended.room(begun) == 0
    assert stopped(Begin(begun, 4), End(number(begun)), Store(number(begun), number(1, 32)))[0] == "check"


def test_every_allocation_is_a_new_object() -> None:
    p, q = register("p"), register("q")
    state, _ = after(Allocate(p, number(8), True, "heap"), Allocate(q, number(3), False, "heap"))
    assert state.registers[q] == state.registers[p] + SLOT
    assert (state.room(state.registers[p]), state.room(state.registers[q])) == (8, 3)
    assert state.symbolic_load(state.registers[p], 8) is number(0)
    assert state.symbolic_load(state.registers[q], 1).variables


def test_an_allocation_that_is_too_large_is_not_modelled() -> None:
    kind, message = stopped(Allocate(register("p"), number(SLOT), True, "heap"))
    assert kind == "unsupported"
    assert f"{SLOT} bytes" in message


def test_the_size_of_an_object_may_be_an_input() -> None:
    n, p = register("n"), register("p")
    program = straight((Input(n, "nondet"), Allocate(p, n, True, "heap")))
    world = World(program)
    state, conditions, _ = executed(world.initial_state(), program.procedures["main"].edges)
    (symbol,) = state.symbols[n].variables
    larger = state.under({symbol: 40})
    assert larger.room(larger.registers[p]) == 40
    assert not all(of_inputs(condition, {symbol: SLOT}) for condition in conditions)


def test_freeing_ends_an_object_and_freeing_null_does_nothing() -> None:
    p = register("p")
    made = Allocate(p, number(8), True, "heap")
    state, _ = after(made, Free(p))
    assert state.room(state.registers[p]) == 0
    assert after(made, Free(number(0)))[1] is None


def test_filling_sets_a_part_or_a_whole_object() -> None:
    part, _ = after(Fill(number(SLOT + 2), number(3), number(0xEE, 8)))
    assert [part.load(SLOT + i, 1) for i in range(7)] == [0, 1, 0xEE, 0xEE, 0xEE, 5, 6]
    whole, _ = after(Store(number(SLOT), number(9, 64)), Fill(number(SLOT), number(16), number(3, 8)))
    assert whole.load(SLOT, 8) == whole.load(SLOT + 8, 8) == 0x0303030303030303
    nothing, _ = after(Fill(number(SLOT), number(0), number(3, 8)))
    assert nothing.load(SLOT, 8) == int.from_bytes(bytes(range(8)), "little")


def test_copying_moves_bytes_across_cells_of_other_sizes() -> None:
    p = register("p")
    state, _ = after(
        Allocate(p, number(16), True, "heap"),
        Store(p, number(0, 64)),
        Store(number(SLOT + 1), number(0x1122, 16)),
        Copy(bitvectors.binary("bvadd", p, number(3)), number(SLOT), number(6)),
    )
    base = state.registers[p]
    assert [state.load(base + i, 1) for i in range(10)] == [0, 0, 0, 0, 0x22, 0x11, 3, 4, 5, 0]


def test_saved_registers_come_back_with_their_symbols() -> None:
    x, y = register("x", 8), register("y", 8)
    world = World(straight(()))
    state = world.initial_state().with_input(x, Input(x, "nondet"), HERE).with_register(y, 4, None)
    pushed = push_frame(state, (x, y), 1)
    inner = pushed.with_register(x, 1, None).with_register(y, 2, bitvectors.variable("input0", 8))
    popped = pop_frame(inner, (x, y), 1)
    assert (popped.registers[x], popped.registers[y]) == (state.registers[x], 4)
    assert (popped.symbols.get(x), popped.symbols.get(y)) == (state.symbols[x], None)
    assert saved(x, 1) not in popped.registers
