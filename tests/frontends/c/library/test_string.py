"""Blocks of memory that are set, copied and moved."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.frontends.c.library.results import result_after


@pytest.mark.parametrize(
    ("statements", "result"),
    [
        ("int a[3]; memset(a, 1, sizeof a); result = a[2];", 0x01010101),
        ("int a[2] = {3, 4}, b[2]; memcpy(b, a, 8); memmove(b, b + 1, 4); result = b[0] * 10 + b[1];", 44),
    ],
)
def test_results(tmp_path: Path, statements: str, result: int) -> None:
    assert result_after(tmp_path, statements) == result
