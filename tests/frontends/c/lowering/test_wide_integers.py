"""Integers of 128 bits: arithmetic, conversions, memory and calls as in compiled code."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.errors import PincerError
from tests.frontends.c.compiled_c import assert_same_result, needs_compiler
from tests.frontends.c.lowered_c import lowered

NAMES = """
typedef unsigned __int128 U; typedef __int128 S; long long result;
struct H { char c; S v; short t; }; struct B { unsigned char a : 3; U wide : 100; S narrow : 70; };
struct __attribute__((packed)) N { unsigned char a : 5; unsigned long long nine : 64; };
U global = (U)1 << 100; static const S least = (S)1 << 127; U table[3] = {1, (U)7 << 70, 3};
U product(unsigned long a, unsigned long b) { return (U)a * b; }
S opposite(S x) { return -x; }
struct H made(S v) { struct H h = {1, v, 2}; return h; }
void fold(U x) { result = result * 31 + (long long)(x ^ (x >> 64)); }
S sum(int n, ...) {
    __builtin_va_list l; __builtin_va_start(l, n); S s = 0;
    while (n--) s += __builtin_va_arg(l, S);
    __builtin_va_end(l); return s;
}
"""
BODIES = [
    "fold(product(~0ul, ~0ul)); fold(global / 3); fold(global % 7); fold(-global); fold(~global);",
    "S x = -5; fold(opposite(x)); fold(x / 3); fold(x % 3); fold(x >> 1); fold(x * x * x); fold((U)x > 5);",
    "U x = global; x += 5; x <<= 3; x |= 1; x ^= ~0ull; x--; fold(x); fold(x++); fold(++x); fold(!x); fold(x && 1);",
    "fold(least); fold(least < 0); fold(least >> 127); fold((U)least >> 127); fold((int)(least >> 100));",
    "struct H h = made(-7); h.v *= 3; struct H k = h; fold(k.v + k.c + k.t); fold(sizeof h); fold(made(3).v);",
    "struct B b = {5, (U)0x123456789abcdef << 30, -9}; fold(b.wide); fold(b.narrow); b.wide += 3; fold(b.wide + b.a);",
    "struct N n = {3, 0xfedcba9876543210}; fold(n.nine); n.nine++; fold(n.nine + n.a); fold(sizeof n);",
    "for (int i = 0; i < 3; i++) { table[i] += table[(i + 1) % 3]; fold(table[i]); } U *p = table; fold(*p - p[1]);",
    "fold((U)-1); fold((U)-1u); fold((unsigned long)global); fold((S)(signed char)-1); fold((_Bool)global);",
    "switch (global >> 99) { case 2: fold(2); break; default: fold(3); } fold(global ? global : 1);",
    "fold(sum(2, (S)5, (S)-7)); fold(sum(1, (S)global));",
    "U r; fold(__builtin_add_overflow(~(U)0, (U)1, &r)); fold(r);"
    " fold(__builtin_mul_overflow((S)1 << 100, 1 << 26, &r)); fold(r);"
    " S s; fold(__builtin_mul_overflow((S)1 << 100, (S)1 << 27, &s)); fold(s);",
    "static U kept = ((U)9 << 64 | 8) / 7 * 6 - 5; fold(kept); enum { E = (int)(((U)1 << 70) >> 69) }; fold(E);",
]


@needs_compiler
@pytest.mark.parametrize("body", BODIES)
def test_wide_integers_are_as_in_compiled_code(body: str, tmp_path: Path) -> None:
    assert_same_result(tmp_path, f"{NAMES} int main(void) {{ {body} return 0; }}")


def test_there_are_none_on_a_machine_of_32_bits(tmp_path: Path) -> None:
    with pytest.raises(PincerError, match="no integers of 128 bits"):
        lowered(tmp_path, "__int128 x; int main(void) { return 0; }", data_model="ILP32")
