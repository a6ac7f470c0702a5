"""Messages about library functions speak of the user's call, not of names in our bodies."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.program.control_flow import Check
from tests.frontends.c.lowered_c import labels, lowered


@pytest.mark.parametrize(
    ("call", "function", "said"),
    [
        ("strcpy(a, b)", "strcpy", {"the first argument of strcpy", "the second argument of strcpy"}),
        ("memchr(b, 1, n)", "memchr", {"the first argument of memchr"}),
        ("strncat(a, b, n)", "strncat", {"the first argument of strncat", "the second argument of strncat"}),
    ],
)
def test_what_a_library_function_accesses_is_an_argument_of_the_call(
    tmp_path: Path, call: str, function: str, said: set[str]
) -> None:
    text = f"#include <string.h>\nvoid f(char *a, char *b, size_t n) {{ {call}; }}"
    checks = labels(lowered(tmp_path, text, entry="f"), Check, function)
    found = {check.message for check in checks if check.message.startswith("invalid access")}
    assert found == {f"invalid access to what {which} points to" for which in said}


def test_what_only_other_bodies_call_says_nothing_of_its_parameters(tmp_path: Path) -> None:
    text = '#include <string.h>\nvoid f(char *a, char *b) { strcat(a, b); strcat(a, "literal"); }'
    checks = labels(lowered(tmp_path, text, entry="f"), Check, "__library_strcpy")
    said = {check.message for check in checks if check.kind in ("dereference", "read-only")}
    assert said == {
        "invalid access to what an argument points to",
        "write to what an argument points to, which is constant",
    }
