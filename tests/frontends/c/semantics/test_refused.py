"""What no compiler accepts is refused with a place; what looks like it and is valid is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.errors import PincerError
from tests.frontends.c.lowered_c import lowered

REFUSED = [
    ("switch (1) { case 1 ... 5: ; case 3: ; }", "second `case` for the value 3"),
    ("switch (1) { case 3: ; case 1 ... 5: ; }", "second `case` for the value 1"),
    ("switch (1) { default: ; default: ; }", "second `default`"),
    ("goto x; { int n = 3; int v[n]; x: ; }", "a jump leads past `v`"),
    ("void v;", "`v` is declared void"),
    ("int x = nothing();", "a value is needed here"),
    ("return (void)0;", "a value is needed here"),
    ("float f = 1; return f % 2;", "`%` needs integers"),
    ("double f = 1; f <<= 2;", "`<<` needs integers"),
    ("struct { int a : 40; } s;", "40 is no width"),
    ("struct { int a : -1; } s;", "-1 is no width"),
    ("struct { _Bool a : 2; } s;", "2 is no width"),
    ("struct { int n; int a[]; int b; } s;", "must be the last member"),
    ("register int r = 1; return *&r;", "is declared register"),
    ("return _Generic(1, int: 2, int: 3);", "two associations"),
    ("return _Generic(1, default: 2, default: 3);", "two associations"),
    ("constexpr int n;", "needs a value"),
    ("int n = 3; constexpr int m = n;", "must be constant"),
    ("int l; goto *l; l: ;", "needs a pointer"),
    ("extern int y = 3;", "cannot be initialised"),
    ("typedef int static T;", "both static and typedef"),
    ("long long long x;", "is not a type"),
    ("unsigned float x;", "is not a type"),
    ("signed unsigned x;", "is not a type"),
    ("return twice(1, 2);", "is there twice"),
]


@pytest.mark.parametrize(("body", "message"), REFUSED)
def test_mistakes_have_a_place(body: str, message: str, tmp_path: Path) -> None:
    before = "void nothing(void) { } int twice(int a, int a) { return a; }"
    with pytest.raises(PincerError, match=message) as caught:
        lowered(tmp_path, f"{before} int main(void) {{ {body} }}")
    assert caught.value.position is not None and caught.value.position.line == 1


@pytest.mark.parametrize(
    "body",
    [
        "switch (1) { case 1 ... 5: ; case 6: ; case -3 ... 0: ; }",
        "switch (1u) { case -1: ; case 1: ; }",
        "int n = 3; { int v[n]; goto x; x: v[0] = 1; }",
        "nothing(); (void)nothing(); 1 ? nothing() : nothing(); return 0;",
        "struct { int n; int a[0]; int b; } s; struct { int n; int a[]; } t;",
        "struct { int a : 32; unsigned long long b : 64; _Bool c : 1; int : 0; } s;",
        "auto x; static const int y = 2; unsigned long long int z; long unsigned int w; signed char c;",
        "void *p = 0; register int r = 1; r++; extern int other;",
    ],
)
def test_what_is_valid_is_read(body: str, tmp_path: Path) -> None:
    lowered(tmp_path, f"void nothing(void) {{ }} int main(void) {{ {body} }}")
