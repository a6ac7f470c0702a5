"""Operators: the order of their operands, and what is undefined."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.program.control_flow import Check
from tests.frontends.c.lowered_c import labels, lowered, outcome, result_of

ORDER = """
long long result; int g, a[20], *p = a; struct { int x; } s;
int f(void) { g += 10; p = a + 5; s.x += 100; return 2; }
int add(int *q) { *q += 10; return 2; }
long wide(void) { return f(); } double d; double real(void) { d += 10; return 2; }
int two(int x, int y) { return x * 100 + y; }
"""


@pytest.mark.parametrize(
    ("body", "value"),
    [
        ("g = 1; result = g + f();", 13),
        ("g = 1; result = g - f();", -1),
        ("g = 1; result = g + wide();", 3),
        ("g = 1; result = g < wide();", 1),
        ("d = 1; result = d + real();", 13),
        ("d = 1; result = d - real();", -1),
        ("g = 1; g -= wide(); result = g;", 9),
        ("int i = 1; result = -i + add(&i);", -9),
        ("int i = 1; result = i - add(&i) * 3;", 5),
        ("int i = 1; result = i - 3 * add(&i);", 5),
        ("int i = 1; result = i - -add(&i);", 13),
        ("int i = 1; result = i - (add(&i) << 1);", -3),
        ("int i = 1; result = i * 2 + add(&i);", 4),
        ("int i = 1; result = ~i + add(&i);", 0),
        ("double i = 1; result = i + add((int *)&g) + 0 * i;", 3),
        ("g = 1; result = f() - g;", -9),
        ("g = 1; g += f(); result = g;", 13),
        ("g = 1; a[g] = f(); result = a[1];", 2),
        ("*p += f(); result = a[5];", 2),
        ("g = 1; result = two(g, f());", 1102),
        ("g = 1; result = two(f(), g);", 201),
        ("s.x = 1; s.x = s.x + f(); result = s.x;", 3),
    ],
)
def test_operands_are_evaluated_in_the_order_of_gcc(body: str, value: int, tmp_path: Path) -> None:
    assert result_of(tmp_path, f"{ORDER} int main(void) {{ {body} return 0; }}") == value


@pytest.mark.parametrize("amount", ["31", "n & 31", "n % 32", "(unsigned char)n >> 3", "0u"])
def test_a_shift_by_an_amount_that_is_seen_to_be_small_needs_no_check(tmp_path: Path, amount: str) -> None:
    text = f"int main(void) {{ unsigned n = __VERIFIER_nondet_uint(); return 1 << ({amount}); }}"
    assert not labels(lowered(tmp_path, text), Check)


@pytest.mark.parametrize(
    "shift", ["1 << 32", "1 >> -1", "1ll << 64", "(char)1 << 32", "1 << (1ll << 32)", "1u >> (signed char)-1"]
)
def test_a_shift_by_the_width_or_more_is_undefined(tmp_path: Path, shift: str) -> None:
    stop = outcome(tmp_path, f"int main(void) {{ long long x = {shift}; return 0; }}").stop
    assert stop.kind == "check" and "shift" in stop.message


def test_division_by_the_constant_minus_one_may_overflow(tmp_path: Path) -> None:
    text = "int main(void) { int a = -2147483647 - 1; return a / -1; }"
    assert outcome(tmp_path, text).stop.kind == "check"
