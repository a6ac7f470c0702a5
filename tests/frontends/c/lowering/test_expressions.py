"""The values of expressions are those that gcc computes on x86."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.frontends.c.lowered_c import lowered, outcome, result_of

DECLARATIONS = """
typedef unsigned char u8; typedef unsigned short u16; typedef unsigned int u32; typedef unsigned long long u64;
enum Small { A, B = 5, C }; enum Negative { M = -1, N };
struct Bits { unsigned a : 3; int b : 5; unsigned c : 11; _Bool d : 1; unsigned long long e : 40; };
"""

VALUES = [
    ("(signed char)200", -56),
    ("(u8)-1", 255),
    ("(char)128 < 0", 1),
    ("-1 < 0u", 0),
    ("-1L < 0u", 1),
    ("(u8)255 + (u8)1", 256),
    ("(u16)65535 * (u16)65535", -131071),
    ("2147483647 + 1", -2147483648),
    ("4294967295u + 1", 0),
    ("-7 / 2", -3),
    ("-7 % 2", -1),
    ("-7u % 4", 1),
    ("7 / -2", -3),
    ("-8 >> 1", -4),
    ("4294967288u >> 1", 2147483644),
    ("1 << 31", -2147483648),
    ("1ull << 40", 1 << 40),
    ("~0", -1),
    ("~0u", 4294967295),
    ("!5 + !0", 1),
    ("(_Bool)256 + (_Bool)0.5", 2),
    ("'a' + '\\n' + '\\x41' + '\\101'", 97 + 10 + 65 + 65),
    ("'\\xff'", -1),
    ("'ab'", 24930),
    ("0x7fffffff == 2147483647", 1),
    ("0xffffffff > 0", 1),
    ("sizeof(0xffffffff) + sizeof(4294967296) + sizeof 'a' + sizeof 1ul", 4 + 8 + 4 + 8),
    ("sizeof(struct Bits)", 8),
    ("(enum Small)-1 > 0", 1),
    ("(enum Negative)-1 < 0", 1),
    ("C + N", 6),
    ("1 ? -1 : 0u", 4294967295),
    ("(1, 2, 3)", 3),
    ("({ int t = 4; t * t; })", 16),
    ("0 ?: 7", 7),
    ("(u64)-1 / 3 > 1ll << 60", 1),
    ("(int)3000000000u", -1294967296),
    ("(short)70000", 4464),
    ("(int)1e3 + (int)-2.75", 998),
    ("sizeof(int[3]) + sizeof(char *) + sizeof(long double)", 12 + 8 + 16),
    ("__builtin_offsetof(struct { char c; long l; short s[3]; }, s[2])", 20),
    ("__builtin_popcount(0xff0f) + __builtin_clz(1) + __builtin_ctz(8) + __builtin_ffs(0)", 12 + 31 + 3),
    ("__builtin_bswap32(0x01020304)", 0x04030201),
    ("_Generic(1L, int: 1, long: 2, default: 3)", 2),
    ('"abc"[1] + *"x"', 98 + 120),
    ('sizeof "abc" + sizeof L"ab"', 4 + 12),
    ("-5 & 12 | 3 ^ 9", 10 | 8),
]


@pytest.mark.parametrize(("expression", "value"), VALUES)
def test_constant_expressions(expression: str, value: int, tmp_path: Path) -> None:
    text = f"{DECLARATIONS} long long result; int main(void) {{ result = {expression}; return 0; }}"
    assert result_of(tmp_path, text) == value


BODIES = [
    ("int i = 3; result = i++ * 10; result += i;", 34),
    ("int i = 3; result = ++i * 10; result += i--;", 44),
    ("int a[4] = {1, 2, 3, 4}, *p = a; result = *p++; result += *p * 10 + p[1] * 100 + (p - a) * 1000;", 1321),
    ("int a[4] = {1, 2, 3, 4}, *p = &a[3]; result = p[-1] * 10; result += *--p; result += p > a;", 34),
    ("int a[3] = {0}, i = 0; a[i++] += 5; a[i] = 7; result = a[0] * 10 + a[1] + i * 100;", 157),
    ("unsigned char c = 250; c += 10; result = c;", 4),
    ("signed char c = 127; c++; result = c;", -128),
    ("_Bool b = 0; b += 7; b++; result = b;", 1),
    ("int x = 5; x <<= 2; x ^= 3; x %= 8; result = x;", 7),
    (
        "struct Bits s = {7, -3, 2000, 1}; s.a++; s.b -= 14; s.c += 100; result = s.a * 1000000 + s.b * 10000 + s.c;",
        150052,
    ),
    ("struct Bits s = {0}; s.d = 4; s.e = -1; result = (s.e + 1 == 0) * 10 + s.d + (s.a - 1 < 0);", 12),
    ("union { int i; u8 b[4]; short s[2]; } u; u.i = 0x11223344; u.b[1] = 0xff; result = u.s[0] + u.b[3];", -188 + 17),
    ("int x = 1, y = 0; result = (x || y++) * 10; result += y && x++; result += x + y;", 11),
    ("int x = 0, *p = 0; result = (p && *p) + (!p || *p) * 2; ", 2),
    ("int a[2][3] = {{1, 2, 3}, {4, 5, 6}}; int (*p)[3] = a; result = p[1][2] * 10 + *(*p + 1) + sizeof *p;", 74),
    ('char s[] = "hello"; s[0] ^= 32; result = s[0] + sizeof s;', 78),
    ("long n = 3; int v[n]; v[2] = 9; result = v[2] + sizeof v;", 21),
    ("int x = 7; int *p = &x; int **q = &p; **q = 8; result = x;", 8),
    ("struct { int a, b; } s = {1, 2}, t; t = s; s.a = 5; result = t.a * 10 + t.b; ", 12),
    (
        "int i, n = 0; for (i = 0; i < 9; i++) if (i == 3) continue; else if (i == 6) break; else n += i; result = n;",
        12,
    ),
    ("int n = 0; do n += 3; while (n < 10); while (n > 5) n--; result = n;", 5),
    (
        "int n = 0; for (int i = 0; i < 5; i++) switch (i) { case 0: n += 1; case 1: n += 10; break; "
        "case 3 ... 4: n += 100; default: n += 1000; } result = n;",
        3221,
    ),
    ("int i = 0; goto in; while (i < 10) { i += 3; in: i++; } result = i;", 13),
    ("static int s = 4; int k; for (k = 0; k < 3; k++) { static int c = 10; c++; s += c; } result = s;", 40),
    ("double d = 2.5, e; e = -d; result = sizeof e;", 8),
    ("int a = 6, b; (a > 5 ? a : b) == 6 ? (result = 1) : (result = 2);", 1),
    ("u32 x = 0x80000000; result = (int)x >> 31;", -1),
    ("long long x = 1; x <<= 33; result = (x >> 1) == 4294967296;", 1),
    ("int v[5] = {[1] = 2, 3, [4] = 9}; result = v[0] + v[1] * 10 + v[2] * 100 + v[3] + v[4] * 1000;", 9320),
]


@pytest.mark.parametrize(("body", "value"), BODIES)
def test_statements(body: str, value: int, tmp_path: Path) -> None:
    text = f"{DECLARATIONS} long long result; int main(void) {{ {body} return 0; }}"
    assert result_of(tmp_path, text) == value


def test_a_failing_assertion_names_its_expression(tmp_path: Path) -> None:
    end = outcome(tmp_path, "#include <assert.h>\nint main(void) { int x = 3; assert(x + 1 == 5); return 0; }")
    assert (end.stop.kind, end.stop.message) == ("fail", "assertion x + 1 == 5 fails")


@pytest.mark.parametrize(
    ("body", "part"),
    [
        ("int *p = 0; return *p;", "*p"),
        ("int a[3] = {0}; int i = 3; return a[i];", "a[i]"),
        ("int a[3] = {0}; int *p = a; return p[3];", "p[3]"),
        ("int *p = malloc(4); free(p); return *p;", "*p"),
        ("int *p = malloc(4); free(p); free(p); return 0;", "p is no heap object"),
        ("int x; free(&x); return 0;", "&x is no heap object"),
        ("char *s = \"abc\"; s[0] = 'x'; return 0;", "s[0]"),
        ("int x = 0; return 5 / x;", "5 / x"),
        ("int x = -2147483647 - 1, y = -1; return x % y;", "x % y"),
        ("void (*f)(void) = 0; f(); return 0;", "f points to no function"),
        ("struct { int a; int b; } *q = malloc(4); return q->b;", "q->b"),
    ],
)
def test_undefined_behaviour_violates_a_check(body: str, part: str, tmp_path: Path) -> None:
    end = outcome(tmp_path, f"#include <stdlib.h>\nint main(void) {{ {body} }}")
    assert end.stop.kind == "check"
    assert part in end.stop.message


@pytest.mark.parametrize(
    ("body", "marked"),
    [
        ("char *q = p + n; return *q;", True),
        ("char *q = &p[n]; return *q;", True),
        ("return p[n];", False),
        ("char *q = p + (int)n; return *q;", True),
        ("char *q = p + (short)n; return *q;", False),
        ("char *q = p + 3; return *q;", False),
        ("char *q = p + 0x100000000; return *q;", True),
    ],
)
def test_a_pointer_that_may_be_moved_far_is_marked_where_it_is_kept(tmp_path: Path, body: str, marked: bool) -> None:
    program = lowered(tmp_path, f"unsigned long n; char a[8]; int main(void) {{ char *p = a; {body} }}\n")
    marks = [mark.check.kind for marks in program.procedures["main"].marks.values() for mark in marks]
    assert ("pointer" in marks) == marked
