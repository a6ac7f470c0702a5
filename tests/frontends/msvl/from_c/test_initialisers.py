"""Initialisers: designators, texts, rows, and zero for the rest."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.frontends.msvl.from_c.translated_c import assert_computes

MEANINGS: dict[str, tuple[str, dict[str, Any]]] = {
    "designators": (
        "int a[4] = {[2] = 3, 4}; struct { int x, y; } s = {.y = 2};",
        {"a": (0, 0, 3, 4), "s": {"x": 0, "y": 2}},
    ),
    "texts": (
        'char a[4] = "hi"; char *p = "xyz"; int r; int main(void) { r = p[1] + a[1]; }',
        {"a": (104, 105, 0, 0), "r": 121 + 105},
    ),
    "rows of a matrix": (
        "int m[2][3] = {{1}, {4, 5}}, r; int f(int a[][3], int n) { return a[n][1] + a[0][0]; }"
        " int main(void) { m[1][2] = 6; r = f(m, 1); }",
        {"m": ((1, 0, 0), (4, 5, 6)), "r": 6},
    ),
}


@pytest.mark.parametrize("what", MEANINGS)
def test_the_translation_computes_what_c_computes(what: str, tmp_path: Path) -> None:
    assert_computes(*MEANINGS[what], tmp_path)
