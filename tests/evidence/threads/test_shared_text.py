"""Global variables in C text, making them volatile, and statements that exchange atomically."""

from __future__ import annotations

import pytest

from pincer.evidence.c.instrument import inserted
from pincer.evidence.c.tokens import read
from pincer.evidence.threads.shared_text import Lines, exchanging_statements, global_variables, volatile_globals


def test_types_and_functions_are_no_variables() -> None:
    text = "typedef int T; struct S { int a; } s, *p; T f(T x); int g(void) { int local; return 0; } T u = 1, v[3];"
    assert global_variables(read(text)) == {"s", "p", "u", "v"}


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("int u, v;", " volatile int u, v;"),
        ("static struct S *p;", " volatile static struct S * volatile p;"),
        ("int a[3] = {1};", " volatile int a[3] = {1};"),
        ("int other;", "int other;"),
        ("int f(void) { int u; return u; }", "int f(void) { int u; return u; }"),
    ],
)
def test_named_variables_become_volatile(text: str, made: str) -> None:
    assert inserted(text, volatile_globals(read(text), {"u", "p", "a"})) == made


def test_statements_that_exchange_are_told_with_all_their_lines() -> None:
    text = "int f(void) {\n  int o = x;\n  return __atomic_compare_exchange_n(&x,\n    &o, 1, 0, 5, 5);\n}\n"
    text += "int g(void) { x *= 2; }"
    assert list(exchanging_statements(read(text, "folder/program.c"))) == [Lines("program.c", 3, 4)]
