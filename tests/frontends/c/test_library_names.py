"""Functions with the name of one of the library's, and other types."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.frontends.c.library_names import library_kinds
from pincer.program.control_flow import Input
from tests.frontends.c.lowered_c import labels, lowered


def test_kinds_of_library_functions() -> None:
    assert library_kinds("read") == ("number", "number", "pointer", "number")
    assert library_kinds("abs") == ("number", "number")
    assert library_kinds("fabs") == ("floating", "floating")
    assert library_kinds("qsort") == ("nothing", "pointer", "number", "number", "pointer")
    assert library_kinds("getchar") == ("number",)
    assert library_kinds("setjmp") == ("number", "unknown")
    assert library_kinds("atexit") == ("number", "pointer")
    assert library_kinds("snprintf") is None and library_kinds("nothing") is None


@pytest.mark.parametrize(
    ("declared", "call"),
    [
        ("extern int read(int);", "read(1)"),
        ("double abs(double);", "abs(-1.5) > 1"),
        ("char *index(int, int);", "index(1, 2) != 0"),
    ],
)
def test_a_function_with_only_the_name_of_a_library_function_is_another_one(
    tmp_path: Path, declared: str, call: str
) -> None:
    program = lowered(tmp_path, f"{declared} int main(void) {{ return {call}; }}")
    assert [label.source for label in labels(program, Input)] == [call.partition("(")[0]]


@pytest.mark.parametrize(
    ("declared", "call"),
    [
        ("int exit(int);", "(exit(1), 0)"),
        ("unsigned long strlen(const char *text);", 'strlen("a")'),
        ("typedef unsigned long size; size strlen(char *);", 'strlen("a")'),
        ("int abs();", "abs(-1)"),
    ],
)
def test_declarations_that_fit_mean_the_library(tmp_path: Path, declared: str, call: str) -> None:
    program = lowered(tmp_path, f"{declared} int main(void) {{ return {call}; }}")
    assert labels(program, Input) == []
