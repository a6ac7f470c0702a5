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
    ],
)
def test_results(tmp_path: Path, statements: str, result: int) -> None:
    assert result_after(tmp_path, statements) == result


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
