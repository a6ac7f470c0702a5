"""What a program starts with: arguments, and variables of other files."""

from __future__ import annotations

from pathlib import Path

from pincer.program.control_flow import Begin, Input
from tests.frontends.c.lowered_c import labels, lowered


def test_entry_parameters_take_any_value_and_pointers_a_fresh_object(tmp_path: Path) -> None:
    program = lowered(
        tmp_path, "struct S { int a; }; int f(int n, struct S *p, struct S *q) { return n + p->a + q->a; }", entry="f"
    )
    assert [label.kind for label in labels(program, Input)] == ["argument"]
    assert [label.size for label in labels(program, Begin)] == [4, 4]
    assert program.procedures["f"].parameters == ()
    assert "distinct objects" in program.assumptions[0].text


def test_an_entry_that_is_called_again_gets_its_arguments_from_outside(tmp_path: Path) -> None:
    program = lowered(tmp_path, "int f(int n) { return n > 0 ? f(n - 1) : 0; }", entry="f")
    assert program.entry == "$start"
    assert len(program.procedures["f"].parameters) == 1


def test_variables_of_other_files_may_have_any_value(tmp_path: Path) -> None:
    program = lowered(tmp_path, "extern int x; extern int a[3]; int main(void) { return x + a[1]; }")
    assert [label.kind for label in labels(program, Input)] == ["external"]
    assert [label.size for label in labels(program, Begin)] == [12]
    assert len(program.assumptions) == 2
