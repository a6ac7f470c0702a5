"""Where variables live: registers unless an address is used."""

from __future__ import annotations

from pathlib import Path

from tests.frontends.c.lowered_c import lowered


def test_scalars_live_in_registers_unless_their_address_is_used(tmp_path: Path) -> None:
    program = lowered(tmp_path, "int g, h; int main(void) { int x = 1, y = 2; int *p = &y, *q = &h; return x + g; }")
    places = {variable.name: variable.register is not None for variable in program.variables}
    assert places == {"g": True, "h": False, "x": True, "y": False, "p": True, "q": True}


def test_a_name_is_taken_only_where_it_means_that_variable(tmp_path: Path) -> None:
    program = lowered(tmp_path, "int x; int main(void) { { int x = 1; int *p = &x; *p = 2; } x = 3; return x; }")
    assert [v.register is not None for v in program.variables if v.name == "x"] == [False, True]


def test_initial_values_of_global_registers(tmp_path: Path) -> None:
    program = lowered(tmp_path, "short g = -2; int z; int main(void) { return g + z; }")
    assert {str(register): value for register, value in program.initial.items()} == {"g": 0xFFFE, "z": 0}
