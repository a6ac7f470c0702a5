"""Bytes without a value are told apart from those with one."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.execution.straight_memory import UNKNOWN, NeedsInput, RunEnded, StraightMemory
from pincer.program.control_flow import Edge
from tests.frontends.c.lowered_c import lowered


def _memory(folder: Path) -> tuple[StraightMemory, Edge]:
    program = lowered(folder, 'char *text = "ab"; int main(void) { return text[0]; }\n')
    return StraightMemory(program), next(program.edges())


def test_what_was_written_is_read(tmp_path: Path) -> None:
    memory, edge = _memory(tmp_path)
    base = 1 << 60
    memory.begin(base, 8, base, zero=False, origin="an object")
    assert memory.load(base, 4) is UNKNOWN
    memory.store(base, 4, 0x01020304, edge)
    assert memory.load(base + 1, 2) == 0x0203 and memory.room(base + 5) == 8
    memory.copy(base + 4, base + 2, 2, edge)
    memory.fill(base + 6, 2, 9, edge)
    assert memory.load(base + 4, 4) == 0x09090102
    memory.end(base)
    assert memory.room(base) == 0


def test_constants_and_what_is_no_object_are_not_written(tmp_path: Path) -> None:
    memory, edge = _memory(tmp_path)
    (text,) = [base for base, found in memory.objects.items() if found.read_only]
    for address in (text, 0, 1 << 61):
        with pytest.raises(RunEnded):
            memory.store(address, 1, 0, edge)
    assert memory.load(1 << 61, 4) == 0


def test_a_value_that_is_not_known_makes_a_hole(tmp_path: Path) -> None:
    memory, edge = _memory(tmp_path)
    base = 1 << 60
    memory.begin(base, 8, base, zero=True, origin="an object")
    memory.store(base + 2, 2, UNKNOWN, edge)
    assert memory.load(base, 4) is UNKNOWN and memory.load(base, 2) == 0 == memory.load(base + 4, 4)
    memory.copy(base + 4, base + 2, 4, edge)
    assert memory.load(base + 5, 1) is UNKNOWN and memory.load(base + 6, 2) == 0
    memory.store(base + 2, 2, 5, edge)
    assert memory.load(base, 4) == 5 << 16


def test_what_is_computed_from_a_value_that_is_not_known_decides_nothing() -> None:
    for value in (
        UNKNOWN + 1,
        7 - UNKNOWN,
        UNKNOWN * 0,
        -UNKNOWN,
        3 & UNKNOWN,
        1 << UNKNOWN,
        UNKNOWN // 2,
        UNKNOWN == 3,
    ):
        assert value is UNKNOWN
    for look in (lambda: not UNKNOWN, lambda: 1 if UNKNOWN < 5 else 2, lambda: {}.get(UNKNOWN), lambda: [1][UNKNOWN]):
        with pytest.raises(NeedsInput):
            look()
