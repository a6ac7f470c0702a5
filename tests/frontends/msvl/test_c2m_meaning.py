"""What C programs compute survives their translation: integers, effects, jumps, memory, calls, inputs, failures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.frontends.msvl.translated_c import ran

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
    "enumerations": ("enum e { A, B = 5, C } r; int main(void) { r = C; r -= 7; }", {"r": 4294967295}),
    "sizes": (
        "struct s { char c; long l; } t; long r; int a[7]; int main(void) { r = sizeof t + sizeof a / sizeof *a; }",
        {"r": 23},
    ),
    "doubles": ("double d = 0.1; int r; int main(void) { d = d * 3 + 1; r = d; }", {"d": 0.1 * 3 + 1, "r": 1}),
    "postfix and prefix values": (
        "int i, a, b; int main(void) { a = i++ + 10; b = ++i * 10; }",
        {"i": 2, "a": 10, "b": 20},
    ),
    "an index that moves": (
        "int a[3], i; int main(void) { a[i++] = 5; a[i] = a[i - 1]++; }",
        {"a": (6, 5, 0), "i": 1},
    ),
    "short circuits spare their effects": (
        "int n; int f(void) { return ++n; } int main(void) { if (n && f()) n = 50; if (!n || f()) n += 10; }",
        {"n": 10},
    ),
    "a choice evaluates one side": (
        "int n, r; int f(int x) { n += x; return n; } int main(void) { r = n ? f(1) : f(2); }",
        {"n": 2, "r": 2},
    ),
    "an assignment as a condition": (
        "int n = 3, s; int f(void) { return n--; } int main(void) { int x; while ((x = f()) > 0) s += x; }",
        {"n": -1, "s": 6},
    ),
    "the left operand is read first": (
        "int n = 1, r; int f(void) { n = 10; return 5; } int main(void) { r = n - f(); }",
        {"r": -4},
    ),
    "chains of assignments": ("short a; int b; int main(void) { b = a = 70000; }", {"a": 4464, "b": 4464}),
    "fall through": (
        "int r; int f(int x) { int s = 0; switch (x) { case 1: s += 1; case 2: s += 2; break; default: s += 4;"
        " case 3: s += 8; } return s; } int main(void) { r = f(1) * 1000 + f(2) * 100 + f(3) * 10 + f(9); }",
        {"r": 3 * 1000 + 2 * 100 + 8 * 10 + 12},
    ),
    "labels in ranges and together": (
        "int r; int f(int x) { switch (x) { case 0: case 5: return 1; case 1 ... 3: return 2; } return 3; }"
        " int main(void) { r = f(5) * 100 + f(2) * 10 + f(4); }",
        {"r": 123},
    ),
    "continue out of a switch": (
        "int s, i; int main(void) { for (; i < 4; i++) { switch (i) { case 1: continue; case 2: break; } s += i; } }",
        {"s": 5, "i": 4},
    ),
    "jumps of nested loops": (
        "int s; int main(void) { for (int i = 0; i < 3; i++) { for (int j = 0; ; j++) { if (j == 2) break;"
        " if (i == 1) continue; s += 10 * i + j; } if (i == 2) return 0; s += 100; } }",
        {"s": 242},
    ),
    "return out of nested loops": (
        "int r; int f(void) { for (int i = 0; i < 3; i++) do { if (i == 1) return i + 40; } while (0); return 0; }"
        " int main(void) { r = f(); }",
        {"r": 41},
    ),
    "names that hide each other": (
        "int x = 1, r; int f(int x) { { int x = 5; r += x; } return x; } int main(void) { r += f(3) * x; }",
        {"r": 8},
    ),
    "static locals": (
        "int r; int f(void) { static int n = 5; return n++; } int main(void) { f(); f(); r = f(); }",
        {"r": 7},
    ),
    "recursion": (
        "int r; int f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); } int main(void) { r = f(8); }",
        {"r": 21},
    ),
    "pointers": (
        "int a[4] = {1, 2, 3, 4}, r, *q; void f(int *p) { *p++ = 9; *p += 5; q = p; }"
        " int main(void) { f(a + 1); r = (int)(q - a) * 10 + q[1]; }",
        {"a": (1, 9, 8, 4), "r": 24},
    ),
    "structures by value": (
        "struct p { int x, y[2]; } a = {1, {2, 3}}, b; struct p f(struct p q) { q.x = 7; q.y[1]++; return q; }"
        " int main(void) { b = f(a); a.y[0] = b.y[1] + f(b).x; }",
        {"a": {"x": 1, "y": (11, 3)}, "b": {"x": 7, "y": (2, 4)}},
    ),
    "structures by pointer": (
        "struct n { int v; struct n *next; } a = {1}, b = {2, &a}; int r;"
        " int main(void) { for (struct n *p = &b; p; p = p->next) r = r * 10 + p->v; }",
        {"r": 21},
    ),
    "rows of a matrix": (
        "int m[2][3] = {{1}, {4, 5}}, r; int f(int a[][3], int n) { return a[n][1] + a[0][0]; }"
        " int main(void) { m[1][2] = 6; r = f(m, 1); }",
        {"m": ((1, 0, 0), (4, 5, 6)), "r": 6},
    ),
    "designators": (
        "int a[4] = {[2] = 3, 4}; struct { int x, y; } s = {.y = 2};",
        {"a": (0, 0, 3, 4), "s": {"x": 0, "y": 2}},
    ),
    "texts": (
        'char a[4] = "hi"; char *p = "xyz"; int r; int main(void) { r = p[1] + a[1]; }',
        {"a": (104, 105, 0, 0), "r": 121 + 105},
    ),
    "library functions": (
        '#include <string.h>\n#include <stdlib.h>\nlong r; int main(void) { r = strlen("four") + abs(-3); }',
        {"r": 7},
    ),
    "words of MSVL as names": (
        "int len = 1, RValue = 2; struct frame { int next; } skip; int output(int empty) { return empty + len; }"
        " int main(void) { int string = 3; skip.next = output(string) + RValue; }",
        {"skip": {"next$": 6}},
    ),
    "loops with empty bodies": (
        "int i, n; int main(void) { for (i = 0; i < 3; i++) ; while (n++ < 2) ; }",
        {"i": 3, "n": 3},
    ),
    "commas": ("int i, j, s; int main(void) { for (i = 0, j = 3; i < j; i++, j--) s += j - i; }", {"s": 4}),
    "a declaration shared by cases": (
        "int r; int main(void) { switch (2) { case 1: ; int t = 5; break; case 2: t = 7; r = t; } }",
        {"r": 7},
    ),
    "arguments of main that nobody uses": ("int r; int main(int argc, char **argv) { r = 1; return 0; }", {"r": 1}),
}


@pytest.mark.parametrize("what", MEANINGS)
def test_the_translation_computes_what_c_computes(what: str, tmp_path: Path) -> None:
    text, expected = MEANINGS[what]
    done = ran(text if "main" in text else f"{text} int main(void) {{ return 0; }}", tmp_path)
    assert done.run.ending.kind == "terminated", done.run.ending
    assert {name: done.final(name) for name in expected} == expected
    assert done.run.warnings == ()


@pytest.mark.parametrize(
    ("text", "int32"),
    [
        ("int a; short b; signed char c; unsigned char d; _Bool e; int main(void) { a = b + c + d + e; }", True),
        ("unsigned a; int main(void) { }", False),
        ("int a; int main(void) { a = 2147483648 > a; }", False),
    ],
)
def test_programs_that_fit_into_32_bits_are_written_for_them(text: str, int32: bool, tmp_path: Path) -> None:
    assert ran(text, tmp_path).translation.int32 == int32


def test_what_is_printed_is_formatted_as_in_c(tmp_path: Path) -> None:
    text = r"""#include <stdio.h>
    int main(void) { int n = -1; char s[] = "ab";
      printf("%d|%5d|%-3d|%u|%x|%c|%s|%s|%%|%.2f\n", n, 42, 7, n, n, 'z', s, "lit", 2.5); puts(s); putchar('!'); }"""
    assert ran(text, tmp_path).printed == "-1|   42|7  |4294967295|ffffffff|z|ab|lit|%|2.50\nab\n!"


INPUTS = """\
int __VERIFIER_nondet_int(void); unsigned char __VERIFIER_nondet_uchar(void); unsigned __VERIFIER_nondet_uint(void);
"""


@pytest.mark.parametrize(
    ("text", "inputs", "expected"),
    [
        ("int r; int main(void) { r = __VERIFIER_nondet_int(); }", {"s_r": 5}, 5),
        ("int r; int main(void) { int x = __VERIFIER_nondet_int(); r = x + 1; }", {"s_main_x": 5}, 6),
        ("int r; int main(void) { r = __VERIFIER_nondet_uchar(); }", {"s_main_temp$_1": -1}, 255),
        ("unsigned r; int main(void) { r = __VERIFIER_nondet_uint(); }", {"s_main_temp$_1": (1 << 32) + 9}, 9),
        ("long r; int main(void) { r = __VERIFIER_nondet_int(); }", {"s_main_temp$_1": (1 << 31) + 5}, -(1 << 31) + 5),
    ],
)
def test_inputs_have_the_values_of_their_c_types(
    text: str, inputs: dict[str, int], expected: int, tmp_path: Path
) -> None:
    assert ran(INPUTS + text, tmp_path, inputs).final("r") == expected


FAILING = """\
#include <assert.h>
#include <stdlib.h>
int r, n; int f(int x) { assert(x < 3); r++; return x; }
int main(void) { for (n = 0; n < 5; n++) r += f(n) * 10; r = -1; EXTRA return 0; }
"""


def test_a_failed_assertion_ends_the_program_where_it_stands(tmp_path: Path) -> None:
    done = ran(FAILING.replace("EXTRA", ""), tmp_path)
    assert done.run.ending.kind == "terminated"
    assert (done.final("r"), done.final("n"), done.states("error$")[-1]) == (33, 3, 1)


def test_exit_ends_the_program_without_an_error(tmp_path: Path) -> None:
    text = "#include <stdlib.h>\nint r; void f(void) { r = 1; exit(3); r = 2; } int main(void) { f(); r = 3; }"
    done = ran(text, tmp_path)
    assert (done.final("r"), done.translation.fails) == (1, False)


def test_an_assumption_that_fails_leaves_no_model(tmp_path: Path) -> None:
    text = "void __VERIFIER_assume(int); int x = X; int main(void) { __VERIFIER_assume(x > 3); x = 9; }"
    assert ran(text.replace("X", "4"), tmp_path).final("x") == 9
    assert ran(text.replace("X", "3"), tmp_path).run.ending.kind == "inconsistent"


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
