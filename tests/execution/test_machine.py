"""Memory is byte-precise, persistent, and the same in all states that follow one path."""

from __future__ import annotations

from random import Random

import pytest

from pincer.execution.machine import Cells, State, World, chronological
from pincer.logic import bitvectors, terms
from pincer.program.control_flow import Input, StaticObject
from tests.execution.straight_programs import (
    HERE,
    SLOT,
    RandomProgram,
    executed,
    number,
    of_inputs,
    register,
    world_with,
)

SIZE = 24
OBJECT = StaticObject("object", SLOT, SIZE, b"some first bytes")


def spans(rng: Random) -> tuple[int, int]:
    """An offset and a size inside the object, aligned or not."""
    size = rng.choice((1, 2, 4, 8))
    return rng.randrange(SIZE - size + 1), size


def little_endian(data: bytearray, offset: int, size: int) -> int:
    return int.from_bytes(data[offset : offset + size], "little")


@pytest.mark.parametrize("seed", range(60))
def test_overlapping_reads_and_writes_agree_with_an_array_of_bytes(seed: int) -> None:
    rng = Random(seed)
    state = world_with(OBJECT).initial_state()
    model = bytearray(OBJECT.contents.ljust(SIZE, b"\0"))
    for _ in range(40):
        offset, size = spans(rng)
        if rng.random() < 0.5:
            value = rng.getrandbits(8 * size)
            state = state.with_store(SLOT + offset, size, value, None)
            model[offset : offset + size] = value.to_bytes(size, "little")
        offset, size = spans(rng)
        assert state.load(SLOT + offset, size) == little_endian(model, offset, size)
        assert bitvectors.constant_value(state.symbolic_load(SLOT + offset, size)) == little_endian(model, offset, size)


@pytest.mark.parametrize("seed", range(40))
def test_symbolic_bytes_have_the_values_of_the_concrete_ones(seed: int) -> None:
    rng = Random(seed)
    world = world_with(OBJECT)
    symbols = {bitvectors.variable(f"input{i}", bits): rng.getrandbits(bits) for i, bits in enumerate((8, 16, 32, 64))}
    state = world.initial_state(symbols)
    for _ in range(25):
        offset, _ = spans(rng)
        symbol = rng.choice(list(symbols))
        size = bitvectors.width(symbol) // 8
        offset = min(offset, SIZE - size)
        if rng.random() < 0.6:
            state = state.with_store(SLOT + offset, size, symbols[symbol], symbol)
        else:
            state = state.with_store(SLOT + offset, size, rng.getrandbits(8 * size), None)
        offset, size = spans(rng)
        assert of_inputs(state.symbolic_load(SLOT + offset, size), symbols) == state.load(SLOT + offset, size)


@pytest.mark.parametrize("seed", range(20))
def test_cells_cover_a_range_once_and_are_never_divided_anew(seed: int) -> None:
    rng, cells = Random(seed), Cells()
    owner: dict[int, tuple[int, int]] = {}
    for _ in range(30):
        offset, size = spans(rng)
        pieces = cells.pieces("shape", offset, size)
        covered = [byte for start, width in pieces for byte in range(start, start + width)]
        assert set(range(offset, offset + size)) <= set(covered)
        assert len(covered) == len(set(covered))
        for piece in pieces:
            for byte in range(piece[0], piece[0] + piece[1]):
                assert owner.setdefault(byte, piece) == piece


def test_bytes_that_were_never_written_are_inputs_of_their_own() -> None:
    world = world_with()
    state = world.initial_state().with_object(SLOT, 8, "local", None, "local")
    first, second = state.symbolic_load(SLOT, 4), state.symbolic_load(SLOT + 4, 4)
    assert first is not second
    assert first.variables.isdisjoint(second.variables)
    assert state.symbolic_load(SLOT, 4) is first
    (symbol,) = first.variables
    assert state.under({symbol: 77}).load(SLOT, 4) == 77
    assert "local, byte 0" in world.undefined_cells.values()


def test_undefined_bytes_keep_their_values_when_their_neighbours_are_written() -> None:
    state = world_with().initial_state().with_object(SLOT, 4, "local", None, "local")
    (symbol,) = state.symbolic_load(SLOT, 4).variables
    state = state.under({symbol: 0x11223344}).with_store(SLOT + 1, 1, 0xFF, None)
    assert state.load(SLOT, 4) == 0x1122FF44
    assert of_inputs(state.symbolic_load(SLOT, 4), {symbol: 0xAABBCCDD}) == 0xAABBFFDD


def test_an_object_in_a_slot_hides_the_one_before_with_its_contents() -> None:
    world = world_with(OBJECT)
    before = world.initial_state().with_store(SLOT, 4, 5, None)
    after = before.with_object(SLOT, 2, "new", b"", "new")
    assert (after.room(SLOT), after.load(SLOT, 4)) == (2, 0)
    assert (before.room(SLOT), before.load(SLOT, 4)) == (SIZE, 5)


def test_an_object_that_has_ended_has_no_room() -> None:
    state = world_with(OBJECT).initial_state()
    ended = state.without_object(SLOT)
    assert ended.room(SLOT) == 0
    assert state.room(SLOT) == SIZE
    assert ended.symbolic(bitvectors.room(number(SLOT)), []) is number(0)
    assert state.without_object(9 * SLOT) is state


def test_there_is_no_room_outside_of_all_objects() -> None:
    state = world_with(OBJECT).initial_state()
    assert [state.room(address) for address in (0, 7, 5 * SLOT, SLOT + 3)] == [0, 0, 0, SIZE]
    assert state.load(5 * SLOT, 8) == 0


def test_contents_that_nobody_has_put_there_are_told_from_others() -> None:
    state = world_with(OBJECT).initial_state().with_object(2 * SLOT, 8, "local", None, "local")
    state = state.with_store(2 * SLOT + 4, 4, 9, None)
    assert (state.written(2 * SLOT + 4, 4), state.written(SLOT, 4)) == (9, state.load(SLOT, 4))
    for address in (2 * SLOT, 2 * SLOT + 6, 5 * SLOT):
        with pytest.raises(LookupError):
            state.written(address, 4)


def test_the_room_behind_an_input_may_be_that_of_any_live_object() -> None:
    world = world_with(OBJECT, StaticObject("small", 2 * SLOT, 3))
    pointer = register("p")
    state = world.initial_state().with_input(pointer, Input(pointer, "nondet"), HERE)
    pins: list[terms.Term] = []
    room = state.symbolic(bitvectors.room(pointer), pins)
    (symbol,) = room.variables
    assert pins == []
    found = [of_inputs(room, {symbol: address}) for address in (0, SLOT, SLOT + 5, 2 * SLOT, 3 * SLOT)]
    assert found == [0, SIZE, SIZE, 3, 0]


def test_reading_through_an_input_pins_its_address() -> None:
    world = world_with(OBJECT)
    pointer = register("p")
    state = world.initial_state({bitvectors.variable("input0", 64): SLOT + 4})
    state = state.with_input(pointer, Input(pointer, "nondet"), HERE)
    pins: list[terms.Term] = []
    assert bitvectors.constant_value(state.symbolic(bitvectors.load(pointer, 1), pins)) == ord(" ")
    (pin,) = pins
    (symbol,) = pin.variables
    assert [of_inputs(pin, {symbol: value}) for value in (SLOT + 4, SLOT)] == [1, 0]


def test_inputs_are_recorded_in_order_with_planned_or_default_values() -> None:
    world = World(world_with().program, default_input=lambda label, symbol: len(label.source))
    planned = {bitvectors.variable("input1", 16): 9}
    state = world.initial_state(planned)
    for name, bits in (("x", 8), ("y", 16)):
        state = state.with_input(register(name, bits), Input(register(name, bits), f"source of {name}"), HERE)
    records = chronological(state.inputs)
    assert [record.source for record in records] == ["source of x", "source of y"]
    assert [state.values[record.symbol] for record in records] == [11, 9]
    assert state.registers[register("y", 16)] == 9


def contents(state: State) -> tuple[object, ...]:
    """All that can be observed of a state."""
    rooms = tuple(state.room(base) for base in sorted(state.objects))
    bytes_ = tuple(state.load(base + i, 1) for base in sorted(state.objects) for i in range(state.room(base)))
    return (dict(state.registers), rooms, bytes_, tuple(chronological(state.inputs)))


@pytest.mark.parametrize("seed", range(40))
def test_later_steps_leave_earlier_states_as_they_were(seed: int) -> None:
    program = RandomProgram(Random(seed)).program()
    state = World(program).initial_state()
    edges = program.procedures["main"].edges
    passed = [state]
    for edge in edges:
        state, _, stop = executed(state, [edge])
        if stop is not None:
            break
        passed.append(state)
    again = World(program).initial_state()
    assert len(passed) > 1
    for edge, state in zip(edges, passed[1:], strict=False):
        again, _, _ = executed(again, [edge])
        assert contents(state) == contents(again)


@pytest.mark.parametrize("seed", range(120))
def test_a_state_under_other_inputs_is_the_one_that_executing_with_them_gives(seed: int) -> None:
    rng = Random(seed)
    program = RandomProgram(rng).program()
    edges = program.procedures["main"].edges
    world = World(program)
    state, conditions, stop = executed(world.initial_state(), edges)
    followed = edges if stop is None or stop.edge is None else edges[: edges.index(stop.edge)]
    symbols = {record.symbol for record in chronological(state.inputs)} | world.undefined_cells.keys()
    for _ in range(30):
        model = {symbol: rng.choice((0, 1, 3, rng.getrandbits(bitvectors.width(symbol)))) for symbol in symbols}
        if not all(of_inputs(condition, model) for condition in conditions):
            continue
        other, _, stopped = executed(world.initial_state(model), followed)
        assert stopped is None
        assert contents(state.under(model))[:3] == contents(other)[:3]
