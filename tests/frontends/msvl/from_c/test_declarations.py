"""Variables of blocks, of functions and of the file, and the states that their declarations take."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.frontends.msvl.from_c.translated_c import assert_computes, ran

MEANINGS: dict[str, tuple[str, dict[str, Any]]] = {
    "static locals": (
        "int r; int f(void) { static int n = 5; return n++; } int main(void) { f(); f(); r = f(); }",
        {"r": 7},
    ),
    "static locals of one name in two functions": (
        "int r; int f(void) { static int n = 1; return n++; } int g(void) { static int n = 10; return n++; }"
        " int main(void) { f(); g(); r = f() * 100 + g(); }",
        {"r": 211},
    ),
    "a variable that a call initialises": (
        "int r; int f(int x) { return x + 1; } int main(void) { int a = f(1), b = f(a), c = a * 10 + b; r = c; }",
        {"r": 23},
    ),
    "globals are zero at first": ("int a; int b[2]; struct { int x; } c; int main(void) { a = b[1] + c.x; }", {"a": 0}),
    "a declaration that comes before the definition": (
        "extern int x; int r; int f(void) { return x; } int x = 4; int main(void) { r = f(); }",
        {"r": 4, "x": 4},
    ),
    "a loop that declares again": (
        "int r; int main(void) { for (int i = 0; i < 3; i++) { int n = 1; n += i; r = r * 10 + n; } }",
        {"r": 123},
    ),
}


@pytest.mark.parametrize("what", MEANINGS)
def test_the_translation_computes_what_c_computes(what: str, tmp_path: Path) -> None:
    assert_computes(*MEANINGS[what], tmp_path)


def test_names_of_one_declaration_share_a_state(tmp_path: Path) -> None:
    together, apart = (
        len(ran(f"int r; int main(void) {{ {declared} r = b; }}", tmp_path).run.states)
        for declared in ("int a = 1, b = 2;", "int a = 1; int b = 2;")
    )
    assert apart == together + 1
