"""What formulas become where a program begins."""

from __future__ import annotations

from pathlib import Path

from pincer.engines.cutpoints.beginning import Beginning
from pincer.logic import bitvectors, terms
from pincer.logic.bitvectors import constant, load, room
from pincer.program.control_flow import ControlFlowProgram
from tests.engines.dash.dash_runs import loaded
from tests.program.named_registers import register

TEXT = """
int wide[3] = {7, -1};
int *pointer = &wide[1];
int **kept = &pointer;
int main(void) { int x = 0; return *pointer + **kept + x; }"""


def _address(program: ControlFlowProgram, name: str) -> int:
    [found] = [item.address for item in program.objects if item.name == name]
    return found


def test_what_is_read_is_what_static_objects_contain(tmp_path: Path) -> None:
    program = loaded(tmp_path, TEXT)
    at_start, bits = Beginning(program), program.layout.pointer_bits
    wide, pointer = _address(program, "wide"), constant(_address(program, "pointer"), bits)
    assert at_start(load(constant(wide, bits), 4)) is constant(7, 32)
    assert at_start(load(constant(wide + 2, bits), 4)) is constant(0xFFFF0000, 32)
    assert at_start(load(constant(wide + 8, bits), 4)) is constant(0, 32)
    assert at_start(load(load(pointer, 8), 4)) is constant(0xFFFFFFFF, 32)
    assert at_start(room(load(pointer, 8))) is constant(12, bits)
    assert at_start(terms.equal(program.top, constant(program.first_free, bits))) is terms.TRUE


def test_what_is_not_known_stays(tmp_path: Path) -> None:
    program = loaded(tmp_path, TEXT)
    at_start, bits = Beginning(program), program.layout.pointer_bits
    local = register("main::x")
    beyond = load(constant(_address(program, "wide") + 10, bits), 4)
    somewhere = load(bitvectors.extend(local, bits - 32, False), 4)
    for formula in (local, beyond, somewhere, room(constant(0, bits))):
        assert at_start(formula) is formula
