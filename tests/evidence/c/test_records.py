"""Structures that functions without a body return reach compiled tests."""

from __future__ import annotations

import pytest

import pincer
from pincer.errors import Position
from pincer.evidence.c.records import member, record_functions
from pincer.evidence.c.tokens import read
from pincer.evidence.c.trace import InputValue

PROGRAM = """
#include <assert.h>
typedef struct { char c; long l; struct { short s; float f; } in; } T;
extern T get(int, char *);
T other(void);
int main(void) {
    char b[3];
    T x = get(1, b), y = other(), z = other();
    if (x.c == 7 && x.l == -5 && x.in.f == 2.5f && y.l == 3 && z.l == 4 && y.c == 1) assert(0);
}
"""


def given(source: str) -> InputValue:
    return InputValue(source, "external", 32, 0, Position("p.c", 1, 1))


def test_members_have_an_offset_in_what_a_function_returns() -> None:
    assert member(given("member at 8 of get")) == ("get", 8)
    assert member(given("get")) is None


@pytest.mark.parametrize(
    ("text", "defined"),
    [
        ("struct s { int a; }; extern struct s get(void);", ["get"]),
        ("struct s { int a; }; struct s get(void) { return (struct s){1}; }", []),
        ("struct s { int a; } get(void);", ["get"]),
        ("int f(void) { return 1; } union u { struct { int a; } b; } get(void);", ["get"]),
        ("struct { int a; } get(void);", []),
    ],
)
def test_functions_are_defined_by_the_words_that_declare_them(text: str, defined: list[str]) -> None:
    assert list(record_functions(read(text), [given("member at 0 of get")])) == defined


def test_a_structure_that_is_declared_with_its_function_is_named_by_its_tag() -> None:
    text = "int f(void) { return 1; } extern struct s { int a[2]; } get(int);"
    assert (
        "weak)) struct s get(int) { struct s __pincer"
        in record_functions(read(text), [given("member at 0 of get")])["get"]
    )


def test_a_violation_that_needs_members_is_confirmed() -> None:
    [answer] = pincer.check_text(PROGRAM, "c", property="assertions", timeout=60).properties
    assert answer.verdict == "unsafe", answer.reason
    assert answer.evidence is not None and answer.evidence.kind == "execution"
