"""Generated stretches name their places, and are made when a run comes to them."""

from __future__ import annotations

from pathlib import Path

from pincer.execution.straight_code import StraightCode
from pincer.execution.straight_memory import StraightMemory
from tests.frontends.c.lowered_c import lowered


def test_registers_have_places_of_their_own(tmp_path: Path) -> None:
    program = lowered(tmp_path, "int g; int f(int a) { return a + g; }\nint main(void) { return f(1); }\n")
    code = StraightCode(program, StraightMemory(program))
    (parameter,) = program.procedures["f"].parameters
    assert code.places.of(parameter, "f") == "r[0]"
    assert code.places.of(program.top, "main").startswith("g[")


def test_a_stretch_knows_where_it_begins(tmp_path: Path) -> None:
    program = lowered(tmp_path, "int main(void) { return 1; }\n")
    code = StraightCode(program, StraightMemory(program))
    entry = program.procedures["main"].entry
    assert code.location(code.at(entry)) == entry
