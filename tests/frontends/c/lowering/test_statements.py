"""Statements that run: loops, jumps, switches, blocks, statement expressions, computed lengths."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.program.control_flow import Unsupported
from tests.frontends.c.lowered_c import labels, lowered, result_of


@pytest.mark.parametrize(
    ("statements", "result"),
    [
        ("for (int i = 0; i < 5; i++) { if (i == 1) continue; if (i == 4) break; result += i; }", 5),
        ("int i = 3; do result += i; while (--i);", 6),
        ("switch (3) { case 1: result = 1; case 2 ... 4: result += 2; default: result += 10; break; case 9: ; }", 12),
        ("int i = 0; again: if (i++ < 3) goto again; result = i;", 4),
        ("result = ({ int x = 3; x * 2; });", 6),
        ("int n = 3; char a[n]; n = 9; result = sizeof a;", 3),
        ("int n = 2; typedef int T[n][3]; n = 7; T a; result = sizeof a;", 24),
        ("static int s = 4; s++; result = s;", 5),
        ("int x = 1; { int x = 2; result = x; } result = result * 10 + x;", 21),
        ("int x = 5; result = x > 3 ? x : 1 / (x - 5);", 5),
        ("int x = 0, y = (x ?: 4); result = y;", 4),
        ("char c = 200; result = c; c += 100; result += c;", 200 - 256 + 44),
        ("unsigned char c = 255; result = ++c;", 0),
        ("int a[3] = {1, 2, 3}, *p = a; result = *p++ * 10; result += *p;", 12),
    ],
)
def test_statements_run_as_in_c(tmp_path: Path, statements: str, result: int) -> None:
    assert result_of(tmp_path, f"long long result; int main(void) {{ {statements} return 0; }}") == result


def test_an_array_of_negative_length_is_told_from_one_that_is_too_large(tmp_path: Path) -> None:
    program = lowered(tmp_path, "void f(long n) { int a[n]; (void)a; }", entry="f")
    large, negative = sorted(label.what for label in labels(program, Unsupported, "f"))[::-1]
    assert negative == "an array whose length n is negative"
    assert large.startswith("an automatic object of more than")
