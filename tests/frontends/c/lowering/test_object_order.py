"""Where objects lie is asked for where a program may notice, and nowhere else."""

from __future__ import annotations

from pathlib import Path

import pytest

import pincer
from pincer.frontends.c.lowering.conversions import addresses_are_numbers
from pincer.program.control_flow import OBJECT_DISTANCE, OBJECT_ORDER, OBJECTS_TOUCH, WHERE_OBJECTS_LIE, Input
from tests.frontends.c.lowered_c import labels, lowered, outcome

HEAD = """
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
static int lt(int *p, int *q) { return p < q; }
static ptrdiff_t away(int *p, int *q) { return p - q; }
static int same(int *p, int *q) { return p == q; }
static int sum(int *p, int *end) { int s = 0; for (; p < end; p++) s += *p; return s; }
static int walk(int *p, int *end) { int s = 0; for (; p != end; p++) s += *p; return s; }
static void *obtain(size_t n) { return malloc(n); }
struct buffer { char *begin, *at, *end; };
int a[4] = {1, 2, 3, 4}, b[4] = {5, 6, 7, 8};
"""


def questions(folder: Path, code: str) -> frozenset[str]:
    program = lowered(folder, f"{HEAD} int main(void) {{ {code} return 0; }}")
    return WHERE_OBJECTS_LIE & {label.source for label in labels(program, Input)}


@pytest.mark.parametrize(
    ("code", "asked"),
    [
        ("return lt(a, b);", {OBJECT_ORDER}),
        ("return lt(a, a + 1);", set()),
        ("return lt(a, a + 1) + lt(b, b + 1);", {OBJECT_ORDER}),
        ("return &a[1] < &b[1];", {OBJECT_ORDER}),
        ("return a < (int *)0;", set()),
        ("return lt(a, (int *)4096);", {OBJECT_ORDER}),
        ("return (char *)a - (char *)0;", {OBJECT_DISTANCE}),
        ("int x, y; return lt(&x, &y);", {OBJECT_ORDER}),
        ("return lt(a, (int *)(size_t)rand());", {OBJECT_ORDER}),
        ("return (void (*)(void))check > (void (*)(void))lt;", {OBJECT_ORDER}),
        ("return away(a + 3, a);", set()),
        ("return away(a, b) != 3;", {OBJECT_DISTANCE}),
        ('char *s = "text"; return s + 4 - s;', set()),
        ("return sum(a, a + 4);", set()),
        ("return sum(a, a + 4) + sum(b, b + 4);", {OBJECT_ORDER}),
        ("return same(a, b);", set()),
        ("return same(a, b + 4);", {OBJECTS_TOUCH}),
        ("return same(a + 4, b) != 0;", {OBJECTS_TOUCH}),
        ("return a + 4 == b;", {OBJECTS_TOUCH}),
        ("return same(a + 4, 0);", set()),
        ("return walk(a, a + 4);", set()),
        ("int *p = (int *)(size_t)rand(), *q = (int *)(size_t)rand(); return p == q || p == b;", set()),
        ("return same(a + 4, (int *)(size_t)rand());", {OBJECTS_TOUCH}),
        ("return same(a + 4, a);", set()),
    ],
)
def test_questions_are_asked_where_pointers_may_lead_into_different_objects(
    tmp_path: Path, code: str, asked: set[str]
) -> None:
    assert questions(tmp_path, code) == asked


@pytest.mark.parametrize(
    ("code", "asked"),
    [
        ("char *p = malloc(8), *end = p + 8; while (p < end) *p++ = 1;", set()),
        ("char *p = malloc(8), *q = malloc(8); return p < q;", {OBJECT_ORDER}),
        ("int *p = obtain(8); return lt(p, p + 1);", set()),
        ("int *p = obtain(8), *q = obtain(8); return lt(p, q);", {OBJECT_ORDER}),
        ("int *p = 0, *q; for (int i = 0; i < 3; i++) { q = p; p = malloc(4); } return lt(p, q);", {OBJECT_ORDER}),
        ("struct buffer s = {malloc(9)}; s.at = s.begin; s.end = s.begin + 9; return s.end - s.at;", set()),
        ("char *p = malloc(4), *q = realloc(p, 8); return q - p;", {OBJECT_DISTANCE}),
    ],
)
def test_memory_of_the_heap_is_one_object_only_where_it_is_allocated_once(
    tmp_path: Path, code: str, asked: set[str]
) -> None:
    assert questions(tmp_path, code) == asked


@pytest.mark.parametrize(
    "call", ["memmove(t, s, 3)", "memcpy(t, s, 3)", "strcpy(t, s)", "strstr(t, s)", "qsort(a, 4, 4, order)"]
)
def test_bodies_of_the_library_may_ask_what_they_like(tmp_path: Path, call: str) -> None:
    text = "static int order(const void *p, const void *q) { return *(int *)p - *(int *)q; }"
    code = f'char s[4] = "ab", t[4] = ""; {call};'
    program = lowered(tmp_path, f"{HEAD} {text} int main(void) {{ {code} return 0; }}")
    assert not labels(program, Input)


@pytest.mark.parametrize(
    "code",
    [
        "check(sum(a, a + 4) == 10 && sum(b, b + 4) == 26);",
        "int *p = a + 3, s = 0; for (; p >= a; p--) s += *p; check(s == 10 && away(b + 3, b) == 3);",
        "check(walk(a, a + 4) == 10 && walk(b, b + 4) == 26);",
        "int *n = 0; check(!lt(a, n) && lt(n, b) && !same(a, b) && same(b, b) && away(n, n) == 0);",
    ],
)
def test_pointers_into_one_object_have_their_order_and_distance(tmp_path: Path, code: str) -> None:
    assert outcome(tmp_path, f"{HEAD} int main(void) {{ {code} return 0; }}").stop.kind == "halt"


def verdict(folder: Path, code: str, kind: str = "assertions") -> str:
    file = folder / "p.c"
    file.write_text(f"#include <assert.h>\n{HEAD.replace('check(', 'checks(')} int main(void) {{ {code} return 0; }}\n")
    return pincer.check(file, property=kind).verdict


@pytest.mark.parametrize(
    "code",
    [
        "assert(lt(a, b));",
        "assert(!lt(a, b));",
        "assert(away(a, b) != 3);",
        "assert(!lt((int *)0x700000000000, &(int){1}));",
        "assert(!same(a + 4, b));",
        "assert(!same(b + 4, a));",
        "int x, y; assert(lt(&x, &y) || away(&x, &y) < 4);",
        "int n = 0; for (int *p = a; lt(p, b); p++) if (++n > 9) break; assert(n == 0);",
    ],
)
def test_nothing_holds_that_depends_on_where_objects_lie(tmp_path: Path, code: str) -> None:
    assert verdict(tmp_path, code) != "safe"


@pytest.mark.parametrize(
    "code",
    [
        "int known = lt(a, b); assert(known == 0 || known == 1);",
        "assert(!same(a, b) && lt(a, a + 4) && lt(b, b + 4));",
        "char s[4] = {1, 2, 3}, t[4], *p = s, *q = t; if (q < p) for (int i = 0; i < 4; i++) q[i] = p[i];"
        "else for (int i = 3; i >= 0; i--) q[i] = p[i]; assert(t[1] == 2);",
    ],
)
def test_what_holds_wherever_objects_lie_is_proved(tmp_path: Path, code: str) -> None:
    assert verdict(tmp_path, code) == "safe"


@pytest.mark.parametrize(
    ("code", "is_used"),
    [
        ("union { int *p; size_t n; } u = {a}; return u.n % 64 == 0;", True),
        ("int *p = a; size_t n; memcpy(&n, &p, sizeof n); return n % 64 == 0;", True),
        ("union { int *p; size_t n; } u; u.n = 3; return u.n % 64 == 0;", False),
        ("union { int *p; size_t n; } u = {a}; return *u.p;", False),
        ("size_t n = 3, m; memcpy(&m, &n, sizeof n); return m == 3;", False),
        ("struct { int *p; size_t n; } s = {a, 4}, t; memcpy(&t, &s, sizeof t); return t.n == 4;", False),
        ('char *end, s[4] = "ab"; size_t n[1]; end = s + strlen(s); n[0] = end - s; return n[0] == 2;', False),
    ],
)
def test_addresses_that_are_read_as_numbers_from_memory_are_listed(tmp_path: Path, code: str, is_used: bool) -> None:
    program = lowered(tmp_path, f"{HEAD} int main(void) {{ {code} return 0; }}")
    assert (addresses_are_numbers(32) in program.assumptions) == is_used


@pytest.mark.parametrize(("other", "asks"), [("b", True), ("a + 3", False)])
def test_threads_get_no_order_of_objects_either(tmp_path: Path, other: str, asks: bool) -> None:
    text = (
        f"#include <pthread.h>\nint a[4], b[4], *p = a, *q = {other}, r; void *t(void *x) {{ r = p < q; return 0; }}"
        "int main(void) { pthread_t h; pthread_create(&h, 0, t, 0); pthread_join(h, 0); return r; }"
    )
    assert bool(WHERE_OBJECTS_LIE & {label.source for label in labels(lowered(tmp_path, text), Input)}) == asks
