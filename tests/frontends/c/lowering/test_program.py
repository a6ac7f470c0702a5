"""The shape of the automata: registers and objects, decisions, checks, lifetimes, what is left out."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.errors import PincerError
from pincer.program.control_flow import (
    Call,
    Check,
    Copy,
    Fail,
    Halt,
    Store,
    Unsupported,
)
from tests.frontends.c.lowered_c import labels, lowered, result_of


def test_named_objects_are_checked_only_where_the_offset_is_not_constant(tmp_path: Path) -> None:
    program = lowered(
        tmp_path,
        "int a[4]; struct { int x[2]; } s; int main(void) { int i = a[3] + s.x[1]; return a[i] + s.x[i & 1]; }",
    )
    messages = [label.message for label in labels(program, Check)]
    assert messages == ["invalid access to a[i]", "invalid access to s.x[i & 1]"]


def test_large_structures_are_copied_at_once(tmp_path: Path) -> None:
    program = lowered(tmp_path, "struct S { int a[100]; } x, y; int main(void) { x = y; return x.a[1]; }")
    assert len(labels(program, Copy)) == 1 and not labels(program, Store)


def test_a_structure_read_through_itself_is_copied_whole(tmp_path: Path) -> None:
    program = """struct N { struct N *next; int v; } a, b; long long result;
    int main(void) { struct N *p = &a; a.next = &b; b.next = 0; b.v = 7; *p = *p->next; result = a.v; return 0; }"""
    assert result_of(tmp_path, program) == 7


def test_dead_functions_may_contain_anything(tmp_path: Path) -> None:
    program = lowered(tmp_path, "double f(double x) { return x * undeclared; } int main(void) { return 0; }")
    assert list(program.procedures) == ["main"]


UNSUPPORTED = [
    ("_Complex double x = c; return x == 1;", "_Complex"),
    ('__asm__("cpuid" : "=a"(c)); return 0;', "inline assembly"),
]


@pytest.mark.parametrize(("body", "what"), UNSUPPORTED)
def test_constructs_that_are_not_modelled_end_the_path_where_they_are_used(
    body: str, what: str, tmp_path: Path
) -> None:
    text = f"int main(int c, char **v) {{ if (c > 1) {{ {body} }} return 0; }}"
    program = lowered(tmp_path, text)
    assert what in labels(program, Unsupported)[0].what
    assert any(edge.target == program.procedures["main"].exit for edge in program.edges())


def test_an_assembly_barrier_does_nothing(tmp_path: Path) -> None:
    program = lowered(tmp_path, 'int main(void) { __asm__ volatile("" : : : "memory"); return 0; }')
    assert not labels(program, Unsupported)


def test_failures_and_ends(tmp_path: Path) -> None:
    program = lowered(
        tmp_path,
        """void abort(void); void reach_error(void) { abort(); } void __VERIFIER_error(void);
        int main(int c, char **v) { if (c == 1) reach_error(); if (c == 2) __VERIFIER_error(); if (c == 3) abort();
        if (c == 4) goto ERROR; return 0; ERROR: return 1; }""",
    )
    assert [label.message for label in labels(program, Fail)] == [
        "reach_error() is called",
        "__VERIFIER_error() is called",
        "the label ERROR is reached",
    ]
    assert [label.what for label in labels(program, Halt)] == ["abort"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("int main(void) { return undeclared; }", "`undeclared` is not declared"),
        ("int main(void) { goto nowhere; }", "no label `nowhere`"),
        ("struct S; int main(void) { struct S s; return 0; }", "incomplete"),
        ("int main(void) { int x = 1; return x->y; }", "pointer to a structure"),
        ("struct S { int a; } s; int main(void) { return s.b; }", "no member `b`"),
        ("int main(void) { 3 = 4; return 0; }", "no object"),
        ("int main(void) { break; }", "outside a loop"),
        ("int f(void) { return 1; }", "no function `main`"),
    ],
)
def test_mistakes_have_a_position_and_a_reason(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(PincerError, match=message) as caught:
        lowered(tmp_path, text)
    assert caught.value.position is not None


WARNINGS = [
    "int main(void) { return undeclared_function(1, 2); }",
    "int main(void) { int *p = 5; char *q = p; return p == q; }",
    "main() { return 0; }",
    "f(a, b) int a; char *b; { return a + b[0]; } int main(void) { char c = 1; return f(1, &c, 3); }",
    "int f(int x) { if (x) return; } int main(void) { return f(1); }",
    "void f(void) { return 1; } int main(void) { f(); return 0; }",
    "int main(void) { const int c = 1; *(int *)&c = 2; return c; }",
]


@pytest.mark.parametrize("text", WARNINGS)
def test_what_compilers_only_warn_about_is_accepted(text: str, tmp_path: Path) -> None:
    assert "main" in lowered(tmp_path, text).procedures


def test_lowering_is_deterministic(tmp_path: Path) -> None:
    text = "int f(int x) { return x ? f(x - 1) : 0; } int main(void) { int a[3] = {1}; return f(a[0]); }"
    first, second = (lowered(tmp_path, text) for _ in range(2))
    assert [(e.source, e.target, e.label) for e in first.edges()] == [
        (e.source, e.target, e.label) for e in second.edges()
    ]
    assert [label.procedure for label in labels(first, Call)] == ["f", "f"]
