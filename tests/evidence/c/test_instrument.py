"""The copy of a program that a test runs: labels and variables call the harness, and no line moves."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.errors import Position
from pincer.evidence.c.instrument import instrument
from pincer.evidence.c.trace import InputValue
from tests.evidence.c.recorded_tests import NONDET, integer, needs_compiler, recorded, status_and_detail, value

pytestmark = needs_compiler


@pytest.mark.parametrize(
    "body",
    [
        "if (x == 3) goto ERROR; return 0;\nERROR: return 1;",
        "if (x == 3) goto ERROR; return 0;\nERROR: ;",
        "if (x == 3)\nERROR: return 1; else return 0;",
    ],
)
def test_an_error_label_is_reached_only_by_the_right_input(tmp_path: Path, body: str) -> None:
    text = NONDET + f"int main(void) {{ int x = __VERIFIER_nondet_int();\n{body} }}\n"
    status, detail = status_and_detail(tmp_path, text, recorded(integer(3)))
    assert status == "confirmed"
    assert detail.endswith("the label ERROR at line 4")
    assert status_and_detail(tmp_path, text, recorded(integer(4)))[0] == "contradicted"


def test_an_enumeration_constant_named_error_is_no_label(tmp_path: Path) -> None:
    text = "enum { OK, ERROR };\nint main(void) { int x = OK ? ERROR : OK;\n switch (x) { case ERROR: return 1; } }\n"
    assert status_and_detail(tmp_path, text, recorded())[0] == "contradicted"


def test_uninitialised_variables_get_their_recorded_values(tmp_path: Path) -> None:
    text = "int main(void) {\n  int x, y;\n  register char *p; const int k;\n"
    text += "  if (x == 5 && y == -6 && p == (char *)1 && k == 8) reach_error();\n}\n"
    inputs = (
        value("uninitialised variable x", 5, "undefined", line=2),
        value("uninitialised variable y", -6, "undefined", line=2),
        value("uninitialised variable p", 1, "undefined", line=3, width=64),
        value("uninitialised variable k", 8, "undefined", line=3),
    )
    assert status_and_detail(tmp_path, text, recorded(*inputs))[0] == "confirmed"


def test_an_uninitialised_variable_in_a_loop_gets_each_value_in_turn(tmp_path: Path) -> None:
    text = (
        "int main(void) {\n  int sum = 0;\n  for (int i = 0; i < 3; i++) {\n    int x;\n    sum = 10 * sum + x;\n  }\n"
    )
    text += "  if (sum == 123) reach_error();\n}\n"
    inputs = tuple(value("uninitialised variable x", n, "undefined", line=4) for n in (1, 2, 3))
    assert status_and_detail(tmp_path, text, recorded(*inputs))[0] == "confirmed"


def test_what_arguments_point_to_gets_its_recorded_values(tmp_path: Path) -> None:
    text = "struct S { int a; short b; };\nint f(struct S s, const struct S *p) {\n"
    text += "  if (s.b == 7 && p->a == -6) reach_error();\n return 0; }\n"
    inputs = (
        value("contents of the argument s, byte 4", 7, "undefined", width=16),
        value("contents of the argument *p, byte 0", -6, "undefined"),
    )
    assert status_and_detail(tmp_path, text, recorded(*inputs, entry="f"))[0] == "confirmed"


def test_undefined_values_without_a_declaration_are_zero_or_not_confirmable(tmp_path: Path) -> None:
    text = "int main(void) { int x;\n  if (x == 0) reach_error(); }\n"
    nowhere = value("uninitialised variable heap", 0, "undefined", line=1)
    assert status_and_detail(tmp_path, text, recorded(nowhere))[0] == "confirmed"
    text = "int main(void) { int x;\n  if (x == 4) reach_error(); }\n"
    nowhere = value("uninitialised variable heap", 4, "undefined", line=1)
    status, detail = status_and_detail(tmp_path, text, recorded(nowhere))
    assert status == "not confirmed"
    assert "not confirmable by plain execution" in detail


def test_lines_of_a_generated_file_may_overlap() -> None:
    text = '#line 1 "a.c"\nvoid f(void)\n{\n{\n{}\n}\n}\n#line 5\nint main(void)\n{ int a ;\n  return a;\n}\n'
    given = InputValue("uninitialised variable a", "undefined", 32, 26, Position("a.c", 6, 7))
    found = instrument(text, "main", [given])
    assert found.unplaced == () and "int a ; __pincer_undefined(0, (void *)&a, sizeof(a));" in found.text
