"""Functions, their arguments and their results."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.frontends.msvl.from_c.translated_c import assert_computes

MEANINGS: dict[str, tuple[str, dict[str, Any]]] = {
    "recursion": (
        "int r; int f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); } int main(void) { r = f(8); }",
        {"r": 21},
    ),
    "structures by value": (
        "struct p { int x, y[2]; } a = {1, {2, 3}}, b; struct p f(struct p q) { q.x = 7; q.y[1]++; return q; }"
        " int main(void) { b = f(a); a.y[0] = b.y[1] + f(b).x; }",
        {"a": {"x": 1, "y": (11, 3)}, "b": {"x": 7, "y": (2, 4)}},
    ),
    "arguments of main that nobody uses": ("int r; int main(int argc, char **argv) { r = 1; return 0; }", {"r": 1}),
}


@pytest.mark.parametrize("what", MEANINGS)
def test_the_translation_computes_what_c_computes(what: str, tmp_path: Path) -> None:
    assert_computes(*MEANINGS[what], tmp_path)
