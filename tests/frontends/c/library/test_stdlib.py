"""Memory that is allocated, absolute values, ends of the program."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.frontends.c.library.results import result_after
from tests.frontends.c.lowered_c import outcome


@pytest.mark.parametrize(
    ("statements", "result"),
    [
        ("result = abs(-3) + labs(-4) + llabs(-5);", 12),
        ("int *p = calloc(2, 4); p[1] = 7; p = realloc(p, 12); result = p[0] + p[1]; free(p);", 7),
        ("char *p = alloca(4); p[3] = 2; result = p[3];", 2),
        ('result = strtod("2.5", 0) == 2.5 && atof("-0.1e1x") == -1.0 && strtof("0.1", 0) == 0.1f;', 1),
        ('char *e, *t = " 12.5e-1z"; result = (strtod(t, &e) == 1.25) * 100 + (e - t);', 108),
        ('char *e, *t = " -.e1"; result = (strtod(t, &e) == 0) * 100 + (e - t);', 100),
        ('char *e, *t = "1e+"; result = (strtod(t, &e) == 1) * 100 + (e - t);', 101),
        ('char *e, *t = "-Infinite"; result = (strtod(t, &e) < -1e308) * 100 + (e - t);', 104),
        ('double x = strtod("nan", 0); result = x != x;', 1),
        ('result = atof("3.14159265358979") == 3.14159265358979 && atof("1e22") == 1e22;', 1),
        ('result = atof("900719925474099000000") == 900719925474099000000.0;', 1),
    ],
)
def test_results(tmp_path: Path, statements: str, result: int) -> None:
    assert result_after(tmp_path, statements) == result


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("1e23", "large exponent"),
        ("0.12345678901234567", "more than 15 digits"),
        ("0x1p3", "hexadecimal"),
        ("nan(3)", "payload"),
    ],
)
def test_numbers_that_take_more_than_one_rounding_are_named(tmp_path: Path, text: str, what: str) -> None:
    end = outcome(tmp_path, f'#include <stdlib.h>\nint main(void) {{ return strtod("{text}", 0) > 1; }}')
    assert end.stop.kind == "unsupported" and what in end.stop.message


def test_the_program_may_end_in_a_call(tmp_path: Path) -> None:
    text = "void exit(int); long long result; int main(void) { result = 1; exit(0); result = 2; return 0; }"
    assert outcome(tmp_path, text).global_value("result") == 1


def test_what_must_not_be_reached_is_undefined(tmp_path: Path) -> None:
    end = outcome(tmp_path, "int main(void) { __builtin_unreachable(); }")
    assert (end.stop.kind, end.stop.message) == ("check", "__builtin_unreachable is reached")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("qsort(a, 2, sizeof *a, same);", None),
        ("qsort(0, 0, sizeof *a, same);", None),
        ("qsort(a, 3, sizeof *a, same);", "qsort reads array beyond its object"),
        ("qsort_r(a, 3, sizeof *a, same_with, 0);", "qsort_r reads array beyond its object"),
        ("bsearch(a, a, 3, sizeof *a, same);", "bsearch reads array beyond its object"),
    ],
)
def test_elements_are_there_whatever_the_comparison_looks_at(tmp_path: Path, call: str, message: str | None) -> None:
    text = (
        "#define _GNU_SOURCE\n#include <stdlib.h>\nstatic int same(const void *p, const void *q) { return 0; }\n"
        "static int same_with(const void *p, const void *q, void *r) { return 0; }\n"
        f"int main(void) {{ int a[2] = {{1, 2}}; {call} return 0; }}"
    )
    end = outcome(tmp_path, text)
    if message is None:
        assert end.stop.kind == "halt"
    else:
        assert end.stop.kind == "check" and end.stop.message.startswith(message)
