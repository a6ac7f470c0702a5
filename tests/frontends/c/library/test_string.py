"""Blocks of memory that are set, copied and moved."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.frontends.c.library.results import result_after
from tests.frontends.c.lowered_c import outcome


@pytest.mark.parametrize(
    ("statements", "result"),
    [
        ("int a[3]; memset(a, 1, sizeof a); result = a[2];", 0x01010101),
        ("int a[2] = {3, 4}, b[2]; memcpy(b, a, 8); memmove(b, b + 1, 4); result = b[0] * 10 + b[1];", 44),
    ],
)
def test_results(tmp_path: Path, statements: str, result: int) -> None:
    assert result_after(tmp_path, statements) == result


@pytest.mark.parametrize(
    ("statement", "end"),
    [
        ("memcmp(a, b, 4)", "main returned"),
        ("memcmp(a + 1, b, 4)", "memcmp reads a + 1 beyond the end of its object"),
        ("bcmp(a, b, n)", "bcmp reads a beyond the end of its object"),
        ("memcmp(a, b + 5, 0)", "main returned"),
    ],
)
def test_all_bytes_that_are_compared_must_be_there(tmp_path: Path, statement: str, end: str) -> None:
    head = "#include <string.h>\n#include <strings.h>\n"
    ended = outcome(tmp_path, f"{head}int main(void) {{ char a[4] = {{1}}, b[4] = {{2}}; int n = 5; {statement}; }}\n")
    assert ended.stop.message == end
