"""Functions that compilers know: bits, overflow, hints."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.frontends.c.library.results import result_after


@pytest.mark.parametrize(
    ("statements", "result"),
    [
        ("result = __builtin_bswap32(1) >> 24;", 1),
        ("result = __builtin_popcount(255) * 100 + __builtin_clz(1) + __builtin_ctz(8) + __builtin_ffs(4);", 837),
        ("int x; result = __builtin_add_overflow(2147483647, 1, &x); result += x == (-2147483647 - 1);", 2),
        ("result = __builtin_expect(5, 1) + __builtin_constant_p(3);", 6),
    ],
)
def test_results(tmp_path: Path, statements: str, result: int) -> None:
    assert result_after(tmp_path, statements) == result
