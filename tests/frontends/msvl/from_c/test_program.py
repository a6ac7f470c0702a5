"""Whole programs: for which integers they are meant, whether they can fail, what names became, what comes first."""

from __future__ import annotations

from pathlib import Path

from pincer.frontends.msvl.from_c import Scheme
from tests.frontends.msvl.from_c.translated_c import ran, translated

DEEP = """
void abort(void);
void stop(int x) { if (x > 2) abort(); }
void pass_on(int x) { stop(x); }
int n; int main(void) { for (n = 0; n < 9; n++) pass_on(n); n = -1; return 0; }
"""


def test_an_end_deep_in_calls_ends_every_function_on_the_way(tmp_path: Path) -> None:
    done = ran(DEEP, tmp_path)
    assert (done.final("n"), done.states("error$")[-1]) == (3, 1)
    assert done.translation.fails


def test_without_aborts_nothing_fails(tmp_path: Path) -> None:
    found = translated(DEEP, tmp_path, Scheme(drop_abort=True))
    assert not found.fails and "error$" not in found.text


def test_names_of_c_are_found_again(tmp_path: Path) -> None:
    text = "int len, x; int f(int x) { int y = x; { int y = 2; x += y; } return y + x; } int main(void) { x = f(1); }"
    done = ran(text, tmp_path)
    assert done.translation.globals["len"] != "len" and done.translation.globals["x"] == "x"
    assert done.final("x") == 4


def test_a_structure_comes_before_the_one_that_contains_it(tmp_path: Path) -> None:
    text = "struct in { int a; }; struct out { struct in i; } o; int main(void) { o.i.a = 3; }"
    done = ran(text, tmp_path)
    assert done.translation.text.index("struct in") < done.translation.text.index("struct out")
    assert done.final("o") == {"i": {"a": 3}}
