"""Floating point in the lowered program: what runs compute is what gcc's code computes."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.program.control_flow import Unsupported
from tests.frontends.c.lowered_c import labels, lowered, result_of


@pytest.mark.parametrize(
    ("body", "value"),
    [
        ("long double a = 1.0L / 3; double d = a; result = a != d && d == 1.0 / 3 && (float)a == 1.0f / 3;", 1),
        ("long double a[2] = {1, 2}; a[1] *= 2.5L; result = (int)a[1] * 10 + sizeof a[0] / 4;", 54),
        ("struct { char c; long double x; } s = {1, 0.5L}, t = s; t.x += s.x; result = t.x == 1 && s.x == 0.5;", 1),
        ("long double x = 1; x /= 3; x *= 3; result = x == 1 && (long double)0.1 != 0.1L && -x < 0 && !!x;", 1),
        ("float f = 1; double d = 3; f /= d; result = f == 1.0f / 3 && f != 1.0 / 3;", 1),
        ("float f = 16777216; f++; f++; result = f;", 16777216),
        ("unsigned char c = 250; c += 5.9; result = c;", 255),
        ("int i = 7; i *= 0.5; result = i;", 3),
        ("double d = 1e308; d *= 10; result = d > 1e308 && -d < 0 && d - d != d - d;", 1),
        ("_Bool b = 0.25f; result = b + (0.0 ? 1 : 2) + (!-0.0);", 4),
        ("double d = 0.1; float f = d; result = (f < d) + 2 * (f > d) + 4 * (f == (float)d);", 6),
        ("long long big = 9007199254740993; double d = big; result = (long long)d;", 9007199254740992),
        ("unsigned long long big = -1; float f = big; result = f == 18446744073709551616.0f;", 1),
    ],
)
def test_values_are_those_of_gcc(tmp_path: Path, body: str, value: int) -> None:
    assert result_of(tmp_path, f"long long result; int main(void) {{ {body} return 0; }}") == value


def test_types_without_a_pattern_are_named(tmp_path: Path) -> None:
    program = lowered(tmp_path, "__float128 x; int main(int argc, char **argv) { x = x + argc; return 0; }")
    assert any("__float128" in label.what for label in labels(program, Unsupported))
