"""Only what a value that nobody gave can come to needs a shadow."""

from __future__ import annotations

from pathlib import Path

from pincer.program.control_flow import ControlFlowProgram
from pincer.program.passes.unset_registers import unset
from tests.frontends.c.lowered_c import lowered


def _names(program: ControlFlowProgram) -> set[str]:
    found = unset(program).registers
    return {variable.name for variable in program.variables if variable.register in found}


def test_values_are_followed_through_assignments_and_calls(tmp_path: Path) -> None:
    text = "int f(int p, int q) { return p; }\n"
    text += "int main(void) { int x, z = 3; int y = x + 1; int r = f(y, z); int s = f(1, 2); return r + s + z; }\n"
    program = lowered(tmp_path, text)
    assert _names(program) == {"x", "y", "p", "r", "s"}
    assert not unset(program).memory


def test_memory_lacks_values_where_objects_begin_without_any(tmp_path: Path) -> None:
    assert unset(lowered(tmp_path, "int main(void) { int a[3]; a[0] = 1; return a[0]; }\n")).memory
    assert not unset(lowered(tmp_path, "int a[3]; int main(void) { a[0] = 1; return a[0]; }\n")).memory
    assert unset(lowered(tmp_path, "int a[3]; int main(void) { int x; a[0] = x; return a[0]; }\n")).memory


def test_what_the_library_leaves_open_is_a_value(tmp_path: Path) -> None:
    text = "#include <string.h>\nchar *s, *t; int main(void) { int r = strcmp(s, t); return r; }\n"
    assert _names(lowered(tmp_path, text)) == set()
