"""Memory of merged paths is for every input what each path would have: loads, stores, blocks, objects that meet."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.evidence.c_proof.diagrams import FALSE, TRUE
from pincer.evidence.c_proof.merged_memory import Memory, Things
from pincer.evidence.c_proof.operations import Operation
from pincer.evidence.c_proof.program_facts import ProgramFacts
from pincer.evidence.c_proof.smt import Node
from pincer.evidence.c_proof.summaries import Value, one
from pincer.evidence.c_proof.words import Guard
from pincer.frontends.c.load import load
from tests.evidence.c_proof.merged_values import holds, number_of, summaries

SLOT = 1 << 32


class Fixture:
    """A memory with two objects of four bytes, the second with contents, and what was written outside of them."""

    def __init__(self, folder: Path) -> None:
        file = folder / "empty.c"
        file.write_text("int main(void) { return 0; }")
        self.bad: list[Guard] = []
        self.memory = Memory(ProgramFacts(load(file), "memory"), summaries(), self._bad_write)
        self.values, self.words = self.memory.values, self.memory.words
        size = self.values.number(4, 64)
        self.things: Things = {SLOT: self.memory.begun(size, b""), 2 * SLOT: self.memory.begun(size, b"abcd")}

    def _bad_write(self, guard: Guard) -> None:
        if guard != FALSE:
            self.bad.append(guard)

    def at(self, address: int) -> Value:
        return self.values.number(address, 64)

    def indexed(self, start: int, byte: Node) -> Value:
        wide = self.values.applied(Operation("zero_extend", 64, (56,)), (one(byte),), TRUE)
        return self.values.applied(Operation("bvlin", 64, (1, start)), (wide,), TRUE)


@pytest.fixture
def fixture(tmp_path: Path) -> Fixture:
    return Fixture(tmp_path)


def test_what_is_stored_is_loaded_as_a_whole_and_in_parts(fixture: Fixture) -> None:
    memory, values = fixture.memory, fixture.values
    word = one(fixture.words.fresh("input", 32))
    things = memory.store(fixture.things, fixture.at(SLOT), word, TRUE)
    assert memory.load(things, fixture.at(SLOT), 4, TRUE) == word
    assert memory.load(fixture.things, fixture.at(SLOT), 4, TRUE) == values.number(0, 32)
    things = memory.store(things, fixture.at(SLOT + 1), values.number(7, 8), TRUE)
    assert memory.load(things, fixture.at(SLOT + 1), 1, TRUE) == values.number(7, 8)
    low = memory.load(things, fixture.at(SLOT), 1, TRUE)
    assert low == values.applied(Operation("extract", 8, (7, 0)), (word,), TRUE)
    assert not fixture.bad


def test_a_symbolic_index_reads_and_writes_the_byte_that_it_is(fixture: Fixture) -> None:
    memory, words = fixture.memory, fixture.words
    byte = words.fresh("input", 8)
    here = words.condition(Operation("bvule", 0), byte, words.constant(3, 8))
    read = memory.load(fixture.things, fixture.indexed(2 * SLOT, byte), 1, here)
    things = memory.store(fixture.things, fixture.indexed(2 * SLOT, byte), fixture.values.number(33, 8), here)
    assert not fixture.bad
    for index in range(4):
        assert number_of(words, read, {byte: index}) == b"abcd"[index]
        for place in range(4):
            found = memory.load(things, fixture.at(2 * SLOT + place), 1, here)
            assert number_of(words, found, {byte: index}) == (33 if place == index else b"abcd"[place])


def test_a_write_outside_is_told_with_its_inputs(fixture: Fixture) -> None:
    words = fixture.words
    byte = words.fresh("input", 8)
    here = words.condition(Operation("bvule", 0), byte, words.constant(5, 8))
    fixture.memory.store(fixture.things, fixture.indexed(SLOT, byte), fixture.values.number(1, 8), here)
    wrong = words.any_of(fixture.bad)
    assert [index for index in range(8) if holds(words, wrong, {byte: index})] == [4, 5]
    fixture.bad.clear()
    fixture.memory.store(fixture.things, fixture.at(7 * SLOT), fixture.values.number(1, 8), TRUE)
    assert fixture.bad == [TRUE]


def test_reads_outside_are_arbitrary(fixture: Fixture) -> None:
    for address in (SLOT + 1, 7 * SLOT):
        [(node, _)] = fixture.memory.load(fixture.things, fixture.at(address), 4, TRUE)
        assert node.value is None and node.variables


@pytest.mark.parametrize("size", [0, 2, 4])
def test_blocks_of_a_known_size(fixture: Fixture, size: int) -> None:
    memory, values = fixture.memory, fixture.values
    things = memory.blocks(
        fixture.things, fixture.at(2 * SLOT), values.number(size, 64), lambda i: values.number(i, 8), TRUE
    )
    found = [memory.load(things, fixture.at(2 * SLOT + i), 1, TRUE)[0][0].value for i in range(4)]
    assert found == [i if i < size else b"abcd"[i] for i in range(4)] and not fixture.bad


def test_a_block_whose_size_is_an_input(fixture: Fixture) -> None:
    memory, values, words = fixture.memory, fixture.values, fixture.words
    byte = words.fresh("input", 8)
    here = words.condition(Operation("bvule", 0), byte, words.constant(6, 8))
    size = values.applied(Operation("zero_extend", 64, (56,)), (one(byte),), here)
    things = memory.blocks(fixture.things, fixture.at(2 * SLOT), size, lambda _: values.number(1, 8), here)
    wrong = words.any_of(fixture.bad)
    for length in range(7):
        assert holds(words, wrong, {byte: length}) == (length > 4)
        for place in range(4):
            found = memory.load(things, fixture.at(2 * SLOT + place), 1, here)
            assert number_of(words, found, {byte: length}) == (1 if place < length else b"abcd"[place])


def test_objects_that_meet_have_the_bytes_and_the_room_of_either(fixture: Fixture) -> None:
    memory, values, words = fixture.memory, fixture.values, fixture.words
    byte = words.fresh("input", 8)
    zero = words.condition(Operation("same", 0), byte, words.constant(0, 8))
    first = memory.store(fixture.things, fixture.at(SLOT), values.number(0x01020304, 32), TRUE)
    second = {**fixture.things, SLOT: memory.ended(fixture.things[SLOT], TRUE, TRUE)}
    met = memory.mixed(zero, first, second, TRUE)
    room = memory.room(met, fixture.at(SLOT + 1), TRUE)
    assert number_of(words, room, {byte: 0}) == 4 and number_of(words, room, {byte: 1}) == 0
    assert number_of(words, memory.load(met, fixture.at(SLOT), 4, zero), {byte: 0}) == 0x01020304
    assert met[2 * SLOT] is fixture.things[2 * SLOT]


def test_an_address_of_several_inputs_is_compared_with_all_places(fixture: Fixture) -> None:
    memory, values, words = fixture.memory, fixture.values, fixture.words
    bytes_ = [words.result(Operation("zero_extend", 64, (56,)), (words.fresh("input", 8),)) for _ in range(2)]
    address = words.result(Operation("bvlin", 64, (1, 2, SLOT)), tuple(bytes_))
    assert memory.places(fixture.things, address, 1, TRUE) == [SLOT, SLOT + 1, SLOT + 2, SLOT + 3]
    [(read, _)] = memory.load(fixture.things, one(address), 1, TRUE)
    assert read.value is None
    memory.store(fixture.things, one(address), values.number(1, 8), TRUE)
    [wrong] = fixture.bad
    assert not words.is_exact(wrong)


def test_the_places_of_a_large_object_are_too_many_to_be_listed(fixture: Fixture) -> None:
    large = {SLOT: fixture.memory.begun(fixture.values.number(SLOT // 2, 64), b"")}
    assert fixture.memory.places(large, fixture.words.fresh("input", 64), 1, TRUE) is None
