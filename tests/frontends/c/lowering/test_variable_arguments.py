"""Variable arguments: passed in an object of the caller, taken one by one, judged by their types."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.program.control_flow import Call, Check, Store
from pincer.program.property import DataModel
from tests.frontends.c.compiled_c import assert_same_result, needs_compiler
from tests.frontends.c.lowered_c import labels, lowered, outcome, result_of

FUNCTIONS = """
#include <stdarg.h>
struct P { int x, y; char tag[5]; }; long long result;
int sum(int n, ...) {
    va_list l; va_start(l, n); int s = 0;
    while (n--) s = 3 * s + va_arg(l, int);
    va_end(l); return s;
}
long taken(const char *f, va_list l) {
    long s = 0;
    for (; *f; f++) switch (*f) {
    case 'i': s = 7 * s + va_arg(l, int); break;
    case 'u': s = 7 * s + va_arg(l, unsigned); break;
    case 'l': s = 7 * s + va_arg(l, long); break;
    case 'L': s = 7 * s + va_arg(l, long long); break;
    case 's': for (char *t = va_arg(l, char *); *t; t++) s = 7 * s + *t; break;
    case 'p': { struct P p = va_arg(l, struct P); s = 7 * s + p.x * p.y + p.tag[4]; break; }
    case 'P': s += va_arg(l, struct P *)->y; break;
    case 'f': s += va_arg(l, int (*)(int, ...))(2, 4, 5); break;
    }
    return s;
}
long mixed(const char *f, ...) {
    va_list l, copy; va_start(l, f); va_copy(copy, l);
    long s = taken(f, l) + 13 * taken(f, copy); va_end(l); va_end(copy); return s;
}
static int step(va_list *l) { return va_arg(*l, int); }
int stepped(int n, ...) { va_list l; va_start(l, n); int a = step(&l), b = step(&l); va_end(l); return a * 10 + b; }
int deep(int n, ...) {
    va_list l; va_start(l, n); int v = va_arg(l, int); va_end(l);
    return n ? v + deep(n - 1, v + 1) : v;
}
struct P made(int n, ...) {
    va_list l; va_start(l, n); struct P p = va_arg(l, struct P); va_end(l);
    p.x += n; return p;
}
"""
BODIES = [
    "result = sum(3, 1, 2, 3) + 100 * sum(0);",
    'struct P p = {3, 4, {0, 0, 0, 0, 9}}; result = mixed("pPi", p, &p, 5);',
    'char c = -3; short s = 7; unsigned char u = 255; _Bool b = 1; result = mixed("iiii", c, s, u, b);',
    'struct { unsigned a : 3; long b : 40; } f = {5, -6}; result = mixed("il", f.a, (long)f.b);',
    'result = mixed("sLul", "text", 1LL << 40, 4000000000u, -1L) + mixed("f", sum);',
    "result = stepped(0, 3, 4) + sum(2, sum(1, 4), sum(2, 1, 1));",
    "int (*f)(int, ...) = sum; result = f(2, 5, 6) + deep(3, 1);",
    "struct P p = {3, 4}; result = made(5, p).x + made(1, made(2, p)).x;",
    "for (int i = 0; i < 3; i++) result = 5 * result + sum(2, i, (int)result);",
]


@needs_compiler
@pytest.mark.parametrize("body", BODIES)
def test_arguments_arrive_as_in_compiled_code(body: str, tmp_path: Path) -> None:
    assert_same_result(tmp_path, f"{FUNCTIONS} int main(void) {{ {body} return 0; }}")


@pytest.mark.parametrize("data_model", ["LP64", "ILP32"])
def test_lists_work_in_both_data_models(data_model: DataModel, tmp_path: Path) -> None:
    body = 'result = mixed("isLi", 1, "ab", 5LL, 2) + stepped(0, 3, 4);'
    assert result_of(tmp_path, f"{FUNCTIONS} int main(void) {{ {body} return 0; }}", data_model=data_model) == (
        14 * (7 * (7 * (7 * (7 * 1 + 97) + 98) + 5) + 2) + 34
    )


@pytest.mark.parametrize(
    "body",
    [
        "sum(3, 1, 2);",
        "sum(1, 2L);",
        "sum(1, &result);",
        'mixed("l", 1);',
        'mixed("s", 0);',
        'struct { char c; } small = {1}; mixed("p", small);',
    ],
)
def test_a_missing_argument_and_one_of_another_type_are_undefined(body: str, tmp_path: Path) -> None:
    end = outcome(tmp_path, f"{FUNCTIONS} int main(void) {{ {body} return 0; }}")
    assert end.stop.kind == "check" and "the next argument" in end.stop.message


@pytest.mark.parametrize("body", ["va_end(l); va_arg(l, int);", "kept = &l;"])
def test_a_list_that_has_ended_points_to_nothing(body: str, tmp_path: Path) -> None:
    text = f"""#include <stdarg.h>
    va_list *kept; void f(int n, ...) {{ va_list l; va_start(l, n); {body} }}
    int main(void) {{ f(1, 2); return kept ? va_arg(*kept, int) : 0; }}"""
    end = outcome(tmp_path, text)
    assert end.stop.kind == "check" and "invalid access" in end.stop.message


def test_functions_that_do_not_look_at_their_arguments_get_none(tmp_path: Path) -> None:
    text = 'void log(const char *f, ...) { } int main(void) { log("", 1, 2); return 0; }'
    program = lowered(tmp_path, text)
    assert [len(label.arguments) for label in labels(program, Call)] == [1]
    assert labels(program, Store) == []


def test_an_argument_is_checked_by_its_kind_and_size(tmp_path: Path) -> None:
    program = lowered(tmp_path, f"{FUNCTIONS} int main(void) {{ return sum(1, 2); }}")
    assert {check.kind for check in labels(program, Check, "sum")} == {"dereference", "arguments"}
