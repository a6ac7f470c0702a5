"""Values of C's operators are the same in MSVL, whatever the types of their operands."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.frontends.msvl.from_c.translated_c import assert_computes, ran

MEANINGS: dict[str, tuple[str, dict[str, Any]]] = {
    "int wraps": ("int r = 2147483647; int main(void) { r++; }", {"r": -2147483648}),
    "int wraps beside wider types": ("long w; int r = 2147483647; int main(void) { r++; w = r; }", {"w": -2147483648}),
    "unsigned wraps": ("unsigned r; int main(void) { r--; }", {"r": 4294967295}),
    "unsigned product": ("unsigned r = 4000000000u; int main(void) { r *= r; }", {"r": 1983905792}),
    "unsigned long wraps": ("unsigned long r; int main(void) { r = ~r - 1; }", {"r": 18446744073709551614}),
    "signed and unsigned compare as unsigned": (
        "unsigned u = 1; int n = -1, r; int main(void) { r = n < u; }",
        {"r": 0},
    ),
    "narrow types convert": (
        "signed char c = 127; unsigned char d = 250; short s; int main(void) { c++; d += 10; s = 70000; }",
        {"c": -128, "d": 4, "s": 4464},
    ),
    "small unsigned types in 32 bits": (
        "unsigned char d = 1; int n = -3; int main(void) { d = n; n = -d; }",
        {"d": 253, "n": -253},
    ),
    "truth values": ("_Bool b; int r; int main(void) { b = 7; r = !5 + !0 + (3 > 2); }", {"b": 1, "r": 2}),
    "division rounds toward zero": ("int q = -7, r = -7; int main(void) { q /= 2; r %= 2; }", {"q": -3, "r": -1}),
    "shifts": ("int a = -5, b = 3; int main(void) { a >>= 1; b <<= 30; }", {"a": -3, "b": -1073741824}),
    "bits": (
        "int a = 12, b = 12, c = 12; int main(void) { a &= 10; b |= 3; c = ~(c ^ 5); }",
        {"a": 8, "b": 15, "c": -10},
    ),
    "doubles": ("double d = 0.1; int r; int main(void) { d = d * 3 + 1; r = d; }", {"d": 0.1 * 3 + 1, "r": 1}),
    "pointers": (
        "int a[4] = {1, 2, 3, 4}, r, *q; void f(int *p) { *p++ = 9; *p += 5; q = p; }"
        " int main(void) { f(a + 1); r = (int)(q - a) * 10 + q[1]; }",
        {"a": (1, 9, 8, 4), "r": 24},
    ),
    "structures by pointer": (
        "struct n { int v; struct n *next; } a = {1}, b = {2, &a}; int r;"
        " int main(void) { for (struct n *p = &b; p; p = p->next) r = r * 10 + p->v; }",
        {"r": 21},
    ),
}


@pytest.mark.parametrize("what", MEANINGS)
def test_the_translation_computes_what_c_computes(what: str, tmp_path: Path) -> None:
    assert_computes(*MEANINGS[what], tmp_path)


@pytest.mark.parametrize(
    "text",
    [
        "int r, a[3]; int main(void) { int i = 3; r = a[i]; }",
        "int r, *p; int main(void) { r = *p; }",
        "int r, z; int main(void) { r = 1 / z; }",
        "int r; int main(void) { int x; r = x; }",
        "int r, *p; void f(void) { int x = 1; p = &x; } int main(void) { f(); r = *p; }",
    ],
)
def test_undefined_behaviour_is_an_error_of_the_run(text: str, tmp_path: Path) -> None:
    assert ran(text, tmp_path).run.ending.kind == "error"
