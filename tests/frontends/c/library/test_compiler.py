"""Functions that compilers know: bits, overflow, hints."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.frontends.c.library.results import result_after
from tests.frontends.c.lowered_c import result_of


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


@pytest.mark.parametrize(
    ("call", "value"),
    [
        ("__builtin_clrsb(0)", 31),
        ("__builtin_clrsb(-1)", 31),
        ("__builtin_clrsbll(-256)", 55),
        ("__builtin_bitreverse8(1)", 128),
        ("__builtin_bitreverse16(0x8001)", 0x8001),
        ("__builtin_bswap128((unsigned __int128)1 << 120)", 1),
    ],
)
def test_bits_are_counted_and_turned_round(tmp_path: Path, call: str, value: int) -> None:
    assert result_of(tmp_path, f"long long result; int main(void) {{ result = {call}; return 0; }}") == value
