"""Addresses that arrive late are waited for; what is a number for good may be any address."""

from __future__ import annotations

from pathlib import Path

from pincer.frontends.c.load import load
from pincer.program.control_flow import ControlFlowProgram
from pincer.program.memory_regions import UNKNOWN, Pointers
from pincer.program.patient_points_to import patient_points_to
from pincer.program.points_to import PointsTo, points_to

LATER = """
int a[9], *g, *h;
int main(void) {
  for (int i = 0; i < 3; i++) { if (g) h = g + i; g = a; }
  return *h;
}
"""


def program_of(folder: Path, text: str) -> ControlFlowProgram:
    file = folder / "program.c"
    file.write_text(text, encoding="utf-8")
    return load(file)


def held(known: PointsTo, name: str) -> Pointers:
    """What a variable may hold."""
    (register,) = (variable.register for variable in known.program.variables if variable.name == name)
    assert register is not None
    return known.value(register)


def test_sums_of_addresses_that_come_later_are_no_numbers(tmp_path: Path) -> None:
    program = program_of(tmp_path, LATER)
    assert UNKNOWN in held(points_to(program), "h")
    assert {pointer.object.name for pointer in held(patient_points_to(program), "h")} == {"a"}


def test_numbers_may_be_any_address(tmp_path: Path) -> None:
    program = program_of(
        tmp_path,
        "extern unsigned long nondet_ulong(void); int a, *p; "
        "int main(void) { p = nondet_ulong() ? (int *)(nondet_ulong() * 2) : &a; return *p; }",
    )
    found = held(patient_points_to(program), "p")
    assert UNKNOWN in found and len(found) == 2


def test_what_is_reached_by_calls_through_pointers_is_the_same(tmp_path: Path) -> None:
    program = program_of(
        tmp_path,
        "int f(int x) { return x; } int g(int x) { return -x; } int (*table[2])(int) = {f, g}; int n; "
        "int main(void) { int (*h)(int) = 0; for (int i = 0; i < 2; i++) { if (h) n = h(i); h = table[i]; } }",
    )
    assert patient_points_to(program).reached == points_to(program).reached
