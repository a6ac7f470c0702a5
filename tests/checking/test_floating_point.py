"""Floating point from the source to the evidence."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.checking.answers import answer, confirmed, reason, safe
from tests.evidence.c.recorded_tests import needs_compiler

DECLARED = """#include <assert.h>
double __VERIFIER_nondet_double(void); float __VERIFIER_nondet_float(void); int __VERIFIER_nondet_int(void);
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def program(body: str) -> str:
    return f"{DECLARED}int main(void) {{\n{body}\nreturn 0; }}\n"


@pytest.mark.parametrize(
    "body",
    [
        "double x = __VERIFIER_nondet_double(); if (x > 0) assert(x == x);",
        "float x = __VERIFIER_nondet_float(); if (x >= 1 && x <= 2) assert(x + 1 <= 3);",
        "float s = 0; for (int i = 0; i < 4; i++) s += 0.25f; assert(s == 1.0f);",
        "int i = __VERIFIER_nondet_int(); assert((int)(double)i == i);",
        "union { float f; unsigned u; } v; v.f = __VERIFIER_nondet_float(); if (v.f == -2.0f) assert(v.u >> 31);",
        "float f = 0.1f; double d = f; assert(d != 0.1 && f != 0.1 && (float)0.1 == f);",
        "double x = __VERIFIER_nondet_double(); if (!(x < 0) && !(x >= 0)) assert(x != x);",
    ],
)
def test_what_holds_is_proved(body: str) -> None:
    safe(answer(program(body)))


@needs_compiler
@pytest.mark.parametrize(
    "body",
    [
        "double x = __VERIFIER_nondet_double(); assert(x == x);",
        "float x = __VERIFIER_nondet_float(); if (x >= 1 && x <= 2) assert(x * x < 4);",
        "double s = 0; for (int i = 0; i < 10; i++) s += 0.1; assert(s == 1.0);",
        "int i = __VERIFIER_nondet_int(); if (i > 0 && i < 100000000) assert((int)(float)i == i);",
        "double x = __VERIFIER_nondet_double(); if (x == 0) assert(1 / x > 0);",
        "double a[2] = {1}; a[1] = __VERIFIER_nondet_float(); a[0] += a[1]; assert(a[0] != 3.5);",
    ],
)
def test_what_fails_is_shown_by_compiled_code(body: str) -> None:
    confirmed(answer(program(body)))


@needs_compiler
def test_a_number_that_does_not_fit_is_an_overflow() -> None:
    found = confirmed(answer(program("double x = __VERIFIER_nondet_double(); int i = (int)x;"), "overflow"))
    assert "does not fit the type int" in found.run.failure.text


def test_inputs_are_shown_as_numbers() -> None:
    found = confirmed(answer(program("float x = __VERIFIER_nondet_float(); assert(x != 0.1f);")))
    assert [value.value for value in found.run.inputs] == ["0.1"]


def test_results_of_the_library_are_not_made_up() -> None:
    body = "double x = __VERIFIER_nondet_double(); if (x == 0) assert(sin(x) == 0);"
    found = answer("#include <math.h>\n" + program(body))
    assert "compiled code does not show it" in reason(found)


def test_results_of_the_library_lie_in_their_range() -> None:
    body = "double x = __VERIFIER_nondet_double(); if (x > -1 && x < 1) assert(cos(x) <= 1 && exp(x) >= 0);"
    assert safe(answer("#include <math.h>\n" + program(body))).assumptions


@needs_compiler
def test_numbers_in_memory_are_shown_as_numbers() -> None:
    body = "double a[2] = {0.5}; struct { float f; int n; } s = {1.5f, 2}; a[1] = s.f + s.n; assert(a[1] < a[0]);"
    found = confirmed(answer(program(body)))
    changes = {(change.name, change.value) for step in found.run.steps for change in step.changes}
    assert {("a[0]", "0.5"), ("s.f", "1.5"), ("s.n", "2"), ("a[1]", "3.5")} <= changes
