"""The program form: who follows whom, names of addresses, and when accesses are valid."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.frontends.c.load import load
from pincer.logic import bitvectors
from pincer.logic.compilation import compile_expression
from pincer.program.control_flow import ControlFlowProgram, Layout

TEXT = """\
struct S { int x; int y[2]; } s;
void leaf(void) { s.y[1] = 3; }
void middle(int n) { if (n) { leaf(); leaf(); } }
int main(void) { middle(s.x); leaf(); return 0; }
"""


@pytest.fixture
def program(tmp_path: Path) -> ControlFlowProgram:
    file = tmp_path / "p.c"
    file.write_text(TEXT, encoding="utf-8")
    return load(file)


def test_callees_and_callers_come_once(program: ControlFlowProgram) -> None:
    assert program.callees("main") == ("middle", "leaf")
    assert program.callees("middle") == ("leaf",)
    assert {name: set(above) for name, above in program.callers.items()} == {
        "main": set(),
        "middle": {"main"},
        "leaf": {"main", "middle"},
    }


def test_locations_follow_and_precede_each_other(program: ControlFlowProgram) -> None:
    for procedure in program.procedures.values():
        assert procedure.locations[:2] == (procedure.entry, procedure.exit)
        assert len(set(procedure.locations)) == len(procedure.locations)
        for edge in procedure.edges:
            assert edge.target in procedure.following(edge.source)
            assert edge.source in procedure.preceding(edge.target)
        assert procedure.following(procedure.exit) == []


def test_bytes_have_the_names_of_the_source(program: ControlFlowProgram) -> None:
    (start,) = [item.address for item in program.objects if item.name == "s"]
    assert [program.name_at(start + at) for at in (0, 4, 8)] == ["s.x", "s.y[0]", "s.y[1]"]
    assert program.name_at(3 * start) is None


@pytest.mark.parametrize(("offset", "room", "size", "valid"), [(0, 4, 4, 1), (1, 4, 4, 0), (0, 0, 1, 0), (3, 4, 1, 1)])
def test_an_access_is_valid_inside_the_room(offset: int, room: int, size: int, valid: int) -> None:
    layout, pointer = Layout("LP64", 64, 32), bitvectors.variable("p", 64)
    value = compile_expression(layout.valid(pointer, size))
    assert value({pointer: layout.slot + offset}, lambda *_: 0, lambda _: room) == valid
