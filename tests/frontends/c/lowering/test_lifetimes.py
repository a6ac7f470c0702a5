"""Objects of blocks live exactly as long as C says."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.frontends.c.lowering.lifetimes import BLOCKS_NOT_KEPT, VALUES_NOT_KEPT
from pincer.program.control_flow import Begin
from tests.execution.interpreted import interpret
from tests.frontends.c.lowered_c import labels, lowered, result_of
from tests.frontends.c.lowering.ends import kind_of


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


_MADE = """struct T { int n; char text[8]; }; struct S { int a[2]; struct T t; };
static struct S mk(int x) { struct S s = {{x, 2}, {3, "abc"}}; return s; }
static int first(const char *text) { return text[0]; }
"""


@pytest.mark.parametrize(
    "body",
    [
        "int *p = mk(1).a; return p[0];",
        "int *p; p = &mk(1).a[1]; return *p;",
        "char *p; p = mk(1).t.text; return *p;",
        "char *p = ({ mk(1).t.text; }); return *p;",
        "int n = 0; for (int i = 0; i < 2; i++) { int *p = mk(i).a; n += *p; } return n;",
        "struct S (*f)(int) = mk; int *p = f(1).a; return p[1];",
    ],
)
def test_a_structure_that_a_function_returns_ends_with_the_expression(tmp_path: Path, body: str) -> None:
    assert interpret(lowered(tmp_path, f"{_MADE}int main(void) {{ {body} }}")).stop.kind == "check"


@pytest.mark.parametrize(
    "body",
    [
        "for (int i = 0; i < 3; i++) n += mk(i).a[0] + *mk(i).a + first(mk(i).t.text);",
        "for (int i = 0; i < 3; i++) { struct S s = mk(2); n += s.a[1] + first(mk(s.a[0]).t.text); }",
        "int x = mk(4).t.text[1], y = mk(mk(5).a[0]).a[0]; n = x + y;",
        "first(mk(1).t.text); n = ({ first(mk(1).t.text); });",
        "struct S s = mk(1); int *p = s.a; n = p[0]; p = (s = mk(3)).a; n += p[1];",
    ],
)
def test_within_the_expression_it_may_be_used(tmp_path: Path, body: str) -> None:
    program = lowered(tmp_path, f"{_MADE}int main(void) {{ int n = 0; {body} return n; }}")
    assert interpret(program).stop.kind == "halt"


@pytest.mark.parametrize(
    ("statement", "assumed"),
    [
        ("int *p; if ((p = mk(1).a)[0]) return p[1];", True),
        ("struct S s = mk(1); int *p = (s = s).a; return *p;", True),
        ("switch (first(mk(1).t.text)) { case 1: return 1; }", True),
        ("if (mk(1).a[0] && mk(2).t.text[mk(1).a[0]]) return 1;", False),
        ("int *p = mk(1).a; p = 0;", False),
    ],
)
def test_pointers_into_structures_that_conditions_make_are_assumed_not_to_be_kept(
    tmp_path: Path, statement: str, assumed: bool
) -> None:
    program = lowered(tmp_path, f"{_MADE}int main(void) {{ {statement} return 0; }}")
    assert (VALUES_NOT_KEPT in program.assumptions) == assumed
