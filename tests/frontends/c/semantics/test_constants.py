"""The values of constant expressions."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.frontends.c.semantics.constants import Constant, NoValue, evaluate
from tests.frontends.c.typed_c import expression, typed


def known(folder: Path, written: str) -> Constant | None:
    before = "struct S { char c; int m[4]; }; int x; enum { A = 7 };"
    return evaluate(typed(folder, "int main(void) { return 0; }"), expression(folder, written, before))


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("1 + 2 * 3", 7),
        ("-7 / 2", -3),
        ("-7 % 3", -1),
        ("1u - 2", 0xFFFFFFFF),
        ("2147483647 + 1", -(1 << 31)),
        ("-8 >> 1", -4),
        ("(unsigned char)300", 44),
        ("(_Bool)0.5", 1),
        ("(int)2.9", 2),
        ("(int)(0.5 + 1.75)", 2),
        ("1.0 / 4 == 0.25", 1),
        ("0.1f + 0.2f == 0.3f", 1),
        ("0.1 + 0.2 == 0.3", 0),
        ("1.0 / 0 > 1e308", 1),
        ("0.0 / 0 != 0.0 / 0", 1),
        ("(float)16777217 == 16777216", 1),
        ("0.1L == 0.1", 0),
        ('!__builtin_inf() + (__builtin_nan("") ? 2 : 0)', 2),
        ("1 ? 2 : 1 / 0", 2),
        ("0 && 1 / 0", 0),
        ("1 || 1 / 0", 1),
        ("0 ?: 5", 5),
        ("A << 2", 28),
        ("sizeof(struct S)", 20),
        ("(unsigned long)&((struct S *)0)->m[2]", 12),
        ("(int *)16 - (int *)8", 2),
        ("__builtin_offsetof(struct S, m[1])", 8),
        ("__builtin_bswap16(0x1234)", 0x3412),
        ("__builtin_constant_p(x)", 0),
        ("__builtin_choose_expr(1, 3, x)", 3),
        ("!3", 0),
        ("~0", -1),
        ("x", None),
        ("&x", None),
        ("x && 0", None),
    ],
)
def test_values(tmp_path: Path, written: str, value: int | None) -> None:
    assert known(tmp_path, written) == value


@pytest.mark.parametrize("written", ["1 / 0", "1 % 0", "1 << 32", "1 << -1", "(-2147483647 - 1) / -1"])
def test_some_have_no_value(tmp_path: Path, written: str) -> None:
    with pytest.raises(NoValue):
        known(tmp_path, written)
