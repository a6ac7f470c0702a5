"""What a program starts with: arguments, and variables of other files."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.program.control_flow import Begin, Input, Unsupported
from tests.frontends.c.compiled_c import assert_same_result, needs_compiler
from tests.frontends.c.lowered_c import labels, lowered, result_of


def test_entry_parameters_take_any_value_and_pointers_a_fresh_object(tmp_path: Path) -> None:
    program = lowered(
        tmp_path, "struct S { int a; }; int f(int n, struct S *p, struct S *q) { return n + p->a + q->a; }", entry="f"
    )
    assert [label.kind for label in labels(program, Input)] == ["argument"]
    assert [label.size for label in labels(program, Begin)] == [4, 4]
    assert program.procedures["f"].parameters == ()
    assert "distinct objects" in program.assumptions[0].text


def test_objects_bear_the_names_of_arguments_where_a_test_can_fill_them(tmp_path: Path) -> None:
    text = "struct L { struct L *next[2]; }; struct S { int a[2]; };\n"
    text += "int f(struct S s, int *p, struct L *l, char **q) { return s.a[1] + *p + (l->next[1] == 0) + **q; }"
    begun = labels(lowered(tmp_path, text, entry="f"), Begin)
    assert [label.argument for label in begun if label.given] == ["s", "*p", "", ""]


def test_arguments_are_read_as_their_types_say(tmp_path: Path) -> None:
    text = "enum colour { RED, GREEN = 5, LIGHT = 5 }; int f(int n, unsigned u, enum colour c) { return n + u + c; }"
    program = lowered(tmp_path, text, entry="f")
    assert [(label.signed, label.names) for label in labels(program, Input)] == [
        (True, ()),
        (False, ()),
        (False, ((0, "RED"), (5, "GREEN"))),
    ]


def test_an_entry_that_is_called_again_gets_its_arguments_from_outside(tmp_path: Path) -> None:
    program = lowered(tmp_path, "int f(int n) { return n > 0 ? f(n - 1) : 0; }", entry="f")
    assert program.entry == "$start"
    assert len(program.procedures["f"].parameters) == 1


def test_variables_of_other_files_may_have_any_value(tmp_path: Path) -> None:
    program = lowered(tmp_path, "extern int x; extern int a[3]; int main(void) { return x + a[1]; }")
    assert [label.kind for label in labels(program, Input)] == ["external"]
    assert [label.size for label in labels(program, Begin)] == [12]
    assert len(program.assumptions) == 2


AROUND = """
#include <stdlib.h>
long long result;
static void put(int digit) { result = result * 10 + digit; }
static void late(void) { put(1); } static void first(void) { put(2); atexit(late); }
static void second(void) { put(3); }
"""


@needs_compiler
@pytest.mark.parametrize(
    "body",
    [
        "atexit(first); atexit(second); put(4); return 0;",
        "atexit(first); put(4); exit(3);",
        "atexit(second); if (result == 0) { put(5); exit(0); } put(6);",
        "for (int i = 0; i < 3; i++) atexit(second); void (*f)(int) = exit; f(0);",
    ],
)
def test_functions_wait_for_the_end_of_the_program(body: str, tmp_path: Path) -> None:
    assert_same_result(tmp_path, f"{AROUND} int main(void) {{ {body} }}")


@pytest.mark.parametrize("end", ["_Exit(0)", "abort()", "quick_exit(0)"])
def test_other_ends_run_nothing(end: str, tmp_path: Path) -> None:
    assert result_of(tmp_path, f"{AROUND} int main(void) {{ atexit(first); put(7); {end}; }}") == 7


def test_constructors_and_destructors_run_in_order_of_their_numbers(tmp_path: Path) -> None:
    text = f"""{AROUND}
    __attribute__((constructor)) static void c(void) {{ put(6); atexit(second); }}
    __attribute__((constructor(200))) static void b(void) {{ put(5); }}
    __attribute__((constructor(150))) void a(void); void a(void) {{ put(4); }}
    __attribute__((destructor(300))) static void e(void) {{ put(9); }}
    __attribute__((destructor)) void d(void) {{ put(8); }}
    int main(void) {{ put(7); atexit(late); return 0; }}"""
    assert result_of(tmp_path, text) == 45671389


def test_a_constructor_with_parameters_is_refused_by_name(tmp_path: Path) -> None:
    text = "__attribute__((constructor)) void c(int n) { } int main(void) { return 0; }"
    assert labels(lowered(tmp_path, text), Unsupported) == [Unsupported("the parameters of the constructor c")]


def test_without_such_functions_the_program_begins_in_its_entry(tmp_path: Path) -> None:
    assert lowered(tmp_path, "#include <stdlib.h>\nint main(void) { exit(0); }").entry == "main"
