"""`setjmp` and `longjmp`: jumps arrive as in compiled code; what C leaves open is not taken for known."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.frontends.c.lowering.long_jumps import MEMORY_IS_KEPT
from pincer.program.control_flow import Assume, Check, End, Input
from tests.frontends.c.compiled_c import assert_same_result, needs_compiler
from tests.frontends.c.lowered_c import labels, lowered, outcome

FUNCTIONS = """
#include <setjmp.h>
jmp_buf env; long long result;
static void deep(int n) {
    int local[3] = {n, n, n};
    if (n == 0) longjmp(env, 7);
    result = 3 * result + local[1]; deep(n - 1); result = -1000;
}
static int again(int want) {
    jmp_buf inner; volatile int count = 0; int r = setjmp(inner);
    count++;
    if (count < want) longjmp(inner, count);
    return r * 10 + count;
}
static int zero(void) { jmp_buf b; switch (setjmp(b)) { case 0: longjmp(b, 0); case 1: return 5; default: return 6; } }
static void thrown(jmp_buf *b, int v) { longjmp(*b, v); }
static int nested(void) {
    jmp_buf a, b; int r;
    if ((r = setjmp(a)) == 0) { if (setjmp(b) == 0) thrown(&b, 3); else thrown(&a, 4); }
    return r;
}
static void (*through)(jmp_buf *, int) = thrown;
static long factor(int n) { if (n < 0) longjmp(env, -n); return n ? n * factor(n - 2) : 1; }
"""
BODIES = [
    "if (setjmp(env) == 0) deep(4); else result *= 5;",
    "result = again(4) + 100 * zero() + 1000 * nested();",
    "jmp_buf z; if (!setjmp(z)) { through(&z, 2); result = 1; } result += 3;",
    "for (int i = 0; i < 4; i++) { int a[2] = {i, i}; if (_setjmp(env)) continue; if (i % 2) deep(a[0]); }",
    "int r = setjmp(env); if (r == 0) result = factor(6) + factor(3); else result = r + 50;",
    "static int n; int r = sigsetjmp(env, 0); result += r * r; if (n++ < 5) siglongjmp(env, n);",
    "volatile long v = 1; if (setjmp(env) < 3) { v = v * 3 + 1; longjmp(env, v > 30 ? 3 : 1); } result = v;",
    "while (1) { int k = 4; if (setjmp(env)) break; { int k = 5; deep(k - 3); } result = k; }",
    "jmp_buf copy[3]; for (volatile int i = 0; i < 3; i++) { if (!setjmp(copy[i])) continue; result += 10 + i; break; }"
    " if (result < 10) longjmp(copy[1], 1);",
]


@needs_compiler
@pytest.mark.parametrize("body", BODIES)
def test_jumps_arrive_as_in_compiled_code(body: str, tmp_path: Path) -> None:
    assert_same_result(tmp_path, f"{FUNCTIONS} int main(void) {{ {body} return 0; }}")


@pytest.mark.parametrize(
    "text",
    [
        "jmp_buf b; int set(void) { return setjmp(b); } int main(void) { if (!set()) longjmp(b, 1); return 0; }",
        "jmp_buf b; int set(int j) { if (j) longjmp(b, 1); return setjmp(b); } int main(void) { set(0); set(1); }",
        "jmp_buf b; int main(void) { longjmp(b, 1); }",
    ],
)
def test_a_jump_to_a_function_that_has_returned_is_undefined(text: str, tmp_path: Path) -> None:
    end = outcome(tmp_path, f"#include <setjmp.h>\n{text}")
    assert end.stop.kind == "check" and "longjmp to a function that has returned" in end.stop.message


def test_variables_that_changed_since_are_undefined_unless_they_are_volatile(tmp_path: Path) -> None:
    text = """#include <setjmp.h>
    jmp_buf env; int main(void) { int kept = 1, changed = 2; volatile int safe = 3;
    if (!setjmp(env)) { changed = 4; safe = 5; longjmp(env, kept); } return kept + changed + safe; }"""
    program = lowered(tmp_path, text)
    assert [label.source for label in labels(program, Input)] == ["changed, changed since setjmp"]
    assert MEMORY_IS_KEPT not in program.assumptions


def test_changes_of_variables_in_memory_are_an_assumption(tmp_path: Path) -> None:
    text = """#include <setjmp.h>
    jmp_buf env; int main(void) { int a[2] = {1, 2}; if (!setjmp(env)) { a[0] = 3; longjmp(env, 1); } return a[0]; }"""
    assert MEMORY_IS_KEPT in lowered(tmp_path, text).assumptions


def test_only_calls_that_may_be_left_by_a_jump_are_followed_by_a_test(tmp_path: Path) -> None:
    text = """#include <setjmp.h>
    jmp_buf env; void jumps(void) { longjmp(env, 1); } void stays(void) { }
    int main(void) { if (!setjmp(env)) { stays(); jumps(); } return 0; }"""
    program = lowered(tmp_path, text)
    assert labels(program, Assume, "stays") == []
    tests = [label for label in labels(program, Assume, "main") if label.branch is None]
    assert len(tests) == 4
    assert {check.kind for check in labels(program, Check)} == {"jump"}


def test_objects_end_on_the_way_out(tmp_path: Path) -> None:
    text = """#include <setjmp.h>
    jmp_buf env; void f(void) { int a[2] = {1, 2}; if (a[0]) { int b[2] = {3, 4}; longjmp(env, b[0]); } }
    int main(void) { if (!setjmp(env)) f(); return 0; }"""
    inner, *outer = labels(lowered(tmp_path, text), End, "f")
    assert outer == [outer[0]] * 2 and inner not in outer


def test_programs_with_threads_are_refused_by_name_where_it_matters(tmp_path: Path) -> None:
    text = """#include <setjmp.h>
    #include <pthread.h>
    jmp_buf env; void *f(void *p) { return p; }
    int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); return setjmp(env); }"""
    assert "setjmp in a program with threads" in str([edge.label for edge in lowered(tmp_path, text).edges()])
