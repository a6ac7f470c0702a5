"""What a procedure hands out while it is lowered: names, temporaries and objects of its own."""

from __future__ import annotations

from pathlib import Path

from pincer.logic import bitvectors
from pincer.program.control_flow import Allocate, Assign, Begin, Call
from tests.frontends.c.lowered_c import labels, lowered


def test_locals_of_one_name_have_registers_of_their_own(tmp_path: Path) -> None:
    text = "int main(void) { int x = 1; { int x = 2; { int x = 3; x++; } x++; } return x; }"
    program = lowered(tmp_path, text)
    registers = {variable.register for variable in program.variables if variable.name == "x"}
    assert len(registers) == 3


def test_no_temporary_is_used_for_two_results(tmp_path: Path) -> None:
    text = "int f(int a) { return a; } int main(void) { return f(f(1) + f(2)) + f(3); }"
    results = [label.result for label in labels(lowered(tmp_path, text), Call, "main")]
    assert len(results) == len(set(results)) == 4


def test_objects_of_different_procedures_do_not_share_addresses(tmp_path: Path) -> None:
    text = """int f(void) { int a[9]; a[0] = 1; return a[0]; }
    int main(void) { int b[7]; b[0] = f(); int *p = b; return *p; }"""
    program = lowered(tmp_path, text)
    first, second = labels(program, Begin)
    low, high = sorted(((first.address, first.size), (second.address, second.size)))
    assert {first.size, second.size} == {36, 28}
    assert low[0] + low[1] <= high[0]
    assert not labels(program, Allocate)


def test_steps_are_placed_at_the_statement_they_belong_to(tmp_path: Path) -> None:
    program = lowered(tmp_path, "int g;\nint main(void) {\n  g = 1;\n  g = 2;\n  return 0;\n}")
    lines = {
        bitvectors.constant_value(edge.label.value): edge.position.line
        for edge in program.procedures["main"].edges
        if isinstance(edge.label, Assign) and str(edge.label.register) == "g"
    }
    assert lines == {1: 3, 2: 4}
