"""Words and forms that C23 adds, beside programs of older C that use the same words as names."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.errors import PincerError, UnsupportedError
from tests.frontends.c.lowered_c import lowered, result_of

VALUES = [
    ("bool b = true; result = b + false;", 1),
    ("int x = 4, *p = nullptr; result = (p == nullptr) + (x ? &x : nullptr)[0];", 5),
    ("result = 1'000'000 + 0b1010'0101 + 0xff'ff;", 1_000_000 + 165 + 0xFFFF),
    ("auto l = 5L; auto c = 'x'; result = sizeof l * 10 + sizeof c;", 84),
    ("constexpr int n = 3 + 4; int a[n]; static int b[n * 2]; result = sizeof a + sizeof b;", 84),
    ("typeof(result) a = 7; typeof_unqual(a) b = a; result = a + b;", 14),
    ("alignas(32) char a[3]; result = alignof(int) * 10 + sizeof a;", 43),
    ("int a[3] = {}; struct { int x, y; } s = {}; result = a[2] + s.y + 1;", 1),
    ("switch (1) { case 1: result++; [[fallthrough]]; case 2: result += 2; }", 3),
    ("static thread_local int t = 5; result = t;", 5),
    ("enum e : unsigned char { A = 200, B }; result = sizeof(enum e) * 1000 + B;", 1201),
    ("enum e : long long { A = -1 }; result = sizeof A * 10 + (A < 0);", 81),
    ("struct [[gnu::packed]] s { char c; int i; }; result = sizeof(struct s);", 5),
]


@pytest.mark.parametrize(("body", "value"), VALUES)
def test_new_words_mean_what_they_say(body: str, value: int, tmp_path: Path) -> None:
    text = (
        f"[[maybe_unused]] static int unused; long long result; static_assert(1); int main(void) {{ {body} return 0; }}"
    )
    assert result_of(tmp_path, text) == value


def test_older_programs_may_use_the_words_as_names(tmp_path: Path) -> None:
    text = """typedef int bool; enum { false, true }; struct s { bool bool; int nullptr; }; long long result;
    bool f(bool bool) { return bool + true; }
    int main(void) { struct s x = { 1, 2 }; int nullptr = 3; result = f(x.bool) * 100 + nullptr * 10 + x.nullptr; }"""
    assert result_of(tmp_path, text) == 232


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('static_assert(1 == 2, "no");', "the static assertion fails"),
        ("enum e : float { A };", "an enumeration needs an integer type"),
        ("int x = 1'0z;", "is not a number"),
        (r"char c = '\x';", "needs hexadecimal digits"),
        (r'char *c = "\\\x";', "needs hexadecimal digits"),
        (r'char *c = "\u12";', "needs hexadecimal digits"),
    ],
)
def test_mistakes_are_refused(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(PincerError, match=message):
        lowered(tmp_path, f"struct s {{ int x; }}; {text} int main(void) {{ return 0; }}")


def test_integers_of_any_width_are_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(UnsupportedError, match="_BitInt"):
        lowered(tmp_path, "int main(void) { _BitInt(7) x = 3; return 0; }")


def test_an_escaped_backslash_begins_no_number(tmp_path: Path) -> None:
    assert result_of(tmp_path, r'long long result; int main(void) { result = sizeof "\\x" + "\\x"[1]; }') == 3 + ord(
        "x"
    )
