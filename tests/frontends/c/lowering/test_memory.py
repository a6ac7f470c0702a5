"""Objects live exactly as long as C says, and `free` accepts exactly what it may."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.execution.testing import interpret
from pincer.frontends.c.lowering.conversions import addresses_are_numbers
from pincer.frontends.c.lowering.lifetimes import BLOCKS_NOT_KEPT
from pincer.program.control_flow import Allocate, Begin, Unsupported
from tests.frontends.c.lowered_c import labels, lowered, outcome, result_of

STDLIB = "#include <stdlib.h>\n#include <alloca.h>\n"


def kind_of(folder: Path, body: str, before: str = "", **options: object) -> str:
    return outcome(folder, f"{STDLIB}{before}\nint main(void) {{ {body} return 0; }}", **options).stop.kind


@pytest.mark.parametrize(
    "body",
    [
        "free(malloc(0));",
        "char *p = malloc(0); char *q = malloc(0); free(p); free(q);",
        "char *p = malloc(0); p = realloc(p, 4); p[3] = 1; free(p);",
        "free(calloc(0, 4));",
        "free(0); free(0L); free(NULL);",
        "int *p = realloc(0, 4); *p = 1; free(p);",
        "int n = 3; int a[n]; a[0] = 1; int *p = malloc(4); free(p);",
    ],
)
@pytest.mark.parametrize("data_model", ["LP64", "ILP32"])
def test_null_and_heap_objects_of_any_size_may_be_freed(tmp_path: Path, body: str, data_model: str) -> None:
    assert kind_of(tmp_path, body, data_model=data_model) == "halt"


@pytest.mark.parametrize(
    "body",
    [
        "char *p = malloc(0); free(p); free(p);",
        "char *p = malloc(0); *p = 1;",
        "char *p = malloc(0); p[-1] = 1;",
        "char *p = malloc(4); free(p); char *q = malloc(0); free(p);",
        "int n = 3; int a[n]; a[0] = 1; free(a);",
        "int *a = alloca(8); a[0] = 1; free(a);",
    ],
)
def test_nothing_else_may_be_freed_or_used(tmp_path: Path, body: str) -> None:
    assert kind_of(tmp_path, body) == "check"


def test_locals_of_recursive_functions_may_not_be_freed(tmp_path: Path) -> None:
    function = "void f(int n) { int x = n; int *p = &x; if (n > 0) f(n - 1); else free(p); }"
    assert kind_of(tmp_path, "f(2);", function) == "check"


def test_a_size_known_to_be_positive_takes_no_mark(tmp_path: Path) -> None:
    text = STDLIB + "int main(void) { free(malloc(8)); return 0; }"
    assert len(labels(lowered(tmp_path, text), Allocate)) == 1


@pytest.mark.parametrize(
    "body",
    [
        "int *p; { int x = 1; p = &x; } *p = 2;",
        "int *p; { p = (int[]){1, 2}; } *p = 2;",
        "int *p = 0; if (1) p = (int[]){1, 2}; *p = 2;",
        "int *p; int n = 2; { int a[n]; p = a; } *p = 2;",
        "int *p; for (int i = 0; i < 3; i++) { int x = i; p = &x; if (i == 1) break; } *p = 2;",
        "int *p; { int x = 1; p = &x; goto out; } out: *p = 2;",
        "int *p; switch (1) { case 1: { int x = 1; p = &x; break; } } *p = 2;",
    ],
)
def test_an_object_ends_with_its_block(tmp_path: Path, body: str) -> None:
    assert kind_of(tmp_path, body) == "check"


@pytest.mark.parametrize(
    "body",
    [
        "int *p; { int x = 1; p = &x; *p = 2; { int y = 3; p = &y; } p = &x; *p = 4; }",
        "for (int i = 0; i < 3; i++) { int x = i; int *p = &x; if (*p == 1) continue; *p = 5; }",
        "int *p = 0; for (int i = 0; i < 2; i++) { p = alloca(4); *p = i; } *p = 2;",
        "switch (1) { int a[2]; case 1: a[0] = 1; int *p = a; *p = 2; }",
        "int k = 0; again: ; int x; int *p = &x; *p = k; if (k++ < 2) goto again;",
    ],
)
def test_an_object_lives_in_its_block(tmp_path: Path, body: str) -> None:
    assert kind_of(tmp_path, body) == "halt"


def test_a_return_from_a_block_keeps_the_value(tmp_path: Path) -> None:
    function = "int f(int n) { if (n) { int x = 7; int *p = &x; return *p; } return 1; }"
    assert result_of(tmp_path, f"long result; {function}\nint main(void) {{ result = f(1); return 0; }}") == 7


def test_a_declaration_in_a_loop_begins_the_object_again(tmp_path: Path) -> None:
    loop = "int main(void) { for (int i = 0; i < 2; i++) { int x; int *p = &x; *p = i; } return 0; }"
    jumps = "int main(void) { int k = 0; again: ; int x; int *p = &x; *p = k; if (k++ < 2) goto again; return 0; }"
    once = "int main(void) { int x; int *p = &x; *p = 1; return 0; }"
    assert [len(labels(lowered(tmp_path, text), Begin)) for text in (loop, jumps, once)] == [1, 2, 1]


def test_what_lifetimes_leave_open_is_assumed(tmp_path: Path) -> None:
    entered = "int main(void) { goto in; { int x; in: x = 1; int *p = &x; return *p; } }"
    recursive = "int f(int n) { { int x = n; int *p = &x; if (*p) f(*p - 1); } return 0; } int main(void) { f(2); }"
    once = "int main(void) { { int x = 1; int *p = &x; return *p; } }"
    assert BLOCKS_NOT_KEPT in lowered(tmp_path, entered).assumptions
    assert BLOCKS_NOT_KEPT not in lowered(tmp_path, recursive).assumptions
    assert BLOCKS_NOT_KEPT not in lowered(tmp_path, once).assumptions


def test_addresses_as_numbers_are_assumed(tmp_path: Path) -> None:
    cast = "int x; int main(void) { return (unsigned long)&x % 4; }"
    compared = "int x; int main(void) { int *p = &x; return p == 0; }"
    assert addresses_are_numbers(32) in lowered(tmp_path, cast).assumptions
    assert not lowered(tmp_path, compared).assumptions


def test_an_initialised_flexible_array_makes_the_object_larger(tmp_path: Path) -> None:
    text = """
    long result;
    struct F { int n; char d[]; };
    static struct F f = {2, {1, 2, 3, 4, 5}};
    int main(void) { static struct F g = {1, "abc"}; struct F *p = &f; result = p->d[4] * 1000 + g.d[2]; return 0; }
    """
    assert result_of(tmp_path, text) == 5000 + ord("c")


def test_an_array_of_unknown_length_is_not_supported(tmp_path: Path) -> None:
    program = lowered(tmp_path, "extern int a[]; int main(void) { return a[3]; }")
    assert any("whose length is not known" in label.what for label in labels(program, Unsupported))


@pytest.mark.parametrize(
    ("function", "kind"),
    [
        ("for (int i = 0; i < 3; i++) { int *p = alloca(4); *p = i; if (i == 0) kept = p; }", "check"),
        ("for (int i = 0; i < 3; i++) { int *p = alloca(4); *p = i; kept = p; }", "check"),
        ("int *p = alloca(4); *p = 1; kept = p;", "check"),
        ("kept = alloca(4); *kept = 1;", "check"),
        ("int *p = &result; if (!kept) p = alloca(4); *p = 1; kept = p;", "check"),
        ("int i = 0; again: ; int *p = alloca(4); *p = i; if (!kept) kept = p; if (i++ < 2) goto again;", "check"),
        ("int s = 0; for (int i = 0; i < 3; i++) { int *p = alloca(4); *p = i; s += *p; } kept = &result;", "halt"),
    ],
)
def test_all_objects_of_alloca_end_with_their_function(tmp_path: Path, function: str, kind: str) -> None:
    text = f"int result, *kept; void f(void) {{ {function} }} int main(void) {{ f(); return *kept; }}"
    assert interpret(lowered(tmp_path, "#include <alloca.h>\n" + text)).stop.kind == kind


def test_an_object_of_alloca_that_is_returned_at_once_has_ended(tmp_path: Path) -> None:
    text = "void *f(void) { return __builtin_alloca(4); } int main(void) { return *(int *)f(); }"
    assert interpret(lowered(tmp_path, text)).stop.kind == "check"


@pytest.mark.parametrize(
    ("expression", "kind"),
    [
        ("*({ int x = 1; &x; })", "check"),
        ("*({ int x = 1; int *p = &x; p; })", "check"),
        ("({ int x = 1; int *p = &x; *p = 4; x; })", "halt"),
        ("({ struct S s = {3, 4}; struct S *p = &s; p->a = 5; s; }).a", "halt"),
        ("({ int n = 2; int a[n]; a[1] = 4; a[1]; })", "halt"),
    ],
)
def test_objects_of_a_statement_expression_end_with_it(tmp_path: Path, expression: str, kind: str) -> None:
    text = f"struct S {{ int a, b; }}; int main(void) {{ for (int i = 0; i < 2; i++) {expression}; return 0; }}"
    assert interpret(lowered(tmp_path, text)).stop.kind == kind
