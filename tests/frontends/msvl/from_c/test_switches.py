"""Switches jump to their labels and fall through."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.frontends.msvl.from_c.translated_c import assert_computes

MEANINGS: dict[str, tuple[str, dict[str, Any]]] = {
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
    "a declaration shared by cases": (
        "int r; int main(void) { switch (2) { case 1: ; int t = 5; break; case 2: t = 7; r = t; } }",
        {"r": 7},
    ),
}


@pytest.mark.parametrize("what", MEANINGS)
def test_the_translation_computes_what_c_computes(what: str, tmp_path: Path) -> None:
    assert_computes(*MEANINGS[what], tmp_path)
