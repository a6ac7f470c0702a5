"""Loops and the jumps out of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.frontends.msvl.from_c.translated_c import assert_computes

MEANINGS: dict[str, tuple[str, dict[str, Any]]] = {
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
    "loops with empty bodies": (
        "int i, n; int main(void) { for (i = 0; i < 3; i++) ; while (n++ < 2) ; }",
        {"i": 3, "n": 3},
    ),
}


@pytest.mark.parametrize("what", MEANINGS)
def test_the_translation_computes_what_c_computes(what: str, tmp_path: Path) -> None:
    assert_computes(*MEANINGS[what], tmp_path)
