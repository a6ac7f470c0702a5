"""Variables that outlive their function."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.frontends.msvl.from_c.translated_c import assert_computes

MEANINGS: dict[str, tuple[str, dict[str, Any]]] = {
    "static locals": (
        "int r; int f(void) { static int n = 5; return n++; } int main(void) { f(); f(); r = f(); }",
        {"r": 7},
    ),
}


@pytest.mark.parametrize("what", MEANINGS)
def test_the_translation_computes_what_c_computes(what: str, tmp_path: Path) -> None:
    assert_computes(*MEANINGS[what], tmp_path)
